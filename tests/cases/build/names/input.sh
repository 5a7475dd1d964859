export XDG_CACHE_HOME=$PWD/cache
specialize-cc -O1 -pthread names.c -o app
specialize record -o app.sigma -- ./app 5 3 again 2>&1 | sed 's/, exact.*//'
specialize constrain app.sigma --schedule 0 --when true
specialize build ./app --sigma app.sigma -o app.spec 2> /dev/null
try ./app.spec 7 3 again
try ./app.spec 7 4 again
try ./app.spec 7 3
