#!/usr/bin/env python3
"""What the interpreter makes of recorded runs, and what the programs do themselves.

reruns.py --bin BIN [PROGRAM...] [--sample DIR] [--seeds FIRST COUNT] [--jobs N] [--keep DIR]

Each program of PROGRAMS (with `args` and `stdin` in its header) and each random program (gen/threads.py, C and C++, -O0 to
-O2) is compiled, recorded, and executed again by `specialize rerun`: same output, same exit status, all events of the
schedule, and a trace whose walk backwards holds together. A run that the interpreter refuses with a reason is
counted; more than one in ten is a failure. --sample: every other program of a folder. SPEC_SOAK=1: all of them, 2000 seeds."""
import argparse, collections, concurrent.futures, os, random, re, shlex, shutil, subprocess, sys, tempfile
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "gen"))
import header, threads


class Failed(Exception):
    pass


class Refused(Exception):
    pass


def run(command, folder, stdin=""):
    env = {k: v for k, v in os.environ.items() if not k.startswith("SPECIALIZE_")}
    env.update(XDG_CACHE_HOME=folder + "/cache", LC_ALL="C")
    try:
        return subprocess.run(command, cwd=folder, env=env, input=stdin.encode(), capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        raise Failed(f"no end: {' '.join(command)}")


def compare(o, folder, source, level, words, stdin, math):
    wrapper = "specialize-c++" if source.endswith(("cc", "cpp")) else "specialize-cc"
    p = run([f"{o.bin}/{wrapper}", "-g", level, "-w", "-pthread", source, "-o", "t"] + math, folder)
    if p.returncode: raise Failed("does not compile: " + p.stderr.decode()[-600:])
    native = run([o.bin + "/specialize", "record", "--constraint", "exact", "-o", "t.sigma", "--", "./t"] + words, folder, stdin)
    if not os.path.exists(folder + "/t.sigma"): raise Refused("record: " + native.stderr.decode())
    again = run([o.bin + "/specialize", "rerun", "./t", "--sigma", "t.sigma", "--counts", "--trace", "--check-walk"], folder)
    err = again.stderr.decode(errors="replace")
    if "cannot go on" in err: raise Refused(err.splitlines()[0])
    if (again.returncode, again.stdout) != (native.returncode, native.stdout):
        raise Failed(f"{again.returncode} {again.stdout} for {native.returncode} {native.stdout}\n{err}")
    events = int(re.search(rb"^end (\d+)$", open(folder + "/t.sigma", "rb").read(), re.M).group(1))
    if f" {events} events\n" not in err: raise Failed(f"not {events} events: {err}")


def generated(o, seed, folder):
    cxx = seed % 4 == 3
    with open(f"{folder}/t.{'cc' if cxx else 'c'}", "w") as f: f.write(threads.program(seed, cxx)[0])
    r = random.Random(f"inputs {seed}")
    words = [str(r.randint(0, 15)) for _ in range(4)]
    compare(o, folder, "t.cc" if cxx else "t.c", f"-O{seed % 3}", words, "", [])


def written(o, path, folder):
    h = header.read(path)
    stdin = h["stdin"][-1] + "\n" if "stdin" in h else ""
    words = shlex.split(header.plain(h["args"][-1]) if "args" in h else "")
    level = "-O1" if "level" not in h else h["level"][-1]
    compare(o, folder, path, level, words, stdin, ["-lm"])


def attempt(o, case):
    folder = tempfile.mkdtemp(prefix="rerun-", dir=o.keep)
    end, why = "ok", ""
    try:
        written(o, case, folder) if isinstance(case, str) else generated(o, case, folder)
    except Refused as e:
        end, why = "refused", str(e)
    except Failed as e:
        end, why = "failed", str(e)
    if end != "failed" or not o.keep: shutil.rmtree(folder)
    return case, end, why


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", required=True)
    p.add_argument("programs", nargs="*")
    p.add_argument("--seeds", nargs=2, type=int, default=[1, 0])
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--keep")
    p.add_argument("--sample")
    o = p.parse_args()
    o.bin = os.path.abspath(o.bin)
    if os.environ.get("SPEC_SOAK") and o.seeds[1]: o.seeds[1] = 2000
    if o.keep: os.makedirs(o.keep, exist_ok=True)
    if o.sample:
        folder = sorted(f"{o.sample}/{f}" for f in os.listdir(o.sample) if f.endswith((".c", ".cc")))
        o.programs += folder if os.environ.get("SPEC_SOAK") else folder[1::2]
    cases = [os.path.abspath(f) for f in o.programs] + list(range(o.seeds[0], o.seeds[0] + o.seeds[1]))
    ends, reasons = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for case, end, why in pool.map(lambda c: attempt(o, c), cases):
            ends[end] += 1
            if end == "failed": print(f"{case}: {why}", flush=True)
            if end == "refused": reasons[re.sub(r"\d+", "N", why.strip().splitlines()[-1])] += 1
    print(f"{ends['ok']} runs as the program's own, {ends['refused']} refused, {ends['failed']} failed")
    for why, n in reasons.most_common(): print(f"  {n} refused: {why}")
    return bool(ends["failed"] or ends["refused"] * 10 > len(cases) or not ends["ok"])


if __name__ == "__main__":
    sys.exit(main())
