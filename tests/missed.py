#!/usr/bin/env python3
"""Races that happen must be told: random programs (gen/races.py), and what they really touch.

missed.py --bin BIN [--seeds FIRST COUNT] [--jobs N] [--keep DIR]

A program that writes down its accesses is recorded; the schedule, with the code's name changed, is what `specialize race`
is asked about the plain one, under the constraint `true`. The same schedule is enforced on the writing program with other
arguments. In each run that kept to it, two accesses of different threads that overlap, one a write, not both atomic, that
the order of events does not order must be a pair of lines in the report. Under the recorded constraint, those of the
recorded run. Pairs that are told and never happened are counted, no more."""
import argparse, collections, concurrent.futures, json, os, random, shutil, subprocess, sys, tempfile
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "gen"))
import races

INPUTS = [["8", "2"], ["16", "4"], ["3", "7"], ["1", "0"], ["15", "5"], ["0", "3"], ["12", "100"], ["7", "9"]]
MAIN = 3


class Failed(Exception):
    pass


class Refused(Exception):
    pass


Access = collections.namedtuple("Access", "thread done line first end how clock number")


def read_schedule(path):
    """Threads' events of synchronization in their order: (thread, kind, words)."""
    out, inside = [], False
    for line in open(path):
        words = line.split()
        if words[:1] == ["schedule"]: inside = True
        if inside and len(words) > 1 and words[0][0] == "t" and words[0][1:].isdigit() and words[1] not in ("call", "ret", "unwind"):
            out.append((int(words[0][1:]), words[1], words[2:]))
    return out


class Order:
    """Vector clocks, forwards over the schedule; between its events, the accesses of the run, in each thread's order.
    What a flag orders comes in between too: a load that has seen it up waits for the store."""

    def __init__(self, events, log, of_thread):
        self.events, self.clock, self.objects, self.flags = events, collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter), {}
        self.log = {t: collections.deque(log.get(of_thread[t], [])) for t in range(len(of_thread))}
        self.done, self.out, self.exits = collections.Counter(), [], {}

    def merge(self, t, other):
        self.clock[t] |= other

    def access(self, t):
        """The thread's next one; False: it has to wait for a flag."""
        done, line, first, bytes, how = self.log[t][0]
        if how & 2 and how & 8 and how & 4 and not how & 1:
            if first not in self.flags: return False
            self.merge(t, self.flags[first])
        self.log[t].popleft()
        self.clock[t][t] += 1
        self.out.append(Access(t, done, line, first, first + bytes, how, collections.Counter(self.clock[t]), self.clock[t][t]))
        if how & 2 and how & 1: self.flags[first] = collections.Counter(self.clock[t]) if how & 4 else collections.Counter()
        return True

    def advance(self, t):
        """Up to the thread's next event."""
        while self.log[t] and self.log[t][0][0] <= self.done[t]:
            if not self.access(t): return False
        return True

    def happen(self, t, kind, words):
        objects = [w for w in words if w[0] in "mcbosr" and w[1:].isdigit()]
        o = objects[0] if objects else None
        busy = "busy" in words
        if kind == "create": self.merge(int(words[1][1:]), self.clock[t])
        if kind == "join": self.merge(t, self.exits[int(words[1][1:])])
        if kind == "exit": self.exits[t] = collections.Counter(self.clock[t])
        if kind == "once":
            if "ran" in words: self.objects[o] |= self.clock[t]
            else: self.merge(t, self.objects[o])
        if kind in ("lock", "acquire", "barrier-depart") and not busy: self.merge(t, self.objects[o])
        if kind in ("unlock", "post", "barrier-arrive"): self.objects[o] |= self.clock[t]
        if kind not in ("create-done", "enter", "exit", "barrier-arrive"): self.done[t] += 1
        self.clock[t][t] += 1

    def run(self):
        threads = sorted(self.log)
        for t, kind, words in self.events:
            # Spins of others may have to see what comes first.
            while not self.advance(t):
                before = len(self.out)
                for u in threads:
                    if u != t and self.may_go_on(u): self.advance(u)
                if len(self.out) == before: raise Failed("the log does not fit the schedule")
            self.happen(t, kind, words)
        for t in threads: self.advance(t)
        if any(self.log[t] for t in threads): raise Failed("the log does not fit the schedule at its end")
        return self.out

    def may_go_on(self, u):
        return True


def overlapping_pairs(accesses):
    """Pairs of lines."""
    pairs, by_place = set(), collections.defaultdict(list)
    for a in accesses:
        for unit in range(a.first >> 3, ((a.end - 1) >> 3) + 1 if a.end > a.first else a.first >> 3): by_place[unit].append(a)
    for there in by_place.values():
        for i, a in enumerate(there):
            for b in there[:i]:
                if a.thread == b.thread or not (a.how | b.how) & 1 or (a.how & 2 and b.how & 2): continue
                if a.first >= b.end or b.first >= a.end: continue
                if b.clock[a.thread] >= a.number or a.clock[b.thread] >= b.number: continue
                pairs.add(tuple(sorted((a.line, b.line))))
    return pairs


