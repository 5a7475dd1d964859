# A thread that sleeps where only a waiting one could wake it has left its schedule, whatever it sleeps in: abort ends
# with both places, free goes on. Who may be woken from outside is waited for.
export XDG_CACHE_HOME=$PWD/cache
specialize-cc -O1 -g -pthread app.c -o app
specialize record -o app.sigma -- ./app 2> /dev/null
specialize constrain app.sigma --schedule 0 --when true
for what in abort free; do specialize build ./app --sigma app.sigma -o $what --on-divergence $what 2>&1 | grep -v "schedule, "; done
for how in pipe pair event poll select epoll signal naps polls; do
  for what in abort free; do SPECIALIZE_PATIENCE=2 try timeout 20 ./$what $how < /dev/null 2>&1; done
done | sed 's/diverged: thread .*, which \(.*\) before.*/diverged: \1/'
echo "from outside"
for how in stdin child sleeps; do
  for what in abort free; do (sleep 3; echo x) | try timeout 20 ./$what $how; done
done
