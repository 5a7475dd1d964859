export XDG_CACHE_HOME=$PWD/cache
specialize-cc -g -pthread unlocks-some.c -o app
printf 'mutex m\nmutex other\n' > left-out
specialize record --exclude left-out -o app.sigma -- ./app 5 2> /dev/null
specialize constrain app.sigma --schedule 0 --when true
specialize race ./app --sigma app.sigma --evidence off --format github | grep -o 'race.*'
