#include "stacks.h"
#include <assert.h>

typedef struct {
  Vec(uint32_t) openers;
  size_t calls;
} EventStack;

struct EventStacks {
  const Schedule *c;
  Vec(EventStack) threads;
  size_t passed;
};

EventStacks *stacks_new(const Schedule *c) {
  EventStacks *s = mem_alloc(sizeof *s);
  s->c = c;
  return s;
}

void stacks_free(EventStacks *s) {
  if (!s) return;
  for (vec_each(i, &s->threads)) vec_free(&s->threads.at[i].openers);
  vec_free(&s->threads);
  mem_free(s);
}

static int kind_of(const EventStacks *s, uint32_t event) {
  assert(event < s->c->events.len);
  return s->c->events.at[event].kind;
}

static EventStack *stack_of(EventStacks *s, uint32_t thread) {
  while (s->threads.len <= thread) vec_push(&s->threads, (EventStack){0});
  return &s->threads.at[thread];
}

static uint32_t inner(const EventStack *t) {
  return t->openers.len ? vec_last(&t->openers) : SIGMA_NONE;
}

static uint32_t pop(const EventStacks *s, EventStack *t) {
  assert(t->openers.len);
  uint32_t opener = vec_pop(&t->openers);
  t->calls -= kind_of(s, opener) == EVENT_CALL;
  return opener;
}

// Events by which one sees that the code outside, which made the callback, goes on.
static bool is_outside(const Event *e) {
  if (e->kind == SYNC_EXIT) return e->site == SIGMA_NONE;
  return e->kind == EVENT_RET || e->kind == EVENT_UNWIND || e->kind == EVENT_CALLBACK;
}

StackStep stacks_pass(EventStacks *s, uint32_t event) {
  assert(event < s->c->events.len);
  const Event *e = &s->c->events.at[event];
  EventStack *t = stack_of(s, e->thread);
  StackStep step = {.over = SIGMA_NONE, .left = SIGMA_NONE};
  assert(inner(t) == SIGMA_NONE || inner(t) < event);
  if (is_outside(e) && t->openers.len && kind_of(s, inner(t)) == EVENT_CALLBACK) step.over = pop(s, t);
  step.around = inner(t);
  if (e->kind == EVENT_RET || e->kind == EVENT_UNWIND) {
    step.wrong = step.around == SIGMA_NONE || s->c->events.at[step.around].site != e->site;
    if (!step.wrong) step.left = pop(s, t);
  }
  step.opens = e->kind == EVENT_CALL || e->kind == EVENT_CALLBACK;
  if (step.opens) {
    vec_push(&t->openers, event);
    t->calls += e->kind == EVENT_CALL;
  }
  s->passed++;
  return step;
}

size_t stacks_depth(const EventStacks *s, uint32_t thread) {
  return thread < s->threads.len ? s->threads.at[thread].openers.len : 0;
}

uint32_t stacks_at(const EventStacks *s, uint32_t thread, size_t i) {
  assert(i < stacks_depth(s, thread));
  return s->threads.at[thread].openers.at[i];
}

uint32_t stacks_inner(const EventStacks *s, uint32_t thread) {
  return thread < s->threads.len ? inner(&s->threads.at[thread]) : SIGMA_NONE;
}

size_t stacks_calls(const EventStacks *s, uint32_t thread) {
  return thread < s->threads.len ? s->threads.at[thread].calls : 0;
}

uint32_t stacks_call(const EventStacks *s, uint32_t thread) {
  for (size_t i = stacks_depth(s, thread); i--;) {
    uint32_t opener = s->threads.at[thread].openers.at[i];
    if (kind_of(s, opener) == EVENT_CALL) return opener;
  }
  return SIGMA_NONE;
}

void stacks_check(const EventStacks *s) {
  for (vec_each(t, &s->threads)) {
    const EventStack *x = &s->threads.at[t];
    size_t calls = 0;
    for (vec_each(i, &x->openers)) {
      uint32_t opener = x->openers.at[i];
      int kind = kind_of(s, opener);
      assert(kind == EVENT_CALL || kind == EVENT_CALLBACK);
      assert(s->c->events.at[opener].thread == t);
      assert(!i || x->openers.at[i - 1] < opener);
      calls += kind == EVENT_CALL;
    }
    assert(calls == x->calls);
  }
}
