# A newcomer's session: two schedules in one program, inputs that fit and one that does not.
export XDG_CACHE_HOME=$PWD/cache
cp "$TOP"/tests/programs/fig1.c .
specialize-cc -O1 -g -pthread fig1.c -o app
for p in 2 3; do specialize record -o app.sigma -- ./app $p 100; done 2>&1 | sed 's/: [0-9]* threads.*//'
for s in 0 1; do
  specialize constrain app.sigma --schedule $s --when "(and (= argc 3) (= (atoi (argv 1)) $((s + 2))) (>= (atoi (argv 2)) 0))"
done
specialize build ./app --sigma app.sigma -o app.spec 2>&1 | sed 's/, [0-9.]* s$//; s/[0-9]* instructions/N instructions/'
export SPECIALIZE_VERBOSE=1
for args in "2 100" "2 5000" "3 100" "4 100" "2 -1"; do
  ./app $args > want 2> want.err; echo "native $?"
  ./app.spec $args > got; echo "exit $?"; cmp want got
done
SPECIALIZE_SCHEDULE=none ./app.spec 2 100
SPECIALIZE_SCHEDULE=1 ./app.spec 3 100
try env SPECIALIZE_SCHEDULE=7 ./app.spec 3 100
try env SPECIALIZE_SCHEDULE=1 ./app.spec 4 100
specialize doctor ./app.spec | head -3
# The same by the wrapper's link step.
SPECIALIZE_SIGMA=app.sigma specialize-cc -O1 -g -pthread fig1.c -o app 2>&1 | sed 's/, [0-9.]* s$//; s/[0-9]* instructions/N instructions/'
try ./app 2 300
specialize check ./app app.sigma
sed 's/sum %ld/SUM %ld/' fig1.c > changed.c
SPECIALIZE_SIGMA=app.sigma specialize-cc -O1 -g -pthread changed.c -o app 2>&1 | sed 's/is [0-9a-f]*$/is HASH/'
try ./app 2 300
SPECIALIZE_SIGMA=app.sigma specialize-cc -O1 -g -pthread changed.c -o other
SPECIALIZE_SIGMA=missing.sigma specialize-cc -O1 -g -pthread changed.c -o app
