import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
for path in sys.argv[2:]:
    report = json.load(open(path, encoding="utf-8"))
    jsonschema.validate(report, schema)
    assert {"version", "program", "races", "checked", "incomplete"} <= set(report)
    assert {"pairs", "schedules", "scheduled_share"} <= set(report["checked"])
    for r in report["races"]:
        assert {"a", "b", "object", "schedules", "status", "input", "witness"} <= set(r)
        for side in r["a"], r["b"]:
            assert {"file", "line", "function", "thread", "access", "stack"} <= set(side)
    print(path, len(report["races"]), "races")
