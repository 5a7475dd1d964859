export XDG_CACHE_HOME=$PWD/cache
specialize-cc -O1 -g -pthread app.c -o app
specialize record -o app.sigma -- ./app 2> /dev/null
specialize constrain app.sigma --schedule 0 --when true
specialize build ./app --sigma app.sigma -o app.spec 2> /dev/null
try ./app.spec 0
# One of several ways to the end.
specialize-cc -O1 -g -pthread early.c -o app
rm app.sigma
specialize record -o app.sigma -- ./app 3 2> /dev/null
specialize constrain app.sigma --schedule 0 --when true
for what in abort free; do
  specialize build ./app --sigma app.sigma -o app.spec --on-divergence $what 2> /dev/null
  for n in 3 0 2; do try ./app.spec $n; done
done
specialize-cc -O1 -g -pthread barrier.c -o app
rm app.sigma
specialize record -o app.sigma -- ./app 2> /dev/null
grep -c barrier-arrive app.sigma
specialize constrain app.sigma --schedule 0 --when true
for what in abort free; do
  specialize build ./app --sigma app.sigma -o app.spec --on-divergence $what 2> /dev/null
  SPECIALIZE_RECHECK=1 try ./app.spec
  try ./app.spec x
done
