#!/usr/bin/env python3
"""What holding a program to a schedule costs. Makes straight-line code as a clone is, with the runtime's bitcode linked
into it and inlined, and the same code with the plain operations. Prints a markdown section. Usage: enforce.py PREFIX
WORKDIR [ROUNDS]"""
import os, statistics, subprocess, sys

prefix, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 9
rt = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + "/rt"
lib = prefix + "/lib/specialize"
PAIRS, TIMES = 200, 2000

COMMON = f"""
#include <stdio.h>
#include <stdlib.h>
#include "{rt}/enforce.h"
RtThr rt_enf_threads[8];
_Atomic(const void *) rt_enf_objects[8];
static double now(void) {{ struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }}
static void spend(long ns) {{ for (volatile long i = 0; i < ns * 2 / 5; ++i) {{}} }}
static const RtPlace place[1] = {{{{"f", "f.c", "event", 1, 1}}}};
"""

def node(name, thread, position, obj, waits):
    wait = ", ".join("{%d, %d}" % w for w in waits)
    return (f"static const RtNode {name} = {{{thread}, {position}, {position}, {obj}, RT_NONE32, 0, 0, 0, 0, 0, 0, {len(waits)}, 0, "
            f"{{{wait}}}}};\n")

def call(held, name, function, argument):
    return f"rt_enf_{function}(&{name}, {argument});" if held else f"{function}({argument});"

def uncontended(held, lock="pthread_mutex_lock", unlock="pthread_mutex_unlock", kind="pthread_mutex_t", start="", edges=0):
    """One thread, one object, PAIRS pairs of events, again and again; edges: satisfied ones that each lock looks at."""
    nodes, code = "", ""
    for i in range(PAIRS):
        nodes += node(f"l{i}", 0, 2 * i, 1, [(k + 1, 1) for k in range(edges)]) + node(f"u{i}", 0, 2 * i + 1, 1, [])
        code += call(held, f"l{i}", lock, "&m") + call(held, f"u{i}", unlock, "&m") + "\n"
    begin = "static const RtPlan plan[8]; static const RtLife life[2]; static const RtSchedule s = {1, 0, 8, 2, 1, 0, 0, 0, plan, life, place, 0};"
    return COMMON + begin + nodes + f"""
static {kind} m;
__attribute__((noinline)) static void code(void) {{ {code} }}
int main(void) {{
  {start}
  rt_enf_begin(&s);
  for (int i = 1; i < 8; ++i) rt_enf_threads[i].published = 9;
  code(), rt_enf_threads[0].published = 0;
  double t = now();
  for (int i = 0; i < {TIMES}; ++i) code(), rt_enf_threads[0].published = 0;
  printf("%.3f\\n", (now() - t) * 1e9 / {TIMES} / {PAIRS});
  fflush(stdout), _Exit(0);
}}
"""

def alternating(held, threads, ns):
    """Each thread takes the lock after the one before it, PAIRS times, with some work between."""
    nodes, bodies = "", ""
    for t in range(threads):
        code = ""
        for i in range(PAIRS):
            before = [] if t + i == 0 else [((t - 1) % threads, 2 * (i if t else i - 1) + 2)]
            nodes += node(f"l{t}_{i}", t, 2 * i, 1, before) + node(f"u{t}_{i}", t, 2 * i + 1, 1, [])
            code += f"spend({ns});" + call(held, f"l{t}_{i}", "pthread_mutex_lock", "&m") + call(held, f"u{t}_{i}", "pthread_mutex_unlock", "&m") + "\n"
        bodies += f"static void *clone{t}(void *p) {{ {code} return p; }}\n"
    begin = f"static const RtPlan plan[8]; static const RtLife life[2]; static const RtSchedule s = {{1, 0, {threads}, 2, 1, 0, 0, 0, plan, life, place, 0}};"
    table = ", ".join(f"clone{t}" for t in range(threads))
    return COMMON + begin + nodes + f"""
static pthread_mutex_t m;
{bodies}
static void *(*const clones[])(void *) = {{{table}}};
int main(void) {{
  rt_enf_begin(&s);
  pthread_t id[8];
  double t = 0;
  for (int k = 0; k < 30; ++k) {{
    for (int i = 0; i < {threads}; ++i) rt_enf_threads[i].published = 0;
    double start = now();
    for (int i = 0; i < {threads}; ++i) pthread_create(&id[i], 0, clones[i], 0);
    for (int i = 0; i < {threads}; ++i) pthread_join(id[i], 0);
    t += now() - start;
  }}
  printf("%.3f\\n", t * 1e9 / 30 / {PAIRS} / {threads});
  fflush(stdout), _Exit(0);
}}
"""

