export XDG_CACHE_HOME=$PWD/cache SPECIALIZE_VERBOSE=1
for level in 0 2; do
  specialize-cc -O$level -g -pthread indirect.c -o app
  specialize record -o app$level.sigma -- ./app 2>&1 | sed 's/, [0-9]* events.*//'
  specialize constrain app$level.sigma --schedule 0 --when true
  specialize build ./app --sigma app$level.sigma -o app.spec 2> /dev/null
  ./app
  for i in 1 2 3; do try ./app.spec; done
  for a in 13 '9 x' '3 x x'; do try ./app.spec $a 2>&1 | sed 's/thread [12] /thread N /; s/0x[0-9a-f]*/0xN/'; done
done
