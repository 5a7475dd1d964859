#!/usr/bin/env python3
"""alias.py BUILD WORK: points-to on real programs, if $SPEC_REAL names programs of specialize-cc or bitcode (separated by
spaces), and on random modules of growing size."""
import os, subprocess, sys

build = sys.argv[1]
print("""## Points-to

Time of the processor from the module in memory to the answer, mod/ref and threads included; random modules hold so many
variables, with 2.1 assignments each. `places`: how many an access may touch, on average; `unknown`: accesses that may
touch memory outside code may reach.
""", flush=True)
real = os.environ.get("SPEC_REAL", "").split()
subprocess.run([f"{build}/bin/bench_alias"] + real + ["10000", "20000", "40000", "80000", "160000"], check=True)
print("""
With calling contexts (`alias --context-sensitive`), and with what functions make told apart by them too
(`--clone-objects`); budget 60 s of the clock each; `gave up`: it was spent, and places are those of less.
""", flush=True)
subprocess.run([f"{build}/bin/bench_alias", "--contexts"] + real + ["1000", "2000", "4000"], check=True)
