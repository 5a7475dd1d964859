#!/usr/bin/env python3
"""What choosing among schedules costs. Prints a markdown section. Usage: dispatch.py PREFIX WORKDIR"""
import os, subprocess, sys

print("## The dispatcher\n\nOne run of `bench_dispatch`: constraints as optimized code in one process.\n", flush=True)
subprocess.run([os.path.join(sys.argv[1], "bin/bench_dispatch")], check=True)
