# What the clones are made of: segments, and branches that lost a way.
export XDG_CACHE_HOME=$PWD/cache
specialize-cc -O1 -g -pthread branches.c -o app
for n in 1 3; do specialize record -o app.sigma -- ./app $n > /dev/null 2>&1; done
specialize constrain app.sigma --schedule 0 --when '(< (atoi (argv 1)) 3)'
specialize constrain app.sigma --schedule 1 --at main:branches.c:23 --when '(and (> (var n) 2) (< (var n) 9))'
build() { specialize build ./app --sigma app.sigma -o app.spec "$@" 2> log; echo "exit $?"; sed 's|, [0-9]* instructions cloned.*||' log; }
build --dump=segments
build --dump cf
build --dump=cf,segments > both
for what in segments cf; do build --dump=$what | grep -v -e '^exit' -e '^specialize:' ; done > one
grep -v -e '^exit' -e '^specialize:' both | cmp - one
build --dump=ir
for n in 2 3 8 9; do SPECIALIZE_VERBOSE=1 ./app.spec $n; done
