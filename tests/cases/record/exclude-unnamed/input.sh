# Mutexes without a name are left out by where they are locked.
export XDG_CACHE_HOME=$PWD/cache
specialize-cc -O1 -g -pthread app.c -o app
record() { specialize record -o "$1" "${@:2}" 2>&1 | sed 's/^specialize: //; s/, [0-9]* events,/, N events,/; s/[0-9.]* % of all/some % of all/'; }
look() {
  specialize check ./app "$1" | sed 's/, [0-9]* events//' && python3 "$TOP/tests/referee.py" "$1"
  grep -E '^(schedules|exclude|left-out)' "$1"
  sed -n 's/^site [0-9]* \(.* excluded\)$/\1/p' "$1" | sort
}
for m in 'mutex touch#0' 'spin spin#0' 'mutex spin#0' 'mutex worker#4' 'mutex main#16' 'mutex main#19' 'mutex touch#3' 'spin nowhere#0'; do
  echo "== $m"
  echo "$m" > list
  record one.sigma --exclude list -- ./app
  look one.sigma
  rm one.sigma
done
echo "== auto"
record app.sigma --exclude auto:0 -- ./app > /dev/null
look app.sigma
# More runs, of other cells: what is locked there stays left out.
record app.sigma -- ./app 40 7
look app.sigma
record app.sigma -- ./app 5 5 event
# Enforced: other numbers of cells are the same schedule then.
specialize constrain app.sigma --schedule 0 --when true
specialize build ./app --sigma app.sigma -o app.spec 2>&1 | sed 's/[0-9]* events, [0-9]* instructions cloned, [0-9.]* s/.../; s/enforces [0-9.]* %/holds some/'
for n in 6 100; do for c in 3 1 9; do SPECIALIZE_SCHEDULE=0 try ./app.spec $n $c; done; done
# Where clones would be too large, and the schedule cannot be rolled.
echo 'int (*volatile taken)(pthread_mutex_t *) = pthread_mutex_lock;' >> app.c
specialize-cc -O1 -g -pthread app.c -o app
rm app.sigma
record app.sigma -- ./app 400
grep -c excluded app.sigma
specialize constrain app.sigma --schedule 0 --when true
specialize build ./app --sigma app.sigma -o app.spec --budget 2000 2>&1 | sed 's/about [0-9]*/about N/; s/[0-9]* events, [0-9]* instructions cloned, [0-9.]* s/.../; s/enforces [0-9.]* %/holds some/'
SPECIALIZE_RECHECK=1 try ./app.spec 400 2>&1 | sed 's/([0-9]* events/(N events/'
