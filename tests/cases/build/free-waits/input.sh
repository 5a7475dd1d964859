# In a run that has become free nobody is woken who was not signalled, and nobody who was waits on. Without keys for
# threads the original runs.
export XDG_CACHE_HOME=$PWD/cache
specialize-cc -O1 -g -pthread once.c -o once
specialize-c++ -O1 -g -pthread tokens.cc -o tokens
specialize-cc -O1 -g -pthread keys.c -o keys
for name in once tokens keys; do
  specialize record -o $name.sigma -- ./$name 2> /dev/null
  specialize constrain $name.sigma --schedule 0 --when true
  for what in abort free; do
    specialize build ./$name --sigma $name.sigma -o $name.$what --on-divergence $what 2>&1 | grep -v "schedule, "
  done
done
for i in 1 2 3 4 5; do
  for step in 0 1 2 3; do timeout 20 ./once.free $step; done
  timeout 20 ./tokens.free
  timeout 20 ./tokens.free more
done | sort | uniq -c
echo "no keys"
for what in abort free; do KEYS=1 try ./keys.$what; done
SPECIALIZE_VERBOSE=1 KEYS=1 ./keys.free
