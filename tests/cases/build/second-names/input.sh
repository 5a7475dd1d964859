export XDG_CACHE_HOME=$PWD/cache SPECIALIZE_VERBOSE=1
for what in VARIABLES FUNCTIONS; do
  specialize-cc -O2 -g -pthread -D$what names.c -o app
  ./app 1
  rm -f app.sigma
  specialize record -o app.sigma -- ./app 1 > /dev/null 2>&1
  specialize constrain app.sigma --schedule 0 --when true
  for unit in 1 100000; do
    specialize build ./app --sigma app.sigma -o app.spec --unit $unit --timings 2>&1 | grep -o '^specialize: units: [0-9]*'
    try ./app.spec 1
    try ./app.spec 7
    try ./app.spec 9
  done
done
