# schema.py SCHEMA FILE...: each file is JSON, UTF-8, and what the schema says.
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
for name in sys.argv[2:]:
    jsonschema.validate(json.loads(open(name, "rb").read().decode()), schema)
print("valid")
