# A function of several versions: which one is chosen while the program is loaded, before anything can be recorded.
export XDG_CACHE_HOME=$PWD/cache
specialize-cc -g -O1 -pthread app.c -o app
specialize record -o app.sigma -- ./app
echo "exit $?"
specialize check ./app app.sigma
