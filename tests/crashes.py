#!/usr/bin/env python3
"""crashes.py BIN PROGRAM...: programs that die, recorded and explained.

The comment on top says how one ends (`signal N`, or `killed`: it hangs), the line where it dies, and lines of the cause,
which must all be in the chain. The chain has 20 steps at most, and the slice must pass its check."""
import json, os, re, shutil, sys, tempfile
import sliced

try:
    import jsonschema
except ImportError:
    jsonschema = None
schema = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../docs/slice.schema.json")))


def expected(path):
    text = re.search(r"^// Expected: (.*)\.$", open(path).read(), re.M)[1]
    return {m[1]: {int(n) for n in m[2].split()} for m in re.finditer(r"(signal|crash|cause) ([\d ]+)", text)}


def check(bin, path, folder):
    p = sliced.build(bin, path, folder)
    if p.returncode: return [f"does not compile: {p.stderr}"]
    sliced.run(folder, bin + "/specialize", "record", "-o", "t.sigma", "--timeout", "3", "--", "./t")
    p = sliced.run(folder, bin + "/specialize", "slice", "./t", "--sigma", "t.sigma", "--crash", "--format", "json")
    if p.returncode: return [f"exit {p.returncode}: {p.stderr}\n{p.stdout}"]
    slice, want = json.loads(p.stdout), expected(path)
    if jsonschema: jsonschema.validate(slice, schema)
    lines = {s["line"] for s in slice["steps"]}
    wrong = []
    if want["cause"] - lines: wrong.append(f"the chain has no line {sorted(want['cause'] - lines)}")
    if "crash" in want and slice["targets"][0]["line"] not in want["crash"]: wrong.append(f"dies at line {slice['targets'][0]['line']}")
    if len(slice["steps"]) > 20: wrong.append(f"{len(slice['steps'])} steps")
    if slice["check"]["same"] is not True: wrong.append(f"the check says {slice['check']}")
    return [w + "\n" + "\n".join(f"{s['n']} {s['kind']} {s['line']} {s['value']}" for s in slice["steps"]) for w in wrong]


def main():
    failed = 0
    for path in sys.argv[2:]:
        folder = tempfile.mkdtemp(prefix="crashes-")
        for why in check(os.path.abspath(sys.argv[1]), os.path.abspath(path), folder):
            print(f"{os.path.basename(path)}: {why}")
            failed += 1
        shutil.rmtree(folder)
    print(f"{len(sys.argv) - 2} programs, {failed} wrong")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
