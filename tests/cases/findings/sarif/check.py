# What the SARIF standard asks of the parts that we write, checked without its schema.
import json, re, sys
URI = re.compile(r"(file:///)?([A-Za-z0-9._~+,@=/-]|%[0-9A-F]{2})*$")
def message(m, links=0):
    assert set(m) == {"text"} and m["text"], m
    plain = re.sub(r"\\[\\\[\]]|\{\{|\}\}", "", m["text"])  # what is escaped
    assert len(re.findall(r"\[[^\[\]]*\]\(1\)", plain)) == links, m
    assert not re.search(r"[\\{}]|[\x00-\x1f\x7f-\x9f]", plain), m
    assert links or not re.search(r"[\[\]]", plain), m
def location(l, bases):
    assert set(l) <= {"id", "physicalLocation", "logicalLocations", "message"}
    for p in [l["physicalLocation"]] if "physicalLocation" in l else []:
        a = p["artifactLocation"]
        assert URI.match(a["uri"]) and not re.search(r"(^|/)\.\.?(/|$)", a["uri"].lstrip("./")), a
        assert ("uriBaseId" in a) != a["uri"].startswith("file:///") and a.get("uriBaseId", "SRCROOT") in bases, a
        for r in [p["region"]] if "region" in p else []:
            assert r["startLine"] >= 1 and r.get("startColumn", 1) >= 1
    if "message" in l:
        message(l["message"])
def flow(f, bases):
    last = 0
    for t in f["threadFlows"]:
        assert t["locations"]
        orders = [s["executionOrder"] for s in t["locations"]]
        assert orders == sorted(set(orders))
        for s in t["locations"]:
            location(s["location"], bases)
    return sorted(s["executionOrder"] for t in f["threadFlows"] for s in t["locations"])
for path in sys.argv[1:]:
    raw = open(path, "rb").read()
    log = json.loads(raw.decode("utf-8"))
    assert log["version"] == "2.1.0" and len(log["runs"]) == 1
    run = log["runs"][0]
    bases, rules = run["originalUriBaseIds"], run["tool"]["driver"]["rules"]
    for b in bases.values():
        assert URI.match(b.get("uri", "")) and b.get("uri", "/").endswith("/")
    assert len({r["id"] for r in rules}) == len(rules)
    prints = []
    for r in run["results"]:
        assert rules[r["ruleIndex"]]["id"] == r["ruleId"]
        assert r["level"] in ("error", "warning", "note", "none") and (r["kind"] == "fail") == (r["level"] != "none")
        message(r["message"], 1)
        assert [l["id"] for l in r["relatedLocations"]] == [1, 2][:len(r["relatedLocations"])]
        for l in r["locations"] + r["relatedLocations"]:
            location(l, bases)
        for s in r["stacks"]:
            message(s["message"])
            for f in s["frames"]:
                location(f["location"], bases)
        if "codeFlows" in r:
            one, each = r["codeFlows"]
            assert len(one["threadFlows"]) == 1 and flow(one, bases) == flow(each, bases)
            assert all(re.match(r"\\\[T\d+\\\] ", s["location"]["message"]["text"]) for s in one["threadFlows"][0]["locations"])
            ids = [t["id"] for t in each["threadFlows"]]
            assert len(set(ids)) == len(ids)
        prints.append(r["partialFingerprints"]["accessPair/v1"])
    assert len(set(prints)) == len(prints), path
    for n in run["invocations"][0]["toolExecutionNotifications"]:
        message(n["message"])
        for l in n["locations"]:
            location(l, bases)
    print(path, len(run["results"]), "results")
