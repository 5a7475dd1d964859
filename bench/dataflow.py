#!/usr/bin/env python3
"""dataflow.py BUILD WORK [PROGRAM...]: what data-flow specialization makes of the clones of tests/programs: each recorded on
`args:`, with the constraint of its header, and with `true`. Guards removed and kept by reason, code size, the time that it takes beside
what compiling takes. With SPEC_BENCH_SPEED=ROUNDS also enforced / native on the `bench:` input, with it and without."""
import collections, json, os, re, shlex, statistics, subprocess, sys, time
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests"))
import header

build, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + "/dataflow"
programs = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "programs")
names = sys.argv[3:] or sorted(f for f in os.listdir(programs) if re.search(r"\.(c|cc)$", f))
rounds = int(os.environ.get("SPEC_BENCH_SPEED", "0"))
env = {k: v for k, v in os.environ.items() if not k.startswith("SPECIALIZE_")}
env.update(PATH=build + "/bin:" + env["PATH"], XDG_CACHE_HOME=work + "/cache", SPECIALIZE_CACHE="0")
os.makedirs(work, exist_ok=True)
KINDS = [("throws", "throw"), ("memory", "holds decides|memory holds|volatile"), ("numbers with a point", "floating"), ("allocation", "allocation"),
         ("calls", "the result of"), ("loops, parameters", "loop|parameter"), ("other", "")]


def run(cmd, stdin="", limit=300, **more):
    begin = time.monotonic()
    p = subprocess.Popen(["timeout", str(limit), *cmd], cwd=work, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         env={**env, **more})
    out, err = p.communicate(stdin.encode())
    return p.returncode, out, err.decode(errors="replace"), time.monotonic() - begin


def cpu(cmd):
    """Seconds of processor of it and its children."""
    before = os.times()
    rc, _, err, _ = run(cmd)
    after = os.times()
    return rc, err, after.children_user + after.children_system - before.children_user - before.children_system


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def clone_bytes(binary):
    lines = subprocess.run(["nm", "-S", binary], capture_output=True, text=True).stdout
    return sum(int(m.group(1), 16) for m in re.finditer(r"^\w+ (\w+) [tTwW] (?:main$|.*\.s\d+\.t\d+\.a\d+|.*\.s\d+\.t\d+\.q)", lines, re.M))


def reasons(file):
    kept, gone = collections.Counter(), collections.Counter()
    for d in json.load(open(file))["decisions"]:
        if d["stage"] != "data flow": continue
        n = d.get("times", 1)
        if d["what"] == "a guard is removed": gone[d["why"]] += n
        if d["what"] == "a guard is kept": kept[next(k for k, word in KINDS if re.search(word, d["why"]))] += n
    return gone, kept


class Program:
    def __init__(self, file):
        self.file, self.name = programs + "/" + file, file.split(".")[0]
        h = header.read(self.file)
        one = lambda k: header.plain(h[k][-1]) if k in h else ""
        self.args, self.bench = shlex.split(one("args")), shlex.split(one("bench"))
        self.stdin = h["stdin"][-1] + "\n" if "stdin" in h else ""
        when = h["when"][-1] if "when" in h else "true"
        self.when = "true" if when == "stdin" else when
        self.cxx = file.endswith(".cc")
        self.app = f"{work}/{self.name}"
        cc = "specialize-c++" if self.cxx else "specialize-cc"
        run([cc, "-O1", "-g", "-pthread", self.file, "-o", self.app, "-lm"])

    def record(self, args, when):
        sigma = self.app + ".sigma"
        if os.path.exists(sigma): os.unlink(sigma)
        run(["specialize", "record", "--constraint", "exact", "-o", sigma, "--", self.app, *args], self.stdin)
        if when: run(["specialize", "constrain", sigma, "--schedule", "0", "--when", when])
        return sigma

    def build(self, sigma, *more):
        out = self.app + ".spec" + "".join(more)
        rc, err, seconds = cpu(["specialize", "build", self.app, "--sigma", sigma, "-o", out, "--timings", *more])
        if rc: raise RuntimeError(err.strip().split("\n")[-1])
        return out, err, seconds


