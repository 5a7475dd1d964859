# Threads that are made by code without hooks: counted, with the name of the library. A program's own are not.
export XDG_CACHE_HOME=$PWD/cache
cc -shared -fPIC -pthread lib/worker.c -o libworker.so
cc -shared -fPIC -pthread "$TOP/tests/cases/race/plugins/lib/back.c" -o libbegins.so
cc -c -fPIC -pthread lib/worker.c -o worker.o
try() {
  rm -f app.sigma
  echo "-- $1"
  specialize record -o app.sigma -- ./app 2> said
  grep 'not recorded' said
  grep '^outside' app.sigma
}
link="-L. -Wl,-rpath,$PWD"

specialize-cc -g -pthread main.c -o app $link -lworker && try linked
specialize-cc -g -pthread main.c -o app $link -Wl,--no-as-needed -lworker -lbegins && try "begins before main"
# Of a run that is there already the larger number stays.
cc -DTIMES=2 -shared -fPIC -pthread lib/worker.c -o libworker.so
specialize record -o app.sigma -- ./app 2>&1 | grep -v events
grep '^outside' app.sigma
specialize-cc -g -pthread loads.c -o app && try loaded
specialize-cc -g -pthread main.c worker.o -o app && try "object without bitcode"
specialize-c++ -g -pthread own.cc -o app && try "its own"
specialize-cc -g -pthread wraps.c -o app $link -lworker && try "wraps pthread_create"
specialize-cc -g -pthread -static main.c lib/worker.c -o app && try static
specialize-c++ -g -pthread -fsanitize=thread own.cc -o app && try sanitized
# The loader is locked meanwhile, and the threads that it waits for must not ask it anything.
cc -shared -fPIC -pthread lib/waits.c -o libwaits.so
specialize-cc -g unloads.c -o app && try "waits while it is loaded and unloaded"
exit 0
