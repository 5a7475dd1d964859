# exit, quick_exit and fork call back what synchronizes: recorded (it once crashed), checked, built and held.
export XDG_CACHE_HOME=$PWD/cache
for f in *.c; do
  for level in -O0 -O2; do
    specialize-cc -g $level -pthread "$f" -o app
    rm -f app.sigma
    specialize record -o app.sigma -- ./app > out 2> said
    echo "$f $level: exit $?"
    cat out
    specialize check ./app app.sigma
    specialize constrain app.sigma --schedule 0 --when true
    sed -n '/^t0/p' app.sigma
    specialize build ./app --sigma app.sigma -o app.spec 2> said || cat said
    SPECIALIZE_RECHECK=1 ./app.spec 2>&1
    echo "exit $?"
  done
done
