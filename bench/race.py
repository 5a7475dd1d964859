#!/usr/bin/env python3
"""race.py BUILD WORK [PROGRAM...]: what looking for races takes on the programs of tests/programs, how it grows, and what
other tools find there. helgrind and DRD need valgrind; what is not installed is left out, and said."""
import json, os, re, shlex, shutil, subprocess, sys, time

build, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + "/race"
programs = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "programs")
os.environ["PATH"] = build + "/bin:" + os.environ["PATH"]
INPUT = {"racy": "2 101"}  # that shows all of its races
clang = os.environ.get("SPEC_CLANG", "clang-19")


def run(cmd, stdin="", limit=300, **env):
    """Exit status, both outputs, seconds, and megabytes at most."""
    out, err = open(work + "/out", "w+", errors="replace"), open(work + "/err", "w+", errors="replace")
    begin = time.time()
    with open(work + "/in", "w") as f: f.write(stdin)
    p = subprocess.Popen(["timeout", str(limit), *cmd], cwd=work, stdin=open(work + "/in"), stdout=out, stderr=err,
                         env={**os.environ, **env})
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.time() - begin
    out.seek(0), err.seek(0)
    return p.returncode, out.read(), err.read(), seconds, usage.ru_maxrss / 1024


class Program:
    def __init__(self, file):
        self.file, self.name = file, re.sub(r"\..*", "", os.path.basename(file))
        text = open(file, errors="replace").read().split("*/")[0]
        key = lambda k: (re.findall(r"^ \* " + k + r": *(.*?) *$", text, re.M) or [""])[0]
        self.args = shlex.split(INPUT.get(self.name, re.sub(r"\s+\(.*$", "", key("args"))))
        self.stdin, self.when = key("stdin") + "\n", key("when")
        self.pairs = {tuple(sorted((int(a), int(b)))) for a, b, _ in re.findall(r"(\d+)-(\d+) (\w+)", text)}
        self.cxx = file.endswith(".cc")
        self.app, self.sigma = f"{work}/{self.name}", f"{work}/{self.name}.sigma"

    def record(self):
        cc = "specialize-c++" if self.cxx else "specialize-cc"
        run([cc, "-O1", "-g", "-pthread", self.file, "-o", self.app, "-lm"])
        if os.path.exists(self.sigma): os.unlink(self.sigma)
        run(["specialize", "record", "--constraint", "exact", "-o", self.sigma, "--", self.app, *self.args], self.stdin)
        if self.when not in ("", "stdin"):
            run(["specialize", "constrain", self.sigma, "--schedule", "0", "--when", self.when])

    def race(self, *more, evidence="off"):
        _, out, err, seconds, mb = run(["specialize", "race", self.app, "--sigma", self.sigma, "--format", "json",
                                        "--timings", "--evidence", evidence, *more])
        return json.loads(out)["races"], [int(n) for n in re.findall(r"(\d+) ", err.split("\n")[0] + " ")][:5], seconds, mb


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def lines_of(races):
    return {tuple(sorted((r["a"]["line"], r["b"]["line"]))) for r in races}


# -- others

def frames(text, pattern, file):
    """For each part of a report that begins with the pattern: the innermost line in the file."""
    found = []
    for part in re.split(pattern, text)[1:]:
        m = re.search(re.escape(os.path.basename(file)) + r":(\d+)", part.split("\n\n")[0])
        found.append(int(m[1]) if m else 0)
    return found


def tsan(p):
    app = f"{work}/{p.name}.tsan"
    cc = clang.replace("clang", "clang++") if p.cxx else clang
    status, _, err, _, _ = run([cc, "-O1", "-g", "-pthread", "-fsanitize=thread", p.file, "-o", app, "-lm"])
    if status: return None
    _, _, err, seconds, _ = run(["setarch", "-R", app, *p.args], p.stdin)
    pairs = set()
    for report in err.split("WARNING: ThreadSanitizer: data race")[1:]:
        two = frames(report.split("Location is")[0], r"(?:[Ww]rite|[Rr]ead) of size \d+", p.file)
        if len(two) > 1: pairs.add(tuple(sorted(two[:2])))
    return pairs, seconds


