#!/usr/bin/env python3
"""What programs cost that keep their schedules, and what making them costs: every program of tests/programs recorded on
its `bench:` input and built with the constraint `true`; native, enforced and forced to the original path in turn. Prints
a markdown section. Usage: build.py PREFIX WORKDIR [ROUNDS [PROGRAM...]]. SPEC_BENCH_TOOLS: the seconds that a run under
ThreadSanitizer or helgrind may take (default 20, 0: no such runs)."""
import math, os, re, shlex, shutil, statistics, subprocess, sys, time
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests"))
from header import first

prefix, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + "/build"
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
programs = top + "/tests/programs"
names = sys.argv[4:] or sorted(f for f in os.listdir(programs) if re.search(r"\.(c|cc)$", f))
tools = float(os.environ.get("SPEC_BENCH_TOOLS", "20"))
env = {k: v for k, v in os.environ.items() if not k.startswith("SPECIALIZE_")}
env.update(PATH=prefix + "/bin:" + env["PATH"], XDG_CACHE_HOME=work + "/cache", SPECIALIZE_CACHE="0")
LIMIT, SCHEDULED, FORCED = 120, 99, 100000  # seconds of a step; per cent; events a second: below 10 µs each

class Failed(Exception): pass

def header(path, key):
    return first(path, key, None)

def spawn(cmd, stdin=b"", limit=LIMIT, **more):
    """Seconds, exit status, standard output and error, the most memory in MB, seconds of processor."""
    with open(f"{work}/in", "wb") as f: f.write(stdin)
    with open(f"{work}/in", "rb") as i, open(f"{work}/out", "wb") as o, open(f"{work}/err", "wb") as e:
        start = time.monotonic()
        p = subprocess.Popen(["timeout", "-k", "5", str(limit), *cmd], stdin=i, stdout=o, stderr=e, cwd=work, env={**env, **more})
        _, status, use = os.wait4(p.pid, 0)
        wall = time.monotonic() - start
    p.returncode = os.waitstatus_to_exitcode(status)
    return wall, p.returncode, open(f"{work}/out", "rb").read(), open(f"{work}/err", errors="replace").read(), use.ru_maxrss / 1024, use.ru_utime + use.ru_stime

def tool(*cmd, stdin=b"", ok=(0,)):
    got = spawn(["specialize", *cmd], stdin)
    if got[1] not in ok: raise Failed(f"`{cmd[0]}`: " + (f"not within {LIMIT} s" if got[1] == 124 else f"exit {got[1]}: " + got[3].strip().split("\n")[-1]))
    return got

def compile(name, out, *more):
    cxx = name.endswith(".cc")
    cc = more and ("clang++-19" if cxx else "clang-19") or ("specialize-c++" if cxx else "specialize-cc")
    subprocess.run([cc, "-O2", "-g", "-pthread", *more, f"{programs}/{name}", "-o", out, "-lm"], check=True, env=env)
    return out

def code_of_clones(binary):
    """Bytes of the functions that are clones; main holds that of the first activation if it was inlined."""
    lines = subprocess.run(["nm", "-S", binary], capture_output=True, text=True, check=True).stdout
    return sum(int(m.group(1), 16) for m in re.finditer(r"^\w+ (\w+) [tTwW] (?:main$|.*\.s\d+\.t\d+\.a\d+|.*\.s\d+\.t\d+\.q)", lines, re.M))

def figures(app, sigma, wall, text, memory):
    """What `build --timings` says, and what is in the files."""
    part = {m[0]: (float(m[1]), float(m[2])) for m in re.findall(r"^specialize: ([a-z ]+): ([\d.]+) s, ([\d.]+) s of", text, re.M)}
    said = re.search(r"(\d+) events, (\d+) instructions cloned", text)
    share = re.search(r"schedule 0 holds ([\d.]+) %", text)
    kinds = open(sigma).read()
    return {"app": app, "events": int(said[1]), "cloned": int(said[2]), "part": part, "build": wall, "memory": memory,
            "share": float(share[1]) if share else 100.0, "barrier": bool(re.search(r"^t\d+ barrier", kinds, re.M)),
            "threads": len(set(re.findall(r"^(t\d+) ", kinds, re.M))), "code": code_of_clones(app + ".spec")}

