#!/usr/bin/env python3
"""slices.py BUILD WORK: how much of recorded runs slices keep, for three targets, and whether they pass their check."""
import os, shlex, shutil, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "tests", "gen"))
sys.path.insert(0, os.path.join(here, "..", "tests"))
import header

build, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + "/slices"
folder = os.path.join(here, "..", "tests", "programs")


def run(command, stdin=""):
    env = {**os.environ, "XDG_CACHE_HOME": work + "/cache", "LC_ALL": "C"}
    return subprocess.run(command, cwd=work, env=env, input=stdin, capture_output=True, text=True, timeout=600)


def measure(file):
    h, name = header.read(f"{folder}/{file}"), file.split(".")[0]
    words = shlex.split(header.plain(h["args"][-1]) if "args" in h else "")
    wrapper = "specialize-c++" if file.endswith("cc") else "specialize-cc"
    run([f"{build}/bin/{wrapper}", "-O1", "-g", "-w", "-pthread", f"{folder}/{file}", "-o", name, "-lm"])
    run([f"{build}/bin/specialize", "record", "-o", f"{name}.sigma", "--timeout", "20", "--", f"./{name}"] + words,
        h["stdin"][-1] + "\n" if "stdin" in h else "")
    p = run([f"{build}/bin/bench_slicer", f"./{name}", f"{name}.sigma"])
    return {l.split()[0]: [float(x) for x in l.split()[1:]] for l in p.stdout.splitlines()}, p.stderr


def percent(x): return f"{100 * x:.1f}"


shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
print("""## Slices

Instructions of the program kept / executed in %, and lines, of recorded runs with the arguments of the tests: by data, with
control, with order. `value`: what was printed last; `sync`: all events at once; `lines`: means over executed lines (60 at most, of long runs 6),
each a target in turn. The code is the stored one, before any optimization. `walk`: M instances a second, back; `time`: of the
slice, as a multiple of that of the run with its trace; `bytes`: of trace for an instruction.

`path`: path slices, without order; ways that were not taken are judged by the code alone, with recorded addresses for the rest.

| program | executed (lines) | value: data | + control | + order | path | sync: order | path | lines: data | + control | + order | path | bytes | walk | time |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|""", flush=True)
sums, checked, wrong, rows = {}, 0, 0, 0
for file in sorted(os.listdir(folder)):
    if not file.endswith((".c", ".cc")): continue
    try: found, errors = measure(file)
    except subprocess.TimeoutExpired: found, errors = {}, "takes too long"
    if "run" not in found:
        print(f"| {file} | {(errors.splitlines() or ['?'])[0]} |||||||||||", flush=True)
        continue
    executed, lines, size, walk, time = found["run"]
    v, s, l = found["value"], found["sync"], found["lines"]
    cell = lambda f, n: f"{percent(f[1 + 2 * n])} ({f[2 + 2 * n]:.0f})"
    print(f"| {file.split('.')[0]} | {executed / 1e3:.0f} k ({lines:.0f}) | {cell(v, 0)} | {cell(v, 1)} | {cell(v, 2)} | {cell(v, 3)} | {cell(s, 2)} | "
          f"{cell(s, 3)} | {cell(l, 0)} | {cell(l, 1)} | {cell(l, 2)} | {cell(l, 3)} | {size:.1f} | {walk:.0f} | {time:.1f} |", flush=True)
    rows += 1
    for f, name in ((v, "v"), (s, "s"), (l, "l")):
        sums.setdefault(name, [0] * 8)
        for i in range(8): sums[name][i] += f[1 + i]
        checked, wrong = checked + int(f[9]), wrong + int(f[10])
mean = lambda name, n: f"{percent(sums[name][2 * n] / rows)} ({sums[name][1 + 2 * n] / rows:.0f})"
print(f"| mean of {rows} | | {mean('v', 0)} | {mean('v', 1)} | {mean('v', 2)} | {mean('v', 3)} | {mean('s', 2)} | {mean('s', 3)} | "
      f"{mean('l', 0)} | {mean('l', 1)} | {mean('l', 2)} | {mean('l', 3)} | | | |")
print(f"""
Executed alone, {checked} of these slices were compared with their runs: {wrong} differed.

The paper's figure is another one: its slicing ratio is that of path slices before and after specialization, for a target that it
does not name. `path` is the one before; what cf and df would take off it is not measured here. More than the difference between
`path` and `+ control` no knowledge of aliases can take off.""")
