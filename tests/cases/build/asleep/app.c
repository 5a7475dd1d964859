// A and B lock in the order of the recording, A first. Told so, A sleeps before in a call that B completes behind its
// lock: held to the schedule, neither can go on. In the last modes somebody outside completes the call, late.
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *how = "";
static char order[3];
static int ends[2], pair[2], event, queue, child[2];
static atomic_int flag;
static pthread_t a;

static void note(char who) {
  pthread_mutex_lock(&lock);
  order[strlen(order)] = who;
  pthread_mutex_unlock(&lock);
}

static int is(const char *what) { return !strcmp(how, what); }

static void take(int fd) {
  char c[8];
  if (read(fd, c, sizeof c) < 0) exit(3);
}

static void sleep_for_b(void) {
  struct pollfd p[] = {{ends[0], POLLIN, 0}, {pair[0], POLLIN, 0}};
  struct epoll_event e;
  fd_set set;
  sigset_t signals;
  int got;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  sigemptyset(&signals), sigaddset(&signals, SIGUSR1);
  if (is("pipe")) take(ends[0]);
  if (is("pair")) take(pair[0]);
  if (is("event")) take(event);
  if (is("poll")) poll(p, 2, -1);
  if (is("select")) select(ends[0] + 1, &set, NULL, NULL, NULL);
  if (is("epoll")) epoll_wait(queue, &e, 1, -1);
  if (is("signal")) sigwait(&signals, &got);
  while (is("naps") && !flag) select(0, NULL, NULL, NULL, &(struct timeval){0, 10000});
  while (is("polls") && !flag) poll(p, 2, 10);
  if (is("stdin")) take(0);
  if (is("child")) take(child[0]);
  if (is("sleeps")) sleep(3);
}

static void wake_a(void) {
  uint64_t one = 1;
  flag = 1;
  if (write(ends[1], &one, 1) < 0 || write(pair[1], &one, 1) < 0 || write(event, &one, 8) < 0) exit(4);
  if (is("signal")) pthread_kill(a, SIGUSR1);
}

static void *run_a(void *p) {
  sleep_for_b();
  note('A');
  return p;
}

static void *run_b(void *p) {
  if (is("")) usleep(50000);
  note('B');
  wake_a();
  return p;
}

int main(int argc, char **argv) {
  pthread_t b;
  sigset_t signals;
  how = argc > 1 ? argv[1] : "";
  sigemptyset(&signals), sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  if (pipe(ends) || pipe(child) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 2;
  event = eventfd(0, 0), queue = epoll_create1(0);
  epoll_ctl(queue, EPOLL_CTL_ADD, ends[0], &(struct epoll_event){.events = EPOLLIN});
  if (is("child") && !fork()) {
    sleep(3);
    return write(child[1], "x", 1) != 1;
  }
  pthread_create(&a, NULL, run_a, NULL);
  pthread_create(&b, NULL, run_b, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%s: %s\n", how, order);
  return 0;
}
