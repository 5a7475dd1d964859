// A signal that ends the process is written down before it does: into the mapped process file, because
// nothing else is safe then. Only where the action was the default; then it takes its course.
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>
#include "rec.h"

enum { STACK = 1 << 16 };
static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

// Only there if the program is linked with libgcc's unwinder anyway.
extern _Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn, void *) __attribute__((weak));

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *c, void *p) {
  RtProcess *out = p;
  uint64_t pc = _Unwind_GetIP(c);
  if (out->frames == RT_FRAMES || !pc) return _URC_END_OF_STACK;
  out->frame[out->frames++] = pc;
  return _URC_NO_REASON;
}

// Asking the kernel for memory that may not be there is an error and no second fault.
static bool peek(uint64_t at, void *to, size_t size) {
  struct iovec here = {to, size}, there = {(void *)(uintptr_t)at, size};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size;
}

// Frame pointers, as far as they go.
static void add_frames(RtProcess *out, uint64_t frame) {
  uint64_t pair[2];
  while (out->frames < RT_FRAMES && frame % 8 == 0 && peek(frame, pair, sizeof pair) && pair[1]) {
    out->frame[out->frames++] = pair[1];
    if (pair[0] <= frame) return;
    frame = pair[0];
  }
}

static void fill(RtProcess *out, const siginfo_t *info, const ucontext_t *context) {
  RtThread *t = rec_self;
  out->code = info->si_code;
  out->address = (uintptr_t)info->si_addr;
  out->thread = t == &rec_nobody[0] || t == &rec_nobody[1] ? RT_NO_THREAD : t->id;
#if defined(__x86_64__)
  const greg_t *r = context->uc_mcontext.gregs;
  out->pc = (uint64_t)r[REG_RIP];
  uint64_t frame = (uint64_t)r[REG_RBP];
#elif defined(__aarch64__)
  out->pc = context->uc_mcontext.pc;
  uint64_t frame = context->uc_mcontext.regs[29];
#else
  uint64_t frame = 0;
  (void)context;
#endif
  atomic_store(&out->end, RT_END_SIGNAL);
  if (_Unwind_Backtrace)
    _Unwind_Backtrace(add_frame, out);
  else
    add_frames(out, frame);
}

static void crashed(int number, siginfo_t *info, void *context) {
  int saved = errno;
  struct sigaction plain;
  memset(&plain, 0, sizeof plain);
  plain.sa_handler = SIG_DFL;
  sigaction(number, &plain, NULL);
  uint32_t none = 0;
  RtProcess *out = rec->process;
  if (out && out->pid == getpid() && atomic_compare_exchange_strong(&out->signal, &none, (uint32_t)number))
    fill(out, info, context);
  // A fault comes again by itself; what was sent has to be sent again.
  if (info->si_code <= 0) syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, info);
  errno = saved;
}

HIDDEN void crash_catch(void) {
  struct sigaction ours, theirs;
  memset(&ours, 0, sizeof ours);
  ours.sa_sigaction = crashed;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&ours.sa_mask);
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; ++i)
    if (!sigaction(deadly[i], NULL, &theirs) && !(theirs.sa_flags & SA_SIGINFO) &&
        theirs.sa_handler == SIG_DFL)
      sigaction(deadly[i], &ours, NULL);
}

// So that a stack that overflowed can be told of. Not wiped: the program may fork while it is on it.
HIDDEN void crash_stack(RtThread *t) {
  stack_t now;
  if (sigaltstack(NULL, &now) || !(now.ss_flags & SS_DISABLE)) return;
  if (!t->stack) {
    void *p = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return;
    t->stack = p;
  }
  sigaltstack(&(stack_t){.ss_sp = t->stack, .ss_size = STACK}, NULL);
}

HIDDEN void crash_stack_off(RtThread *t) {
  stack_t now;
  if (!sigaltstack(NULL, &now) && now.ss_sp == t->stack)
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
}