total = collections.Counter()
print("## Data flow in clones\n")
print("`args:` schedules of `tests/programs` at -O1, under the constraint of the header (`when`) and under `true`. Guards: branches that may leave the\n"
      "schedule. Gone by: the constraint, the schedule alone, earlier tests (the solver). Kept because: calls that may throw, memory that is not\n"
      "known, floating point, allocations that may fail, results of calls, positions in loops. Time: processor seconds of `build`, and of data flow\n"
      "alone, beside compiling the program with `clang -O2`.\n")
row("program", "guards", "gone", "by constraint", "by schedule", "by tests", "kept: throws", "memory", "floating", "allocation", "calls", "loops", "other", "`true`: gone",
    "instructions", "bytes of clones, with / without", "data flow, s", "build / clang -O2")
row(*["---"] * 18)
ratios, sizes, worst = [], [], ("", 0)
for name in names:
    p = Program(name)
    try:
        sigma = p.record(p.args, p.when)
        plain, _, _ = p.build(sigma, "--no-dataflow")
        out, err, seconds = p.build(sigma)
        run(["specialize", "build", p.app, "--sigma", sigma, "-o", p.app + ".x", f"--explain={p.app}.json"])
        gone, kept = reasons(p.app + ".json")
        m = re.search(r"data flow: (\d+) of (\d+) guards.*, (\d+) instructions became (\d+)", err)
        flow = re.search(r"data flow: [\d.]+ s, ([\d.]+) s of", err)
        run(["specialize", "constrain", sigma, "--schedule", "0", "--when", "true"])
        _, err_true, _ = p.build(sigma)
        free = re.search(r"data flow: (\d+) of (\d+) guards", err_true)
        clang = cpu(["clang++-19" if p.cxx else "clang-19", "-O2", "-g", "-pthread", p.file, "-o", p.app + ".native", "-lm"])[2]
    except (RuntimeError, AttributeError) as e:
        row(p.name, f"not built: {e}", *[""] * 16)
        continue
    guards, removed = int(m[2]), int(m[1])
    size = clone_bytes(out) / max(1, clone_bytes(plain))
    ratio = seconds / max(0.01, clang)
    ratios.append(ratio), sizes.append(size)
    worst = max(worst, (p.name, ratio), key=lambda x: x[1])
    total.update(guards=guards, removed=removed, free=int(free[1]), free_of=int(free[2]), **{k: v for k, v in gone.items()}, **{k: v for k, v in kept.items()})
    row(p.name, guards, removed, gone["the constraint implies it"], gone["the schedule makes its condition constant"], gone["earlier tests imply it"],
        *[kept[k] for k, _ in KINDS], f"{free[1]} of {free[2]}", f"{m[3]} → {m[4]}", f"{size:.2f}", flow[1], f"{ratio:.1f}")
print(f"\nUnder `when` {total['removed']} of {total['guards']} guards are gone, {100 * (total['guards'] - total['removed']) / max(1, total['guards']):.1f} % are left; under `true` "
      f"{total['free']} of {total['free_of']}. Code of clones: {statistics.geometric_mean(sizes):.2f} of what it is without (geometric mean). "
      f"`build` takes {statistics.median(ratios):.1f} times `clang -O2` (median), at most {worst[1]:.1f} ({worst[0]}).")
print("Kept, all programs: " + ", ".join(f"{k} {total[k]}" for k, _ in KINDS if total[k]) + ".")

if rounds:
    print("\nEnforced / native, processor time, on the `bench:` input with the recorded constraint, medians of", rounds, "rounds:\n")
    row("program", "without data flow", "with", "with / without")
    row(*["---"] * 4)
    logs = []
    for name in names:
        p = Program(name)
        if not p.bench: continue
        try:
            sigma = p.record(p.bench, None)
            plain, _, _ = p.build(sigma, "--no-dataflow", "--trust")
            out, _, _ = p.build(sigma, "--trust")
        except RuntimeError as e:
            row(p.name, f"not built: {e}", "", "")
            continue
        got = collections.defaultdict(list)
        for _ in range(rounds):
            for what in (p.app, plain, out): got[what].append(cpu([what, *p.bench])[2])
        a, b, c = (statistics.median(got[x]) for x in (p.app, plain, out))
        logs.append(c / max(b, 1e-3))
        row(p.name, f"{b / max(a, 1e-3):.3f}", f"{c / max(a, 1e-3):.3f}", f"{c / max(b, 1e-3):.3f}")
    if logs: print(f"\nGeometric mean, with / without: {statistics.geometric_mean(logs):.3f}, worst {max(logs):.3f}.")
