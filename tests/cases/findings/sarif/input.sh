# SARIF: the structure of all that is written, and one finding in full.
for n in 0 1 500; do findings sarif --sim 3 $n --root /src > sim$n.sarif; findings sarif --odd $n 40 > odd$n.sarif; done
app=$TOP/tests/cases/findings/text/app.json
findings sarif "$app" --root /src --sources "$TOP/tests/cases/findings/text" > app.sarif
printf 'race:worker\n' > suppressions
findings json "$app" | sed 's/"line":11/"line":21/g' > earlier.json
findings sarif "$app" --baseline earlier.json --suppressions suppressions > known.sarif
python3 check.py *.sarif
python3 -m json.tool app.sarif | head -150 | tail -120
python3 - << 'END'
import json
for r in json.load(open("known.sarif"))["runs"][0]["results"]:
    print(r["level"], r["baselineState"], r.get("suppressions"))
END
for root in /src/app /src/ap /usr; do findings sarif "$app" --root $root | grep -o '"uri":"[^"]*"' | sort -u; done
# Names of files as URIs below the root; columns in characters where the source is at hand.
mkdir -p a/b/sub a/app
echo '/* ö */ x = 1;' > 'a/app/b c%.c'
sed 's|"file":"app.c","line":11,"column":11|"file":"sub/../.././app/b c%.c","line":1,"column":10|g' "$app" > odd.json
for sources in a/b a; do
  findings sarif odd.json --root /src --sources $sources > odd.sarif
  grep -o '"uri":"[^"]*%[^}]*}\|"startColumn":[0-9]*' odd.sarif | sort | uniq -c
done