class Case:
    def __init__(self, o, seed, folder):
        self.o, self.seed, self.folder = o, seed, folder
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("SPECIALIZE_")}
        self.env.update(XDG_CACHE_HOME=folder + "/cache", LC_ALL="C", RACES_LOG=folder + "/log")
        self.told = {}

    def run(self, command, seconds=30):
        try:
            return subprocess.run(command, cwd=self.folder, env=self.env, timeout=seconds, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, errors="replace")
        except subprocess.TimeoutExpired:
            raise Refused(f"no end after {seconds} s: {' '.join(command[:3])}")

    def tool(self, arguments, good=(0,)):
        p = self.run([self.o.bin + "/specialize"] + arguments, 120)
        if p.returncode not in good: raise Refused(f"{arguments[0]}: {p.returncode}: {p.stderr[-300:]}")
        return p

    def compile(self):
        with open(self.folder + "/t.c", "w") as f: f.write(races.program(self.seed))
        for out, flags in (("t", []), ("t.log", ["-DLOG"])):
            p = self.run([self.o.bin + "/specialize-cc", "-g", f"-O{self.seed % 3}", "-w", "-pthread", *flags, "t.c", "-o", out], 120)
            if p.returncode: raise Failed("does not compile: " + p.stderr[-500:])

    def module_of(self, sigma):
        return [l for l in open(f"{self.folder}/{sigma}") if l.startswith("module ")][0]

    def record(self):
        self.tool(["record", "--constraint", "exact", "-o", "t.sigma", "--", "./t"] + INPUTS[0])
        self.tool(["record", "--constraint", "exact", "-o", "log.sigma", "--", "./t.log"] + INPUTS[0])
        shutil.copy(self.folder + "/log", self.folder + "/log.0")
        text = open(self.folder + "/log.sigma").read()
        with open(self.folder + "/exact.sigma", "w") as f:
            f.write(text.replace(self.module_of("log.sigma"), self.module_of("t.sigma")).replace("program t.log\n", "program t\n"))
        shutil.copy(self.folder + "/exact.sigma", self.folder + "/any.sigma")
        for sigma in ("any.sigma", "log.sigma"): self.tool(["constrain", sigma, "--schedule", "0", "--when", "true"])

    def race(self, sigma):
        self.tool(["race", "./t", "--sigma", sigma, "--format", "json", "-o", sigma + ".json"], (0, 1, 3))
        with open(f"{self.folder}/{sigma}.json") as f: report = json.load(f)
        return {tuple(sorted((x["a"]["line"], x["b"]["line"]))) for x in report["races"]}

    def happened(self):
        log = collections.defaultdict(list)
        with open(self.folder + "/log") as f:
            for line in f:
                t, done, at, first, bytes, how = map(int, line.split())
                log[t].append((done, at, first, bytes, how))
        events = read_schedule(self.folder + "/log.sigma")
        count = 1 + sum(kind == "create" for _, kind, _ in events)
        # Workers are created in their order, so thread 1 is worker 0.
        return overlapping_pairs(Order(events, log, [MAIN] + list(range(count - 1))).run())

    def check(self, happened, told, what):
        missed = happened - told
        if missed: raise Failed(f"{what}: not told: {sorted(missed)}")

    def all(self):
        self.compile()
        self.record()
        anyhow, exact = self.race("any.sigma"), self.race("exact.sigma")
        seen = self.happened()
        self.check(seen, anyhow, "recorded run")
        self.check(seen, exact, "recorded run under its constraint")
        self.tool(["build", "./t.log", "--sigma", "log.sigma", "-o", "t.spec"])
        kept = 0
        for words in INPUTS[1:]:
            if os.path.exists(self.folder + "/log"): os.remove(self.folder + "/log")
            p = self.run(["./t.spec"] + words)
            if p.returncode == 66: continue
            if p.returncode: raise Refused(f"{words}: it ends with {p.returncode}: {p.stderr[-300:]}")
            kept += 1
            more = self.happened()
            self.check(more, anyhow, f"run with {' '.join(words)}")
            seen |= more
        return collections.Counter(told=len(anyhow), happened=len(seen), kept=kept)


def attempt(o, seed):
    folder = tempfile.mkdtemp(prefix=f"seed{seed}-", dir=o.keep)
    case, end, why, tally = Case(o, seed, folder), "ok", "", {}
    try:
        tally = case.all()
    except Refused as e:
        end, why = "refused", str(e)
    except Failed as e:
        end, why = "failed", str(e)
    if end != "failed": shutil.rmtree(folder)
    else: why += f"\n  files: {folder}"
    return seed, end, why, tally


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", required=True)
    p.add_argument("--seeds", nargs=2, type=int, default=[1, 1000 if os.environ.get("SPEC_SOAK") else 20])
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--keep")
    o = p.parse_args()
    o.bin = os.path.abspath(o.bin)
    if o.keep: os.makedirs(o.keep, exist_ok=True)
    ends, tally = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for seed, end, why, more in pool.map(lambda s: attempt(o, s), range(o.seeds[0], o.seeds[0] + o.seeds[1])):
            ends[end] += 1
            tally.update(more)
            if end != "ok": print(f"seed {seed}: {end}: {why}", flush=True)
    print(f"{ends['ok']} programs, {ends['refused']} refused, {ends['failed']} failed; {tally['told']} pairs of lines told, "
          f"{tally['happened']} of them happened; {tally['kept']} runs on other inputs kept the schedule")
    return bool(ends["failed"] or ends["refused"] * 4 > ends["ok"] or not tally["happened"] or not tally["kept"])


if __name__ == "__main__":
    sys.exit(main())
