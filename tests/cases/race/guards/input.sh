# Local statics of C++: who finds the guard set has left no schedule, and comes behind the making of the object.
. "$TOP/tests/races.sh"
objects() { python3 -c 'import json; print(*sorted({r["object"] for r in json.load(open("out.json"))["races"]}))'; }
for level in -O0 -O1 -O2; do
  flags=$level
  for app in m1 m4 m6 plain written_later; do
    made $app
    specialize race ./$app --sigma $app.sigma --format json > out.json
    if [ $level != -O0 ]; then echo "$level $app: $(objects)"
    else echo "$level $app: $(objects | grep -o 'bytes\|^$\|table()::t')"; fi
  done
done
