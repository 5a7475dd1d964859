# Locks that are left out of the schedule, and a callback of the library in between that gives one back.
export XDG_CACHE_HOME=$PWD/cache
check() {
  specialize-cc -O1 -g -pthread "-DWAY=$2" "$1" -o app
  rm -f app.sigma
  specialize record --exclude auto:100 -o app.sigma -- ./app > log 2>&1 || cat log
  specialize constrain app.sigma --schedule 0 --when true
  echo "$1 $2"
  specialize race --all ./app --sigma app.sigma | grep -E '^  Location|^specialize'
}
check gives_up.c 'qsort(k, 2, sizeof *k, compare);'
check gives_up.c 'bsearch(k, k + 1, 1, sizeof *k, compare);'
check gives_up.c 'compare(k, k + 1);'
check gives_up.c 'int (*at)(const void *, const void *) = compare; at(k, k + 1);'
# Not told apart yet: any callback that synchronizes ends what is credited.
check keeps.c 'qsort(k, 2, sizeof *k, compare);'
check keeps.c 'compare(k, k + 1);'
# Routines that run once may give a lock back, too.
for f in excl_once excl_calloncec; do
  specialize-cc -O1 -g -w -pthread -I"$TOP/tests" $f.c -o app
  rm -f app.sigma
  printf 'mutex m\n' > ex
  specialize record --exclude ex -o app.sigma -- ./app > log 2>&1 || cat log
  specialize constrain app.sigma --schedule 0 --when true
  specialize race --all ./app --sigma app.sigma | grep -E '^  Location|^specialize'
done
