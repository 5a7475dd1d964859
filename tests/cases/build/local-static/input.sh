# Threads that met the initialisation of a local static when recorded hold their schedule if they come behind it.
export XDG_CACHE_HOME=$PWD/cache
for level in -O0 -O1 -O2; do
  rm -f app.sigma
  specialize-c++ $level -g -pthread app.cc -o app
  specialize record -o app.sigma -- ./app 1000 > log 2>&1 || cat log
  echo "$level: $(grep -c '^t. once-begin' app.sigma) ask"
  specialize constrain app.sigma --schedule 0 --when true
  specialize build ./app --sigma app.sigma -o app.spec > log 2>&1 || cat log
  for wait in 1000 500000; do SPECIALIZE_VERBOSE=1 ./app.spec $wait 2>&1; done
done
