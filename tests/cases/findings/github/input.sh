# Annotations of changes on GitHub: a line each, in which no name can begin another.
app=$TOP/tests/cases/findings/text/app.json
try findings github "$app" --root /src
sed 's/"file":"app.c"/"file":"a,b:c\\n::error::%.c"/' "$app" | sed 's/"add"/"x\\n::error::y"/' > odd.json
findings github odd.json | head -2
findings json "$app" > earlier.json
try findings github "$app" --baseline earlier.json --fail-on new
try findings github --sim 1 0
