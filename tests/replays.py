#!/usr/bin/env python3
"""replays.py --bin DIR [--tries N] PROGRAMS-FOLDER: races of the programs, replayed.

Every harmful race that the header of a program names is seen in at least 19 of 20 tries, a benign one too; accesses that
a lock or atomic operations order, or that touch different memory, are never. Then for each program that records: a
witness as late in its schedule as two threads run at the same time is gone through to its end.
"""
import argparse, collections, glob, json, os, re, shlex, subprocess, sys, tempfile
import header

ap = argparse.ArgumentParser()
ap.add_argument("--bin", required=True)
ap.add_argument("--tries", type=int, default=20)
ap.add_argument("programs")
o = ap.parse_args()
work = tempfile.TemporaryDirectory()
env = {k: v for k, v in os.environ.items() if not k.startswith("SPECIALIZE_")}
env.update(PATH=os.path.abspath(o.bin) + ":" + env["PATH"], XDG_CACHE_HOME=work.name + "/cache")
programs = os.path.abspath(o.programs)
failures = 0


def fail(text):
    global failures
    failures += 1
    print(text, flush=True)


def run(*cmd, stdin=None):
    return subprocess.run(cmd, cwd=work.name, env=env, input=stdin, capture_output=True, text=True, timeout=300,
                          errors="replace")


def known(path):
    all_ = header.read(path)
    return {key: all_[key][0] for key in ("args", "stdin") if key in all_}


def record(path, args, name, stdin=None, order="hb"):
    base = os.path.splitext(os.path.basename(path))[0]
    if not os.path.exists(f"{work.name}/{base}"):
        cc = "specialize-c++" if path.endswith(".cc") else "specialize-cc"
        p = run(cc, "-g", "-O1", "-pthread", path, "-o", base, "-lm")
        if p.returncode: fail(f"{base}: {p.stderr}")
    run("specialize", "record", "--constraint", "exact", "--order", order, "-o", f"{name}.sigma", "--", f"./{base}", *shlex.split(args),
        stdin=stdin or "")
    return base


def segment(name, thread, line):
    """The one behind the last event of this thread at this source line."""
    sites, position, found = {}, 0, None
    for text in open(f"{work.name}/{name}.sigma"):
        w = text.split()
        if w[0] == "site" and len(w) > 4: sites[w[1]] = w[4].split(":")[-2]
        if not re.fullmatch(r"t\d+", w[0]) or w[0] != f"t{thread}": continue
        position += 1
        if len(w) > 2 and sites.get(w[2]) == str(line) and w[1] != "call": found = position
    return f"{thread}.{found}"


def replay(base, name, *more):
    p = run("specialize", "replay", "--json", *more, f"./{base}", f"{name}.sched")
    if p.returncode not in (0, 1, 3) or not p.stdout:
        fail(f"{name}: exit {p.returncode}: {p.stderr.strip()}")
        return {"status": "failed", "why": ""}
    r = json.loads(p.stdout)
    wanted = {"replayed": 1, "refuted": 0, "undecided": 3}[r["status"]]
    if p.returncode != wanted: fail(f"{name}: {r['status']} with exit status {p.returncode}")
    return r


def pair(base, name, sigma, a, b, wanted, tries, most_wrong=0, more=()):
    p = run("test_witness", f"./{base}", f"{sigma}.sigma", "0", a, b)
    open(f"{work.name}/{name}.sched", "w").write(p.stdout)
    if p.returncode: return fail(f"{name}: no witness: {p.stderr.strip()}")
    if run("specialize", "check", f"./{base}", f"{name}.sched").returncode: fail(f"{name}: check refuses it")
    results = [replay(base, name, *more) for _ in range(tries)]
    statuses = collections.Counter(r["status"] for r in results)
    right = sum(n for s, n in statuses.items() if s in wanted)
    print(f"{name}: {dict(statuses)}, {results[0]['why']}", flush=True)
    if right < tries - most_wrong: fail(f"{name}: {right} of {tries} are {' or '.join(wanted)}")


