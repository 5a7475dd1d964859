#!/usr/bin/env python3
"""aliasrules.py ALIASDUMP CLANG PROGRAMS FIRST LAST [FILE.bc...]: share/specialize/points-to.datalog and the bitset solver
find the same sets in random modules and in the programs, and calling contexts add nothing to them."""
import os, subprocess, sys, tempfile

FLAGS = ["-O1", "-Xclang", "-disable-llvm-passes", "-g", "-w", "-pthread", "-c", "-emit-llvm"]


def main():
    dump, clang, programs, first, last = sys.argv[1:6]
    with tempfile.TemporaryDirectory() as work:
        files = sys.argv[6:]
        for name in sorted(n for n in os.listdir(programs) if n.endswith((".c", ".cc"))):
            files.append(f"{work}/{name}.bc")
            subprocess.run([clang, *FLAGS, *(["-x", "c++"] if name.endswith(".cc") else []), f"{programs}/{name}", "-o", files[-1]], check=True)
        return subprocess.run([dump, "--rules", first, last, *files]).returncode


sys.exit(main())
