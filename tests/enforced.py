#!/usr/bin/env python3
"""enforced.py --bin DIR PROGRAM.c: a program of tests/programs, recorded, built with its schedule, run.

Held to: with the constraint of its header the schedule is followed, by the arguments that it was recorded with and by
those of `same:`, with the original's output, on one core, on the other and on both, in HB order, in total order, with
a runtime that sleeps at random while facts are tested, and with what `--alias` tells the optimizer;
`other:` inputs run the original. With the constraint `true` other inputs give the original's output, or exit 66 and a
message, never anything else; built with `--on-divergence free` they give the original's output, always, in the runtime
that sleeps at random too. With --rolled the same of the original code, held to its schedule by a table. SPEC_SOAK=1: 200 runs instead of 6.
"""
import argparse, os, re, shlex, subprocess, sys, tempfile
import header

ap = argparse.ArgumentParser()
ap.add_argument("--bin", required=True)
ap.add_argument("--rolled", action="store_true")
ap.add_argument("program")
o = ap.parse_args()
RUNS = 200 if os.environ.get("SPEC_SOAK") else 6
CORES = [f"{c}" for c in sorted(os.sched_getaffinity(0))][:2]
CORES.append(",".join(CORES))
env = {k: v for k, v in os.environ.items() if not k.startswith("SPECIALIZE_")}
env["PATH"] = os.path.abspath(o.bin) + ":" + env["PATH"]


def known(path):
    h = {"same": [], "other": [], "args": "", "when": "true"}
    for key, values in header.read(path).items():
        shown = values if "stdin" in key or key == "when" else [header.plain(v) for v in values]
        h[key] = shown if key in ("same", "other") else shown[-1]
    return h


def run(cmd, cwd, stdin, core=None, **more):
    if core: cmd = ["taskset", "-c", core] + cmd
    try:
        p = subprocess.run(cmd, cwd=cwd, input=stdin or "", capture_output=True, text=True, timeout=120,
                           errors="replace", env={**env, **more})
    except subprocess.TimeoutExpired:
        fail(f"{' '.join(cmd)} hangs")
        sys.exit(1)
    return p.returncode, p.stdout, p.stderr


failures = 0
def fail(text):
    global failures
    failures += 1
    print(text, flush=True)


def tool(d, *cmd):
    rc, out, err = run(["specialize", *cmd], d, None)
    if rc != 0:
        fail(f"specialize {' '.join(cmd)}: exit {rc}: {err.strip()}")
        sys.exit(1)


def text(h, key):
    return h[key] + "\n" if key in h else h["stdin"] + "\n" if "stdin" in h else None


def record_and_build(d, order, when, h, *more):
    run(["specialize", "record", "--constraint", "exact", "--order", order, "-o", "app.sigma", "--", "./app"] + shlex.split(h["args"]), d,
        text(h, "stdin"))
    tool(d, "constrain", "app.sigma", "--schedule", "0", "--when", when)
    tool(d, "build", "./app", "--sigma", "app.sigma", "-o", "app.spec", *more)
    os.unlink(os.path.join(d, "app.sigma"))


def follows(d, h, order):
    want = {}
    for i in range(RUNS):
        for args, stdin in [(h["args"], text(h, "stdin"))] + [(a, text(h, "same-stdin")) for a in h["same"]]:
            args = shlex.split(args)
            key = (tuple(args), stdin)
            if key not in want: want[key] = run(["./app"] + args, d, stdin)
            check = {"SPECIALIZE_RECHECK": "1"} if i % 3 == 2 else {}
            if order == "chaotic": check["SPECIALIZE_CHAOS"] = str(i)
            rc, out, err = run(["./app.spec"] + args, d, stdin, CORES[i % 3], SPECIALIZE_VERBOSE="1", **check)
            rc0, out0, _ = want[key]
            if (rc, out) != (rc0, out0) or "specialize: schedule 0\n" not in err:
                return fail(f"{order} order, {args}, run {i}: exit {rc} (native {rc0}), output as native: {out == out0}, {err!r}")


def others(d, h, allowed):
    for args in h["other"]:
        args, stdin = shlex.split(args), text(h, "other-stdin")
        rc0, out0, _ = run(["./app"] + args, d, stdin)
        rc, out, err = run(["./app.spec"] + args, d, stdin, SPECIALIZE_VERBOSE="1")
        if allowed == "original":
            ok = (rc, out) == (rc0, out0) and "no schedule fits" in err
        else:
            ok = (rc, out) == (rc0, out0) or (rc == 66 and "diverged" in err)
        if not ok: fail(f"other input {args}: exit {rc} (native {rc0}), output as native: {out == out0}, {err!r}")


def goes_on(d, h):
    """Free runs: of some we must see that they did leave."""
    left = 0
    for i in range(RUNS):
        for args in h["other"]:
            args, stdin = shlex.split(args), text(h, "other-stdin")
            want = run(["./app"] + args, d, stdin)
            rc, out, err = run(["./app.spec"] + args, d, stdin, CORES[i % 3], SPECIALIZE_VERBOSE="1", SPECIALIZE_CHAOS=str(i))
            if (rc, out) != want[:2] or "specialize: schedule 0\n" not in err:
                return fail(f"free, other input {args}, run {i}: exit {rc} (native {want[0]}), output as native: {out == want[1]}, {err!r}")
            left += "diverged" in err
    print(f"free: {left} of {RUNS * len(h['other'])} runs on other inputs left the schedule")


h = known(o.program)
harmful = any("harmful" in r for r in h["races"])
with tempfile.TemporaryDirectory() as d:
    env["XDG_CACHE_HOME"] = os.path.join(d, "cache")
    cc = "specialize-c++" if o.program.endswith(".cc") else "specialize-cc"
    p = subprocess.run([cc, "-O1", "-g", "-pthread", os.path.abspath(o.program), "-o", "app", "-lm"], cwd=d, env=env)
    if p.returncode: sys.exit(1)
    when = h["when"] if h["when"] != "stdin" else "true"
    if o.rolled:
        for order, more in (("hb", []), ("total", []), ("chaotic", ["--chaos"])):
            record_and_build(d, "hb" if order == "chaotic" else order, when, h, "--rolled", *more)
            if not harmful: follows(d, h, order)
        record_and_build(d, "hb", "true", h, "--rolled")
        others(d, h, "diverged")
        for more in ([], ["--chaos"]):
            record_and_build(d, "hb", "true", h, "--rolled", "--on-divergence", "free", *more)
            goes_on(d, h)
        sys.exit(failures > 0)
    for order in ("hb", "total"):
        record_and_build(d, order, when, h, *(["--unit", "1"] if order == "total" else []))  # as many units as can be
        if not harmful: follows(d, h, order)
        if order == "hb" and not harmful and h["when"] != "stdin": others(d, h, "original")
    if not harmful:
        record_and_build(d, "hb", when, h, "--chaos", "--per-thread", "--check-facts")
        follows(d, h, "chaotic")
        record_and_build(d, "hb", when, h, "--alias")
        follows(d, h, "hb --alias")
    for more in ([], ["--check-facts"]):
        record_and_build(d, "hb", "true", h, *more)
        others(d, h, "diverged")
    for more in ([], ["--chaos"]):
        record_and_build(d, "hb", "true", h, "--on-divergence", "free", *more)
        goes_on(d, h)
sys.exit(failures > 0)
