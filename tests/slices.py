#!/usr/bin/env python3
"""slices.py BACKWALK BIN PROGRAM...: what the walk backwards keeps of programs whose comment says what it has to.

`target` is the line that is asked about; lines behind `data` must be kept by data alone, those behind `control` with
control dependence too; those behind `must be absent` must not be kept by data."""
import os, re, shutil, subprocess, sys, tempfile
here = os.path.dirname(os.path.abspath(__file__))


def expected(path):
    head = ""
    for line in open(path):
        if not line.startswith("//"): break
        head += line[2:].strip() + " "
    found = {}
    m = re.search(r"Expected lines: (.*?)\.(\s|$)", head)
    for part in m[1].split(";") if m else []:
        words = re.match(r"\s*(target|data|control|must be absent)\s+([\d ]+)$", part)
        if words: found[words[1]] = {int(n) for n in words[2].split()}
    return found


def check(backwalk, bin, path, folder):
    cxx = path.endswith(".cc")
    source = os.path.basename(path)
    shutil.copy(path, folder)
    env = {k: v for k, v in os.environ.items() if not k.startswith("SPECIALIZE_")}
    env.update(XDG_CACHE_HOME=folder + "/cache", LC_ALL="C")
    def run(*command):
        return subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    wrapper = f"{bin}/specialize-{'c++' if cxx else 'cc'}"
    p = run(wrapper, "-g", "-O0", "-w", "-pthread", source, "-o", "t", "-lm")
    if p.returncode: return [f"does not compile: {p.stderr}"]
    run(bin + "/specialize", "record", "--constraint", "exact", "-o", "t.sigma", "--", "./t")
    want = expected(path)
    p = run(backwalk, "./t", "t.sigma", str(min(want["target"])))
    if p.returncode: return [f"exit {p.returncode}: {p.stderr}"]
    lines = {w[0]: {int(n) for n in w[1:] if n.isdigit()} for w in (l.split() for l in p.stdout.splitlines()) if w[0] in ("data", "control")}
    wrong = []
    if want.get("data", set()) - lines["data"]: wrong.append(f"lines {sorted(want['data'] - lines['data'])} are missing")
    if want.get("control", set()) - lines["control"]: wrong.append(f"lines {sorted(want['control'] - lines['control'])} are missing, with control")
    if want.get("must be absent", set()) & lines["data"]: wrong.append(f"lines {sorted(want['must be absent'] & lines['data'])} are there")
    return [w + "\n" + p.stdout for w in wrong]


def main():
    failed = 0
    for path in sys.argv[3:]:
        folder = tempfile.mkdtemp(prefix="slices-")
        for why in check(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), path, folder):
            print(f"{os.path.basename(path)}: {why}")
            failed += 1
        shutil.rmtree(folder)
    print(f"{len(sys.argv) - 3} programs, {failed} wrong")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
