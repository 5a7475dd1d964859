#!/usr/bin/env python3
"""Small random programs with threads. Whatever the schedule, they end, are free of races, and print what their
arguments determine. threads.py SEED [--cxx] [--drop N,N…]: prints the program; statement N is left out (to shrink).

Why the output does not depend on the schedule: threads keep what they compute to themselves, and add it to what they
share by operations that commute, each under its lock; what is shared is read only after a barrier behind the last
write, or after the join. Why they end: locks nest by increasing number and are never held while something else is
waited for; all workers run the same statements, and whoever lets others go on never waits for them at that point."""
import random, sys

HEAD = r"""
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 4, LOCKS = 3, PHASES = 64, ROOM = 3 };
static int in[5], workers = 1;
static pthread_mutex_t lock[LOCKS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER, gates_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gates_changed = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER,
                      not_empty = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER, again;
static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t pool, turn;
static unsigned long sum[LOCKS], bits, spun, phase_sum[PHASES], consumed, once_value;
static long table[8], queue[ROOM];
static int gate, met, queued, first;

typedef struct {
  int me, gates, meets, phase;
  unsigned long value;
} Self;

static unsigned long mix(unsigned long a, unsigned long b) { return (a ^ b * 2654435761u) * 40503u + (a >> 7); }
static void set_once(void) { once_value = mix(17, (unsigned long)in[1]); }

// Operations on what is shared.
static void add(int k, unsigned long v) {
  pthread_mutex_lock(&lock[k]);
  sum[k] += v;
  pthread_mutex_unlock(&lock[k]);
}
static void add_two(int a, int b, unsigned long v) {
  pthread_mutex_lock(&lock[a]);
  pthread_mutex_lock(&lock[b]);
  sum[a] += v;
  sum[b] += v >> 3;
  pthread_mutex_unlock(&lock[b]);
  pthread_mutex_unlock(&lock[a]);
}
static void try_add(int k, unsigned long v) {
  if (pthread_mutex_trylock(&lock[k])) pthread_mutex_lock(&lock[k]);
  sum[k] += v;
  pthread_mutex_unlock(&lock[k]);
}
static void flip(unsigned long v) {
  pthread_rwlock_wrlock(&table_lock);
  bits ^= v;
  pthread_rwlock_unlock(&table_lock);
}
static unsigned long look(int i) {
  pthread_rwlock_rdlock(&table_lock);
  unsigned long v = (unsigned long)table[i & 7];
  pthread_rwlock_unlock(&table_lock);
  return v;
}
static void turn_add(unsigned long v) {
  pthread_spin_lock(&spin);
  spun += v;
  pthread_spin_unlock(&spin);
}
static void again_add(int depth, unsigned long v) {
  pthread_mutex_lock(&again);
  if (depth > 0)
    again_add(depth - 1, v + 1);
  else
    consumed += v;
  pthread_mutex_unlock(&again);
}
static unsigned long in_pool(unsigned long v) {
  if (v & 1) {
    if (sem_trywait(&pool)) sem_wait(&pool);
  } else {
    sem_wait(&pool);
  }
  v = mix(v, 3);
  sem_post(&pool);
  return v;
}

// All workers come here equally often.
static void open_gate(Self *s) {
  pthread_mutex_lock(&gates_lock);
  ++s->gates;
  if (s->me == 0) {
    ++gate;
    pthread_cond_broadcast(&gates_changed);
  }
  while (gate < s->gates) pthread_cond_wait(&gates_changed, &gates_lock);
  pthread_mutex_unlock(&gates_lock);
}
static void meet(Self *s) {
  pthread_mutex_lock(&gates_lock);
  s->meets += workers;
  if (++met == s->meets) pthread_cond_broadcast(&gates_changed);
  while (met < s->meets) pthread_cond_wait(&gates_changed, &gates_lock);
  pthread_mutex_unlock(&gates_lock);
}
static void phase(Self *s) {
  int p = s->phase++ % PHASES;
  pthread_mutex_lock(&inner);
  phase_sum[p] += s->value;
  pthread_mutex_unlock(&inner);
  int serial = pthread_barrier_wait(&barrier);
  s->value = mix(s->value, phase_sum[p]);
  if (serial == PTHREAD_BARRIER_SERIAL_THREAD) add(0, 1);
}
static void put(long v) {
  pthread_mutex_lock(&queue_lock);
  while (queued == ROOM) pthread_cond_wait(&not_full, &queue_lock);
  queue[(first + queued++) % ROOM] = v;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&queue_lock);
}
static long take(void) {
  pthread_mutex_lock(&queue_lock);
  while (!queued) pthread_cond_wait(&not_empty, &queue_lock);
  long v = queue[first];
  first = (first + 1) % ROOM;
  --queued;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&queue_lock);
  return v;
}
static void deliver(Self *s, int items) {
  if (workers == 1) return;
  if (s->me == 0) {
    for (int i = 0; i < items; ++i) put(i + 1);
    for (int i = 1; i < workers; ++i) put(0);
    return;
  }
  for (long v; (v = take()) != 0;) add(1, mix(5, (unsigned long)v));
}
// One after the other, by a semaphore that each passes on.
static void in_turns(unsigned long v) {
  sem_wait(&turn);
  flip(v << 1);
  sem_post(&turn);
}
static void *helper(void *p) {
  add(2, *(unsigned long *)p);
  return NULL;
}
static void child(Self *s) {
  pthread_t t;
  unsigned long v = s->value & 0xff;
  if (pthread_create(&t, NULL, helper, &v)) abort();
  pthread_join(t, NULL);
}
"""

