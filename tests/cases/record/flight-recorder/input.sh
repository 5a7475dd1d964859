export XDG_CACHE_HOME=$PWD/cache
cp "$TOP"/tests/programs/sem.c .
specialize-cc -O1 -g -pthread sem.c -o app
args=$(sed -n 's/^ \* args: *//p' sem.c)
try specialize build --record ./app -o app.rec
./app.rec $args > want; mkdir runs
SPECIALIZE_DIR=runs ./app.rec $args | cmp - want && ls runs | wc -l
try specialize record -o app.sigma --from runs ./app 2>&1 | sed 's/[0-9]* events/N events/'
specialize check ./app app.sigma | sed 's/[0-9]* events/N events/'
for f in runs/*/e0.0; do truncate -s 100 "$f"; done
try specialize record -o cut.sigma --from runs ./app 2>&1 | sed 's/event [0-9]*/event N/; s/[0-9]* events/N events/'
[ ! -e cut.sigma ] || specialize check ./app cut.sigma | sed 's/[0-9]* events/N events/'
mkdir empty
try specialize record -o cut.sigma --from empty ./app
try specialize build ./app -o x
try specialize build --record ./app
