#!/usr/bin/env python3
"""What choosing among schedules costs. Prints a markdown section. Usage: dispatch.py PREFIX WORKDIR"""
import os, subprocess, sys

print("## The dispatcher\n\nOne run of `bench_dispatch`: choosing among schedules, and what making that code costs. Bytes of the object file,\nsymbols and relocations included.\n", flush=True)
subprocess.run([os.path.join(sys.argv[1], "bin/bench_dispatch")], check=True)
