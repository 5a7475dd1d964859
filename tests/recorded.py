#!/usr/bin/env python3
"""What real programs record, judged by others: every run checks and the referee agrees, on one core, on two, and under
load; of a program that is killed at any moment a valid prefix is left; and damaged Σ are judged alike.
Usage: recorded.py PREFIX PROGRAMS [--runs N] [--kills N] [--mutants N] [--seed N] [NAME...]
SPEC_SOAK=1: all programs, 100 runs and 27 kills each, else a sample."""
import argparse, contextlib, os, random, re, shlex, shutil, signal, subprocess, sys, tempfile, time
import header

ap = argparse.ArgumentParser()
ap.add_argument("prefix"), ap.add_argument("programs"), ap.add_argument("names", nargs="*")
soak = os.environ.get("SPEC_SOAK", "0") != "0"
for what, default in (("runs", 100 if soak else 1), ("kills", 27 if soak else 1), ("mutants", 1000 if soak else 300), ("seed", 1)):
    ap.add_argument("--" + what, type=int, default=default)
o = ap.parse_intermixed_args()
o.names = o.names or ([] if soak else ["fig1", "sem", "cholesky", "ferret", "dedup", "timedwait"])
prefix, programs, here = os.path.abspath(o.prefix), os.path.abspath(o.programs), os.path.dirname(os.path.abspath(__file__))
os.environ["PATH"] = prefix + "/bin:" + os.environ["PATH"]
cores = sorted(os.sched_getaffinity(0))
random.seed(o.seed)
bad = 0

def wrong(name, what, *said):
    global bad
    bad += 1
    print(f"{name}: {what}", *(s.strip()[-2000:] for s in said if s.strip()), sep="\n  ", flush=True)

def run(cmd, **more):
    return subprocess.run(cmd, capture_output=True, text=True, errors="replace", timeout=300, **more)


@contextlib.contextmanager
def load():
    """Two processes that do nothing but keep processors busy."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try: yield
    finally:
        for b in busy: b.kill(), b.wait()

class Program:
    def __init__(self, work, file):
        self.name, self.dir = re.sub(r"\..*", "", file), f"{work}/{file}.d"
        path = f"{programs}/{file}"
        os.makedirs(self.dir)
        cc = "specialize-c++" if file.endswith(".cc") else "specialize-cc"
        for cmd in ([cc, "-O1", "-g", "-pthread", path, "-o", "app", "-lm"], ["specialize", "build", "--record", "./app", "-o", "app.rec"]):
            p = run(cmd, cwd=self.dir)
            if p.returncode: wrong(self.name, "cannot be built", p.stderr)
        self.args, stdin = shlex.split(header.first(path, "args")), header.first(path, "stdin")
        self.stdin = (stdin + "\n").encode() if stdin else b""

    def start(self, cpus):
        runs = f"{self.dir}/runs"
        shutil.rmtree(runs, ignore_errors=True)
        p = subprocess.Popen(["./app.rec", *self.args], cwd=self.dir, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             env={**os.environ, "SPECIALIZE_DIR": runs}, preexec_fn=lambda: os.sched_setaffinity(0, cpus))
        with contextlib.suppress(BrokenPipeError): p.stdin.write(self.stdin)
        with contextlib.suppress(BrokenPipeError): p.stdin.close()
        return p

    def convert(self, sigma):
        return run(["specialize", "record", "--constraint", "exact", "-o", sigma, "--from", "runs", "./app"], cwd=self.dir)

    def judge(self, sigma, what):
        for cmd in (["specialize", "check", "./app", sigma], [f"{here}/referee.py", sigma]):
            p = run(cmd, cwd=self.dir)
            if p.returncode: wrong(self.name, f"{what}: {cmd[0]}: exit {p.returncode}", p.stdout, p.stderr)

def record_all(p, mode, cpus):
    """Into one Σ: a schedule that comes again is not added."""
    sigma = f"{mode}.sigma"
    for i in range(o.runs):
        status = p.start(cpus).wait(timeout=300)
        c = p.convert(sigma)
        if status or c.returncode or re.search("warning|error", c.stderr): wrong(p.name, f"run {i} on {mode}: exit {status}", c.stderr)
    p.judge(sigma, mode)

def kill_all(p):
    start = time.monotonic()
    p.start(cores).wait(timeout=300)
    lasts, early = time.monotonic() - start, 0
    for i in range(o.kills):
        child = p.start(cores)
        time.sleep(random.uniform(0, lasts))
        child.send_signal(signal.SIGKILL)
        child.wait()
        sigma, c = f"{p.dir}/killed.sigma", p.convert("killed.sigma")
        if c.returncode and re.search("the program left no recording|not a recording|its process file is truncated|No such file", c.stderr):
            early += 1  # it had not begun
            continue
        if c.returncode or re.search("error|contradict", c.stderr): wrong(p.name, f"kill {i}", c.stderr)
        if not os.path.exists(sigma): continue
        p.judge(sigma, f"kill {i}")
        os.remove(sigma)
    return early

def mutate(files):
    made = subprocess.Popen([f"{prefix}/bin/test_mutants", str(o.seed), str(o.mutants * 3), *files], stdout=subprocess.PIPE)
    p = run([f"{here}/referee.py", "--stream", str(o.mutants)], stdin=made.stdout)
    if made.wait() or p.returncode: wrong("mutants", "not judged alike", p.stdout, p.stderr)
    return p.stdout.strip().splitlines()[-1]

work = tempfile.mkdtemp()
try:
    os.environ["XDG_CACHE_HOME"] = work + "/cache"
    files = [f for f in sorted(os.listdir(programs)) if re.search(r"\.(c|cc)$", f) and (not o.names or re.sub(r"\..*", "", f) in o.names)]
    small, early = [], 0
    for file in files:
        p = Program(work, file)
        record_all(p, "one-core", cores[:1])
        record_all(p, "all-cores", cores)
        with load(): record_all(p, "load", cores)
        early += kill_all(p)
        p.start(cores).wait(timeout=300), p.convert("single.sigma")
        if os.path.getsize(f"{p.dir}/single.sigma") < 100000: small.append(f"{p.dir}/single.sigma")
    print(f"{len(files)} programs, {o.runs} runs each on one core, on {len(cores)} cores, under load; {o.kills} kills each, {early} before the recording began")
    print(f"mutants: {mutate(small)}")
finally:
    shutil.rmtree(work, ignore_errors=True)
sys.exit(bad != 0 or not files)
