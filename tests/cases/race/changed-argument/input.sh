export XDG_CACHE_HOME=$PWD/cache
specialize-cc -g -pthread changed-argument.c -o app
specialize record -o app.sigma -- ./app 2 2> /dev/null
specialize race ./app --sigma app.sigma --evidence off --format github | grep -o 'race.*' | head -40
