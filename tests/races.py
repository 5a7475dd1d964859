#!/usr/bin/env python3
"""races.py --bin DIR [--tries N] PROGRAMS-FOLDER [NAME...]: races that `specialize race` finds in the programs.

With the constraint of the header by hand: every pair of lines of `races:` is reported, and nothing else but in the
programs of UNPROVED, of which the reason is known. Every harmful one is replayed in 19 of 20 tries of `race --replay`,
with the input that shows it.
"""
import argparse, glob, json, os, re, shlex, subprocess, sys, tempfile
import header

# What keeps the two apart is data that the code itself has computed: no branch and no constraint says it.
UNPROVED = {
    "barnes": "cells and bodies of a thread are found by following pointers of a tree",
    "fft": "rows are as long as a number that is computed in a loop, and elements change places by reversed bits",
    "lu": "blocks belong to threads by the remainder of two indexes",
    "radix": "where a key goes is a sum over counts, which are in memory",
}
# Harmful races that the recorded input of the header does not show.
SHOWN_BY = {("racy", 56, 56): "2 101"}

ap = argparse.ArgumentParser()
ap.add_argument("--bin", required=True)
ap.add_argument("--tries", type=int, default=20)
ap.add_argument("programs")
ap.add_argument("names", nargs="*")
o = ap.parse_args()
work = tempfile.TemporaryDirectory()
env = {k: v for k, v in os.environ.items() if not k.startswith("SPECIALIZE_")}
env.update(PATH=os.path.abspath(o.bin) + ":" + env["PATH"], XDG_CACHE_HOME=work.name + "/cache")
failures = 0


def fail(text):
    global failures
    failures += 1
    print("wrong: " + text, flush=True)


def run(*cmd, stdin=None):
    return subprocess.run(cmd, cwd=work.name, env=env, input=stdin or "", capture_output=True, text=True, timeout=300,
                          errors="replace")


def known(path):
    all_ = header.read(path)
    h = {key: all_[key][0] for key in ("args", "stdin", "when") if key in all_}
    races = " ".join(all_.get("races", []))
    h["pairs"] = {tuple(sorted((int(a), int(b)))): k for a, b, k in re.findall(r"(\d+)-(\d+) (\w+)", races)}
    return h


def report(name, sigma, *more):
    p = run("specialize", "race", f"./{name}", "--sigma", sigma, "--format", "json", *more)
    try:
        races = json.loads(p.stdout)["races"]
    except ValueError:
        fail(f"{name}: exit {p.returncode}: {p.stderr.strip()}")
        return {}, p.returncode
    return {tuple(sorted((r["a"]["line"], r["b"]["line"]))): r["status"] for r in races}, p.returncode


def record(name, sigma, args, stdin):
    p = run("specialize", "record", "--constraint", "exact", "-o", sigma, "--", f"./{name}", *shlex.split(re.sub(r"\s+\(.*$", "", args)),
            stdin=stdin)
    if not os.path.exists(f"{work.name}/{sigma}"): fail(f"{name}: not recorded: {p.stderr.strip()}")


def look(path):
    name, h = re.sub(r"\..*", "", os.path.basename(path)), known(path)
    stdin = h["stdin"] + "\n" if "stdin" in h else None
    cc = "specialize-c++" if path.endswith(".cc") else "specialize-cc"
    run(cc, "-O1", "-g", "-pthread", path, "-o", name, "-lm")
    record(name, f"{name}.sigma", h.get("args", ""), stdin)
    if h.get("when", "stdin") != "stdin":
        run("specialize", "constrain", f"{name}.sigma", "--schedule", "0", "--when", h["when"])
    got, status = report(name, f"{name}.sigma")
    missed, false = sorted(set(h["pairs"]) - set(got)), sorted(set(got) - set(h["pairs"]))
    print(f"{name}: {len(got)} found, {len(missed)} missed, {len(false)} false" +
          (f": {UNPROVED[name]}" if false and name in UNPROVED else ""), flush=True)
    if not false and name in UNPROVED: print(f"{name}: proved now, take it off the list", flush=True)
    if missed: fail(f"{name}: not reported: {missed}")
    if false and name not in UNPROVED: fail(f"{name}: reported, and no race: {false}")
    if status != (1 if got else 0) and name not in UNPROVED: fail(f"{name}: exit {status} with {len(got)} findings")
    harmful = [pair for pair, kind in h["pairs"].items() if kind == "harmful"]
    if harmful: replay(name, h, harmful, stdin)


def replay(name, h, harmful, stdin):
    inputs = {}
    for pair in harmful: inputs.setdefault(SHOWN_BY.get((name, *pair), h.get("args", "")), []).append(pair)
    for i, (args, pairs) in enumerate(inputs.items()):
        record(name, f"{name}{i}.shown", args, stdin)
        seen = dict.fromkeys(pairs, 0)
        for _ in range(o.tries):
            got, _ = report(name, f"{name}{i}.shown", "--replay")
            for pair in pairs: seen[pair] += got.get(pair) == "replayed"
        for pair, n in seen.items():
            print(f"{name} {args}: {pair[0]}-{pair[1]} replayed in {n} of {o.tries}", flush=True)
            if n < o.tries - max(1, o.tries // 20): fail(f"{name}: {pair} only in {n} of {o.tries}")


for path in sorted(glob.glob(f"{os.path.abspath(o.programs)}/*.c") + glob.glob(f"{os.path.abspath(o.programs)}/*.cc")):
    if not o.names or re.sub(r"\..*", "", os.path.basename(path)) in o.names: look(path)
sys.exit(failures > 0)
