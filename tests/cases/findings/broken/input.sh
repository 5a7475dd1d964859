# Reports that are none: file and line are told, and the exit status is 2.
app=$TOP/tests/cases/findings/text/app.json
wrong() { sed "$1" "$app" > broken.json; try findings text broken.json; }
wrong 's/"version":1/"version":2/'
wrong 's/"version":1,//'
wrong 's/"races"/"rases"/'
wrong 's/"line":19/"line":"19"/'
wrong 's/"line":19/"line":19.5/'
wrong 's/"line":19/"line":99999999999/'
wrong 's/"access":"write"/"access":"both"/'
wrong 's/"status":"possible"/"status":"likely"/'
wrong 's/"rule":"race"/"rule":null/'
wrong 's/"waits":\[\[0,1\]\]/"waits":[[1,0]]/'
wrong 's/"scheduled_share":0.873/"scheduled_share":87.3/'
wrong 's/^ "b":/ "c":/'
wrong 's/counter/\\u0000/'
wrong 's/counter/\\ud800/'
wrong 's/counter/\xff/'
wrong '$s/$/}/'
head -c 700 "$app" > broken.json; try findings text broken.json
: > broken.json; try findings text broken.json
python3 -c 'print("[" * 5000)' > broken.json; try findings text broken.json
python3 -c 'print("{\"x\":" + "[" * 5000)' > broken.json; try findings text broken.json
try findings text missing.json
try findings text .
