export XDG_CACHE_HOME=$PWD/cache
specialize-cc -g -pthread not-inlined.c -o app
specialize record -o app.sigma -- ./app  2> /dev/null
specialize constrain app.sigma --schedule 0 --when true
specialize race ./app --sigma app.sigma --evidence off --format github | grep -o 'race.*' | head -40
