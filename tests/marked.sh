# For cases of small programs with a race that was once missed: its lines are marked (// R). Each verdict must be a race
# there, or incomplete, never clean. They include tests/all.h.
export XDG_CACHE_HOME=$PWD/cache
# marked "LEVELS" [options of the compiler]: every program of the folder, at these levels of optimization.
marked() {
  local levels=$1 f cc level
  shift
  for f in *.c*; do
    cc=specialize-cc
    case $f in *.cc) cc=specialize-c++ ;; esac
    for level in $levels; do
      $cc $level -g -w -pthread -I"$TOP/tests" "$f" -o app "$@" 2> said || cat said
      rm -f app.sigma
      specialize record --constraint exact -o app.sigma -- ./app > out 2>&1 < /dev/null || cat out
      specialize constrain app.sigma --schedule 0 --when true
      specialize race --all ./app --sigma app.sigma --evidence off > out
      echo "$f $level: exit $?"
      grep '^SUMMARY\|^incomplete' out | sort -u
    done
  done
}
