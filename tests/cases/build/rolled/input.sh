# Schedules in the original code: what is held, what is told, what is refused, and when it is done without being asked.
export XDG_CACHE_HOME=$PWD/cache
schedule() {
  specialize-cc -O1 -g -pthread "$1" -o app "${@:3}"
  rm -f app.sigma
  specialize record -o app.sigma -- ./app $2 > /dev/null 2> log || cat log
  specialize constrain app.sigma --schedule 0 --when true
}
build() { specialize build ./app --sigma app.sigma -o app.spec "$@" 2>&1 | sed 's/, [0-9.]* s$/, T s/; s/into [0-9]* bytes/into N bytes/; s/[0-9]* events/N events/; s/at least [0-9]* instr/at least N instr/'; }

schedule app.c 1
build --rolled
SPECIALIZE_RECHECK=1 try ./app.spec 1 2>&1 | sed 's/([0-9]* events)/(N events)/'
try ./app.spec 2 2>&1 | sed 's/thread 0 (main) at .*app.c:14/thread 0 (main) at app.c:14/; s/(m[0-9]*) at .*: *expected/&/'
build --rolled --on-divergence free
SPECIALIZE_VERBOSE=1 try ./app.spec 2 2>&1 | cut -c1-60
echo "== over the budget"
build --budget 10
try ./app.spec 1
specialize build ./app --sigma app.sigma -o app.spec --rolled --explain 2>&1 | grep -A1 "rolled$\|is rolled"
echo "== refused"
schedule app.c 1 -DJUMPS
build --rolled
build --budget 300 | head -2
schedule taken.c 1
build --rolled
schedule forks.c 1
build --rolled
