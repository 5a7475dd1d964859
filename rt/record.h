// rt/record -- what an instrumented program calls. Plain C calls, found by name: generated code needs no
// header.
//
// The pass replaces each call of a function F that core/syncs.def names, but for the futexes and SETCANCEL,
// by rt_rec_F with the site in front: `pthread_mutex_lock(m)` becomes `rt_rec_pthread_mutex_lock(site, m)`.
// It has the result, the errno, the cancellation points and the exceptions of F. Sites are any numbers but
// RT_NO_SITE. A call through a pointer that may be F's: point it at a function of the module's own that calls
// rt_rec_F with RT_SITE_INDIRECT, and bracket the call as a derived sync; its site is then the bracket's.
//
// Who enters where: a thread created by rt_rec_* knows its parent. Any other (from a library without hooks)
// is noticed at its first hook; its ENTER has no parent. The thread that runs main is thread 0. Nothing is
// recorded before the recorder's own constructor (priority 101) has run.
//
// What a hook leaves alone: errno, the signal mask, open file descriptors (a segment is opened, mapped and
// closed), the heap, stdio. Visible are: handlers of SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP and
// SIGSYS where the action was the default (a handler of the program's replaces ours and then nothing of the
// crash is recorded), an alternate signal stack per thread where there was none, one pthread key, and mapped
// memory. A try or timed operation may be tried again before it is told to fail; its caller cannot see this.
//
// A vfork child may call exec and _exit, nothing else here. A forked child records into a directory of its
// own from its first hook on; its thread 0 is the one that forked. exec ends a recording.
//
// Environment: SPECIALIZE_DIR is the directory that recordings are made in (else rt_program.directory;
// without either, and in set-user-ID programs, nothing is recorded). SPECIALIZE_MAX_EVENTS: how many events
// to record in all. It is made if it is not there; for root with the mode 01733, so that a program that
// changes its user can go on recording. chroot, an unwritable directory, a full disk: the program goes on,
// and the recording says in `why` that it is incomplete, and is a valid prefix of the run.
#pragma once
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <threads.h>
#include <time.h>
#include "rt/atomic.h"

typedef uint32_t RtSite;
#define RT_SITE_INDIRECT (UINT32_MAX - 1)

// Defined by the instrumented module, or nothing links.
typedef struct {
  uint32_t version;       // RT_PROGRAM_VERSION
  uint32_t sites;         // how many; not looked at by the runtime
  uint8_t hash[32];       // of the module, stored in each segment
  const char *directory;  // used without SPECIALIZE_DIR; may be NULL
} RtProgram;
enum { RT_PROGRAM_VERSION = 1 };
extern const RtProgram rt_program;

// 1. Where control is. Before and after each call of a function that may synchronize, or of unknown code that
// may call back; RET in front of every normal continuation.
void rt_rec_call(RtSite site);
void rt_rec_ret(RtSite site);
// How many calls are open in this thread. Kept in a local variable at the start of a function that has a
// landing pad or calls setjmp; at each landing pad, and when setjmp returns again, rt_rec_unwound(that)
// records that all calls opened since were left.
uint32_t rt_rec_depth(void);
void rt_rec_unwound(uint32_t depth);
void rt_rec_landed(uint32_t depth, const void *exception);  // the same at a landing pad
// At the start of a function that may synchronize and whose address is taken; `function` is the pass's
// number.
void rt_rec_entered(uint32_t function);
// At a dispatch point: here the schedule begins.
void rt_rec_dispatch(uint32_t point);
// Around the body of a function that is installed as a signal handler.
void rt_rec_handler(int signal);
void rt_rec_handled(int signal);
// Before an operation that SYNC calls UNMODELLED. object: the address that it works on.
void rt_rec_other(RtSite site, const void *object);
// --path: id > 0 says which way; a log of its own.
void rt_rec_branch(uint32_t id);

// 2. Inputs. Before a call that reads what neither the arguments nor getenv give. The first of each class in
// each thread becomes an INPUT entry: if any event follows it in a merged order (rt/reader.h), the
// schedule may depend on that input. The site says which function it was.
void rt_rec_input(RtSite site, uint32_t input);  // an RtInput
void rt_rec_allocated(RtSite site, const void *memory);
void rt_rec_address(const void *pointer);
void rt_rec_input_fd(RtSite site, int fd);            // read, pread, recv, mmap ... stdin, file, other
void rt_rec_input_stream(RtSite site, FILE *stream);  // fread, fgets, scanf ...
// After open, openat, fopen ... returned: notes path, size and time of a regular file opened for reading, so
// that whoever started the program can copy or hash it. fd < 0 and NULL do nothing.
void rt_rec_opened(int fd);
void rt_rec_opened_stream(FILE *stream);
char *rt_rec_getenv(RtSite site, const char *name);
char *rt_rec_secure_getenv(RtSite site, const char *name);

