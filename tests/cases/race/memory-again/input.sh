# An address that is used again is not the same memory: no access to the old block meets one to the new.
. "$TOP/tests/races.sh"
for app in app mapped deleted; do
  made $app
  specialize race ./$app --sigma $app.sigma --replay --format json > out.json
  python3 - << 'END'
import json
races = [r for r in json.load(open("out.json"))["races"] if not r["object"].startswith("slot")]
print(len(races) > 0, "certain:", [r["status"] for r in races if r["status"] == "replayed" or r["seen"] == "unordered"])
END
done
