# What other tools read, of real findings: the schema holds, and what SARIF asks for.
. "$TOP/tests/races.sh"
python3 -c 'import jsonschema' 2> /dev/null || skip 'there is no python3-jsonschema'
cp "$TOP/tests/programs/racy.c" "$TOP/tests/programs/dedup.cc" .
made racy 2 101
made dedup 2 6 300
for app in racy dedup; do
  for f in json sarif html github; do
    specialize race ./$app --sigma $app.sigma --evidence off --witness $app.w --format $f > $app.$f
    echo "$app $f: $?"
  done
done
specialize race ./racy --sigma racy.sigma --evidence off --replay --format json > replayed.json
python3 "$TOP/tests/cases/findings/json/check.py" "$TOP/docs/race.schema.json" racy.json replayed.json
python3 "$TOP/tests/cases/findings/json/check.py" "$TOP/docs/race.schema.json" dedup.json > said || cat said
python3 "$TOP/tests/cases/findings/sarif/check.py" racy.sarif
python3 "$TOP/tests/cases/findings/sarif/check.py" dedup.sarif > said || cat said
cat racy.github
grep -o '<title>[^<]*' racy.html
grep -c -E '(src|href)=.?https?:' racy.html
findings json racy.json | cmp - racy.json && echo 'reads back the same'
