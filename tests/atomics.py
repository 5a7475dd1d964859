#!/usr/bin/env python3
"""atomics.py --bin DIR --programs DIR [NAME...]: small programs with atomic operations, recorded with all of them as events.

ok_*: no report, whatever the run did. weak_*: a race that a memory order too weak leaves, in a run that comes to it (another
run is recorded until one does). All: `check` accepts the schedule, and the program built with it gives the recorded
output each time, in HB order and in total order; so does one that may go on. litmus_*: recorded again and again, never
with an outcome that sequential consistency forbids; the race detector finds no plain race in them. SPEC_SOAK=1: 200
held runs instead of 4, 1,000 recordings instead of 12.
"""
import argparse, glob, os, subprocess, sys, tempfile

ap = argparse.ArgumentParser()
ap.add_argument("--bin", required=True)
ap.add_argument("--programs", required=True)
ap.add_argument("names", nargs="*")
o = ap.parse_args()
SOAK = bool(os.environ.get("SPEC_SOAK"))
RUNS, RECORDINGS, TRIES = (200, 1000, 20) if SOAK else (4, 12, 6)
env = {k: v for k, v in os.environ.items() if not k.startswith("SPECIALIZE_")}
env["PATH"] = os.path.abspath(o.bin) + ":" + env["PATH"]
env["SPECIALIZE_PATIENCE"] = "60"
failures = 0


def fail(text):
    global failures
    failures += 1
    print(text, flush=True)


def run(d, *cmd):
    try:
        p = subprocess.run(cmd, cwd=d, capture_output=True, text=True, timeout=200, env=env, errors="replace")
    except subprocess.TimeoutExpired:
        return 124, "", "it hangs"
    return p.returncode, p.stdout, p.stderr


def record(d, *more):
    if os.path.exists(f"{d}/app.sigma"):
        os.remove(f"{d}/app.sigma")
    status, out, err = run(d, "specialize", "record", "--atomics", "all", *more, "-o", "app.sigma", "--", "./app")
    if status or "added" not in err:
        fail(f"{name}: record: exit {status}: {err.strip()}")
        return None
    status, _, err = run(d, "specialize", "check", "app", "app.sigma")
    if status:
        fail(f"{name}: check: {err.strip()}")
        return None
    return out


def races(d):
    status, out, err = run(d, "specialize", "race", "app", "--sigma", "app.sigma", "--evidence", "off")
    if status not in (0, 1):
        fail(f"{name}: race: exit {status}: {out}{err}")
    return status == 1, out


def hold(d, expected, *more):
    text = open(f"{d}/app.sigma").read()
    if "\nwhen false" in text:  # the address of an object may be looked at, which decides nothing here
        run(d, "specialize", "constrain", "app.sigma", "--schedule", "0", "--when", "true")
    status, _, err = run(d, "specialize", "build", "app", "--sigma", "app.sigma", "-o", "app.spec", *more)
    if status:
        fail(f"{name}: build {' '.join(more)}: {err.strip()}")
        return
    for _ in range(RUNS):
        status, out, err = run(d, "./app.spec")
        if status or out != expected:
            fail(f"{name}: held {' '.join(more)}: exit {status}, {out!r} instead of {expected!r}: {err.strip()}")
            return


def judge(d, kind):
    if kind == "litmus":
        for _ in range(RECORDINGS):
            out = record(d)
            if out is None or out.strip() == "0 0":
                return fail(f"{name}: recorded {out!r}")
    for _ in range(TRIES):
        out = record(d)
        if out is None:
            return
        found, text = races(d)
        if kind == "weak" and not found:
            continue
        if found != (kind == "weak"):
            fail(f"{name}: {text}")
        break
    else:
        fail(f"{name}: no race")
    hold(d, out)
    if kind != "weak":
        hold(d, out, "--on-divergence", "free")
        hold_total(d)


def hold_total(d):
    out = record(d, "--order", "total")
    if out is not None:
        hold(d, out)


for path in sorted(glob.glob(f"{os.path.abspath(o.programs)}/*_*.c*")):
    name = os.path.basename(path)
    if o.names and name.rsplit(".", 1)[0] not in o.names:
        continue
    with tempfile.TemporaryDirectory() as d:
        env["XDG_CACHE_HOME"] = d
        cc = ["specialize-c++", "-std=c++20"] if path.endswith("pp") else ["specialize-cc"]
        status, _, err = run(d, *cc, "-g", "-O1", "-pthread", path, "-o", "app")
        if status:
            fail(f"{name}: {err}")
        else:
            judge(d, name.split("_")[0])
print(f"{failures} failures" if failures else "all held")
sys.exit(failures != 0)
