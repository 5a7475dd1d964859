# A schedule whose run did not end is checked too; the scope says which threads never ended.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static int x, dies;
static void *worker(void *arg) {
  x++;
  while (dies) sleep(1);
  return arg;
}
int main(int argc, char **argv) {
  pthread_t t[2];
  dies = argc > 1;
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, worker, 0);
  (void)argv;
  if (dies) usleep(300000), raise(SIGKILL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  return 0;
}
X
specialize-cc -O1 -g -pthread app.c -o app
bash -c 'specialize record -o app.sigma -- ./app die; :' > run.out 2>&1
races app
try specialize race --all ./app --sigma app.sigma | sed 's/sigma:[0-9]*/sigma:N/'
specialize record -o app.sigma -- ./app > run.out 2>&1
races app
races app --schedule 0
races app --schedule 1
