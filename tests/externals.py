#!/usr/bin/env python3
"""externals.py TABLE CLANG: whether the functions that alias/externals.def names are there, in the libraries that it says
it describes. A name that is nowhere is a slip of the pen: its row would never be used."""
import os, re, subprocess, sys

LIBRARIES = "libc.so.6 libm.so.6 libstdc++.so.6 libgcc_s.so.1".split()
# Looked at where it is installed.
OPTIONAL = {"event_": "libevent_core-2.1.so.7", "BZ2_": "libbz2.so.1.0"}
# In no library, and right.
ELSEWHERE = {
    "__clang_call_terminate": "the compiler makes it",
    "atexit": "in the static part of the C library",
    "at_quick_exit": "in the static part of the C library",
    "sigsetjmp": "a macro in some C libraries",
    "__gthread_active_p": "in a header, where the compiler may leave a call of it",
    "crypt": "in a library of its own",
    "_ZNSt9exceptionC2Ev": "in a header",
    "_ZNSt9exceptionC2ERKS_": "in a header",
    "_ZNSt9exceptionaSERKS_": "in a header",
}
NEWER = {"strlcpy", "strlcat"} | {f"__isoc23_{f}" for f in
    "strtol strtoul strtoll strtoull scanf fscanf sscanf".split()}  # C library 2.38

def defined(path):
    out = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in out.splitlines()}

def named(table):
    for row in re.findall(r'^EXTERNAL\(((?:[^()"]|"[^"]*")*)\)', table, re.M):
        yield from "".join(re.findall(r'"([^"]*)"', row)[1:]).split()

table, clang = sys.argv[1:]
have = set(ELSEWHERE) | NEWER
def path_of(library):
    path = subprocess.run([clang, f"-print-file-name={library}"], capture_output=True, text=True, check=True)
    return path.stdout.strip()

names = [n for n in named(open(table).read()) if not n.startswith("llvm.")]
for library in LIBRARIES:
    have |= defined(path_of(library))
for prefix, library in OPTIONAL.items():
    there = os.path.isabs(path_of(library))
    have |= defined(path_of(library)) if there else {n for n in names if n.startswith(prefix)}
missing = [n for n in names if n not in have and not (n.endswith("*") and any(h.startswith(n[:-1]) for h in have))]
twice = sorted({n for n in names if names.count(n) > 1})
for n in missing: print(f"{n}: in none of {', '.join(LIBRARIES)}")
for n in twice: print(f"{n}: two rows name it")
print(f"{len(names)} names, {len(missing)} in no library, {len(twice)} twice")
sys.exit(bool(missing or twice or len(names) < 1000))
