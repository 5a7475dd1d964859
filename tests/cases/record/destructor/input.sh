# Destructors of the program synchronize: they are entered as handlers of exit are.
export XDG_CACHE_HOME=$PWD/cache
for level in -O0 -O1 -O2; do
  rm -f app.sigma
  specialize-cc $level -g -pthread app.c -o app
  specialize record -o app.sigma -- ./app 2>&1
  grep -c callback app.sigma
  specialize check ./app app.sigma
  specialize build ./app --sigma app.sigma -o app.spec > log 2>&1 || cat log
  SPECIALIZE_VERBOSE=1 ./app.spec 2>&1
  specialize race ./app --sigma app.sigma | grep '^specialize'
done
