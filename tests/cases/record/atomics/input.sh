# What --atomics takes, what it refuses, and what stands in the file.
specialize-cc -g -pthread app.c -o app
seen() { grep -E '^(atomics|t[0-9]+ (atomic|fence|await|call|ret))' app.sigma; }
specialize record --atomics all -o app.sigma -- ./app && seen
specialize check app app.sigma
specialize show app.sigma | grep hottest
try specialize race app --sigma app.sigma --evidence off
echo "-- other atomics than those of the file; the same; none said"
try specialize record --atomics none -o app.sigma -- ./app
try specialize record --atomics done -o app.sigma -- ./app
specialize record -o app.sigma -- ./app
echo "-- one variable: the other has no events; one whose address goes elsewhere; no such; twice"
rm app.sigma
specialize record --atomics done,done -o app.sigma -- ./app && seen
specialize check app app.sigma
rm app.sigma
try specialize record --atomics passed_on -o app.sigma -- ./app
try specialize record --atomics nothing -o app.sigma -- ./app
echo "-- without them the order is none of the schedule's"
specialize record -o app.sigma -- ./app && seen
try specialize race app --sigma app.sigma --evidence off
try specialize race --atomics all --seed 1 --runs 2 -- ./app
echo "-- damage"
specialize record --atomics all -o all.sigma -- ./app
sed 's/ was 0 now 1/ was 3 now 1/; s/^atomics all/atomics done/' all.sigma > a.sigma
try specialize check app a.sigma
sed 's/write relaxed 4 now 1/write acquire 4 now 1/' all.sigma > b.sigma
try specialize check app b.sigma
sed 's/write relaxed 4 now 1/write relaxed 4 now 2/' all.sigma > c.sigma
try specialize check app c.sigma 2>&1 | sed 's/c.sigma:[0-9]*/c.sigma/; s/event [0-9]*/event N/g'  # the other thread may have exited before
sed 's/^atomics all/atomics all\natomics done/' all.sigma > d.sigma
try specialize check app d.sigma
