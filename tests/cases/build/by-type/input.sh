# A Σ from the time when the calls that may synchronize were found by their types alone lists more of them than points-to
# leaves. It is read, extended, and built by type.
export XDG_CACHE_HOME=$PWD/cache SPECIALIZE_VERBOSE=1
said() { sed 's/[0-9]* instructions/N instructions/; s/, [0-9.]* s$//'; }
specialize-cc -O1 -g -pthread app.c -o app
specialize record --constraint exact -o app.sigma -- ./app 2>&1
grep '^site.*call' app.sigma
# What the recorder of then would have added: the two calls of what never locks.
sed '/^site 5/a site 6 main#3 call app.c:31:8\nsite 7 worker#0 call app.c:23:8
s/^t\(.\) call \([15]\)$/t\1 call X\2\nt\1 ret X\2\n&/; s/^end 13/end 17/' app.sigma | sed 's/X5/6/; s/X1/7/' > old.sigma
try specialize check ./app old.sigma
echo "extended"
try specialize record --constraint exact -o old.sigma -- ./app 2>&1
try specialize record --constraint exact -o old.sigma -- ./app 2 2>&1
sed '1,/^schedule 1/d' old.sigma | grep -c ' call '
try specialize check ./app old.sigma
echo "built"
try specialize build ./app --sigma old.sigma -o app.spec 2>&1 | said
for args in "" 2; do SPECIALIZE_RECHECK=1 try ./app.spec $args; done
specialize alias ./app app.c:11 --sigma old.sigma --schedule 0 | grep -c ' in t'
echo "not extended by points-to"
try specialize record --constraint exact -o app.sigma -- ./app 2 2>&1
sed '1,/^schedule 1/d' app.sigma | grep -c ' call '
# Of two files each is judged for itself.
try specialize build ./app --sigma app.sigma -o app.spec 2>&1 | said
SPECIALIZE_RECHECK=1 try ./app.spec 2
