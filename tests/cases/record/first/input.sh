# Record, look, check, record again, by the words of the README.
export XDG_CACHE_HOME=$PWD/cache
cp "$TOP"/tests/programs/fig1.c .
specialize-cc -O1 -g -pthread fig1.c -o app -lm
try specialize record -o app.sigma -- ./app 2 100
specialize check ./app app.sigma
try specialize record -o app.sigma -- ./app 2 100 2> /dev/null
try specialize record -o app.sigma --order total -- ./app 3 100
grep -E '^(schedule|origin|order|when|object)' app.sigma
specialize check ./app app.sigma
python3 "$TOP/tests/referee.py" app.sigma
specialize constrain app.sigma --schedule 1 --when '(and (= argc 3) (= (atoi (argv 1)) 3))'
try specialize constrain app.sigma --schedule 1 --when '(= argc "3")'
try specialize constrain app.sigma --schedule 7 --when true
try specialize constrain app.sigma --schedule 0
grep '^when' app.sigma
