#!/usr/bin/env python3
"""Small random programs with threads that may race. races.py SEED: prints the program.

Compiled with -DLOG, a program writes down every access of what it shares (thread, how many operations of
synchronization the thread has behind it, line, address, bytes, what it does), into the file that $RACES_LOG names; what
it calls stays the same, so that a schedule of one is a schedule of the other. They end, whatever the schedule and the
arguments: worker 0 posts and sets flags before it waits for anything, all workers meet at the same barriers."""
import random, sys

HEAD = r"""
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
enum { N = 16, MOST = 200000 };
#ifdef LOG
static long at_[4][MOST], where_[4][MOST], what_[4][MOST], count_[4], done_[4];
static __thread long me_;
#define NOTE(me, p, n, how) (at_[me][count_[me]] = (long)(p), where_[me][count_[me]] = done_[me] << 32 | __LINE__, what_[me][count_[me]] = (long)(n) << 32 | (how), count_[me]++)
#define S(x) (x, done_[me]++)
static void begin(long me) { me_ = me; }
static void finish(void) {
  FILE *f = fopen(getenv("RACES_LOG"), "w");
  for (int t = 0; t < 4; ++t)
    for (long i = 0; i < count_[t]; ++i)
      fprintf(f, "%d %ld %ld %ld %ld %ld\n", t, where_[t][i] >> 32, where_[t][i] & 0xffffffff, at_[t][i], what_[t][i] >> 32, what_[t][i] & 0xffffffff);
  fclose(f);
}
#else
#define NOTE(me, p, n, how) 0
#define S(x) x
#define me_ 0
static void begin(long me) {}
static void finish(void) {}
#endif
#define R(x) (NOTE(me, &(x), sizeof(x), 0), (x))
#define W(x, v) (NOTE(me, &(x), sizeof(x), 1), (x) = (v))
// Atomics: 2, and what they do, and 4: release or acquire, 8: the flag is up.
#define SET(x, order) (NOTE(me, &(x), sizeof(x), 3 | 8 | (order != memory_order_relaxed) * 4), atomic_store_explicit(&(x), 1, order))
#define UP(x, order) ((seen = atomic_load_explicit(&(x), order)), seen ? NOTE(me, &(x), sizeof(x), 2 | 8 | (order != memory_order_relaxed) * 4) : 0, seen)
typedef struct Item { int value; long more; char text[8]; struct Item *next; } Item;
static int g[4], a[N], idx[4], m[4][4];
static unsigned char bytes[N], wrapping;
static long wide[N / 2];
static Item items[4], *list, *slot[4];
static int *pick[3];
static int (*chosen)(const void *, const void *);
static _Atomic int flag[2];
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t handed;
static int n, k;
typedef struct { long me; int lo, hi, *mine; Item *item; } Arg;
static Arg args[3];
static void set_once(void) {
#define me me_
  W(g[3], 5);
#undef me
}
static int compare(const void *x, const void *y) {
#define me me_
  W(g[2], R(g[2]) + 1);
  return *(const int *)x - *(const int *)y;
#undef me
}
static int compare_quietly(const void *x, const void *y) { return *(const int *)y - *(const int *)x; }
static void with_args(long me, int first, ...) {
  va_list ap;
  va_start(ap, first);
  int v = va_arg(ap, int);
  S(pthread_mutex_lock(&lock[0]));
  W(g[0], R(g[0]) + v);
  S(pthread_mutex_unlock(&lock[0]));
  va_end(ap);
}
static void again(long me, int *p, int depth) {
  W(*p, depth);
  if (depth > 0) again(me, p, depth - 1);
}
static void fill(long me, int *p, int from, int to) {
  for (int i = from; i < to; i++)
    W(p[i], i);
}
"""

