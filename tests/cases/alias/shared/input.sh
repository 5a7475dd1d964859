# What threads share, as text and as JSON, which keeps to its schema.
specialize-cc -g -O2 -pthread app.c -o app
specialize alias ./app --shared
specialize alias ./app --shared --json > shared.json
specialize alias ./app app.c:20 --json > line.json
specialize alias ./app app.c:20 app.c:29 --json -o pair.json
cat pair.json
python3 -c 'import jsonschema' 2> /dev/null || skip 'there is no python3-jsonschema'
python3 - "$TOP/docs/alias.schema.json" shared.json line.json pair.json << 'END'
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
for name in sys.argv[2:]:
    jsonschema.validate(json.load(open(name)), schema)
print("valid")
END
