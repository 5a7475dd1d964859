#!/usr/bin/env python3
"""deadlock.py BUILD WORK [PROGRAM...]: what looking for deadlocks takes, and what other tools find, on the pairs of
tests/cases/deadlock/pairs, or on these programs (each a C or C++ file that needs no arguments). helgrind needs valgrind;
what is not installed is left out, and said."""
import glob, json, os, re, shutil, subprocess, sys, time

build, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + "/deadlock"
top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.environ["PATH"] = build + "/bin:" + os.environ["PATH"]
clang = os.environ.get("SPEC_CLANG", "clang-19")
LIMIT = 20


def run(cmd, limit=LIMIT):
    """Exit status, both outputs, seconds, and megabytes at most. A program that hangs is ended."""
    out, err = open(work + "/out", "w+", errors="replace"), open(work + "/err", "w+", errors="replace")
    begin = time.time()
    p = subprocess.Popen(["timeout", "-k", "1", str(limit), *cmd], cwd=work, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.time() - begin
    out.seek(0), err.seek(0)
    return p.returncode, out.read(), err.read(), seconds, usage.ru_maxrss / 1024


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


class Program:
    def __init__(self, file, args=(), define="BROKEN"):
        self.file, self.args, self.define = os.path.abspath(file), list(args), define
        self.name = re.sub(r"\..*", "", os.path.basename(file))
        self.label = " ".join([self.name, *self.args])
        self.cxx = file.endswith(".cc")
        self.app = f"{work}/{self.name}.{define}"
        self.sigma = self.app + ".sigma"

    def build(self, cc, app, *flags):
        cc = (cc.replace("clang", "clang++") if cc.startswith("clang") else cc.replace("-cc", "-c++")) if self.cxx else cc
        return run([cc, "-O1", "-g", "-w", "-pthread", "-D" + self.define, *flags, self.file, "-o", app, "-lm"], 60)[0] == 0

    def record(self):
        if os.path.exists(self.sigma): os.unlink(self.sigma)
        return run(["specialize", "record", "--constraint", "exact", "-o", self.sigma, "--timeout", "10", "--", self.app, *self.args])


# -- each tool: how many reports it has, of these seen to happen, and seconds; None: it cannot be run

def ours(p):
    begin = time.time()
    _, out, _, _, _ = run(["specialize", "deadlock", "--format", "json", "-o", "-", "--", p.app, *p.args], 120)
    try: found = json.loads(out[out.rindex('{"version"'):])["deadlocks"]
    except ValueError: return None
    return len(found), sum(d["status"] == "replayed" for d in found), time.time() - begin


def tsan(p):
    app = p.app + ".tsan"
    if not p.build(clang, app, "-fsanitize=thread"): return None
    _, _, err, seconds, _ = run(["env", "TSAN_OPTIONS=detect_deadlocks=1:second_deadlock_stack=1", "setarch", "-R", app, *p.args])
    return err.count("WARNING: ThreadSanitizer: lock-order-inversion"), 0, seconds


def helgrind(p):
    app = p.app + ".plain"
    if not p.build(clang, app): return None
    _, _, err, seconds, _ = run(["valgrind", "--tool=helgrind", app, *p.args])
    return len(re.findall(r"lock order .* violated", err)), 0, seconds


def cell(got):
    if not got: return "-"
    found, seen, seconds = got
    return f"{found}{f' ({seen} replayed)' if seen else ''}; {seconds:.2f}"


def compare(programs, expected):
    tools = {"ours": ours, "ThreadSanitizer": tsan}
    if shutil.which("valgrind"): tools["helgrind"] = helgrind
    else: print("\n(helgrind: not installed.)\n")
    print("| program |" + (" can deadlock |" if expected else "") + " " + " | ".join(tools) + " |\n|---|" + ("---|" if expected else "") + "---|" * len(tools), flush=True)
    sums = {t: [0, 0, 0] for t in tools}
    for p in programs:
        if not p.build("specialize-cc", p.app): row(p.label, "does not compile"); continue
        got = {t: look(p) for t, look in tools.items()}
        broken = p.define == "BROKEN"
        for t, g in got.items():
            if g: sums[t] = [a + b for a, b in zip(sums[t], (broken and g[0] > 0, broken and g[1] > 0, not broken and g[0] > 0))]
        row(p.label, *(["yes" if broken else "no"] if expected else []), *(cell(g) for g in got.values()))
    if expected: row("found, replayed, false", "", *(", ".join(map(str, s)) for s in sums.values()))


# -- growth

def accounts(threads):
    name = f"{work}/accounts{threads}.c"
    open(name, "w").write("""#include <pthread.h>
#include <stdlib.h>
enum { THREADS = %d, ACCOUNTS = 64 };
static pthread_mutex_t locks[ACCOUNTS];
static long times, sum;
static void *clerk(void *arg) {
  unsigned x = 12345u * (unsigned)(long)arg + 1;
  for (long i = 0; i < times; ++i) {
    x = x * 1664525u + 1013904223u;
    unsigned a = x >> 8 & 63, b = x >> 16 & 63;
    if (a == b) continue;
    pthread_mutex_lock(&locks[a]);
    pthread_mutex_lock(&locks[b]);
    ++sum;
    pthread_mutex_unlock(&locks[b]);
    pthread_mutex_unlock(&locks[a]);
  }
  return 0;
}
int main(int argc, char **argv) {
  pthread_t t[THREADS];
  times = argc > 1 ? atol(argv[1]) : 0;
  for (int i = 0; i < ACCOUNTS; ++i) pthread_mutex_init(&locks[i], 0);
  for (long i = 0; i < THREADS; ++i) {
    pthread_create(&t[i], 0, clerk, (void *)i);
    if (argc > 2) pthread_join(t[i], 0);
  }
  for (int i = 0; argc <= 2 && i < THREADS; ++i) pthread_join(t[i], 0);
}
""" % threads)
    return Program(name)


def grow():
    print("""
Two threads that transfer between two accounts in opposite orders, as a recorded schedule; only one kind of deadlock is
there. `--witness` looks for the events that lead to it.

| events | s | MB | with witnesses, s | MB |
|---|---|---|---|---|""", flush=True)
    p = Program(f"{top}/tests/cases/deadlock/pairs/accounts.c")
    p.build("specialize-cc", p.app)
    for times in (800, 8000, 83000):
        for _ in range(20):  # a run that deadlocks is none to measure
            p.args = ["0", "1", "1", "0", str(times)]
            if p.record()[0] == 0: break
        events = int(re.findall(r"^end (\d+)", open(p.sigma).read(), re.M)[-1])
        one = run(["specialize", "deadlock", p.app, "--sigma", p.sigma], 300)
        two = run(["specialize", "deadlock", p.app, "--sigma", p.sigma, "--witness", work + "/w"], 300)
        row(events, f"{one[3]:.2f}", f"{one[4]:.0f}", f"{two[3]:.2f}", f"{two[4]:.0f}")
    print("""
Threads that each take two of 64 locks at random, one thread after the other, so that nothing can deadlock; and at once, so
that nearly every pair of locks can.

| threads | events | one after the other, s | MB | events at once | s | MB |
|---|---|---|---|---|---|---|""", flush=True)
    for threads, times in ((2, 20000), (8, 5000), (8, 20000)):
        cells = [threads]
        p = accounts(threads)
        p.build("specialize-cc", p.app)
        for more in (["joined"], []):
            p.args = [str(times), *more]
            for _ in range(5):
                p.record()
                if re.findall(r"^end (\d+)", open(p.sigma).read(), re.M): break
            events = int(re.findall(r"^end (\d+)", open(p.sigma).read(), re.M)[-1])
            got = run(["specialize", "deadlock", p.app, "--sigma", p.sigma], 300)
            cells += [events, f"{got[3]:.2f}", f"{got[4]:.0f}"]
        row(*cells)


def pairs():
    for file in sorted(glob.glob(f"{top}/tests/cases/deadlock/pairs/*.c*")):
        for define in ("BROKEN", "FIXED"):
            for args in re.findall(r"^// args: *(.*)$", open(file).read(), re.M):
                yield Program(file, args.split(), define)


def main():
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    if sys.argv[3:]:
        compare([Program(f) for f in sys.argv[3:]], False)
        return
    print("""## Deadlocks

Reports and seconds, on programs that can deadlock and on their repaired twins. Ours is `specialize deadlock -- PROGRAM`: several
runs, and replays. The others watch one run, and have no word for waits that are missed. A run that hangs is ended after %d s.
""" % LIMIT, flush=True)
    compare(list(pairs()), True)
    grow()


main()