def build(app, args, stdin=b"", ok=None):
    """Recorded with args, and built with the constraint `true`."""
    sigma = app + ".sigma"
    if os.path.exists(sigma): os.remove(sigma)
    got = spawn(["specialize", "record", "--constraint", "exact", "-o", sigma, "--", app, *args], stdin)
    if not os.path.exists(sigma): raise Failed("`record`: " + (got[3].strip().split("\n") or ["nothing"])[-1])
    tool("constrain", sigma, "--schedule", "0", "--when", "true")
    wall, _, _, text, memory, _ = tool("build", "--timings", app, "--sigma", sigma, "-o", app + ".spec")
    return figures(app, sigma, wall, text, memory)

KINDS = {"native": ("", {}), "enforced": (".spec", {"SPECIALIZE_SCHEDULE": "0"}), "original": (".spec", {"SPECIALIZE_SCHEDULE": "none"})}
def measure(app, args, stdin):
    got, first = {k: [] for k in KINDS}, None
    for r in range(rounds):
        for k in list(KINDS)[r % 3:] + list(KINDS)[:r % 3]:  # each in each place
            wall, status, out, err, _, cpu = spawn([app + KINDS[k][0], *args], stdin, **KINDS[k][1])
            first = first or (status, out)
            if status == 66 or status == 124: raise Failed(f"{k}: " + ("hangs" if status == 124 else "diverged: " + err.strip().split("\n")[0]))
            if status != first[0]: raise Failed(f"{k}: exit {status} and not {first[0]}")
            got[k].append((wall, cpu))
    ratio = lambda k, i: statistics.median(a[i] / b[i] for a, b in zip(got[k], got["native"]))
    seconds = {k: statistics.median(t[0] for t in got[k]) for k in KINDS}
    return {k: ratio(k, 0) for k in KINDS} | {"cpu": ratio("enforced", 1), "original cpu": ratio("original", 1), "seconds": seconds["enforced"], "base": seconds["native"]}

def beside(name, label, args, stdin, row):
    """The ratio under the tools that one would run instead; a bound if it is not done in time."""
    row["tsan"] = row["helgrind"] = "–"
    if not tools: return
    checked = compile(name, f"{work}/{label}.tsan", "-fsanitize=thread")
    commands = {"tsan": [checked, *args]}
    if shutil.which("valgrind"): commands["helgrind"] = ["valgrind", "--tool=helgrind", "-q", row["app"], *args]
    for k, cmd in commands.items():
        wall, status, _, err, _, _ = spawn(cmd, stdin, tools)
        row[k] = f"> {tools / row['base']:.1f}" if status == 124 else f"{wall / row['base']:.1f}"
        if "unexpected memory mapping" in err: row[k] = "cannot run"

def one(name, four):
    path = f"{programs}/{name}"
    args, stdin = shlex.split(header(path, "bench") or ""), header(path, "bench-stdin")
    if four: args[0] = "4"
    label = name.rsplit(".", 1)[0] + ("-4" if four else "")
    stdin = (stdin + "\n").encode() if stdin else b""
    row = {"name": label.replace("-", ", ")}
    try:
        row |= build(compile(name, f"{work}/{label}"), args, stdin)
        row |= measure(row["app"], args, stdin)
        if not four: beside(name, label, args, stdin, row)
    except Failed as e:
        row["failed"] = str(e).replace(work + "/", "").replace("|", "/")[:160]
    print(f"{row['name']}: {row.get('failed') or '%.3f' % row['enforced']}", file=sys.stderr, flush=True)
    return row

def takes_threads(name):
    return (header(f"{programs}/{name}", "bench") or "").split(" ")[0] == "2"

def geomean(values): return math.exp(statistics.mean(math.log(v) for v in values)) if values else math.nan

def running(rows):
    print("| program, threads | scheduled, % | events | events a second | native, s | enforced / native | cpu | original path / native | cpu | ThreadSanitizer | helgrind |\n|---|---|---|---|---|---|---|---|---|---|---|")
    for r in rows:
        print(f"| {r['name']} | {r['share']:.1f} | {r['events']} | {r['events'] / r['seconds']:.0f} | {r['base']:.2f} | {r['enforced']:.3f} | {r['cpu']:.3f} | {r['original']:.3f} | {r['original cpu']:.3f} | {r.get('tsan', '')} | {r.get('helgrind', '')} |")
    whole = [r for r in rows if r["share"] >= SCHEDULED]
    slow = [r for r in whole if r["events"] / r["seconds"] >= FORCED]
    print(f"\nGeomean of {len(whole)} with a scheduled share of {SCHEDULED} % or more: **{geomean([r['enforced'] for r in whole]):.3f}** enforced / native (goal 1.05), cpu {geomean([r['cpu'] for r in whole]):.3f}.")
    print(f"Original path / native, geomean of {len(rows)}: **{geomean([r['original'] for r in rows]):.3f}** (goal 1.01), cpu {geomean([r['original cpu'] for r in rows]):.3f}.")
    say = lambda some: ", ".join(f"{r['name']} ({r['enforced']:.2f})" for r in some) or "none"
    print(f"\nWith barriers, enforced / native: {say(r for r in whole if r['barrier'])}.")
    print(f"\nAn event in less than {1e6 / FORCED:.0f} µs on average: {say(slow)}" + (f"; without them the geomean is {geomean([r['enforced'] for r in whole if r not in slow]):.3f}." if slow else "."))