CXX = r"""
#include <mutex>
#include <stdexcept>
static std::mutex guarded;
static unsigned long under_guard;
struct Held {
  Held() { pthread_mutex_lock(&inner); }
  ~Held() { pthread_mutex_unlock(&inner); }
};
static void may_throw(unsigned long v, int when) {
  std::lock_guard<std::mutex> g(guarded);
  under_guard += v;
  if (when) throw std::runtime_error("thrown");
}
static void through(unsigned long v, int when) {
  Held h;
  may_throw(v, when);
  bits ^= 0;
}
static void attempt(Self *s, int when) {
  try {
    through(s->value & 0xff, when);
  } catch (const std::exception &e) {
    s->value = mix(s->value, e.what()[0]);
    add(2, 9);
  }
}
"""

MAIN = r"""
static void *worker(void *p) {
  Self *s = (Self *)p;
  body(s);
  add(0, s->value & 0xffff);
  return NULL;
}
int main(int argc, char **argv) {
  pthread_t t[WORKERS];
  Self self[WORKERS];
  for (int i = 1; i < 5 && i < argc; ++i) in[i] = abs(atoi(argv[i])) % 16;
  @EARLY@
  workers = @WORKERS@;
  for (int i = 0; i < 8; ++i) table[i] = i * i + in[2];
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&again, &recursive);
  pthread_mutexattr_destroy(&recursive);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, NULL, (unsigned)workers);
  sem_init(&pool, 0, @POOL@);
  sem_init(&turn, 0, 1);
  for (int i = 0; i < workers; ++i) {
    memset(&self[i], 0, sizeof self[i]);
    self[i].me = i;
    self[i].value = mix((unsigned long)i + 1, (unsigned long)in[3]);
    if (pthread_create(&t[i], NULL, worker, &self[i])) abort();
  }
  @MEANWHILE@
  for (int i = 0; i < workers; ++i) pthread_join(t[i], NULL);
  for (int i = 0; i < workers; ++i) printf("worker %d: %lx\n", i, self[i].value);
  printf("%lx %lx %lx %lx %lx %lx %lx\n", sum[0], sum[1], sum[2], bits, spun, consumed, once_value);
  @MORE@
  return @STATUS@;
}
"""


