#!/usr/bin/env python3
"""precision.py BUILD WORK: how sharp points-to is, on the programs of tests/programs and on real ones, if
$SPEC_REAL_SIGMA names them with a recording each: APP=SIGMA, separated by spaces; schedule 0 counts."""
import os, re, shlex, subprocess, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests"))
from header import first

build, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + "/precision"
programs = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "programs")
os.environ["PATH"] = build + "/bin:" + os.environ["PATH"]
opt = os.environ.get("SPEC_OPT", "opt-19")


def header(path, key):
    return first(path, key, "")


def record(file):
    source, app = os.path.join(programs, file), os.path.join(work, re.sub(r"\..*", "", file))
    cc = "specialize-c++" if file.endswith(".cc") else "specialize-cc"
    subprocess.run([cc, "-O1", "-g", "-pthread", source, "-o", app, "-lm"], check=True)
    stdin = (header(source, "stdin") + "\n").encode()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    if os.path.exists(app + ".sigma"): os.unlink(app + ".sigma")
    args = shlex.split(header(source, "args"))
    subprocess.run(["specialize", "record", "--constraint", "exact", "-o", app + ".sigma", "--", app, *args], input=stdin, cwd=work, **quiet)
    when = header(source, "when")
    if when not in ("", "stdin"): subprocess.run(["specialize", "constrain", app + ".sigma", "--schedule", "0", "--when", when], **quiet)
    return app, app + ".sigma"


def percent(part, whole):
    return f"{100 * part / whole:.2f}" if whole else "-"


def numbers(text):
    return {k: int(v) for k, v in re.findall(r"([a-z-]+) (\d+)", text)}


def ours(app, sigma):
    """Without a schedule that can be specialized to, of the program alone."""
    p = subprocess.run([f"{build}/bin/bench_precision", app, sigma, "0"], capture_output=True, text=True)
    share = re.search(r"^share (.*)$", p.stdout, re.M)
    found = {line.split()[0]: numbers(line) for line in p.stdout.splitlines() if line[:5] in ("progr", "clone", "facts")}
    return found["program"], found.get("clones"), found.get("facts"), share.group(1) if share else "-"


def theirs(app):
    """Pairs of pointers of one function, after mem2reg, as LLVM's aa-eval chooses them: may, of all."""
    bc = app + ".m2r.bc"
    code = subprocess.run(["specialize", "get-bc", "-o", "-", app], capture_output=True, check=True).stdout
    # What was compiled without optimization says that it is to stay so.
    subprocess.run([opt, "-passes=forceattrs,function(mem2reg)", "-force-remove-attribute=optnone", "-", "-o", bc],
                   input=code, check=True)
    aa = subprocess.run([opt, "-disable-output", "-aa-pipeline=basic-aa,globals-aa",
                         "-passes=require<globals-aa>,function(aa-eval)", bc], capture_output=True, text=True).stderr
    n = {k: int(v) for v, k in re.findall(r"(\d+) (no|may|partial|must) alias responses", aa)}
    mine = numbers(subprocess.run([f"{build}/bin/bench_precision", "pairs", bc], capture_output=True, text=True).stdout)
    return sum(n.values()), n.get("may", 0), sum(mine.values()), mine["may"]


def places(x):
    return f"{x['ranges'] / x['accesses']:.2f}"


def row(name, app, sigma):
    program, clones, facts, share = ours(app, sigma)
    pairs, may, mine, my_may = theirs(app)
    if pairs != mine: print(f"{name}: aa-eval asks of {pairs} pairs, we of {mine}", file=sys.stderr)
    line = [name, program["accesses"], places(program), percent(program["may"], program["pairs"])]
    if clones:
        line += [share, clones["accesses"], places(clones), percent(clones["may"], clones["pairs"]),
                 percent(clones["concurrent-may"], clones["concurrent"]), percent(clones["removed"], clones["pairs"])]
    else:
        line += ["-"] * 6
    if facts:
        less = 1 - facts["may"] / program["may"] if program["may"] else 0
        reductions.append(less), by_clones.append(1 - clones["may"] / program["may"] if program["may"] else 0)
        line += [percent(facts["may"], facts["pairs"]), percent(facts["concurrent-may"], facts["concurrent"]), f"{100 * less:.0f}"]
    else:
        line += ["-"] * 3
    line += [mine, percent(may, pairs), percent(my_may, mine)]
    print("| " + " | ".join(map(str, line)) + " |", flush=True)


reductions, by_clones = [], []
os.makedirs(work, exist_ok=True)
print("""## Precision of points-to

Places: how many an access may touch, on average. Pairs are of accesses of the program (loads, stores, atomic ones) that two
threads may execute. May, %: of all such pairs; those that both must touch the same are left to the rest. In the clones of
the recorded schedule the pairs are the same, and those with an access that has no clone (removed, %) count as no; `open`:
of the pairs alone that are left and that the enforced order does not keep apart, all that may or must meet. Scheduled: the
share of the run's operations that the schedule holds. Facts: the same pairs, with values too (`flow/`, under the constraint of
the program's header); accesses of locals that have become values count as no; less: how much of the program's may is gone. The last columns are of pairs of pointers in one function after
mem2reg, those that `aa-eval` asks for: what LLVM's basic-aa with globals-aa leaves as may, and what points-to does, of
which each knows what the other does not. SVF is in none of Debian's packages, so it is not here.

| program | accesses | places | may, % | scheduled, % | accesses in clones | places | may, % | open, may, % | removed, % | facts: may, % | open, may, % | less, % | pairs in functions | LLVM may, % | may, % |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|""", flush=True)
for f in sys.argv[3:] or sorted(f for f in os.listdir(programs) if re.search(r"\.(c|cc)$", f)):
    row(re.sub(r"\..*", "", f), *record(f))
for pair in os.environ.get("SPEC_REAL_SIGMA", "").split():
    app, sigma = map(os.path.abspath, pair.split("="))
    os.makedirs(work, exist_ok=True)
    copy = os.path.join(work, os.path.basename(app))
    subprocess.run(["cp", app, copy], check=True)
    row(os.path.basename(app), copy, sigma)
if reductions:
    print(f"\nMay answers gone, mean of {len(reductions)} programs: {100 * sum(by_clones) / len(by_clones):.1f} % by clones alone, "
          f"{100 * sum(reductions) / len(reductions):.1f} % with facts (the paper: 61.9 % with its data flow).")
