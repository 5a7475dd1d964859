# rules.py FILE: the file keeps the rules of the Trace Event Format, as far as Perfetto needs them.
import json, sys

trace = json.loads(open(sys.argv[1], "rb").read().decode())
needs = {"M": {"name", "pid", "args"}, "X": {"name", "cat", "pid", "tid", "ts", "dur"},
         "s": {"name", "cat", "pid", "tid", "ts", "id"}, "f": {"name", "cat", "pid", "tid", "ts", "id", "bp"}}
last, open_slices, named, starts, ends, counts = {}, {}, set(), {}, {}, {}
for e in trace["traceEvents"]:
    ph = e["ph"]
    assert ph in needs and needs[ph] <= e.keys(), e
    counts[ph] = counts.get(ph, 0) + 1
    if ph == "M":
        assert e["name"] in ("process_name", "thread_name") and e["args"]["name"], e
        named.add((e["pid"], e.get("tid")))
        continue
    track = (e["pid"], e["tid"])
    assert track in named and (e["pid"], None) in named, e
    assert all(isinstance(e[k], int) and e[k] >= 0 for k in ("pid", "tid", "ts")), e
    assert e["ts"] >= last.get(track, 0), ("time goes back", e)
    last[track] = e["ts"]
    stack = open_slices.setdefault(track, [])
    while stack and stack[-1] <= e["ts"]:
        stack.pop()
    if ph == "X":
        assert e["dur"] > 0 and (not stack or e["ts"] + e["dur"] <= stack[-1]), ("slices overlap", e)
        stack.append(e["ts"] + e["dur"])
    else:
        assert stack, ("a flow outside of every slice", e)
        side = starts if ph == "s" else ends
        assert e["id"] not in side, ("flow twice", e)
        side[e["id"]] = e
assert starts.keys() == ends.keys(), "a flow with one end"
for i, s in starts.items():
    f = ends[i]
    assert (s["name"], s["cat"], s["pid"]) == (f["name"], f["cat"], f["pid"]), (s, f)
    assert s["ts"] < f["ts"] and s["tid"] != f["tid"], (s, f)
print(sys.argv[1], *(f"{k}:{counts[k]}" for k in sorted(counts)))
