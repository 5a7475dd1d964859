export XDG_CACHE_HOME=$PWD/cache
specialize-cc -g -pthread arguments.c -o app
specialize record -o app.sigma -- ./app 1 2 2> /dev/null
specialize race ./app --sigma app.sigma --evidence off --format github | grep -o 'race.*'
