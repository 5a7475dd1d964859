#!/usr/bin/env python3
"""Random threaded programs (gen/threads.py), as they are and specialized.

differential.py --bin BIN [--seeds FIRST COUNT] [--jobs N] [--tsan] [--keep DIR] [--shrink] [--until STEP]
    [--on-divergence free]

Each program is compiled by specialize-cc and run under several schedulings: the output must be the same, and (--tsan, and
with SPEC_SOAK=1) ThreadSanitizer must have nothing to say. It is recorded on one input, checked, its constraint set to
true, or to three of its four numbers, built, and run on other inputs: the original's output and status, or exit 66 with `diverged` on stderr, and nothing
else; with --on-divergence free the original's output and status, always. The recorded input must follow the schedule. A program that cannot be built (with a reason) is counted; a run that
hangs has failed. --shrink leaves statements of a failing program out as long as it fails, --keep DIR keeps the files of
all programs (of those that fail, without it)."""
import argparse, collections, concurrent.futures, os, random, re, shutil, subprocess, sys, tempfile
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "gen"))
import threads

DIVERGED = 66
SCHEDULINGS = [[], ["taskset", "-c", "0"], ["nice", "-n", "19"], ["chrt", "-b", "0"], []]


class Failed(Exception):
    pass


class Refused(Exception):
    pass


def outcome(p):
    return p.returncode, p.stdout