def helgrind(p):
    _, _, err, seconds, _ = run(["valgrind", "--tool=helgrind", p.app, *p.args], p.stdin)
    pairs = set()
    err = re.sub(r"==\d+== ?", "", err)
    for report in err.split("Possible data race during")[1:]:
        report = report.split("----------------")[0]
        a = re.search(re.escape(os.path.basename(p.file)) + r":(\d+)", report)
        b = re.search(r"conflicts with a previous.*?" + re.escape(os.path.basename(p.file)) + r":(\d+)", report, re.S)
        pairs.add(tuple(sorted((int(a[1]) if a else 0, int(b[1]) if b else 0))))
    return pairs, seconds


def drd(p):
    """Knows one side; the other is any line of a pair."""
    _, _, err, seconds, _ = run(["valgrind", "--tool=drd", p.app, *p.args], p.stdin)
    err = re.sub(r"==\d+== ?", "", err)
    pairs = set()
    for line in frames(err, r"Conflicting (?:load|store)", p.file):
        pairs |= {pair for pair in p.pairs if line in pair} or {(line, line)}
    return pairs, seconds


def compare(all_programs):
    tools = {"ours": None, "ours, seen": None, "ours, replayed": None, "ThreadSanitizer": tsan}
    if shutil.which("valgrind"): tools |= {"helgrind": helgrind, "DRD": drd}
    else: print("valgrind is not here: helgrind and DRD are left out", file=sys.stderr), print("\n(helgrind and DRD: not installed.)\n")
    sums = {t: [0, 0, 0, 0.0, 0] for t in tools}
    print("| program | races | " + " | ".join(tools) + " |\n|---|---|" + "---|" * len(tools), flush=True)
    for p in all_programs:
        native = run([p.app, *p.args], p.stdin)[3]
        cells = []
        for tool, look in tools.items():
            if look:
                got = look(p)
            else:
                evidence = "on" if "seen" in tool else "off"
                if evidence == "on": p.race(evidence="on")  # the variant is built once
                races, _, seconds, _ = p.race(*(["--replay"] if "replayed" in tool else []), evidence=evidence)
                if "replayed" in tool: races = [r for r in races if r["status"] == "replayed"]
                if "seen" in tool: races = [r for r in races if r["seen"] == "unordered"]
                got = lines_of(races), seconds
            if not got: cells.append("-"); continue
            pairs, seconds = got
            one = [len(pairs & p.pairs), len(p.pairs - pairs), len(pairs - p.pairs), seconds, 1]
            sums[tool] = [a + b for a, b in zip(sums[tool], one)]
            cells.append(f"{one[0]}, {one[1]}, {one[2]}; {seconds:.2f}")
        interesting = p.pairs or any(not c.startswith("0, 0, 0") for c in cells)
        if interesting: row(p.name, len(p.pairs), *cells)
    row("all", sum(len(p.pairs) for p in all_programs), *(f"{s[0]}, {s[1]}, {s[2]}; {s[3]:.1f}" for s in sums.values()))


# -- growth

