# The schema of the standard, as an npm package has it, holds for what is written.
python3 -c 'import jsonschema' 2> /dev/null || skip 'there is no python3-jsonschema'
command -v npm > /dev/null || skip 'there is no npm to get the schema of SARIF with'
timeout 60 npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0 > npm.log 2>&1 && tar xzf ./*.tgz 2> /dev/null ||
  skip 'npm does not get the schema of SARIF: no network?'
for n in 0 1 500; do findings sarif --sim 3 $n --root /src > sim$n.sarif; findings sarif --odd $n 40 > odd$n.sarif; done
findings json --sim 3 100 > earlier.json
findings sarif --sim 3 200 --baseline earlier.json > known.sarif
python3 - package/lib/schemas/sarif-2.1.0-rtm.5.json *.sarif << 'END'
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
validator = jsonschema.validators.validator_for(schema)(schema)
for path in sys.argv[2:]:
    errors = list(validator.iter_errors(json.load(open(path))))
    print(path, "valid" if not errors else errors[0])
END
rm -rf "$HOME/.npm"
