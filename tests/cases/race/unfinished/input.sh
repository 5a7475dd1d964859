# A thread that waited when the process ended may run on until then: what it does behind its last event is looked at,
# with the locks that it takes there.
. "$TOP/tests/races.sh"
for app in barrier_unfinished cond_unfinished timedwait_unfinished two_workers_unfinished pool_unfinished pool2_unfinished \
  join_unfinished lock_unfinished sem_unfinished nested_sem_unfinished main_waits_exit heap_lock readers starts_more; do
  echo "$app:"
  made $app
  races $app
done
