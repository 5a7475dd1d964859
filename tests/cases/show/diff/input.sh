# What a schedule leaves of the source, as text, as LLVM IR and as a page.
export XDG_CACHE_HOME=$PWD/cache
cp "$TOP"/tests/programs/fig1.c .
specialize-cc -O1 -g -pthread fig1.c -o fig1
specialize record -o fig1.sigma -- ./fig1 2 100 > /dev/null 2>&1
specialize constrain fig1.sigma --schedule 0 --when '(and (= argc 3) (= (atoi (argv 1)) 2) (>= (atoi (argv 2)) 0) (<= (atoi (argv 2)) 30000000))'
# Who takes the lock first differs from run to run.
specialize diff ./fig1 --sigma fig1.sigma --function worker | sed 's/global_id = [01]/global_id = N/'
specialize diff ./fig1 fig1.sigma --function main | grep -n 'atoi\|for (i = 0; i < p'
specialize diff ./fig1 --sigma fig1.sigma --function worker --ir | grep -c '^define'
specialize diff ./fig1 --sigma fig1.sigma --format html -o page.html
grep -c '<section>' page.html; grep -o 'class="fact">[^<]*' page.html | sort | uniq -c
printf 'int f(void) { return 0; }\nint main(void) { return f(); }\n' > plain.c
specialize-cc -O1 -pthread plain.c -o plain && specialize record -o plain.sigma -- ./plain 2> /dev/null
try specialize diff ./plain --sigma plain.sigma
try specialize diff ./fig1 --sigma fig1.sigma --function nobody
try specialize diff ./fig1 --sigma fig1.sigma --schedule 4
try specialize diff ./fig1 --sigma fig1.sigma --schedule x
try specialize diff ./fig1
try specialize diff ./fig1 --sigma missing.sigma
mv fig1.c gone.c; specialize diff ./fig1 --sigma fig1.sigma --function worker | head -4