def generated(accesses, threads):
    name = f"{work}/grow.c"
    n = max(1, accesses // 2)
    body = "\n".join(f"  a{i}[id * part] += 1;" for i in range(n))
    arrays = ", ".join(f"a{i}[1000]" for i in range(n))
    open(name, "w").write(f"""#include <pthread.h>
static long {arrays}, part;
static void *worker(void *arg) {{
  long id = (long)arg;
{body}
  return 0;
}}
int main(int argc, char **argv) {{
  pthread_t t[{threads}];
  (void)argv;
  part = argc;
  for (long i = 0; i < {threads}; ++i) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < {threads}; ++i) pthread_join(t[i], 0);
  return 0;
}}
""")
    return alone(name)


def alone(name):
    p = Program(name)
    p.args, p.when = [], ""
    return p


def locking(rounds):
    """Two threads that take turns at a lock; one of them has a variable that the other reads without it."""
    name = f"{work}/locks_grow.c"
    open(name, "w").write(f"""#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum, own[2];
static void *worker(void *arg) {{
  long id = (long)arg;
  for (int i = 0; i < {rounds}; ++i) {{
    pthread_mutex_lock(&lock);
    sum += own[id]++;
    pthread_mutex_unlock(&lock);
  }}
  return 0;
}}
int main(void) {{
  pthread_t t;
  pthread_create(&t, 0, worker, (void *)1);
  worker(0);
  pthread_join(t, 0);
  return 0;
}}
""")
    return alone(name)


def grow(name, unit, values, make):
    print(f"""
{name}

| {unit} | accesses | pairs | not ordered | s | MB |
|---|---|---|---|---|---|""", flush=True)
    for value in values:
        p = make(value)
        p.record()
        races, figures, seconds, mb = p.race("--budget", "10000000")
        row(value, figures[0], figures[1], figures[2], f"{seconds:.2f}", f"{mb:.0f}")


os.makedirs(work, exist_ok=True)
chosen = sys.argv[3:]
found = [Program(os.path.join(programs, f)) for f in sorted(os.listdir(programs)) if re.search(r"\.(c|cc)$", f)]
found = [p for p in found if not chosen or p.name in chosen]
print("""## Races

`specialize race` on the schedule of each program of tests/programs, with the constraint of its header: accesses in the
clones, pairs of them with a write and a common object, those that nothing orders, those that the solver was asked about,
findings; wall time and peak memory of the whole command, clones made included.

| program | accesses | pairs | not ordered | asked | findings | s | MB |
|---|---|---|---|---|---|---|---|""", flush=True)
pairs = seconds_all = 0
for p in found:
    p.record()
    races, figures, seconds, mb = p.race()
    row(p.name, figures[0], figures[1], figures[2], figures[4], len(races), f"{seconds:.2f}", f"{mb:.0f}")
    pairs, seconds_all = pairs + figures[1], seconds_all + seconds
print(f"""
{pairs / seconds_all:.0f} pairs a second, all together.

How it grows: threads that write elements of their own in many arrays, by an index times a number that is not known: a question about each pair, of few forms.

| accesses of a thread | threads | accesses | pairs | not ordered | asked | s | MB |
|---|---|---|---|---|---|---|---|""", flush=True)
for accesses, threads in ([] if chosen else [(50, 4), (100, 4), (200, 4), (400, 4), (50, 2), (50, 8), (50, 16)]):
    p = generated(accesses, threads)
    p.record()
    races, figures, seconds, mb = p.race()
    row(accesses, threads, figures[0], figures[1], figures[2], figures[4], f"{seconds:.2f}", f"{mb:.0f}")
if not chosen:
    grow("How it grows with events: two threads under one lock.", "rounds of a thread", [100, 300, 1000, 3000],
         locking)
    grow("With accesses in a row: two threads.", "accesses of a thread", [1000, 2000, 5000, 10000],
         lambda n: generated(n, 2))
    grow("With threads: 20 accesses each.", "threads", [8, 16, 32, 64], lambda n: generated(20, n))
print("""
Compared on the same programs and inputs (of racy.c one that shows all of its races): pairs of lines found, missed, false
by the headers; seconds of the run, for ours of the whole analysis, of one recorded run. Rows where nobody says anything are
left out of the table, not of the sums. "Seen" are those whose accesses touched the same byte in one more run with nothing between
them that orders; its seconds are those of the analysis and that run. The others see what one run did; DRD names one side only, which counts for all
pairs of that line.
""", flush=True)
compare(found)