// 3. Ends of the process. exit itself needs no hook: its handlers run last of all that the program installed.
_Noreturn void rt_rec__exit(RtSite site, int status);
_Noreturn void rt_rec__Exit(RtSite site, int status);
_Noreturn void rt_rec_quick_exit(RtSite site, int status);
_Noreturn void rt_rec_exit(RtSite site, int status);  // gives END the site
// Behind setjmp: mark is kept in the frame. Nothing is written if nothing was since it came back last.
// cleanup: of a handler of pthread_cleanup_push.
void rt_rec_jumped(RtSite site, int result, volatile uint64_t *mark, int cleanup);
// Around what the C library calls of the program as its own: not recorded.
void rt_rec_outside(void);
void rt_rec_outside_over(void);
void rt_rec_vforked(pid_t result);  // behind vfork: first in the child, then in the parent
pid_t rt_rec_fork(RtSite site);     // an entry; forks without it are noticed too
void rt_rec_exec(RtSite site);      // before any exec*, posix_spawn is none

// 4. Code that is not recorded, from rt/outside: it made a thread, or synchronizes. The caller's address says
// who.
void rt_outside_made(const char *function, const void *caller);
void rt_outside_called(const char *function, const void *caller);

// 5. Synchronization.
int rt_rec_pthread_create(RtSite, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int rt_rec_pthread_join(RtSite, pthread_t, void **);
int rt_rec_pthread_tryjoin_np(RtSite, pthread_t, void **);
int rt_rec_pthread_timedjoin_np(RtSite, pthread_t, void **, const struct timespec *);
int rt_rec_pthread_clockjoin_np(RtSite, pthread_t, void **, clockid_t, const struct timespec *);
int rt_rec_pthread_detach(RtSite, pthread_t);
int rt_rec_pthread_cancel(RtSite, pthread_t);
void rt_rec_pthread_testcancel(RtSite);
_Noreturn void rt_rec_pthread_exit(RtSite, void *);

int rt_rec_pthread_mutex_init(RtSite, pthread_mutex_t *, const pthread_mutexattr_t *);
int rt_rec_pthread_mutex_destroy(RtSite, pthread_mutex_t *);
int rt_rec_pthread_mutex_lock(RtSite, pthread_mutex_t *);
int rt_rec_pthread_mutex_trylock(RtSite, pthread_mutex_t *);
int rt_rec_pthread_mutex_timedlock(RtSite, pthread_mutex_t *, const struct timespec *);
int rt_rec_pthread_mutex_clocklock(RtSite, pthread_mutex_t *, clockid_t, const struct timespec *);
int rt_rec_pthread_mutex_unlock(RtSite, pthread_mutex_t *);

int rt_rec_pthread_spin_init(RtSite, pthread_spinlock_t *, int);
int rt_rec_pthread_spin_destroy(RtSite, pthread_spinlock_t *);
int rt_rec_pthread_spin_lock(RtSite, pthread_spinlock_t *);
int rt_rec_pthread_spin_trylock(RtSite, pthread_spinlock_t *);
int rt_rec_pthread_spin_unlock(RtSite, pthread_spinlock_t *);

int rt_rec_pthread_rwlock_init(RtSite, pthread_rwlock_t *, const pthread_rwlockattr_t *);
int rt_rec_pthread_rwlock_destroy(RtSite, pthread_rwlock_t *);
int rt_rec_pthread_rwlock_rdlock(RtSite, pthread_rwlock_t *);
int rt_rec_pthread_rwlock_tryrdlock(RtSite, pthread_rwlock_t *);
int rt_rec_pthread_rwlock_timedrdlock(RtSite, pthread_rwlock_t *, const struct timespec *);
int rt_rec_pthread_rwlock_clockrdlock(RtSite, pthread_rwlock_t *, clockid_t, const struct timespec *);
int rt_rec_pthread_rwlock_wrlock(RtSite, pthread_rwlock_t *);
int rt_rec_pthread_rwlock_trywrlock(RtSite, pthread_rwlock_t *);
int rt_rec_pthread_rwlock_timedwrlock(RtSite, pthread_rwlock_t *, const struct timespec *);
int rt_rec_pthread_rwlock_clockwrlock(RtSite, pthread_rwlock_t *, clockid_t, const struct timespec *);
int rt_rec_pthread_rwlock_unlock(RtSite, pthread_rwlock_t *);

int rt_rec_pthread_cond_init(RtSite, pthread_cond_t *, const pthread_condattr_t *);
int rt_rec_pthread_cond_destroy(RtSite, pthread_cond_t *);
int rt_rec_pthread_cond_wait(RtSite, pthread_cond_t *, pthread_mutex_t *);
int rt_rec_pthread_cond_timedwait(RtSite, pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int rt_rec_pthread_cond_clockwait(RtSite, pthread_cond_t *, pthread_mutex_t *, clockid_t,
                                  const struct timespec *);
int rt_rec_pthread_cond_signal(RtSite, pthread_cond_t *);
int rt_rec_pthread_cond_broadcast(RtSite, pthread_cond_t *);

int rt_rec_pthread_barrier_init(RtSite, pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
int rt_rec_pthread_barrier_destroy(RtSite, pthread_barrier_t *);
int rt_rec_pthread_barrier_wait(RtSite, pthread_barrier_t *);

int rt_rec_sem_init(RtSite, sem_t *, int, unsigned);
int rt_rec_sem_destroy(RtSite, sem_t *);
sem_t *rt_rec_sem_open(RtSite, const char *, int, ...);
int rt_rec_sem_close(RtSite, sem_t *);
int rt_rec_sem_wait(RtSite, sem_t *);
int rt_rec_sem_trywait(RtSite, sem_t *);
int rt_rec_sem_timedwait(RtSite, sem_t *, const struct timespec *);
int rt_rec_sem_clockwait(RtSite, sem_t *, clockid_t, const struct timespec *);
int rt_rec_sem_post(RtSite, sem_t *);

int rt_rec_pthread_once(RtSite, pthread_once_t *, void (*)(void));
void rt_rec_call_once(RtSite, once_flag *, void (*)(void));

int rt_rec_thrd_create(RtSite, thrd_t *, thrd_start_t, void *);
int rt_rec_thrd_join(RtSite, thrd_t, int *);
int rt_rec_thrd_detach(RtSite, thrd_t);
_Noreturn void rt_rec_thrd_exit(RtSite, int);
int rt_rec_mtx_init(RtSite, mtx_t *, int);
void rt_rec_mtx_destroy(RtSite, mtx_t *);
int rt_rec_mtx_lock(RtSite, mtx_t *);
int rt_rec_mtx_trylock(RtSite, mtx_t *);
int rt_rec_mtx_timedlock(RtSite, mtx_t *, const struct timespec *);
int rt_rec_mtx_unlock(RtSite, mtx_t *);
int rt_rec_cnd_init(RtSite, cnd_t *);
void rt_rec_cnd_destroy(RtSite, cnd_t *);
int rt_rec_cnd_wait(RtSite, cnd_t *, mtx_t *);
int rt_rec_cnd_timedwait(RtSite, cnd_t *, mtx_t *, const struct timespec *);
int rt_rec_cnd_signal(RtSite, cnd_t *);
int rt_rec_cnd_broadcast(RtSite, cnd_t *);

// C++: objects are passed as the addresses that they are in the Itanium ABI.
void rt_rec__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    RtSite, pthread_t *self, void **state, void (*depend)(void));
void rt_rec__ZNSt6thread4joinEv(RtSite, pthread_t *self);
void rt_rec__ZNSt6thread6detachEv(RtSite, pthread_t *self);
void rt_rec__ZNSt18condition_variableC1Ev(RtSite, void *self);
void rt_rec__ZNSt18condition_variableC2Ev(RtSite, void *self);
void rt_rec__ZNSt18condition_variableD1Ev(RtSite, void *self);
void rt_rec__ZNSt18condition_variableD2Ev(RtSite, void *self);
void rt_rec__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(RtSite, void *self, void **lock);
void rt_rec__ZNSt18condition_variable10notify_oneEv(RtSite, void *self);
void rt_rec__ZNSt18condition_variable10notify_allEv(RtSite, void *self);
int rt_rec___cxa_guard_acquire(RtSite, void *guard);
void rt_rec___cxa_guard_release(RtSite, void *guard);
void rt_rec___cxa_guard_abort(RtSite, void *guard);

// Memory ends that atomic operations may have used: a block of the heap, before it is freed; a local.
void rt_rec_freed(const void *block);
void rt_rec_over(const void *local, uint64_t size);

// Atomic instructions (ir/atomics).
#define RT_ATOMIC_HOOKS(size, type, bytes)                                                  \
  type rt_rec_specialize_atomic_load_##size(RtSite, const volatile void *, uint32_t how);   \
  void rt_rec_specialize_atomic_store_##size(RtSite, volatile void *, type, uint32_t how);  \
  void rt_rec_specialize_atomic_waited_##size(RtSite, volatile void *, type, uint32_t how); \
  type rt_rec_specialize_atomic_spin_load_##size(volatile void *, uint32_t how);            \
  type rt_rec_specialize_atomic_spin_rmw_##size(volatile void *, type, uint32_t how);       \
  type rt_rec_specialize_atomic_rmw_##size(RtSite, volatile void *, type, uint32_t how);    \
  type rt_rec_specialize_atomic_cas_##size(RtSite, volatile void *, type expected, type, uint32_t how);
RT_ATOMIC_SIZES(RT_ATOMIC_HOOKS)
#undef RT_ATOMIC_HOOKS
void rt_rec_specialize_atomic_await(RtSite, uint32_t how);
void rt_rec_specialize_atomic_fence(RtSite, uint32_t how);
