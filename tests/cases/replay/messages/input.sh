# Bad witnesses and options.
export XDG_CACHE_HOME=$PWD/cache
cat > app.c <<X
#include <pthread.h>
static int count;
static void *worker(void *a) {
  count += 1;
  return a;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  return 0;
}
X
specialize-cc -g -pthread app.c -o app
specialize record -o app.sigma -- ./app
test_witness ./app app.sigma 0 1.1:app.c:4:w 2.1:app.c:4:r > app.sched
try specialize replay ./app
try specialize replay --tries 0 ./app app.sched
try specialize replay --timeout soon ./app app.sched
try specialize replay ./app none.sched
try specialize replay ./app app.sigma
bad() { sed "$1" app.sched > bad.sched; try specialize replay ./app bad.sched; }
bad 's/^module .*/module 0123456789abcdef0123456789abcdef/' 2>&1 | sed 's/is [0-9a-f]*$/is HASH/'
bad '/^incomplete/d'
bad 's/^t2 access 1/t1 access 1/'
bad 's/^t2 access 1/t2 access 2/'
bad 's/^access 0 worker%[0-9]*/access 0 worker%999/'
bad 's/^access 0 worker%[0-9]*/access 0 nobody%1/'
bad 's/^access 0 worker%[0-9]*/access 0 worker%0/'
bad '/^end/d'
sed 's/^end 6/end 5/; /^t2 access/d' app.sched > bad.sched; try specialize replay ./app bad.sched
sed '/^t2 enter/d; s/^end 6/end 5/' app.sched > bad.sched; try specialize replay ./app bad.sched
# A list that this program does not follow.
sed 's/^\(site 1 main#\)[0-9]* join/\11 create/; s/^t0 create 0 t2/t0 create 1 t2/' app.sched > bad.sched; try specialize replay ./app bad.sched 2>&1 | sed 's/#[0-9]*/#N/'
try specialize build ./app --sigma app.sched -o app.spec
sed -i 's/count += 1/count += 2/' app.c && specialize-cc -g -pthread app.c -o app
try specialize rebase ./app app.sched -o other.sched
