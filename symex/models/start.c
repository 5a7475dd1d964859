// Beginning and end: of the process, and of threads.
#include <stdlib.h>
#include "host.h"

_Thread_local int specialize_errno;
char **environ;
extern char **__environ __attribute__((alias("environ")));
char *program_invocation_name, *program_invocation_short_name;
void *__dso_handle;
void *__stack_chk_guard;

int *__errno_location(void) {
  return &specialize_errno;
}

typedef struct Handler {
  struct Handler *before;
  void (*plain)(void);
  void (*with)(void *);
  void (*with_status)(int, void *);
  void *argument;
} Handler;
static Handler *handlers, *quick;

static int add(Handler **to, void (*plain)(void), void (*with)(void *), void (*with_status)(int, void *),
               void *argument) {
  Handler *h = host_allocate(sizeof *h, 16);
  if (!h) return -1;
  *h = (Handler){*to, plain, with, with_status, argument};
  *to = h;
  return 0;
}
int atexit(void (*f)(void)) {
  return add(&handlers, f, 0, 0, 0);
}
int at_quick_exit(void (*f)(void)) {
  return add(&quick, f, 0, 0, 0);
}
int on_exit(void (*f)(int, void *), void *argument) {
  return add(&handlers, 0, 0, f, argument);
}
int __cxa_atexit(void (*f)(void *), void *argument, void *dso) {
  (void)dso;
  return add(&handlers, 0, f, 0, argument);
}

static void run(Handler **from, int status) {
  while (*from) {
    Handler *h = *from;
    *from = h->before;
    if (h->plain) h->plain();
    if (h->with) h->with(h->argument);
    if (h->with_status) h->with_status(status, h->argument);
  }
}

static void leave_now(int status) __attribute__((noreturn));
static void leave_now(int status) {
  host_exiting();
  host_exit(status);
  __builtin_unreachable();
}
void _exit(int status) {
  leave_now(status);
}
void _Exit(int status) {
  leave_now(status);
}
void quick_exit(int status) {
  host_exiting();
  run(&quick, status);
  host_exit(status);
  __builtin_unreachable();
}
void abort(void) {
  host_die(6);
}
void __stack_chk_fail(void) {
  host_die(6);
}

static void end(int status) __attribute__((noreturn));
static void end(int status) {
  specialize_forget_thread();
  run(&handlers, status);
  void *f;
  for (int i = 0; (f = host_constructor(i, 1)); ++i) ((void (*)(void))f)();
  specialize_flush_all();
  host_exit(status);
  __builtin_unreachable();
}

void exit(int status) {
  host_exiting();
  end(status);
}

void specialize_start(long argc, int (*program)(int, char **, char **)) {
  char **argv = host_allocate((unsigned long)(argc + 1) * sizeof *argv, 16);
  char **none = host_allocate(sizeof *none, 16);
  void *f;
  for (long i = 0; i < argc; ++i) argv[i] = host_argument((int)i);
  argv[argc] = 0;
  *none = 0;
  environ = none;
  program_invocation_name = program_invocation_short_name = argv[0];
  for (char *p = argv[0]; *p; ++p)
    if (*p == '/') program_invocation_short_name = p + 1;
  for (int i = 0; (f = host_constructor(i, 0)); ++i)
    ((void (*)(int, char **, char **))f)((int)argc, argv, none);
  host_begin();
  end(program((int)argc, argv, none));
}

void specialize_call(void (*f)(void)) {
  f();
}

void specialize_thread_end(void *result) {
  specialize_forget_thread();
  if (host_thread_end(result)) {
    run(&handlers, 0);
    specialize_flush_all();
    host_exit(0);
  }
  __builtin_unreachable();
}
void specialize_thread(void *(*routine)(void *), void *argument) {
  specialize_thread_end(routine(argument));
}
// std::thread: the state runs, and is destroyed by the thread.
void specialize_thread_state(void (*run_state)(void *), void *state) {
  run_state(state);
  (*(void (***)(void *))state)[1](state);
  specialize_thread_end(0);
}

// pthread_cleanup_push of C: a buffer that setjmp has filled, for each.
typedef struct Cleanup {
  void *buffer;
  struct Cleanup *before;
} Cleanup;
static _Thread_local Cleanup *cleanups;
static _Thread_local void *leaving;

void __pthread_register_cancel(void *buffer) {
  Cleanup *c = host_allocate(sizeof *c, 16);
  *c = (Cleanup){buffer, cleanups};
  cleanups = c;
}
void __pthread_unregister_cancel(void *buffer) {
  (void)buffer;
  if (cleanups) cleanups = cleanups->before;
}
static void leave(void) __attribute__((noreturn));
static void leave(void) {
  Cleanup *c = cleanups;
  if (!c) host_unwind();
  cleanups = c->before;
  host_longjmp(c->buffer, 1);
}
void __pthread_unwind_next(void *buffer) {
  (void)buffer;
  leave();
}
void specialize_thread_exit(void *result) {
  leaving = result;
  host_thread_leaves(result);
  leave();
}
