# A thread that was made, and had not begun when the process ended: all of its code comes behind its creation, and before
# nothing. Most runs of these end before the thread begins; its events are taken out of those that do not.
. "$TOP/tests/races.sh"
for app in app racy locked; do
  echo "$app:"
  made $app
  grep -v '^t1 ' $app.sigma | sed "s/^end .*/end $(grep -c '^t0 ' $app.sigma)/" > one.sigma && mv one.sigma $app.sigma
  specialize check $app $app.sigma
  races $app
done
