export XDG_CACHE_HOME=$PWD/cache
specialize-c++ -g -pthread started-outside.cc -o app
specialize record -o app.sigma -- ./app 2> /dev/null
specialize race ./app --sigma app.sigma --evidence off --format github | grep -o 'race.*13:8.*'
