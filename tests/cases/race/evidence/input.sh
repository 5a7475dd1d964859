# What one more run of the schedule shows of each pair, and how that ranks what was found.
. "$TOP/tests/races.sh"
seen() {
  specialize race "$@" --format json > out.json
  echo "exit $?"
  python3 - << 'END'
import json
r = json.load(open("out.json"))
levels = [x["seen"] for x in r["races"]]
order = ["unordered", "atomics", "never-met", "never-ran", "unwatched"]
print("sorted" if levels == sorted(levels, key=order.index) else levels)
for x in sorted(r["races"], key=lambda x: x["object"]): print(x["seen"], x["object"], x["a"]["access"], x["b"]["access"])
print("not complete:", r["checked"]["unwatched"])
END
}
made levels 1
specialize constrain levels.sigma --schedule 0 --when '(= argc 2)'
seen ./levels --sigma levels.sigma
seen ./levels --sigma levels.sigma --evidence off
try specialize race ./levels --sigma levels.sigma --evidence off --fail-on seen
try specialize race ./levels --sigma levels.sigma --evidence maybe
specialize race ./levels --sigma levels.sigma --fail-on seen > /dev/null
echo "exit $?"
# Nothing is run that was not asked for, and nothing of the files of others.
made reads
rm ran
specialize race ./reads --sigma reads.sigma --evidence off > /dev/null
[ -e ran ] && echo 'was run, though --evidence is off'
if [ "$(id -u)" = 0 ]; then
  chown 12345 reads.sigma
  specialize race ./reads --sigma reads.sigma 2>&1 > /dev/null | grep -q 'belongs to another user: nothing is run' || echo 'not told'
  [ -e ran ] && echo 'was run, though the file is another user'\''s'
fi
# Ways of other runs are not ways of this one: it is told how far it came.
echo l > which
made reads
echo n > which
seen ./reads --sigma reads.sigma
echo l > which
seen ./reads --sigma reads.sigma
# An address means one thing in a watched run, whoever frees.
made reused
cat where
specialize race ./reused --sigma reused.sigma > /dev/null
cat where
# Which bytes were touched when.
made bytes
seen ./bytes --sigma bytes.sigma
