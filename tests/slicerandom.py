#!/usr/bin/env python3
"""slicerandom.py --bin BIN --seeds FIRST COUNT [--jobs N]: random programs, recorded and sliced for what they print last and for
all synchronization. Every slice must compute by itself what the run computes. Runs that the interpreter refuses are counted;
more than one in ten is a failure."""
import argparse, concurrent.futures, json, os, random, shutil, sys, tempfile
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "gen"))
import sliced, threads


def one(o, seed):
    folder = tempfile.mkdtemp(prefix="slicerandom-")
    try:
        cxx = seed % 4 == 3
        path = f"{folder}/t.{'cc' if cxx else 'c'}"
        with open(path, "w") as f: f.write(threads.program(seed, cxx)[0])
        wrapper = f"{o.bin}/specialize-{'c++' if cxx else 'cc'}"
        p = sliced.run(folder, wrapper, "-g", f"-O{seed % 3}", "-w", "-pthread", path, "-o", "t")
        if p.returncode: return "does not compile: " + p.stderr[-300:], False
        r = random.Random(f"inputs {seed}")
        sliced.run(folder, o.bin + "/specialize", "record", "-o", "t.sigma", "--", "./t", *[str(r.randint(0, 15)) for _ in range(4)])
        for target in ("value", "sync"):
            p = sliced.run(folder, o.bin + "/specialize", "slice", "./t", "--sigma", "t.sigma", "--target", target, "--format", "json")
            if p.returncode == 2 and ("printed nothing" in p.stderr or "no synchronization" in p.stderr): continue
            if p.returncode == 2 and not os.path.exists(folder + "/t.sigma"): return "refused", True
            if p.returncode not in (0, 3): return f"{target}: exit {p.returncode} {p.stderr}", False
            slice = json.loads(p.stdout)
            if any("could not be followed" in t for t in slice["incomplete"]): return "refused", True
            if slice["check"]["same"] is not True: return f"{target}: {slice['check']}", False
        return "", False
    finally:
        shutil.rmtree(folder)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--bin", required=True), a.add_argument("--seeds", type=int, nargs=2, required=True), a.add_argument("--jobs", type=int, default=1)
    o = a.parse_args()
    o.bin = os.path.abspath(o.bin)
    failed = refused = 0
    seeds = range(o.seeds[0], o.seeds[0] + o.seeds[1])
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for seed, (why, no) in zip(seeds, pool.map(lambda s: one(o, s), seeds)):
            refused += no
            if why and not no: failed += 1; print(f"seed {seed}: {why}", flush=True)
    print(f"{len(seeds)} programs, {refused} refused, {failed} wrong")
    return failed > 0 or refused * 10 > len(seeds)


if __name__ == "__main__":
    sys.exit(main())