def making(rows):
    print("| program | events | instructions cloned | cloned a second | clones, s | passes, s | machine code, s | `build`, s | its cpu, s | MB, peak | code, bytes an event |\n|---|---|---|---|---|---|---|---|---|---|---|")
    part = lambda r, k: r["part"].get(k, (0, 0))[0]
    for r in rows:
        print(f"| {r['name']} | {r['events']} | {r['cloned']} | {r['cloned'] / max(r['part']['clones'][1], 1e-3):.0f} | {part(r, 'clones'):.3f} | {part(r, 'passes'):.2f} | {part(r, 'machine code'):.2f} | {r['build']:.2f} | {sum(p[1] for p in r['part'].values()):.2f} | {r['memory']:.0f} | {r['code'] / r['events']:.0f} |")
    if rows:
        cpu = sum(r["part"]["clones"][1] for r in rows)
        print(f"\nAll together: **{sum(r['cloned'] for r in rows) / max(cpu, 1e-3):.0f}** instructions cloned a second of processor (goal 200,000).")

def pbzip2():
    """From Debian's source; 4 threads, of the sizes of blocks the one that gives about 450 events."""
    src = f"{os.path.dirname(work)}/src"
    if not os.path.exists(f"{src}/pbzip2/pbzip2.cpp"):
        got = subprocess.run(["timeout", "300", f"{top}/script/debian-source", "pbzip2", src], capture_output=True, text=True)
        if got.returncode: raise Failed("`script/debian-source pbzip2` failed")
    shutil.copytree(f"{src}/pbzip2", f"{work}/pbzip2.src", dirs_exist_ok=True)
    got = spawn(["make", "-C", f"{work}/pbzip2.src", "clean", "pbzip2", "CXX=specialize-c++ -Wno-reserved-user-defined-literal"],
                CXXFLAGS="-g -O2")
    if got[1]: raise Failed("its build fails: " + got[3].strip().split("\n")[-1])
    shutil.copy(f"{work}/pbzip2.src/pbzip2", f"{work}/pbzip2")
    with open(f"{work}/text", "wb") as f: f.write(b"".join(b"%d line %d\n" % (i // 10, i) for i in range(700000))[:10000000])
    tried = []
    for block in (5, 9, 13, 25, 50):  # in 100 kB
        tried.append({"name": f"pbzip2, blocks of {block}00 kB"} | build(f"{work}/pbzip2", ["-k", "-c", "-f", "-p4", f"-b{block}", f"{work}/text"]))
        if tried[-1]["events"] < 450: break
    return min(tried, key=lambda r: abs(r["events"] - 450))

shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
print(f"""## Holding whole programs to their schedules

Every program of `tests/programs` recorded on its `bench:` input and built with the constraint `true`; native, enforced and
forced to the original path in turn, {rounds} round{"s" * (rounds > 1)}, medians of ratios. `, 4`: with 4 threads. Scheduled: the share of the run's
operations that the schedule holds. ThreadSanitizer, helgrind: one run / native, what one would run instead; `>`: stopped.
""", flush=True)
rows = [one(n, four) for n in names for four in (False, True) if not four or takes_threads(n)]
good = [r for r in rows if "enforced" in r]
running(good)
for r in rows:
    if "failed" in r: print(f"\nNot measured: {r['name']}: {r['failed']}.")
if tools and not shutil.which("valgrind"): print("\nhelgrind: valgrind is not installed.")
print("\n## Making them\n")
try:
    big = [pbzip2()]
except (Failed, subprocess.CalledProcessError) as e:
    big = []
    print(f"pbzip2 is left out: {e}.\n")
making(big + [r for r in rows if "cloned" in r])
