# What is handed over in locked queues belongs to the thread that took it: values are followed through lists, calls
# through tables, containers and the branches that another thread has passed.
. "$TOP/tests/races.sh"
cat > list.c <<X
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
struct item { struct item *next; int size; char *data; };
static struct { pthread_mutex_t lock; struct item *head, **tail; } queue = {PTHREAD_MUTEX_INITIALIZER, 0, &queue.head};
static sem_t turn[2];
static void *allocate(size_t n) {
  void *p = calloc(1, n);
  if (!p) exit(1);
  return p;
}
static void put(struct item *x) {
  x->next = 0;
  pthread_mutex_lock(&queue.lock);
  *queue.tail = x;
  queue.tail = &x->next;
  pthread_mutex_unlock(&queue.lock);
}
static struct item *get(void) {
  pthread_mutex_lock(&queue.lock);
  struct item *x = queue.head;
  if (x && !(queue.head = x->next)) queue.tail = &queue.head;
  pthread_mutex_unlock(&queue.lock);
  return x;
}
static void fill(struct item *x) {
  x->data = allocate(x->size);
  for (int i = 0; i < x->size; ++i) x->data[i] = (char)i;
}
static void drop(struct item *x) {
  free(x->data);
  free(x);
}
static void (*const work[])(struct item *) = {fill, drop};
static void *worker(void *arg) {
  for (int i = 0; i < 2; ++i) {
    sem_wait(&turn[(long)arg]);
    struct item *x = get();
    sem_post(&turn[!(long)arg]);
    if (!x) return 0;
    for (int k = 0; k < 2; ++k) work[k](x);
  }
  return 0;
}
int main(int argc, char **argv) {
  pthread_t t[2];
  sem_init(&turn[0], 0, 1), sem_init(&turn[1], 0, 0);
  for (int i = 0; i < 4; ++i) {
    struct item *x = allocate(sizeof *x);
    x->size = 100;
    put(x);
  }
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  return 0;
}
X
cat > deque.cc <<X
#include <deque>
#include <mutex>
#include <semaphore.h>
#include <thread>
#include <vector>
static std::mutex lock;
static std::deque<std::vector<unsigned char>> queue;
static sem_t turn[2];
static unsigned sum[2];
static void worker(int me) {
  for (int i = 0; i < 2; ++i) {
    std::vector<unsigned char> mine;
    sem_wait(&turn[me]);
    {
      std::lock_guard<std::mutex> guard(lock);
      mine = std::move(queue.front());
      queue.pop_front();
    }
    sem_post(&turn[!me]);
    for (unsigned char c : mine) sum[me] += c;
  }
}
int main() {
  sem_init(&turn[0], 0, 1), sem_init(&turn[1], 0, 0);
  for (int i = 0; i < 4; ++i) {
    std::vector<unsigned char> data(100, 1);
    std::lock_guard<std::mutex> guard(lock);
    queue.push_back(std::move(data));
  }
  std::thread a(worker, 0), b(worker, 1);
  a.join(), b.join();
  return sum[0] + sum[1] == 400 ? 0 : 1;
}
X
made list
races list
specialize-c++ -O1 -g -pthread deque.cc -o deque
specialize record -o deque.sigma -- ./deque 2> run.err || cat run.err
# A global that is constructed before main enters no thread.
races deque | grep -c "possible  queue"
