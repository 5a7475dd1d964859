#!/usr/bin/env python3
"""interpreter.py BUILD WORK: how fast recorded runs are executed again, without and with a trace, what the trace takes, and
how fast the walk backwards is."""
import os, shutil, subprocess, sys

build, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + "/interpreter"
programs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "programs")
ROWS = [("fft", "2 10 3"), ("swaptions", "2 8 200"), ("lu", "2 96 16"), ("pbzip", "2 30000 3400"), ("blackscholes", "2 40000 3")]


def run(*command):
    env = {**os.environ, "XDG_CACHE_HOME": work + "/cache"}
    return subprocess.run(command, cwd=work, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout


shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
print("""## Interpreting

Recorded runs of the programs executed again: modules as stored, before any optimization, and models of the C library.
Instructions are LLVM's; the best of three. Goals: 100 M a second, 25 M with a trace, 6 bytes of trace for an instruction.
`walk`: instances a second of the walk back over the whole trace, data and control, from what was printed last; `kept`: of them.

| program | arguments | M instructions | M a second | with trace | bytes each | walk, M a second | kept |
|---|---|---|---|---|---|---|---|""", flush=True)
for name, words in ROWS:
    run(f"{build}/bin/specialize-cc", "-O1", "-g", "-w", "-pthread", f"{programs}/{name}.c", "-o", name, "-lm")
    run(f"{build}/bin/specialize", "record", "--constraint", "exact", "-o", f"{name}.sigma", "--", f"./{name}", *words.split())
    n, plain, traced, size, passed, kept, walked = map(float, run(f"{build}/bin/bench_interpreter", f"./{name}", f"{name}.sigma").split())
    print(f"| {name} | {words} | {n / 1e6:.1f} | {n / 1e6 / plain:.0f} | {n / 1e6 / traced:.0f} | {size / n:.2f} | "
          f"{passed / 1e6 / walked:.0f} | {100 * kept / passed:.1f} % |", flush=True)