class Program:
    def __init__(self, seed, cxx, drop):
        self.r, self.cxx, self.drop = random.Random(seed), cxx, drop
        self.count, self.functions, self.prototypes = 0, [], []

    def number(self, uniform):
        """A small value; equal in all workers if uniform."""
        r = self.r
        one = [f"in[{r.randint(1, 4)}]", str(r.randint(0, 9)), f"in[{r.randint(1, 4)}] % {r.randint(2, 4)}"]
        if not uniform: one += ["s->me", "(int)(s->value % 7)", f"s->me + in[{r.randint(1, 4)}]"]
        return r.choice(one)

    def condition(self, uniform):
        a, op = self.number(uniform), self.r.choice(["<", ">", "==", "!=", "&"])
        return f"{a} {op} {self.r.randint(1, 7)}"

    def simple(self):
        """What any thread may do at any time."""
        r, v = self.r, f"mix(s->value, {self.r.randint(1, 99)})"
        a, b = sorted(r.sample(range(3), 2))
        return r.choice([
            f"add({r.randrange(3)}, {v});", f"add_two({a}, {b}, {v});", f"try_add({r.randrange(3)}, {v});", f"flip({v});",
            f"s->value = mix(s->value, look({r.randint(0, 7)}));", f"turn_add({v});", f"again_add({r.randint(0, 3)}, {v} & 0xff);",
            "s->value = in_pool(s->value);", f"in_turns({v});", "pthread_once(&once, set_once); s->value ^= once_value;",
            "child(s);", "sched_yield();", f"s->value = {v};"] +
            ([f"attempt(s, {self.condition(False)});"] * 3 if self.cxx else []))

    def together(self):
        return self.r.choice(["open_gate(s);", "meet(s);", "phase(s);", "phase(s);", f"deliver(s, {self.r.randint(0, 5)});"])

    def function(self, uniform, depth):
        name = f"f{len(self.prototypes)}"
        self.prototypes.append(f"static void {name}(Self *s, int n);")
        lines = self.block(uniform, depth - 1, 2)
        if self.r.random() < 0.4:
            lines += [f"if (n > 0) {name}(s, n - 1);"]
        self.functions.append(f"static void {name}(Self *s, int n) {{\n  (void)n;\n" + indent(lines) + "}\n")
        return name

    def table(self, uniform, depth):
        names = [self.function(uniform, depth) for _ in range(self.r.randint(2, 3))]
        name = f"choice{len(self.prototypes)}"
        self.prototypes.append(f"static void (*const {name}[])(Self *, int) = {{{', '.join(names)}}};")
        return f"{name}[({self.number(uniform)}) % {len(names)}](s, {self.r.randint(0, 2)});"

    def statement(self, uniform, depth):
        r, kind = self.r, self.r.random()
        if depth <= 0 or kind < 0.35:
            return [self.together() if uniform and r.random() < 0.4 else self.simple()]
        if kind < 0.5:
            # What depends on the thread: nothing in there may wait for the others.
            same = uniform and r.random() < 0.6
            out = [f"if ({self.condition(same)}) {{"] + inner(self.block(same, depth - 1, 2))
            if r.random() < 0.5: out += ["} else {"] + inner(self.block(same, depth - 1, 2))
            return out + ["}"]
        if kind < 0.7:
            same = uniform and r.random() < 0.6
            i = f"i{depth}"
            return [f"for (int {i} = 0, n{depth} = {self.number(same)} % {r.randint(2, 5)}; {i} < n{depth}; ++{i}) {{"] + \
                inner(self.block(same, depth - 1, 2)) + ["}"]
        if kind < 0.85:
            same = uniform and r.random() < 0.6
            return [f"{self.function(same, depth)}(s, {self.number(same)} % 3);"]
        return [self.table(uniform, depth)]

    def block(self, uniform, depth, most):
        lines = []
        for _ in range(self.r.randint(1, most)):
            n = self.count
            self.count += 1
            one = self.statement(uniform, depth)
            lines += [f"// {n}"] + (one if n not in self.drop else [])
        return lines

    def leave(self, where):
        """Early exits, with a message. In a thread only one may leave, or it is not certain whose message it is."""
        r = self.r
        if r.random() < 0.6: return ""
        test = f"in[{r.randint(1, 4)}] == {r.randint(0, 15)}"
        if where == "worker": test += f" && s->me == {r.randint(0, 1)}"
        how = r.choice(["exit", "exit", "quick"])
        end = f"exit({r.randint(2, 5)});" if how == "exit" else f"fflush(stdout); _Exit({r.randint(2, 5)});"
        return f'if ({test}) {{ puts("{where} leaves early"); {end} }}'

    def text(self):
        body = self.block(True, 3, 5)
        at = self.r.randint(0, len(body))
        while at < len(body) and not body[at].startswith("// "): at += 1  # between statements
        body.insert(at, self.leave("worker"))
        main = MAIN.replace("@EARLY@", self.leave("main"))
        main = main.replace("@WORKERS@", self.r.choice(["2", "3", "4", "1 + in[1] % 4", "2 + in[1] % 2"]))
        main = main.replace("@POOL@", str(self.r.randint(1, 3)))
        main = main.replace("@MEANWHILE@", self.r.choice(["", "add(1, 77);", "flip(5);", "try_add(2, 3);"]))
        main = main.replace("@MORE@", 'printf("%lx\\n", under_guard);' if self.cxx else "")
        main = main.replace("@STATUS@", self.r.choice(["0", "0", "in[4] % 3"]))
        unused = "static void use_all(void) {\n  (void)" + ", (void)".join(
            ["add_two", "try_add", "flip", "look", "turn_add", "again_add", "in_pool", "open_gate", "meet", "phase", "deliver",
             "in_turns", "child", "set_once"] + (["attempt"] if self.cxx else [])) + ";\n}\n"
        return HEAD + (CXX if self.cxx else "") + "\n" + "\n".join(self.prototypes) + "\n" + "\n".join(self.functions) + \
            "static void body(Self *s) {\n" + indent(body) + "}\n" + unused + MAIN_USES + main


MAIN_USES = "void (*const keep_all)(void) = use_all;\n"


def inner(lines):
    return ["  " + l for l in lines]


def indent(lines):
    return "".join("  " + l + "\n" for l in lines if l)


def program(seed, cxx=False, drop=()):
    """The program's text, and how many statements it has."""
    p = Program(seed, cxx, set(drop))
    text = p.text()
    return text, p.count


def main():
    args = sys.argv[1:]
    drop = [int(n) for n in args[args.index("--drop") + 1].split(",")] if "--drop" in args else []
    print(program(int(args[0]), "--cxx" in args, drop)[0])


if __name__ == "__main__":
    main()
