// Where control is, and how the process ends.
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "rec.h"

static inline void plain(RtSite site, RtOp op, uint32_t object, uint32_t seq) {
  RtThread *t = rec_enter();
  if (likely(t)) log_append(t, (RtEntry){site, object, seq, (uint8_t)op, RT_OK, 0});
}

void rt_rec_call(RtSite site) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return;
  ++t->depth;
  log_plain(t, site, RT_CALL, 0, RT_OK);
}
void rt_rec_ret(RtSite site) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return;
  t->depth -= t->depth > 0;
  log_plain(t, site, RT_RET, 0, RT_OK);
}
void rt_rec_entered(uint32_t function) {
  plain(RT_NO_SITE, RT_ENTERED, function, 0);
}
void rt_rec_dispatch(uint32_t point) {
  plain(RT_NO_SITE, RT_DISPATCH, point, 0);
}
void rt_rec_handler(int number) {
  plain(RT_NO_SITE, RT_HANDLER, (uint32_t)number, 0);
}
void rt_rec_handled(int number) {
  plain(RT_NO_SITE, RT_HANDLED, (uint32_t)number, 0);
}

uint32_t rt_rec_depth(void) {
  RtThread *t = rec_enter();
  return t ? t->depth : 0;
}
static void unwound(RtThread *t, uint32_t depth, bool cancelled) {
  bool tells = cancelled && !t->unwinding && t->how != RT_RAN;
  if (t->depth <= depth && !tells) return;
  uint32_t left = t->depth > depth ? t->depth - depth : 0;
  log_plain(t, RT_NO_SITE, RT_UNWIND, left, tells ? RT_UNWOUND : RT_OK);
  t->unwinding |= tells;
  t->depth -= left;
}

void rt_rec_unwound(uint32_t depth) {
  RtThread *t = rec_enter();
  if (t) unwound(t, depth, false);
}

// What a cancelled thread is unwound by is nobody's exception: its class is 0.
void rt_rec_landed(uint32_t depth, const void *exception) {
  RtThread *t = rec_enter();
  if (t) unwound(t, depth, exception && *(const uint64_t *)exception == 0);
}

static uint64_t written(const RtThread *t) {
  uint64_t bytes = t->log.bytes + (uint64_t)((uintptr_t)t->log.at - (uintptr_t)t->log.segment);
  return bytes << 8 | t->run;
}

void rt_rec_jumped(RtSite site, int result, volatile uint64_t *mark, int cleanup) {
  RtThread *t = rec_enter();
  if (!t) return;
  bool cancelled = result && cleanup && t->how != RT_RAN;
  if (result && written(t) != *mark) log_plain(t, site, RT_JUMP, 0, cancelled ? RT_UNWOUND : RT_OK);
  *mark = written(t);
}

static _Thread_local uint32_t outside;

HIDDEN bool rec_is_outside(void) {
  return outside;
}

void rt_rec_outside(void) {
  RtThread *t = rec_self;
  if (!outside++ && t->on) t->set_aside = true, t->on = 0;
}

void rt_rec_outside_over(void) {
  RtThread *t = rec_self;
  if (--outside || !t->set_aside) return;
  t->set_aside = false, t->on = delay_on();
}

// Numbered, so that what is done to one address has an order, but that need not be the order of the effects.
void rt_rec_other(RtSite site, const void *object) {
  RtThread *t = rec_enter();
  if (!t) return;
  Cell *c = cell_of(t, object, RT_UNMODELLED);
  log_add(t, site, RT_OTHER, c, CELL_ONE, RT_OK);
}

void rt_rec__exit(RtSite site, int status) {
  rec_end(site, status);
  _exit(status);
}
void rt_rec__Exit(RtSite site, int status) {
  rec_end(site, status);
  _Exit(status);
}
void rt_rec_quick_exit(RtSite site, int status) {
  rec_end(site, status);
  quick_exit(status);
}
void rt_rec_exit(RtSite site, int status) {
  RtThread *t = rec_enter();
  if (t) t->exit_site = site;
  exit(status);
}

pid_t rt_rec_fork(RtSite site) {
  pid_t child = fork();
  int e = errno;
  if (child) plain(site, RT_FORK, 0, (uint32_t)child);
  errno = e;
  return child;
}

void rt_rec_vforked(pid_t result) {
  RtThread *t = rec_self;
  if (t->on || t->lent) t->lent = result == 0, t->on = result ? delay_on() : 0;
}
void rt_rec_exec(RtSite site) {
  if (rec && rec->process && rec->process->pid == getpid()) plain(site, RT_EXEC, 0, 0);
}
