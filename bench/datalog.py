#!/usr/bin/env python3
"""datalog.py BUILD WORK: Datalog programs on BDDs. Synthetic C-like facts always; the relations published with bddbddb if
$SPEC_DATALOG names a folder with pa.joeq and c_pa.datalog (its bddbddb_examples) or the files of pa.joeq alone; the original
beside ours if $SPEC_BDDBDDB is the class path of it."""
import os, random, re, resource, subprocess, sys, time

build, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + "/datalog"
programs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "datalog")
ROUNDS = 3


def facts(folder, variables, seed=1):
    """Functions of 20 variables that call functions with larger numbers, a few of them each other; 1.8 assignments a variable, parameters included."""
    rng, os_ = random.Random(seed), os
    os_.makedirs(folder, exist_ok=True)
    functions = variables // 20
    own = lambda m: range(20 * m, 20 * m + 20)
    rows = {n: [] for n in "addr assign load store formal actual ret result IE mI mV root".split()}
    heap = site = 0
    for m in range(functions):
        rows["mV"] += [(m, v) for v in own(m)]
        rows["formal"] += [(m, z, own(m)[z]) for z in range(3)]
        rows["ret"].append((m, own(m)[3]))
        rows["assign"] += [(rng.choice(own(m)), rng.choice(own(m))) for _ in range(24)]
        for _ in range(2):
            rows["addr"].append((rng.choice(own(m)), heap)); heap += 1
        rows["load"] += [(rng.choice(own(m)), rng.choice(own(m))) for _ in range(1)]
        rows["store"] += [(rng.choice(own(m)), rng.choice(own(m))) for _ in range(1)]
        for _ in range(3):
            back = rng.random() < 0.01
            callee = rng.randrange(functions) if back else min(functions - 1, m + 1 + int(rng.expovariate(1 / 30)))
            rows["mI"].append((m, site)); rows["IE"].append((site, callee))
            rows["actual"] += [(site, z, rng.choice(own(m))) for z in range(3)]
            rows["result"].append((site, rng.choice(own(m)))); site += 1
    rows["root"].append((0,))
    for name, all_ in rows.items():
        with open(f"{folder}/{name}.tuples", "w") as f: f.writelines(" ".join(map(str, r)) + "\n" for r in all_)
    with open(f"{folder}/sizes", "w") as f: f.write(f"V {variables}\nH {heap}\nM {functions}\nI {site}\nZ 4\n")


def solve(program, *options):
    """Seconds of the processor, MB, sizes; the least of some runs."""
    best = None
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        p = subprocess.Popen([f"{build}/bin/specialize", "datalog", program, "--seconds", "120", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        out, err = p.communicate()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        sizes = dict(re.findall(r"(?m)^(\S+): (\S+) tuples", out)) if p.returncode == 0 else {"incomplete": str(p.returncode)}
        if best is None or seconds < best[0]: best = seconds, sizes
        if seconds > 20: break
    return best


def row(name, got, wanted=None, original=None):
    seconds, sizes = got
    text = ", ".join(f"{k} {v}" for k, v in sizes.items() if not wanted or k in wanted or k == "incomplete")
    if wanted and "incomplete" not in sizes:
        bad = [k for k, v in wanted.items() if abs(float(sizes.get(k, -1)) - v) > v * 1e-9]
        text += " (as published)" if not bad else " (WRONG)"
    print(f"| {name} | {text} | {seconds:.2f} | {original or '–'} |", flush=True)


def original(folder, program):
    """Seconds of the processor of bddbddb, all included."""
    path = os.environ.get("SPEC_BDDBDDB")
    if not path: return None
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    r = subprocess.run(["java", "-Xmx3g", "-cp", path, "net.sf.bddbddb.Solver", program], cwd=folder, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return f"{after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.2f}" if r.returncode == 0 else "failed"


PUBLISHED = {
    "pa": {"vP": 4523260, "hP": 1294129, "IE": 27453},
    "pacs": {"cvP": 9.4925353971633e24, "hP": 1129844, "IE": 27453},
    "pacsh": {"cvP": 1.9475582748641e43, "hP": 6.7846349022614e42},
    "c_pa": {"mergePointsTo": 6400764786, "assign": 29053355, "CONS_subPath": 548893},
    "genericroots": {"castNode": 546, "generic": 1041, "genericField": 14, "genericIReturn": 59, "genericMReturn": 104},
}

print("""## Datalog

`specialize datalog`, seconds of the processor from start to end, reading included, least of three runs. `original`: the same
of bddbddb on its own Java BDDs, where it could be run. Published sizes: what bddbddb computes from the relations published
with it.

| program | sizes | seconds | original |
|---|---|---|---|""", flush=True)
data = os.environ.get("SPEC_DATALOG", "")
joeq = data + "/pa.joeq" if os.path.isdir(data + "/pa.joeq") else data
if data and os.path.exists(joeq + "/vP0.bdd"):
    row("Java points-to, our rules", solve(programs + "/java.datalog", "--input", joeq), PUBLISHED["pa"])
    for name, sizes in PUBLISHED.items():
        if os.path.exists(f"{data}/{name}.datalog"): row(name, solve(f"{data}/{name}.datalog"), sizes, original(data, name + ".datalog"))
for variables in (5000, 10000, 20000):
    folder = f"{work}/{variables}"
    facts(folder, variables)
    for name, program in (("no contexts", "calls"), ("contexts", "contexts")):
        row(f"{variables} variables, {name}", solve(f"{programs}/{program}.datalog", "--input", folder))
if not data: print("\nNot measured: the published relations; `SPEC_DATALOG` names no folder.")
print("\nOrders of variables, on 5000 variables without contexts:\n\n| order | seconds |\n|---|---|")
for order in ("I0_M0_Z0_V1xV0_H0xH1", "I0_M0_Z0_V1_V0_H0_H1", "H0xH1_V1xV0_Z0_M0_I0", "Z0xM0xI0xV1xV0xH0xH1"):
    print(f"| {order} | {solve(programs + '/calls.datalog', '--input', work + '/5000', '--order', order)[0]:.2f} |", flush=True)
