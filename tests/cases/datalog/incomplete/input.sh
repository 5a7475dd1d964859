# A budget that ends, or Ctrl-C: 3, what there is is printed, and nothing is written.
try specialize datalog large.datalog --nodes 3000 -o out
ls out 2>/dev/null
count() { sed 's/^n: [0-9]* tuples/n: N tuples/'; }
try specialize datalog long.datalog --seconds 0.2 2>&1 | count
try timeout --preserve-status -s INT 1 specialize datalog long.datalog 2>&1 | count