def races():
    some = max(1, o.tries // 20)
    racy = record(f"{programs}/racy.c", "2 101", "racy")
    record(f"{programs}/racy.c", "2 100", "even")
    seen = ("replayed",), o.tries, some
    pair(racy, "racy-57", "racy", "1.1:racy.c:57:w", "2.1:racy.c:57:w", *seen)
    pair(racy, "racy-42-46", "racy", "1.1:racy.c:42:w", "2.1:racy.c:46:r", *seen)
    pair(racy, "racy-41-47", "racy", "1.1:racy.c:41:w", "2.1:racy.c:47:r", *seen)
    pair(racy, "racy-56", "racy", "1.1:racy.c:56:w", "2.1:racy.c:56:r:1", *seen)
    pair(racy, "racy-even", "even", "1.1:racy.c:56:w", "2.1:racy.c:56:w", ("refuted",), 3)
    aget = record(f"{programs}/aget.c", "2 100000", "aget")
    pair(aget, "aget-69", "aget", "1.1:aget.c:69:w", "2.1:aget.c:69:r", *seen)
    pbzip = record(f"{programs}/pbzip.c", "2 9000 1000", "pbzip")
    writes = segment("pbzip", 1, 102) + ":pbzip.c:104:w"
    # From the end: which blocks are compressed while the reader comes to its end is not always the same.
    for thread, index in (map(int, segment("pbzip", t, 159).split(".")) for t in (2, 3)):
        for i in range(index, 0, -1):
            p = run("test_witness", f"./{pbzip}", "pbzip.sigma", "0", writes, f"{thread}.{i}:pbzip.c:161:r")
            if p.returncode: continue
            open(f"{work.name}/some.sched", "w").write(p.stdout)
            if replay(pbzip, "some")["status"] != "replayed": continue
            return pair(pbzip, "pbzip-104-161", "pbzip", writes, f"{thread}.{i}:pbzip.c:161:r", *seen)
    fail("pbzip-104-161: never seen")


def many():
    names = ["racy-57", "racy-42-46", "racy-41-47", "racy-56"]
    p = run("test_replaymany", "./racy", "60", *(f"{n}.sched" for n in names * 4))
    right = len(re.findall(": replayed, ", p.stdout))
    print(f"many: {right} of 16 replayed at once", flush=True)
    if p.returncode or right < 15: fail(f"many: {p.stdout}{p.stderr}")
    p = run("test_replaymany", "./racy", "0.000001", "racy-57.sched")
    if "undecided, no time left" not in p.stdout: fail(f"many: {p.stdout}{p.stderr}")


def orders():
    adhoc = record(f"{programs}/adhoc.c", "2 100", "adhoc")
    pair(adhoc, "adhoc-44-69", "adhoc", "1.1:adhoc.c:44:r", "0.5:adhoc.c:69:w", ("replayed",),
         max(1, o.tries // 4), o.tries // 20)
    pair(adhoc, "adhoc-payload", "adhoc", "0.3:adhoc.c:62:w", "2.1:adhoc.c:38:r", ("refuted", "undecided"), 3, 0,
         ("--timeout", "3"))


def late(path, order="hb"):
    h = known(path)
    base = os.path.splitext(os.path.basename(path))[0]
    record(path, h.get("args", ""), "late", h["stdin"] + "\n" if "stdin" in h else None,
           order)
    p = run("test_witness", f"./{base}", "late.sigma", "0", "late")
    os.path.exists(f"{work.name}/late.sigma") and os.unlink(f"{work.name}/late.sigma")
    if p.returncode: return fail(f"{base}: no witness: {p.stderr.strip()}")
    open(f"{work.name}/late.sched", "w").write(p.stdout)
    r = replay(base, "late")
    print(f"{base} ({order}): {r['status']}, {r['why']}", flush=True)
    for bad in ("list of events", "of the list", "ended before"):
        if bad in r["why"]: fail(f"{base}: {r['why']}")


races()
many()
orders()
for path in sorted(glob.glob(f"{programs}/*.c") + glob.glob(f"{programs}/*.cc")): late(path)
for name in ("pbzip.c", "rwlock.c", "condsync.c", "dedup.cc", "adhoc.c"): late(f"{programs}/{name}", "total")
sys.exit(failures > 0)
