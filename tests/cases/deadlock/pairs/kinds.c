// args:
// Four kinds of locks in a ring of four threads; a recursive one is taken twice.
#include <pthread.h>
static pthread_spinlock_t spin;
static pthread_mutex_t recursive, checked;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static void *first(void *arg) {
  pthread_spin_lock(&spin);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_spin_unlock(&spin);
  return arg;
}
static void *second(void *arg) {
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&checked);
  pthread_mutex_unlock(&checked);
  pthread_mutex_unlock(&recursive);
  return arg;
}
static void *third(void *arg) {
  pthread_mutex_lock(&checked);
  pthread_rwlock_rdlock(&rw);
  pthread_rwlock_unlock(&rw);
  pthread_mutex_unlock(&checked);
  return arg;
}
static void *fourth(void *arg) {
#ifdef FIXED
  pthread_rwlock_rdlock(&rw);
#else
  pthread_rwlock_wrlock(&rw);
#endif
  pthread_spin_lock(&spin);
  pthread_spin_unlock(&spin);
  pthread_rwlock_unlock(&rw);
  return arg;
}
int main(void) {
  void *(*all[])(void *) = {first, second, third, fourth};
  pthread_t t[4];
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &a);
  pthread_spin_init(&spin, 0);
  for (int i = 0; i < 4; ++i) pthread_create(&t[i], 0, all[i], 0);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], 0);
}
