# Code of the library whose body is in a header too: the recording, the clones and the analysis take the same one.
. "$TOP/tests/races.sh"
for level in -O1 -O2; do
  flags=$level
  made race && made held
  specialize race ./race --sigma race.sigma --format json > out.json
  echo "$level: $(python3 -c 'import json; print(*sorted({r["object"] for r in json.load(open("out.json"))["races"]}))')"
  specialize build ./held --sigma held.sigma -o held.spec 2> build.err || cat build.err
  SPECIALIZE_VERBOSE=1 ./held.spec
  echo "exit $?"
done
