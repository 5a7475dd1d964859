# The summary for other tools: docs/show.schema.json holds for it, whatever the names.
python3 -c 'import jsonschema' 2> /dev/null || skip 'there is no python3-jsonschema'
try specialize show many.sigma --json
try specialize show app.sigma --json --schedule 1
specialize show many.sigma --json > many.json
specialize show app.sigma --json > app.json
for i in 1 2 3 4 5 6 7 8; do
  sim_sigma $i 4 40 odd > odd.sigma && specialize show odd.sigma --json > odd$i.json
done
python3 schema.py "$TOP/docs/show.schema.json" *.json
