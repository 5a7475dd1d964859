# Findings as text, with lines of source; and what is said when there is nothing to tell.
report() { printf '{"version":1,"program":"./app",%s"races":[],"checked":{"pairs":9},"incomplete":[%s]}\n' "$1" "$2" > none.json; }
try findings text --sources . --all app.json
findings text --sources . app.json | tail -12
findings text --colour app.json | sed -n 's/\x1b/ESC/gp' | head -5
echo; sed 's/"possible"/"refuted"/; s/"replayed"/"benign"/' app.json | sed 's/"incomplete":.*/"incomplete":[]}/' > judged.json
try findings text judged.json
echo; report '"examined":[0],' '' ; try findings text none.json
echo; report '"examined":[0],' '{"text":"a call of dlsym"}' ; try findings text none.json
echo; report '' '' ; try findings text none.json
echo; for on in new possible replayed; do try findings exit app.json --fail-on $on; done
sed 's/"replayed"/"refuted"/' app.json > possible.json
try findings exit possible.json --fail-on replayed
