# A handler of atexit runs in the thread that calls exit, here not main's.
export XDG_CACHE_HOME=$PWD/cache
cp "$TOP/tests/cases/alias/at-exit/exits.c" .
specialize-cc -g -pthread exits.c -o app
specialize record -o app.sigma -- ./app 2> /dev/null
specialize race ./app --sigma app.sigma --evidence off --format github | grep -o 'race.*'
