# Each feature of the language once, with what it must give.
for f in *.datalog; do echo "-- $f"; try specialize datalog $f; done
