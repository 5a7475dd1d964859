# A thread that spins on what a waiting one should write is found after SPECIALIZE_PATIENCE seconds.
export XDG_CACHE_HOME=$PWD/cache
specialize-cc -O1 -g -pthread app.c -o app
specialize record -o app.sigma -- ./app > /dev/null 2>&1
specialize constrain app.sigma --schedule 0 --when true
export SPECIALIZE_PATIENCE=1
for what in abort free; do
  specialize build ./app --sigma app.sigma -o app.spec --on-divergence $what 2> /dev/null
  try ./app.spec
  try ./app.spec spin
  try ./app.spec spin nap
done
SPECIALIZE_VERBOSE=1 try ./app.spec spin
# 0: it waits for ever. 60, and only a message, is what holds without the variable.
for patience in 0 '' 2s; do SPECIALIZE_PATIENCE=$patience try timeout 4 ./app.spec spin; done