MAIN = r"""
int main(int argc, char **argv) {
  const long me = 3;
  pthread_t t[3];
  begin(3);
  n = atoi(argv[1]);
  k = atoi(argv[2]);
  if (n < 0 || n > N || k < 0 || k > 100) return 2;
  pthread_barrier_init(&barrier, NULL, @WORKERS@);
  sem_init(&handed, 0, 0);
@BEFORE@  for (int i = 0; i < @WORKERS@; i++) {
    args[i].me = i;
    args[i].lo = i * @SIZE@;
    args[i].hi = args[i].lo + @SIZE@@OFF@;
    args[i].mine = @MINE@;
    args[i].item = @ITEM@;
  }
@CREATE@@MEANWHILE@@JOIN@@AFTER@  finish();
  return 0;
}
"""


class Program:
    def __init__(self, seed):
        self.r, self.workers, self.names = random.Random(seed), 2 + seed % 2, 0

    def fresh(self, stem="v"):
        self.names += 1
        return f"{stem}{self.names}"

    def small(self):
        return self.r.choice(["0", "1", "2", "3", "k & 3", "n & 3", "k % 3", "n > k", "k > 3"])

    def index(self, worker, i=None):
        r = self.r
        some = [str(r.randint(0, 15)), "n & 15", "k & 15", "(n + k) & 15", f"R(idx[{r.randint(0, 3)}]) & 15", "(unsigned char)(k * 16 + 3) & 15",
                f"(k < 5 ? {r.randint(0, 7)} : {r.randint(8, 15)})", "n / 2", "k % 5 + 4"]
        if worker: some += ["x->lo & 15", "((x->hi - 1) & 15)", "me * 4", "(me * 4 + k) & 15", "me"] * 2
        if i: some += [i, f"({i} + k) & 15", f"({i} * 3) & 15", f"15 - {i}"] * 3
        return r.choice(some)

    def place(self, worker, i=None):
        r, at = self.r, self.index(worker, i)
        some = [f"g[{self.small()}]", f"a[{at}]", f"a[{at}]", f"bytes[{at}]", f"wide[({at}) / 2]", f"items[{self.small()}].{r.choice(['value', 'more'])}",
                f"m[({at}) / 4][({at}) % 4]", f"items[({at}) & 3].text[({at}) & 7]", f"*R(pick[{r.randint(0, 2)}])", f"R(slot[{r.randint(0, 3)}])->value"]
        if worker: some += ["x->mine[0]", "x->mine[k & 3]", "x->item->value", "x->item->more"]
        return r.choice(some)

    def access(self, worker, i=None):
        r, to = self.r, self.place(worker, i)
        return r.choice([f"W({to}, {r.randint(1, 9)});", f"W({to}, {r.randint(1, 9)});", f"sink += R({to});", f"W({to}, R({self.place(worker, i)}));",
                         f"memset(NOTED({r.choice(['a', 'wide', 'bytes'])}, {self.small()}, {r.choice(['4', '1 + (k & 7)', '8'])}, 1));",
                         f"W(idx[{r.randint(0, 3)}], {self.index(worker, i)});", f"W(pick[{r.randint(0, 2)}], &{self.named(worker)});",
                         f"W(slot[{r.randint(0, 3)}], &items[{self.small()}]);"])

    def named(self, worker):
        return self.r.choice(["g[0]", "g[1]", "g[k & 3]", "a[3]", "a[n & 15]", "items[2].value"] + (["a[x->lo & 15]"] if worker else []))

    def loop(self, worker, depth):
        r, i = self.r, self.fresh("i")
        span = [f"int {i} = 0; {i} < n; {i}++", f"int {i} = 0; {i} < {r.randint(1, 16)}; {i}++", f"int {i} = n - 1; {i} >= 0; {i}--",
                f"unsigned {i} = 0; {i} < n; {i} += 2"]
        if worker:
            span += [f"int {i} = x->lo; {i} < x->hi && {i} < N; {i}++", f"int {i} = me; {i} < N; {i} += {self.workers}",
                     f"int {i} = me * n / {self.workers}; {i} < (me + 1) * n / {self.workers}; {i}++", f"int {i} = (x->hi < N ? x->hi : N) - 1; {i} >= x->lo; {i}--"] * 2
        body = self.block(worker, depth - 1, i, 2)
        if r.random() < 0.2:  # it asks at its end, or somewhere in the middle
            begin, end, step = r.choice([("0", "n", "++"), ("k & 7", "N", "++"), ("0", "N - 1", " += 3")] + ([("x->lo & 15", "x->hi", "++")] * 2 if worker else []))
            if r.random() < 0.5: return [f"int {i} = {begin};", "do {"] + body + [f"{i}{step};", f"}} while ({i} < {end} && {i} < N);"]
            return [f"int {i} = {begin};", "for (;;) {"] + body + [f"if ({i} >= {end} || {i} >= N - 1) break;", f"{i}{step};"] + self.block(worker, depth - 1, i, 1) + ["}"]
        if r.random() < 0.2: body.append(f"if ({i} == k) {r.choice(['break', 'continue'])};")
        if r.random() < 0.2: body.insert(0, f"if (({i} & 3) == (k & 3)) continue;")
        return [f"for ({r.choice(span)}) {{"] + body + ["}"]

    def plain(self, worker, depth, i=None):
        r, kind = self.r, self.r.random()
        if depth <= 0 or kind < 0.45: return [self.access(worker, i)]
        if kind < 0.6:
            test = r.choice(["k > 3", "n < 8", "k == n", f"R(g[{r.randint(0, 3)}]) == 1", "(k & 1)", "R(idx[1]) < 4"] + (["me == 0", "x->lo == 0"] if worker else []))
            other = ["} else {"] + self.block(worker, depth - 1, i, 2) if r.random() < 0.4 else []
            return [f"if ({test}) {{"] + self.block(worker, depth - 1, i, 2) + other + ["}"]
        if kind < 0.63:
            cases = [l for c in range(3) for l in [f"case {c}:"] + self.block(worker, depth - 1, i, 1) + ["break;"] * (r.random() < 0.6)]
            return [f"switch ({self.small()}) {{"] + cases + ["default:"] + self.block(worker, depth - 1, i, 1) + ["}"]
        if kind < 0.85: return self.loop(worker, depth)
        if kind < 0.9: return [f"again(me, {r.choice(['&g[1]', 'a + 2', 'R(pick[0])'])}, k & 3);"]
        if kind < 0.95: return [f"fill(me, a, {self.index(worker)}, {self.index(worker)});"]
        p = self.fresh("p")
        return [f"int *{p} = {r.choice(['k > 3', 'n & 1'])} ? &{self.named(worker)} : R(pick[{r.randint(0, 2)}]);", f"W(*{p}, 3);"]

    def block(self, worker, depth, i, most):
        return [l for _ in range(self.r.randint(1, most)) for l in self.plain(worker, depth, i)]

    def locked(self, worker, depth):
        """Operations that wait for nobody: any thread may do them at any time."""
        r, l = self.r, self.r.randint(0, 1)
        inside = self.block(worker, 1, None, 2)
        take, give = f"S(pthread_mutex_lock(&lock[{l}]));", f"S(pthread_mutex_unlock(&lock[{l}]));"
        push = ["Item *{0} = calloc(1, sizeof(Item));", "W({0}->value, 1);", take, "W({0}->next, R(list));", "W(list, {0});", give, "W({0}->more, 2);"]
        name = self.fresh("e")
        pop = [take, f"Item *{name} = R(list);", f"if ({name}) W(list, R({name}->next));", give, f"if ({name}) W({name}->value, 3);", f"if ({name}) W({name}->more, 3);"]
        return r.choice([[take] + inside + [give]] * 4 +
                        [[f"if (S(pthread_mutex_trylock(&lock[{l}])) == 0) {{".replace("S(", "TRY(")] + inside + [give, "}"],
                         ["S(pthread_once(&once, set_once));"], [s.format(name) for s in push], pop, [f"with_args(me, 1, k);"],
                         [f"qsort(items_of[me], 4, sizeof(int), {r.choice(['compare', 'compare_quietly', 'R(chosen)'])});"], [f"usleep({r.randint(1, 3) * 3000});"]])

    def body(self, first, meets, flags, posts):
        r, out = self.r, []
        for s in range(meets + 1):
            if first and s == 0:
                out += self.block(True, 2, None, 2)
                out += [f"SET(flag[{f}], {o});" for f, o in flags] + ["S(sem_post(&handed));"] * posts
            for _ in range(r.randint(1, 3)):
                out += self.block(True, 3, None, 2) if r.random() < 0.6 else self.locked(True, 2)
            if not first and s == 0:
                for f, _ in flags:
                    wait = f"while (!UP(flag[{f}], {r.choice(['memory_order_acquire'] * 2 + ['memory_order_relaxed'])}));"
                    out += [r.choice([wait, wait, f"if (k > 3) {{ {wait} W(g[1], 4); }}"])] + self.block(True, 2, None, 2)
                if posts: out += ["S(sem_wait(&handed));"] + self.block(True, 2, None, 2)
            if s < meets: out += ["S(pthread_barrier_wait(&barrier));"]
        return out

    def text(self):
        r = self.r
        meets, posts = r.choice([0, 0, 1, 2]), r.choice([0, self.workers - 1])
        flags = [(f, r.choice(["memory_order_release"] * 2 + ["memory_order_relaxed"])) for f in range(r.randint(0, 2))]
        one = self.workers == 3 and r.random() < 0.5  # workers 1 and 2 run the same routine
        out = HEAD + "static int items_of[4][4];\n"
        out += "#define NOTED(p, from, len, how) p + (from) + 0 * NOTE(me, p + (from), len, how), 0, len\n"
        out += "#ifdef LOG\n#define TRY(x) (done_[me]++, x)\n#else\n#define TRY(x) x\n#endif\n"
        routines = []
        for w in range(self.workers):
            if w == 2 and one:
                routines.append(routines[1])
                continue
            routines.append(f"worker{w}")
            out += f"static void *worker{w}(void *p) {{\n  Arg *x = p;\n  const long me = x->me;\n  int sink = 0, seen = 0;\n  begin(me);\n"
            out += "".join(f"  {l}\n" for l in self.body(w == 0, meets, flags, posts)) + "  return NULL;\n}\n"
        main = MAIN.replace("@WORKERS@", str(self.workers)).replace("@SIZE@", r.choice(["(N / @W@)", "(n / @W@)", "4", "(k & 7)"]).replace("@W@", str(self.workers)))
        main = main.replace("@OFF@", r.choice(["", "", "", " + 1", " + (k == 7)"]))
        main = main.replace("@MINE@", r.choice(["a + i * 4", "malloc(64)", "&a[args[i].lo & 7]", "k > 3 ? a : malloc(64)"]))
        main = main.replace("@ITEM@", r.choice(["&items[i]", "calloc(1, sizeof(Item))", "&items[k & 3]", "&items[(i + k) & 3]"]))
        setup = [f"W(pick[{i}], &{self.named(False)});" for i in range(3)] + [f"W(slot[{i}], &items[{r.randint(0, 3)}]);" for i in range(4)]
        setup += ["int sink = 0, seen = 0;", f"chosen = {r.choice(['compare', 'compare_quietly', 'k > 3 ? compare : compare_quietly'])};"]
        indent = lambda lines: "".join(f"  {l}\n" for l in lines)
        main = main.replace("@BEFORE@", indent(setup + self.block(False, 2, None, 2)))
        create, join = [], []
        for w in range(self.workers):
            create.append(f"if (S(pthread_create(&t[{w}], NULL, {routines[w]}, &args[{w}]))) abort();".replace("S(", "TRY("))
            join.append(f"S(pthread_join(t[{w}], NULL));")
        if r.random() < 0.3 and not meets and not flags and not posts: create.insert(1, join.pop(0))
        main = main.replace("@CREATE@", indent(create)).replace("@JOIN@", indent(join))
        main = main.replace("@MEANWHILE@", indent([l for _ in range(r.randint(0, 2)) for l in (self.block(False, 2, None, 2) if r.random() < 0.6 else self.locked(False, 2))]))
        return out + main.replace("@AFTER@", indent(self.block(False, 2, None, 2)))


def program(seed):
    return Program(seed).text()


if __name__ == "__main__":
    print(program(int(sys.argv[1])))
