# A failed assertion as text, JSON with the names of the schema, and SARIF.
python3 -c 'import jsonschema' 2> /dev/null || skip 'there is no python3-jsonschema'
specialize-cc -g -O0 -pthread t.c -o t
sh -c "specialize record -o t.sigma -- ./t; true" > /dev/null 2>&1
specialize slice ./t --sigma t.sigma
specialize slice ./t --sigma t.sigma --format json -o t.json
specialize slice ./t --sigma t.sigma --format sarif -o t.sarif
python3 - "$TOP/docs/slice.schema.json" <<'END'
import json, jsonschema, sys
slice, sarif = json.load(open("t.json")), json.load(open("t.sarif"))
jsonschema.validate(slice, json.load(open(sys.argv[1])))
print(*slice)
print(*slice["steps"][0])
print(*slice["lines"][0])
for l in slice["lines"]: print(l["line"], l["why"], l["threads"])
result = sarif["runs"][0]["results"][0]
print(result["message"]["text"])
for flow in result["codeFlows"][0]["threadFlows"]:
    for l in flow["locations"]:
        print(flow["id"], l["location"]["physicalLocation"]["region"]["startLine"], l["importance"], l.get("state"))
END
