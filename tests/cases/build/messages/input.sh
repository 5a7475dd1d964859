# What cannot be built says why.
export XDG_CACHE_HOME=$PWD/cache
cp "$TOP"/tests/programs/sem.c "$TOP"/tests/programs/fig1.c .
specialize-cc -O1 -g -pthread sem.c -o app
specialize-cc -O1 -g -pthread fig1.c -o other
specialize record -o app.sigma -- ./app $(sed -n 's/^ \* args: *//p' sem.c) > /dev/null 2>&1
try specialize build ./other --sigma app.sigma -o x 2>&1 | sed 's/is [0-9a-f]*$/is HASH/'
try specialize build ./app --sigma missing.sigma -o x
try specialize build ./app --sigma app.sigma
try specialize build ./app --sigma app.sigma --record -o x
try specialize build ./app --sigma app.sigma -o x --budget many
# Nor rolled.
{ cat sem.c; echo 'int (*volatile taken)(pthread_mutex_t *) = pthread_mutex_lock;'; } > taken.c
specialize-cc -O1 -g -pthread taken.c -o taken
specialize record -o taken.sigma -- ./taken $(sed -n 's/^ \* args: *//p' sem.c) > /dev/null 2>&1
try specialize build ./taken --sigma taken.sigma -o x --budget 10
head -c 300 app.sigma > cut.sigma
try specialize build ./app --sigma cut.sigma -o x
specialize constrain app.sigma --schedule 0 --when '(= (var nothing) 1)' 
try specialize build ./app --sigma app.sigma -o x 2>&1 | sed "s,[0-9]* instructions cloned.*,N instructions,"
sed -i "s,^when .*,when false," app.sigma
try specialize build ./app --sigma app.sigma -o x 2>&1 | sed "s,[0-9]* instructions cloned.*,N instructions,"
specialize record --max-events 9 -o part.sigma -- ./app $(sed -n 's/^ \* args: *//p' sem.c) > /dev/null 2>&1
specialize constrain part.sigma --schedule 0 --when true
try specialize build ./app --sigma part.sigma -o x
specialize constrain app.sigma --schedule 0 --when true
try specialize build ./app --sigma app.sigma -o missing/x 2>&1 | sed 's/, [0-9.]* s$//'
ls x missing 2>&1
