# Threads that are made before main, where no recording has begun, or in what runs behind it.
export XDG_CACHE_HOME=$PWD/cache
for f in *.c *.cc; do
  cc=specialize-cc
  case $f in *.cc) cc=specialize-c++ ;; esac
  for level in -O0 -O1 -O2; do
    rm -f app.sigma
    $cc $level -g -pthread $f -o app
    specialize record -o app.sigma -- ./app > log 2>&1 || cat log
    specialize constrain app.sigma --schedule 0 --when true
    echo "$f $level"
    specialize race ./app --sigma app.sigma > out
    status=$?
    grep -o 'a thread created here is not in the schedule' out | sort -u
    [ $status != 0 ] && echo "not clean"
  done
done
