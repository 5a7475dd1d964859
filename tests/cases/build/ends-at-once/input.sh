export XDG_CACHE_HOME=$PWD/cache
specialize-cc -O1 -g -pthread app.c -o app
specialize record -o app.sigma -- ./app 2> /dev/null
specialize constrain app.sigma --schedule 0 --when true
specialize build ./app --sigma app.sigma -o app.spec 2> /dev/null
try ./app.spec 0
