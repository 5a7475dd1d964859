export XDG_CACHE_HOME=$PWD/cache SPECIALIZE_VERBOSE=1
specialize-cc -O1 -g -pthread outside.c -o app
specialize record -o app.sigma -- ./app 2>&1 | sed 's/, [0-9]* events.*//'
specialize constrain app.sigma --schedule 0 --when true
specialize build ./app --sigma app.sigma -o app.spec 2> /dev/null
for i in 1 2 3; do try ./app.spec; done
try ./app.spec 5
SPECIALIZE_SCHEDULE=none try ./app.spec 5
