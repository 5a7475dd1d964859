#!/usr/bin/env python3
"""cxxraces.py --bin DIR [--level -O1] [--verbose] FOLDER [NAME...]: C++ programs without a race, and their racy twins.

Each FILE.cc is compiled twice. As it is it has no race: `specialize race` must end with 0 and report nothing. With -DRACY it
has one, between lines marked `// R`: it must be reported, each side with a frame at such a line. A header line
`// std: c++20` sets the standard. Those of KNOWN may have reports; their twins are found like the others.
"""
import argparse, glob, json, os, re, subprocess, sys, tempfile

# name: why it is not clean; all wait for atomic operations of the library or of their own, which order nothing yet.
KNOWN = {
    "async": "a future is ready by an atomic status",
    "async_two": "a future is ready by an atomic status",
    "barrier": "std::barrier counts by atomic operations",
    "jthread": "the last owner of a stop state frees it, by an atomic count",
    "latch": "std::latch counts by atomic operations",
    "promise": "a future is ready by an atomic status",
    "promise_moved": "a future is ready by an atomic status",
    "refdec": "the last owner frees, by an atomic count",
    "shared_ptr": "the last owner frees, by an atomic count",
    "spin": "a lock made of std::atomic_flag",
}

ap = argparse.ArgumentParser()
ap.add_argument("--bin", required=True)
ap.add_argument("--level", default="-O1")
ap.add_argument("--verbose", action="store_true")
ap.add_argument("folder")
ap.add_argument("names", nargs="*")
o = ap.parse_args()
work = tempfile.TemporaryDirectory()
env = {k: v for k, v in os.environ.items() if not k.startswith("SPECIALIZE_")}
env.update(PATH=os.path.abspath(o.bin) + ":" + env["PATH"], XDG_CACHE_HOME=work.name + "/cache")


def run(*cmd):
    return subprocess.run(cmd, cwd=work.name, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
                          errors="replace")


def report(path, app, *flags):
    """The exit status of `race` and its report, or a message."""
    standard = re.search(r"^// std: (\S+)", open(path).read(), re.M)
    p = run("specialize-c++", f"-std={standard[1] if standard else 'c++17'}", o.level, "-g", "-pthread", *flags, path, "-o", app)
    if p.returncode: return p.returncode, "does not compile: " + p.stderr.strip()
    sigma = app + ".sigma"
    p = run("specialize", "record", "--constraint", "exact", "-o", sigma, "--", "./" + app)
    if not os.path.exists(f"{work.name}/{sigma}"): return p.returncode, "not recorded: " + p.stderr.strip()
    p = run("specialize", "race", "./" + app, "--sigma", sigma, "--evidence", "off", "--format", "json")
    try: return p.returncode, json.loads(p.stdout)
    except ValueError: return p.returncode, "no report: " + p.stderr.strip()


def lines_of(side, path):
    """The lines of the program's own file at which this access stands, innermost first."""
    frames = [side] + side["stack"]
    return [f["line"] for f in frames if f["file"] and os.path.basename(f["file"]) == os.path.basename(path)]


def marked(path):
    return {n for n, line in enumerate(open(path), 1) if line.rstrip().endswith("// R")}


def is_marked(race, path, lines):
    return all(lines & set(lines_of(race[s], path)) for s in "ab")


def told(race, path):
    sides = []
    for s in "ab":
        own = lines_of(race[s], path)
        sides.append(f"{race[s]['function']} {os.path.basename(race[s]['file'] or '?')}:{race[s]['line']} from {own[:3]}")
    return f"    {race['object']}: " + " | ".join(sides)


def clean(path):
    """'' or what is wrong with the verdict on the race-free program."""
    status, found = report(path, os.path.basename(path)[:-3])
    if isinstance(found, str): return f"exit {status}, {found}"
    if o.verbose:
        for r in found["races"][:6]: print(told(r, path))
        for i in found["incomplete"]: print("    incomplete:", i["text"][:200], i["file"], i["line"])
    if status == 0 and not found["races"]: return ""
    return f"exit {status}, {len(found['races'])} reports, {len(found['incomplete'])} incomplete"


def racy(path):
    lines = marked(path)
    for k in range(3):
        status, found = report(path, os.path.basename(path)[:-3] + f".racy{k}", "-DRACY")
        if isinstance(found, str): return f"exit {status}, {found}", 0
        right = [r for r in found["races"] if is_marked(r, path, lines)]
        if right and status == 1: return "", len(found["races"]) - len(right)
    if o.verbose:
        for r in found["races"][:6]: print(told(r, path))
    return f"twin: exit {status}, {len(found['races'])} reports, none at the marked lines", len(found["races"])


paths = [p for p in sorted(glob.glob(f"{os.path.abspath(o.folder)}/*.cc")) if not o.names or os.path.basename(p)[:-3] in o.names]
failures, all_clean, noise = 0, 0, 0
for path in paths:
    name = os.path.basename(path)[:-3]
    wrong = clean(path)
    missed, extra = racy(path)
    noise += extra
    all_clean += not wrong
    if wrong or missed or extra: print(f"{name}: {wrong or 'clean'}; {missed or f'twin found, {extra} more'}", flush=True)
    if name in KNOWN and not wrong: print(f"{name}: clean now, take it off the list", flush=True)
    if missed or (wrong and name not in KNOWN): failures += 1
print(f"{len(paths)} programs: {all_clean} clean, {len(KNOWN)} known not to be; {noise} reports beside the marked ones of their twins")
sys.exit(failures != 0 or not paths)
