# Calling contexts: recursion keeps the number, other edges add up; merged where the domain is too small.
try specialize datalog contexts.datalog
sed 's/^C 16/C 4/' contexts.datalog > small.datalog && try specialize datalog small.datalog
