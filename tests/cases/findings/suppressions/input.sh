# What a file of suppressions hides, what it does not, and what is wrong in one.
app=$TOP/tests/cases/findings/text/app.json
cat > good << 'END'
# our own
race:add^worker

race:app.c:19 & main
race:never
called_from_lib:libc.so.*
END
try findings text "$app" --suppressions good
printf '%s\n' 'race:' 'race:a^^b' 'race:a & b & c' 'lock:x' 'race' 'race:a\' 'called_from_lib:a & b' 'race:ok' > bad
try findings text "$app" --suppressions bad
try findings text "$app" --suppressions missing
