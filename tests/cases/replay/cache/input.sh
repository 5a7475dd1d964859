# Variants of programs for replay are kept, but not all for ever; those that record stay.
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
for i in $(seq 10 49); do touch -d "2020-01-01 00:00:$i" cache/specialize/replay-old-$i; done
specialize replay ./app app.sched | head -1
ls cache/specialize | grep -c "^replay"
ls cache/specialize | grep -c "^record"
ls cache/specialize | grep old | head -1
inode=$(ls -i cache/specialize/replay-[0-9a-f]*-* | cut -d' ' -f1)
specialize replay ./app app.sched | head -1
[ "$inode" = "$(ls -i cache/specialize/replay-[0-9a-f]*-* | cut -d' ' -f1)" ] && echo "the same is used again"
