# The program says which of them happen: the counter with the recorded input, the partitions only with another, which
# is computed.
. "$TOP/tests/races.sh"
cp "$TOP/tests/programs/racy.c" .
made racy 2 100
specialize constrain racy.sigma --schedule 0 --when '(and (= argc 3) (= (atoi (argv 1)) 2) (>= (atol (argv 2)) 1) (<= (atol (argv 2)) 100000000))'
races racy
races racy --replay
# Where other inputs are not admitted, that they never meet with the recorded one is all that can be said.
specialize constrain racy.sigma --schedule 0 --when false
races racy --replay
mv racy.sigma even.sigma
specialize record -o racy.sigma -- ./racy 2 101 > run.out 2> run.err
races racy --replay
# Without time, all stays possible.
races racy --replay --timeout 0.000001
