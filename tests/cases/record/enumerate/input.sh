# All schedules that inputs need: Figure 1 and the example of prefixes of Bergan et al., conditional locks, kinds of waiting.
export XDG_CACHE_HOME=$PWD/cache
all() { # PROGRAM ARGUMENTS...
  [ -e $1.c ] || cp "$TOP"/tests/programs/$1.c .
  [ -e $1 ] || specialize-cc -O1 -g -pthread $1.c -o $1 -lm
  echo "== $*"
  try specialize enumerate ./$1 -o $1.sigma "${@:2}" 2>&1 | sed 's/, [0-9]* runs, [0-9]* questions.*//'
  specialize check ./$1 $1.sigma
}
all two --seed 0; grep '^when' two.sigma
all prefix --seed 5; all prefix --seed 1
all locks --assume '(= argc 7)' --seed 0 0 0 0 0 0
all waits --assume '(and (= argc 2) (<= 0 (atoi (argv 1))))' --seed 0; grep '^when' waits.sigma
P='(= argc 3) (<= 0 (atoi (argv 2))) (<= (atoi (argv 2)) 30000000)'
all fig1 --assume "(and $P (<= 1 (atoi (argv 1))) (<= (atoi (argv 1)) 8))" --seed 2 100
all fft --assume '(and (= argc 4) (= (atoi (argv 1)) 4) (= (atoi (argv 3)) 3))' --seed 4 8 3
all fig1 --runs 2 --seed 2 100 | cut -c1-60
all texts --assume '(<= argc 2)' --seed -2
specialize build ./two --sigma two.sigma -o two.spec 2> /dev/null
for x in 0 1 -7; do SPECIALIZE_VERBOSE=1 ./two.spec $x; done
specialize record --constraint exact -o mine.sigma -- ./two 0 2> /dev/null; try specialize enumerate ./two -o mine.sigma --seed 0
try specialize enumerate ./two -o two.c --seed 0; try specialize enumerate ./two -o nowhere/x --seed 0
try specialize enumerate ./two
try specialize enumerate ./two -o x --assume '(= (strlen (argv 1)) 3)'
try specialize enumerate ./two -o x --assume '(= argc 1)' --seed 1
