# Mutexes on the heap that are left out: two of one site are two. Only what is as far from its lock on both sides is
# under the same one.
. "$TOP/tests/races.sh"
for mode in 0 1 2 3 4 5 6 7 8 9 10; do
  specialize-cc -DMODE=$mode -O1 -g -pthread app.c -o app
  rm -f app.sigma
  specialize record --exclude auto:0 -o app.sigma -- ./app > /dev/null 2>&1
  echo "== $mode: $(grep -c ^exclude app.sigma) excluded, $(grep -c ' [mp][0-9]' app.sigma) events of locks"
  races app
done
