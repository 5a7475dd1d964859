#!/usr/bin/env python3
"""chaos.py --bin DIR [--runs N] [--seed N] [--only NAME ...]

Programs that are built from one recorded run of theirs, with injected delays, run again and again: on one core and on
all, with the recorded input and with another, stopping or going on free where they leave the schedule. What such a run
writes and how it ends must be what the original does, or, in one that stops, exit status 66; and each run must end.

Without --runs a sample; with SPEC_SOAK=1 all programs and 10,000 runs. Status 1 if anything was wrong.
"""
import argparse, glob, os, random, shlex, subprocess, sys, tempfile
from collections import Counter

import header

TESTS = os.path.dirname(os.path.abspath(__file__))
# What they fork, jump over, cancel and wait for: programs of cases, and their other arguments.
CASES = {"forks": [], "jumps": [], "accepted": [], "free-waits": ["more"]}
SAMPLE = ["forks-locks", "jumps-cancel", "accepted-heap", "free-waits-tokens", "condsync", "sem", "cancel_exit", "wide"]
REFERENCES, MORE_REFERENCES, LIMIT = 4, 12, 40


def programs():
    """Name, source, recorded arguments, other arguments (None: there are none), standard input."""
    for path in sorted(glob.glob(f"{TESTS}/programs/*.c") + glob.glob(f"{TESTS}/programs/*.cc")):
        text = {key: header.first(path, key) for key in ("args", "other", "stdin")}
        stdin = (text["stdin"] + "\n").encode() if text["stdin"] else b""
        other = shlex.split(text["other"]) if text["other"] else None
        yield os.path.basename(path).split(".")[0], path, shlex.split(text["args"]), other, stdin
    for case, other in CASES.items():
        for path in sorted(glob.glob(f"{TESTS}/cases/build/{case}/*.c") + glob.glob(f"{TESTS}/cases/build/{case}/*.cc")):
            yield f"{case}-{os.path.basename(path).split('.')[0]}", path, [], other or None, b""


class Tried:
    def __init__(self, work, tools):
        self.work, self.references, self.results = work, {}, Counter()
        self.env = {**os.environ, "PATH": tools + ":" + os.environ["PATH"], "XDG_CACHE_HOME": work + "/cache"}

    def run(self, command, stdin=b"", limit=LIMIT, **more):
        try:
            p = subprocess.run(command, input=stdin, capture_output=True, timeout=limit, cwd=self.work, env={**self.env, **more})
            return p.returncode, p.stdout, p.stderr
        except subprocess.TimeoutExpired:
            return "hangs", b"", b""

    def build(self, name, source, args, stdin):
        """The kinds that could be built: a run that had no end, or that cannot be followed, is not."""
        compiler = "specialize-c++" if source.endswith("cc") else "specialize-cc"
        if self.run([compiler, "-O1", "-g", "-pthread", source, "-o", name, "-lm"], limit=120)[0]: return []
        self.run(["specialize", "record", "--constraint", "exact", "-o", f"{name}.sigma", "--", f"./{name}", *args], stdin)
        if self.run(["specialize", "constrain", f"{name}.sigma", "--schedule", "0", "--when", "true"])[0]: return []
        kinds = []
        for kind in ("abort", "free"):
            command = ["specialize", "build", f"./{name}", "--sigma", f"{name}.sigma", "-o", f"{name}.{kind}", "--chaos"]
            if self.run(command + ["--on-divergence", kind], limit=120)[0] == 0: kinds.append(kind)
        return kinds

    def is_as_original(self, name, args, stdin, seen):
        known = self.references.setdefault((name, tuple(args)), set())
        for enough in (REFERENCES, MORE_REFERENCES):
            while seen not in known and enough:
                known.add(self.run([f"./{name}", *args], stdin)[:2])
                enough -= 1
        return seen in known

    def try_once(self, name, kind, args, stdin, rng):
        command = [f"./{name}.{kind}", *args]
        if rng.random() < 0.5: command = ["taskset", "-c", "0", *command]
        seed = str(rng.randrange(1, 1 << 30))
        status, out, err = self.run(command, stdin, SPECIALIZE_CHAOS=seed, SPECIALIZE_PATIENCE="5")
        if status == 66 and kind == "abort":
            result = "left"
        elif status == "hangs":
            result = "hangs"
        else:
            result = "same" if self.is_as_original(name, args, stdin, (status, out)) else "wrong"
        self.results[result] += 1
        if result in ("hangs", "wrong"):
            print(f"{name}.{kind} {args}, chaos {seed}: {result}: {status} {out[:100]!r} {err[:300]!r}", flush=True)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--bin", required=True)
    ap.add_argument("--runs", type=int)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--only", nargs="*")
    o = ap.parse_args()
    soak = os.environ.get("SPEC_SOAK") == "1"
    runs, only = o.runs or (10000 if soak else 60), o.only or (None if soak or o.runs else SAMPLE)
    rng = random.Random(o.seed)
    with tempfile.TemporaryDirectory() as work:
        tried, built = Tried(work, os.path.abspath(o.bin)), []
        for name, source, args, other, stdin in programs():
            if only and name not in only: continue
            kinds = tried.build(name, source, args, stdin)
            if not kinds: print(f"{name}: not built")
            built += [(name, kind, a, stdin) for kind in kinds for a in (args, other) if a is not None]
        if not built: sys.exit("no program was built")
        for i in range(runs):
            tried.try_once(*built[i % len(built)], rng)
        print(f"{len(built)} ways to run, {runs} runs:", ", ".join(f"{n} {word}" for word, n in sorted(tried.results.items())))
        sys.exit(1 if tried.results["hangs"] or tried.results["wrong"] else 0)


if __name__ == "__main__":
    main()
