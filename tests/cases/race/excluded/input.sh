# A lock that is left out of the schedule is a lock in the program all the same.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
static int counter, other;
static void *worker(void *arg) {
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&busy);
    counter++;
    pthread_mutex_unlock(&busy);
  }
  return arg;
}
static void *careless(void *arg) {
  pthread_mutex_lock(&busy);
  other++;
  pthread_mutex_unlock(&busy);
  other--;
  return arg;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; ++i) pthread_create(&t[i], 0, i < 2 ? worker : careless, 0);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], 0);
  return counter == 6 ? 0 : 1;
}
X
specialize-cc -O1 -g -pthread app.c -o app
echo 'mutex busy' > busy
specialize record --exclude busy -o app.sigma -- ./app
races app
specialize race --all ./app --sigma app.sigma | grep -E 'mutexes|^checked'
# Another lock on each side keeps nothing apart.
cat > two.c <<X
#include <pthread.h>
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *first(void *arg) {
  pthread_mutex_lock(&one);
  counter++;
  pthread_mutex_unlock(&one);
  return arg;
}
static void *second(void *arg) {
  pthread_mutex_lock(&two);
  counter--;
  pthread_mutex_unlock(&two);
  return arg;
}
$END_OF_THREADS
X
specialize-cc -O1 -g -pthread two.c -o two
printf 'mutex one\nmutex two\n' > both
specialize record --exclude both -o two.sigma -- ./two
races two
# A function that is called may give back what its caller holds.
cat > weak.c <<X
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int given, kept;
static void give_back(int n) {
  if (n) give_back(n - 1);
  else pthread_mutex_unlock(&m);
}
static void *first(void *arg) {
  pthread_mutex_lock(&m);
  kept++;
  give_back((long)arg & 3);
  given++;
  return arg;
}
static void *second(void *arg) {
  pthread_mutex_lock(&m);
  given--;
  kept--;
  pthread_mutex_unlock(&m);
  return arg;
}
$END_OF_THREADS
X
specialize-cc -O1 -g -pthread weak.c -o weak
echo 'mutex m' > weaker
specialize record --exclude weaker -o weak.sigma -- ./weak 2> /dev/null
races weak
