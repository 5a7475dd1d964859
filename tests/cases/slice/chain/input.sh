# Across a thread, a call and a loop; with the source; to one line; and why another is not there.
specialize-cc -g -O0 -pthread t.c -o t
specialize record -o t.sigma -- ./t 2>/dev/null
specialize slice ./t --sigma t.sigma --target t.c:26 --full
echo
specialize slice ./t --sigma t.sigma --target value --why t.c:8
for line in 6 21 22 27; do specialize slice ./t --sigma t.sigma --target value --why t.c:$line | sed -n 2p; done
