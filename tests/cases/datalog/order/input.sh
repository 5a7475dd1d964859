# The order that a search finds makes fewer nodes, and says so; results do not depend on the order.
specialize datalog bad.datalog --order search --trials 12 2> found; status=$?
sed 's/[0-9][0-9]* runs/N runs/; s/makes [0-9]* nodes instead of [0-9]*/makes fewer/' found; echo "exit $status"
awk '{ for (i = 1; i < NF; ++i) if ($i == "makes") { a = $(i+1); b = $(i+5) } } END { print (a * 4 < b) ? "far fewer" : "not far fewer: " a " " b }' found
for o in A0_B0_A1_B1 A0xA1xB0xB1 B1_A1xA0_B0; do specialize datalog bad.datalog --order $o; done
