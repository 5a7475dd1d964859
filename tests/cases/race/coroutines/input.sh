# Coroutines: who resumes them, and in which thread, is not followed, and said.
export XDG_CACHE_HOME=$PWD/cache
for f in *.c*; do
  cc=specialize-cc
  case $f in *.cc) cc=specialize-c++ ;; esac
  for level in -O0 -O1 -O2; do
    $cc $level -g -w -pthread "$f" -o app -std=c++20 2> said || cat said
    rm -f app.sigma
    specialize record -o app.sigma -- ./app > out 2>&1 < /dev/null || cat out
    specialize constrain app.sigma --schedule 0 --when true
    specialize race ./app --sigma app.sigma > out
    echo "$f $level: exit $?"
    grep '^SUMMARY\|^incomplete' out | sort -u
  done
done
