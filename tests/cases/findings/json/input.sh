# The JSON that other tools read: docs/race.schema.json holds for it, with the names that were promised.
python3 -c 'import jsonschema' 2> /dev/null || skip 'there is no python3-jsonschema'
for n in 0 1 500; do findings json --sim 3 $n > sim$n.json; findings json --odd $n 40 > odd$n.json; done
findings json "$TOP/tests/cases/findings/text/app.json" > app.json
python3 check.py "$TOP/docs/race.schema.json" *.json
findings json app.json | cmp - app.json && echo 'reads back the same'
