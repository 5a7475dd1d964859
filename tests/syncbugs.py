#!/usr/bin/env python3
"""syncbugs.py --bin BIN [--least N] [--only REGEX] PROGRAM...: synchronization bugs, seeded and explained.

In each program one operation after the other is left out: a lock with its unlock, a wait at a barrier, a wait for a
semaphore, a loop around a condition; or a write lock becomes a read lock. The mutants that fail in a recorded run with
delays (a signal, another status, another output) are sliced. The seeded line, or the line of an access that it had
protected, has to be among the first five steps of the chain."""
import argparse, json, os, re, shlex, shutil, subprocess, sys, tempfile
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "gen"))
import header, sliced

LOCK = re.compile(r"\b(pthread_mutex_lock|pthread_rwlock_wrlock|pthread_rwlock_rdlock|pthread_spin_lock)\(([^;]*)\);")
UNLOCK = re.compile(r"\b(pthread_mutex_unlock|pthread_rwlock_unlock|pthread_spin_unlock)\(([^;]*)\);")


def mutants(text):
    """(what, new text, first and last line that it concerns)"""
    lines = text.split("\n")
    for n, line in enumerate(lines):
        def without(pairs):
            new = list(lines)
            for at, old, by in pairs: new[at] = new[at].replace(old, by, 1)
            return "\n".join(new)
        m = LOCK.search(line)
        if m and "cond_wait" not in "".join(lines[n:n + 6]):
            for k in range(n, min(n + 40, len(lines))):
                u = UNLOCK.search(lines[k])
                if u and u[2] == m[2]:
                    yield f"lock {n + 1}", without([(n, m[0], ";"), (k, u[0], ";")]), n + 1, k + 1
                    if "wrlock" in m[1]: yield f"read {n + 1}", without([(n, "wrlock", "rdlock")]), n + 1, k + 1
                    break
        m = re.search(r"\bpthread_barrier_wait\([^;]*\);", line)
        if m and "=" not in line.split("pthread_barrier_wait")[0]: yield f"barrier {n + 1}", without([(n, m[0], ";")]), n - 14, n + 16
        m = re.search(r"\bsem_wait\([^;]*\);", line)
        if m and "while" not in line: yield f"semaphore {n + 1}", without([(n, m[0], ";")]), n - 4, n + 16
        m = re.search(r"\bpthread_cond_wait\([^;]*\);", line)
        if m and "while" in line: yield f"wait {n + 1}", without([(n, line, "")]), n - 4, n + 16
        if m and "while" in lines[n - 1] and "while" not in line and "{" not in lines[n - 1]:
            yield f"wait {n}", without([(n - 1, lines[n - 1], ""), (n, line, "")]), n - 4, n + 16


def fails(o, folder, words, stdin, want, status):
    """A recorded run that fails, or none."""
    for seed in range(o.runs):
        sigma = folder + "/t.sigma"
        if os.path.exists(sigma): os.unlink(sigma)
        env = sliced.environment(folder)
        env["SPECIALIZE_RECORD_DELAYS"] = str(seed + 1)
        try:
            p = subprocess.run([o.bin + "/specialize", "record", "-o", "t.sigma", "--timeout", "5", "--", "./t"] + words, cwd=folder,
                               env=env, input=stdin, capture_output=True, timeout=60)
        except subprocess.TimeoutExpired: return None
        if not os.path.exists(sigma) or p.returncode in (-9, 137): continue
        if p.returncode != status: return "status"
        if p.stdout != want: return "output"
    return None


def explain(o, folder, how):
    target = ["--crash"] if how == "status" else ["--target", "value", "--expected", "right"]
    p = sliced.run(folder, o.bin + "/specialize", "slice", "./t", "--sigma", "t.sigma", "--format", "json", *target, timeout=300)
    if p.returncode not in (0, 3): return None, f"exit {p.returncode} {p.stderr.strip()[:200]}"
    slice = json.loads(p.stdout)
    if any("not reproduced" in t for t in slice["incomplete"]): return None, "not reproduced"
    return slice, ""


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--bin", required=True), a.add_argument("--least", type=int, default=0)
    a.add_argument("--runs", type=int, default=8), a.add_argument("--only", default="."), a.add_argument("--verbose", action="store_true")
    a.add_argument("--share", type=float, default=0.9), a.add_argument("programs", nargs="*")
    o = a.parse_args()
    o.bin = os.path.abspath(o.bin)
    failing = found = unreproduced = 0
    for path in o.programs:
        h, text = header.read(path), open(path).read()
        words = shlex.split(header.plain(h["args"][-1]) if "args" in h else "")
        stdin = (h["stdin"][-1] + "\n" if "stdin" in h else "").encode()
        folder = tempfile.mkdtemp(prefix="syncbugs-")
        name = os.path.basename(path)
        sliced.build(o.bin, path, folder)
        right = subprocess.run(["./t"] + words, cwd=folder, input=stdin, capture_output=True, timeout=60)
        open(folder + "/right", "wb").write(right.stdout)
        for what, mutant, first, last in mutants(text):
            if not re.search(o.only, f"{name} {what}"): continue
            with open(f"{folder}/{name}", "w") as f: f.write(mutant)
            p = sliced.run(folder, o.bin + "/specialize-cc", "-g", "-O0", "-w", "-pthread", name, "-o", "t", "-lm")
            if p.returncode: continue
            how = fails(o, folder, words, stdin, right.stdout, right.returncode)
            if not how: continue
            slice, why = explain(o, folder, how)
            if not slice:
                unreproduced += 1
                print(f"{name} {what}: {how}: {why}", flush=True)
                continue
            failing += 1
            steps = slice["steps"][1:6] if how == "status" else slice["steps"][1:6]
            # The access itself, or the function that the code around the operation calls for it.
            called = set(re.findall(r"\b(\w+)\(", "\n".join(text.split("\n")[max(first - 1, 0):last])))
            hit = any(first <= s["line"] <= last or s["kind"] in ("lost", "unordered", "late") and s["function"] in called
                      for s in steps)
            found += hit
            if not hit or o.verbose:
                print(f"{name} {what}: {how}: {'found' if hit else 'not among the first five'}", flush=True)
                for s in slice["steps"][:8]: print(f"    {s['n']} {s['kind']} T{s['thread']} {s['function']}:{s['line']} {s['value']}")
        shutil.rmtree(folder)
    print(f"{failing} mutants failed and were explained, {found} of them by the seeded bug; {unreproduced} failed otherwise")
    return failing < o.least or found < o.share * failing


if __name__ == "__main__":
    sys.exit(main())
