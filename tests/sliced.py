#!/usr/bin/env python3
"""sliced.py BIN PROGRAM...: slices of programs whose comment says what they have to hold.

`target` is the line that is asked about. Lines behind `data`, `control` and `order` must be kept; those behind `must be
absent` must not be kept by data. A line behind `too late` must be in the chain; those behind `path only` and `guards` only
with --path-slice. Every slice must pass its check."""
import json, os, re, shutil, subprocess, sys, tempfile
KINDS = "target|data|control|order|must be absent|too late|path only|guards, folded"


def expected(path):
    head = ""
    for line in open(path):
        if not line.startswith("//"): break
        head += line[2:].strip() + " "
    found = {}
    m = re.search(r"Expected lines: (.*?)\.(\s|$)", head)
    for part in m[1].split(";"):
        words = re.match(rf"\s*({KINDS})\b(?: \([^)]*\))? ([\d ]+)$", part)
        if words: found[words[1]] = {int(n) for n in words[2].split()}
    return found


def environment(folder):
    env = {k: v for k, v in os.environ.items() if not k.startswith("SPECIALIZE_")}
    env.update(XDG_CACHE_HOME=folder + "/cache", LC_ALL="C")
    return env


def run(folder, *command, timeout=120):
    return subprocess.run(command, cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=timeout, errors="replace")


def build(bin, path, folder, level="-O0"):
    shutil.copy(path, folder)
    wrapper = f"{bin}/specialize-{'c++' if path.endswith('.cc') else 'cc'}"
    return run(folder, wrapper, "-g", level, "-w", "-pthread", os.path.basename(path), "-o", "t", "-lm")


def judge(bin, name, want, folder):
    p = run(folder, bin + "/specialize", "slice", "./t", "--sigma", "t.sigma", "--target", f"{name}:{min(want['target'])}",
            "--format", "json")
    if p.returncode: return [f"exit {p.returncode}: {p.stderr}"]
    slice = json.loads(p.stdout)
    kept = {l["line"]: l["why"] for l in slice["lines"] if os.path.basename(l["file"]) == name}
    steps = {s["line"] for s in slice["steps"]}
    wrong = []
    for kind in ("data", "control", "order"):
        gone = want.get(kind, set()) - set(kept)
        if gone: wrong.append(f"lines {sorted(gone)} are missing, by {kind}")
    there = {n for n in want.get("must be absent", set()) if kept.get(n) == "data"}
    if there: wrong.append(f"lines {sorted(there)} are there")
    if want.get("too late", set()) - steps: wrong.append(f"the chain does not say what came too late: {sorted(steps)}")
    if slice["check"]["same"] is not True: wrong.append(f"the check says {slice['check']}")
    path = want.get("path only", set()) | want.get("guards, folded", set())
    if path:
        p = run(folder, bin + "/specialize", "slice", "./t", "--sigma", "t.sigma", "--target", f"{name}:{min(want['target'])}",
                "--path-slice", "--format", "json")
        gone = path - {l["line"] for l in json.loads(p.stdout)["lines"]}
        if gone: wrong.append(f"lines {sorted(gone)} are missing in the path slice")
        if path & set(kept): wrong.append(f"lines {sorted(path & set(kept))} are there without --path-slice")
    return [w + f"\nkept: {kept}" for w in wrong]


def check(bin, path, folder):
    """Lines by order are those of a run in which threads had to wait: it is recorded until one does."""
    p = build(bin, path, folder)
    if p.returncode: return [f"does not compile: {p.stderr}"]
    want = expected(path)
    waits = "pthread_cond_wait" in open(path).read()
    for _ in range(20):
        if os.path.exists(folder + "/t.sigma"): os.unlink(folder + "/t.sigma")
        run(folder, bin + "/specialize", "record", "-o", "t.sigma", "--", "./t")
        if not waits or "wait-depart" in open(folder + "/t.sigma").read(): break
    return judge(bin, os.path.basename(path), want, folder)


def main():
    failed = 0
    for path in sys.argv[2:]:
        folder = tempfile.mkdtemp(prefix="sliced-")
        for why in check(os.path.abspath(sys.argv[1]), os.path.abspath(path), folder):
            print(f"{os.path.basename(path)}: {why}")
            failed += 1
        shutil.rmtree(folder)
    print(f"{len(sys.argv) - 2} programs, {failed} wrong")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
