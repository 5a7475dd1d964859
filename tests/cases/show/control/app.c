// Names of functions, variables and files that would command a terminal, a browser or a build server.
#include <pthread.h>
#include <stdio.h>
int counter __asm__("cnt\033[31m\302\23331m\n::error::x</script><script>alert(1)</script>\342\200\256");
pthread_mutex_t held __asm__("lck\033[31m\302\23331m\n::warning::x") = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) __asm__("wrk\033]0;x\007\n::set-output name=x::y</script><script>alert(3)</script>");
#line 7 "a\033]0;x\007\302\23331m\n::error file=x::boo</script><script>alert(2)</script>%0A,::.c"
static void *worker(void *arg) {
  ++counter;
  pthread_mutex_lock(&held);
  pthread_mutex_unlock(&held);
  return arg;
}
int main(int argc, char **argv) {
  (void)argv;
  pthread_t t[2];
  if (argc > 1) pthread_mutex_lock(&held), pthread_mutex_unlock(&held);
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%d\n", counter);
  return counter != 2;
}
