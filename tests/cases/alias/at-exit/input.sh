# A handler of atexit runs in the thread that calls exit.
specialize-cc -g -pthread exits.c -o app
specialize alias ./app --shared