class Case:
    def __init__(self, options, seed, folder, drop=()):
        self.o, self.seed, self.folder, self.drop = options, seed, folder, drop
        r = random.Random(f"inputs {seed}")
        self.cxx = seed % 4 == 3
        self.level = f"-O{seed // 2 % 4}"
        self.pinned = seed // 8 % 2 == 1  # by the constraint, on which data flow rests then
        self.inputs = [[str(r.randint(0, 15)) for _ in range(4)] for _ in range(4)]
        self.inputs.append(self.inputs[0][:3] + [str(r.randint(0, 15))])
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("SPECIALIZE_")}
        # A program that exits early leaves threads behind; that is no race.
        self.env.update(XDG_CACHE_HOME=folder + "/cache", LC_ALL="C", TSAN_OPTIONS="report_thread_leaks=0")

    def run(self, command, what, env=(), seconds=20):
        """Nothing that we run may hang, or be ended by a signal."""
        try:
            p = subprocess.run(command, cwd=self.folder, env={**self.env, **dict(env)}, timeout=seconds, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            raise Failed(f"{what}: no end after {seconds} s: {' '.join(command)}")
        if p.returncode < 0 or p.returncode > 128:
            raise Failed(f"{what}: died of {p.returncode}: {' '.join(command)}\n{p.stderr.decode(errors='replace')[-600:]}")
        return p

    def tool(self, arguments, what):
        p = self.run([self.o.bin + "/specialize"] + arguments, what, seconds=120)
        return p, p.stderr.decode(errors="replace")

    def compile(self):
        source = "t.cc" if self.cxx else "t.c"
        with open(f"{self.folder}/{source}", "w") as f: f.write(threads.program(self.seed, self.cxx, self.drop)[0])
        if self.o.tsan:
            clang = "clang++-19" if self.cxx else "clang-19"
            p = self.run([clang, "-g", "-O1", "-w", "-pthread", "-fsanitize=thread", source, "-o", "t.tsan"], "compile", seconds=120)
            if p.returncode: raise Failed("tsan: does not compile: " + p.stderr.decode()[-600:])
        wrapper = self.o.bin + ("/specialize-c++" if self.cxx else "/specialize-cc")
        p = self.run([wrapper, "-g", self.level, "-w", "-pthread", source, "-o", "t"], "compile", seconds=120)
        if p.returncode: raise Failed("does not compile: " + p.stderr.decode(errors="replace")[-600:])

    def natural(self):
        """What the original does with each input, however it is scheduled."""
        self.expected = []
        for words in self.inputs:
            runs = [outcome(self.run(s + ["./t"] + words, "original")) for s in SCHEDULINGS]
            if self.o.tsan:
                p = self.run(["./t.tsan"] + words, "tsan")
                if b"ThreadSanitizer" in p.stderr: raise Failed("tsan: " + p.stderr.decode()[:1500])
                runs.append(outcome(p))
            if any(r != runs[0] for r in runs): raise Failed(f"the original's output depends on the schedule: {words}: {runs}")
            self.expected.append(runs[0])

    def record(self):
        p, err = self.tool(["record", "--constraint", "exact", "-o", "t.sigma", "--", "./t"] + self.inputs[0], "record")
        if outcome(p) != self.expected[0]: raise Failed(f"recorded, it does something else: {outcome(p)} for {self.expected[0]}\n{err}")
        if not os.path.exists(self.folder + "/t.sigma"): raise Refused("record: " + err)
        p, err = self.tool(["check", "./t", "t.sigma"], "check")
        if p.returncode: raise Failed("what was recorded does not check: " + err)

    def fits(self, words):
        return not self.pinned or words[:3] == self.inputs[0][:3]

    def build(self):
        pins = " ".join(f"(= (atoi (argv {i + 1})) {n})" for i, n in enumerate(self.inputs[0][:3]))
        when = f"(and (= argc 5) {pins})" if self.pinned else "true"
        p, err = self.tool(["constrain", "t.sigma", "--schedule", "0", "--when", when], "constrain")
        if p.returncode: raise Failed("constrain: " + err)
        self.tests_facts = self.seed % 2 == 0 or "SPEC_SOAK" in os.environ
        self.computed = self.seed % 4 == 1 and self.compute()
        for name, more in [("t.spec", []), ("t.facts", ["--check-facts"])][:1 + self.tests_facts]:
            p, err = self.tool(["build", "./t", "--sigma", "t.sigma", "-o", name, "--on-divergence", self.o.on_divergence] + more, "build")
            if p.returncode and "error" not in err: raise Failed("build fails without a word")
            if p.returncode: raise Refused("build: " + err)

    def compute(self):
        """Every input that fulfils a computed constraint keeps the schedule: more are tried, near the recorded one."""
        p, err = self.tool(["constrain", "t.sigma", "--schedule", "0", "--compute", "--app", "./t"], "constrain --compute")
        if p.returncode not in (0, 3): raise Failed("constrain --compute: " + err)
        if p.returncode: return False
        r = random.Random(f"near {self.seed}")
        for i in range(12):
            near = list(self.inputs[0])
            for k in r.sample(range(4), r.randint(1, 2)): near[k] = str(r.randint(0, 15))
            self.inputs.append(near)
            self.expected.append(outcome(self.run(["./t"] + near, "original")))
        self.tally["computed"] += 1
        return True

    def facts(self):
        """What data-flow specialization takes to be true is tested as the program runs."""
        for i, words in enumerate(self.inputs if self.tests_facts else []):
            p = self.run(["./t.facts"] + words, "with tests of facts")
            if b"wrong fact" in p.stderr: raise Failed(f"{words}: {p.stderr.decode(errors='replace')}")
            if outcome(p) != self.expected[i] and not (i and p.returncode == DIVERGED):
                raise Failed(f"with tests of facts, {words}: {outcome(p)} for {self.expected[i]}")

    def compare(self):
        for i, words in enumerate(self.inputs):
            for s in SCHEDULINGS if i == 0 else SCHEDULINGS[:2]:
                p = self.run(s + ["./t.spec"] + words, "specialized", {"SPECIALIZE_VERBOSE": "1"})
                err = p.stderr.decode(errors="replace")
                if self.computed and "diverged" in err: raise Failed(f"{words}: the computed constraint admits it: {err}")
                if not self.fits(words) or (self.computed and "no schedule fits" in err):
                    if outcome(p) != self.expected[i]: raise Failed(f"{words}, the original: {outcome(p)} for {self.expected[i]}")
                    continue
                if "specialize: schedule 0\n" not in err: raise Failed(f"{words}: schedule 0 is not chosen: {err}")
                followed = outcome(p) == self.expected[i]
                diverged = p.returncode == DIVERGED and "diverged" in err
                free = self.o.on_divergence == "free"
                if not followed and not (diverged and i and not free) or (not i and "diverged" in err):
                    raise Failed(f"{words}: {outcome(p)} for {self.expected[i]}\n{err}")
                self.tally["diverged" if diverged else "left" if "diverged" in err else "followed"] += i > 0
        p = self.run(["./t.spec"] + self.inputs[1], "specialized", {"SPECIALIZE_SCHEDULE": "none"})
        if outcome(p) != self.expected[1]: raise Failed(f"the original inside: {outcome(p)} for {self.expected[1]}")

    def all(self):
        self.tally = collections.Counter()
        for step in [self.compile, self.natural, self.record, self.build, self.facts, self.compare]:
            step()
            if step.__name__ == self.o.until: break
        return self.tally


def attempt(options, seed, drop=(), trial=False):
    """How it ended, why, and how often the other inputs followed. Of a trial nothing is kept."""
    folder = tempfile.mkdtemp(prefix=f"seed{seed}-", dir=options.keep)
    case = Case(options, seed, folder, drop)
    try:
        end, why = "ok", ""
        tally = case.all()
    except Refused as e:
        end, why, tally = "refused", str(e), {}
    except Failed as e:
        end, why, tally = "failed", str(e), {}
    if trial or (end != "failed" and not options.kept):
        shutil.rmtree(folder)
    elif end == "failed":
        why += f"\n  files: {folder}"
    return seed, end, why, tally


def shrink(options, seed):
    """Leaves out statements as long as it fails."""
    drop, whole = [], threads.program(seed, seed % 4 == 3)[1]
    for n in reversed(range(whole)):
        if attempt(options, seed, drop + [n], trial=True)[1] == "failed": drop.append(n)
    print(f"seed {seed} without {','.join(map(str, sorted(drop)))}: {attempt(options, seed, drop)[2]}")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", required=True)
    p.add_argument("--seeds", nargs=2, type=int, default=[1, 1000 if os.environ.get("SPEC_SOAK") else 50])
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--tsan", action="store_true", default="SPEC_SOAK" in os.environ)
    p.add_argument("--keep")
    p.add_argument("--shrink", action="store_true")
    p.add_argument("--on-divergence", choices=["abort", "free"], default="abort")
    p.add_argument("--until", choices=["natural", "record", "build", "compare"], default="compare")
    o = p.parse_args()
    o.bin, o.kept = os.path.abspath(o.bin), o.keep is not None
    if o.keep: os.makedirs(o.keep, exist_ok=True)
    ends, reasons, tally, failed = collections.Counter(), collections.Counter(), collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for seed, end, why, more in pool.map(lambda s: attempt(o, s), range(o.seeds[0], o.seeds[0] + o.seeds[1])):
            ends[end] += 1
            tally.update(more)
            if end == "failed":
                failed.append(seed)
                print(f"seed {seed}: {why}", flush=True)
            if end == "refused": reasons[re.sub(r"\d+", "N", why.strip().splitlines()[-1])] += 1
    print(f"{ends['ok']} programs, {ends['refused']} refused, {ends['failed']} failed; "
          f"runs on other inputs: {tally['followed']} kept the schedule, {tally['left']} left it and went on, "
          f"{tally['diverged']} stopped; {tally['computed']} constraints computed")
    for why, n in reasons.most_common(): print(f"  {n} refused: {why}")
    if o.shrink:
        for seed in failed: shrink(o, seed)
    # Where most are refused, or no other input ever follows, or none has to go on, nothing is tested.
    untested = not tally["followed"] or (o.on_divergence == "free" and not tally["left"])
    return bool(failed or ends["refused"] > ends["ok"] or (o.until == "compare" and untested))


if __name__ == "__main__":
    sys.exit(main())
