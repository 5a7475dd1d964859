# page.py PAGE JSON: the page needs nothing from outside, nothing in its names became markup, and its data says what
# the JSON says.
import json, re, sys
from html.parser import HTMLParser

class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.data, self.inside = {}, "", None
    def handle_starttag(self, tag, attrs):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        for name, value in attrs:
            assert name not in ("src", "href", "action") and not name.startswith("on"), (tag, name)
        self.inside = dict(attrs).get("id") if tag == "script" else None
    def handle_endtag(self, tag):
        self.inside = None
    def handle_data(self, data):
        if self.inside == "data":
            self.data += data

text = open(sys.argv[1], "rb").read().decode()
page = Page()
page.feed(text)
assert page.tags["script"] == 2 and page.tags["html"] == 1 and "b" not in page.tags and "i" not in page.tags, page.tags
assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|@(CSS|DATA|JS)@", text)
assert set(re.findall(r"https?://[^\"' ]*", text.replace(page.data, ""))) <= {"http://www.w3.org/2000/svg"}
data, summary = json.loads(page.data), json.load(open(sys.argv[2]))
assert [data[k] for k in ("version", "program", "module")] == [summary[k] for k in ("version", "program", "module")]
assert len(data["schedules"]) == len(summary["schedules"])
for d, s in zip(data["schedules"], summary["schedules"]):
    assert s.items() <= d.items()
    n = len(d["e"]) // 5
    assert len(d["e"]) == 5 * n and n == s["events"] and len(d["routines"]) == s["threads"]
    tops = [s["threads"] - 1, len(d["ops"]) - 1, len(data["sites"]) // 2]
    for k, top in enumerate(tops):
        assert all(0 <= x <= top for x in d["e"][k::5])
    to = 0
    for step, back in zip(d["w"][::2], d["w"][1::2]):
        to += step
        assert to < n and 0 < back >> 1 <= to
print(sys.argv[1], "schedules:%d" % len(data["schedules"]), "events:%d" % sum(s["events"] for s in summary["schedules"]))