FLAG = COMMON + """
static void await(_Atomic uint32_t *x, uint32_t v) {
  for (;;) {
    for (int i = 0; i < 20; ++i, __builtin_ia32_pause()) if (__atomic_load_n((uint32_t *)x, __ATOMIC_ACQUIRE) >= v) return;
    for (int i = 0; i < 50; ++i, sched_yield()) if (__atomic_load_n((uint32_t *)x, __ATOMIC_ACQUIRE) >= v) return;
  }
}
static void *other(void *p) {
  for (uint32_t i = 1; i <= 20000; ++i) await(&rt_enf_threads[0].published, i), rt_enf_threads[1].published = i;
  return p;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, other, 0);
  double t = now();
  for (uint32_t i = 1; i <= 20000; ++i) rt_enf_threads[0].published = i, await(&rt_enf_threads[1].published, i);
  printf("%.3f\\n", (now() - t) * 1e9 / 40000);
}
"""

def build(name, text):
    base = f"{work}/enforce-{name}"
    open(base + ".c", "w").write(text)
    run = lambda *a: subprocess.run(a, check=True)
    run("clang-19", "-D_GNU_SOURCE", "-O1", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", base + ".c", "-o", base + ".bc")
    run("llvm-link-19", base + ".bc", "--only-needed", lib + "/enforce.bc", "-o", base + ".linked.bc")
    run("opt-19", "-passes=internalize,default<O2>", "-internalize-public-api-list=main,rt_enf_threads,rt_enf_objects", base + ".linked.bc", "-o", base + ".opt.bc")
    run("clang-19", "-O2", "-pthread", base + ".opt.bc", lib + "/libspecialize-enforce.a", "-o", base)
    return base

def measure(name, native, held):
    a, b = build(name + "-native", native), build(name + "-held", held)
    pairs = []
    for _ in range(rounds):
        pairs.append(tuple(float(subprocess.run([p], check=True, capture_output=True).stdout) for p in (a, b)))
    return [statistics.median(x) for x in (*zip(*pairs), [h / n for n, h in pairs])]

def row(label, name, make, *args, **more):
    print("| %s | %.1f | %.1f | %.2f |" % (label, *measure(name, make(False, *args, **more), make(True, *args, **more))))
    sys.stdout.flush()

def text_size(program):
    out = subprocess.run(["size", "-A", program], check=True, capture_output=True, text=True).stdout
    return next(int(l.split()[1]) for l in out.splitlines() if l.startswith(".text"))

os.makedirs(work, exist_ok=True)
print(f"## Holding to a schedule\n\nStraight-line code with constant nodes, the runtime inlined. Medians of {rounds}; the ratio is the median of the rounds' ratios.\n")
print("| a lock and an unlock, or the like, nobody waits | native, ns | held, ns | ratio |\n|---|---|---|---|")
row("mutex", "mutex", uncontended)
row("mutex, 2 edges that are satisfied", "edges", uncontended, edges=2)
row("spin lock", "spin", uncontended, lock="pthread_spin_lock", unlock="pthread_spin_unlock", kind="pthread_spinlock_t", start="pthread_spin_init(&m, 0);")
row("rwlock, reading", "read", uncontended, lock="pthread_rwlock_rdlock", unlock="pthread_rwlock_unlock", kind="pthread_rwlock_t")
row("semaphore, post then wait", "sem", uncontended, lock="sem_post", unlock="sem_wait", kind="sem_t")
print("\n| threads that take turns at one lock (native: in any order) | native, ns | held, ns | ratio |\n|---|---|---|---|")
for threads, ns in ((2, 0), (2, 1000), (2, 10000), (4, 0), (4, 1000), (4, 10000)):
    row(f"{threads} threads, {ns / 1000:g} µs between", f"turns-{threads}-{ns}", alternating, threads, ns)
flag = build("flag", FLAG)
flags = [float(subprocess.run([flag], check=True, capture_output=True).stdout) for _ in range(rounds)]
print(f"\nTwo threads that hand a bare flag over, waiting in the same way (20 pauses, 50 yields): {statistics.median(flags):.0f} ns.")
extra = (text_size(f"{work}/enforce-mutex-held") - text_size(f"{work}/enforce-mutex-native")) / (2 * PAIRS)
edge = (text_size(f"{work}/enforce-edges-held") - text_size(f"{work}/enforce-mutex-held")) / (2 * PAIRS)
print(f"\nCode: {extra:.0f} bytes an event more than a plain call, {edge:.0f} bytes an edge.")
