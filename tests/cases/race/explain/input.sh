# What was decided, where and why: as lines that stay the same from run to run, and as JSON of the schema.
export XDG_CACHE_HOME=$PWD/cache
specialize-cc -g -O1 -pthread app.c -o app
specialize record --constraint exact -o app.sigma -- ./app > /dev/null 2>&1
specialize record --constraint exact -o app.sigma --exclude auto:4 -- ./app 3 > /dev/null 2>&1
echo "== build"
specialize build ./app app.sigma -o spec --explain 2>&1 | grep -v "instructions cloned" | sed "s, [0-9]* kB, N kB,"
echo "== constrain"
specialize constrain app.sigma --schedule 0 --when '(= argc 1)' --explain
specialize constrain app.sigma --schedule 1 --when '(= argc 1)'
specialize build ./app app.sigma -o spec --explain=build.json 2> /dev/null
echo "== race"
specialize race ./app app.sigma --explain=one.txt > /dev/null
specialize race ./app app.sigma --explain=two.txt > /dev/null
cmp one.txt two.txt
grep -v "branches:" one.txt
specialize race ./app app.sigma --explain=race.json > /dev/null
specialize race ./app app.sigma --budget 20 --explain 2>&1 > /dev/null | grep limits
echo "== alias"
specialize alias ./app app.c:12 app.c:16 --explain=alias.json > /dev/null
specialize alias ./app app.c:12 app.c:16 --explain 2>&1 > /dev/null
for file in build race alias; do
  python3 - "$TOP/docs/explain.schema.json" $file.json << 'END'
import json, jsonschema, sys
log = json.load(open(sys.argv[2]))
jsonschema.validate(log, json.load(open(sys.argv[1])))
print(sys.argv[2], len(log["decisions"]), sorted({d["stage"] for d in log["decisions"]}))
END
done
try specialize race ./app app.sigma --explain=/nonesuch/x > /dev/null
