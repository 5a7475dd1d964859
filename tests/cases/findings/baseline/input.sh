# Known findings are marked, not dropped; lines may have moved.
app=$TOP/tests/cases/findings/text/app.json
findings json "$app" > earlier.json
try findings text --all "$app" --baseline earlier.json --fail-on new | grep -E 'Status|^specialize|^exit'
try findings exit "$app" --baseline earlier.json --fail-on possible
sed 's/"line":19/"line":119/g; s/"line":28/"line":128/g' earlier.json > moved.json
try findings text --all "$app" --baseline moved.json --fail-on new | grep -E 'Status|^specialize|^exit'
sed 's/"j.done"/"j.ready"/' earlier.json > other.json
try findings text --all "$app" --baseline other.json --fail-on new | grep -E 'Status|^specialize|^exit'
sed 's/"possible"/"refuted"/' earlier.json > refuted.json
try findings text --all "$app" --baseline refuted.json --fail-on new | grep -E 'Status|^specialize|^exit'
findings json "$app" --baseline earlier.json | grep -c '"known":true'
