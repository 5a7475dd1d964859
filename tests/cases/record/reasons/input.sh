# An exact constraint holds all that a run has read; where it cannot, it is false, with the reason.
export XDG_CACHE_HOME=$PWD/cache
specialize-cc -g -O1 -pthread app.c -o app
specialize-cc -g -O1 -pthread name.c -o name
touch old gone
for what in mkdir excl zone lseek rename unlink stat access signal unused nothing; do
  specialize record -o $what.sigma -- ./app $what 2>&1 < app.c | grep -v added
  grep ^when $what.sigma
done
specialize show mkdir.sigma | grep constraint
specialize record -o name.sigma -- ./name 2> /dev/null
grep ^when name.sigma
specialize build ./name --sigma name.sigma -o name.spec 2> /dev/null
ln -s name.spec long
SPECIALIZE_VERBOSE=1 ./long
(exec -a ./name ./name.spec)
SPECIALIZE_VERBOSE=1 bash -c 'exec -a ./name ./name.spec'
