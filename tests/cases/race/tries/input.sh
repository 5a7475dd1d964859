# One command: runs, schedules, races, replays; and nothing stays behind.
. "$TOP/tests/races.sh"
cp "$TOP/docs/example/counter.c" .
specialize-cc -g -O1 -pthread counter.c -o counter
specialize-cc -g -O1 -pthread turns.c -o turns
specialize-cc -g -O1 -pthread reads.c -o reads
ls -A > before
tried() { specialize race "$@" 2> err; echo "exit $?"; sed 's/^/said: /' err; }
short() { grep -E '^(runs|SUMMARY|exit|said|incomplete|possible|out|[0-9])|^WARNING'; }
tried --seed 5 --runs 3 -- ./counter | short
# No more output than one run has, no files, and its arguments are its own.
tried --seed 5 --runs 4 -- ./turns out app.sigma | short | sed 's/with [0-9]* schedules*/with N schedules/'
ls -A | grep -v 'err\|cache' | diff before - && echo 'nothing left'
# Standard input: from a file each run has it, from a pipe there is one run that reads it.
echo 7 > seven
tried --seed 5 --runs 3 -- ./reads < seven | short
echo 7 | tried --runs 3 -- ./reads | short
true | tried --seed 5 --runs 3 -- ./turns out | short | sed 's/with [0-9]* schedules*/with N schedules/'
# As many as fit; and their schedules differ.
tried -- ./turns out | grep -cE '^runs: ([2-9]|1[0-9]|20), with [0-9]+ schedules?'
tried --runs 20 -- ./turns out | grep -cE '^runs: 20, with ([2-9]|1[0-9]|20) schedules'
tried --format json --seed 5 --runs 2 -- ./counter | grep -o '"runs":2,"seed":5'
tried --runs 2 -o report.txt -- ./counter; tail -1 report.txt
# What is asked for is missing, or goes wrong.
tried ./counter
tried ./counter 1 2
tried --runs 3 ./counter --sigma none
tried --runs 0 -- ./counter
tried -- ./none
tried -- /bin/true
tried --
# A command: all programs that it runs, wherever and however; the rest of it stays as it is.
mkdir -p sub
cat > script << 'END'
cd sub
../turns out "a b"
echo 7 | ../reads
env -i ../turns "out of nothing"
exec ../counter
END
printf '#include <unistd.h>\nint main(void) { return execlp("turns", "turns", "out by path", (char *)0); }\n' > starts.c
cc starts.c -o starts
tried --runs 2 --seed 5 -- sh script | short | sed "s|$PWD/||; s/with [0-9]* schedules*/with N schedules/"
PATH=$PWD:$PATH tried --runs 2 --seed 5 -- ./starts | short | sed "s|$PWD/||; s/with [0-9]* schedules*/with N schedules/"
tried --format json -- sh script | grep -E '^(exit|said)'
ls -A | grep -v 'err\|cache\|script\|starts' | diff before - | grep -v sub
