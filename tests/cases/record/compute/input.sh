# Constraints computed from the code: what every input must fulfil that follows the schedule, and why it cannot be said.
export XDG_CACHE_HOME=$PWD/cache
computed() { # PROGRAM ARGUMENTS...
  [ -e $1.c ] || cp "$TOP"/tests/programs/$1.c .
  specialize-cc -O1 -g -pthread $1.c -o $1 -lm && rm -f $1.sigma
  specialize record -o $1.sigma -- ./$1 "${@:2}" > /dev/null 2>&1
  echo "== $1"
  try specialize constrain $1.sigma --schedule 0 --compute --app ./$1
}
runs() { # PROGRAM ARGUMENTS...: on the schedule or not, and the same output
  SPECIALIZE_VERBOSE=1 ./$1.spec "${@:2}" > now 2> said; echo "$*: exit $?, $(tail -1 said)"; ./$1 "${@:2}" 2> /dev/null | cmp - now
}
for p in 'fig1 2 100' 'fft 2 6 3' 'trylock 2 5 100' 'callpath 2 5 100' 'wide 4294967298 100'; do computed $p; done
specialize build ./fig1 --sigma fig1.sigma -o fig1.spec 2> /dev/null
runs fig1 2 4000; runs fig1 2 0; runs fig1 3 77; runs fig1 2 -1; runs fig1 2; runs fig1
specialize build ./callpath --sigma callpath.sigma -o callpath.spec 2> /dev/null
runs callpath 2 5 7; runs callpath 2 2053 1; runs callpath 2 4 1
for p in ocean\ 2\ 16\ 0.05 kinds\ 3\ 4 addresses\ 1 choices\ 0; do computed $p; done
LEVEL=3 computed setting
specialize build ./setting --sigma setting.sigma -o setting.spec 2> /dev/null
LEVEL=3 runs setting; LEVEL=4 runs setting; runs setting
try specialize constrain fig1.sigma --schedule 0 --compute
try specialize constrain fig1.sigma --schedule 0 --compute --app ./fig1 --at main
try specialize constrain fig1.sigma --schedule 0 --compute --when true --app ./fig1
try specialize constrain fig1.sigma --schedule 0 --compute --app ./ocean
try specialize constrain fig1.sigma --schedule 0
grep '^when' fig1.sigma
echo "== when it is recorded"
rm -f fig1.sigma; specialize record --constraint-time 600 -o fig1.sigma -- ./fig1 2 100 2>&1 | sed 's/, [0-9]* events//'; grep '^when' fig1.sigma
rm -f ocean.sigma; specialize record --constraint-time 600 -o ocean.sigma -- ./ocean 2 16 0.05 2>&1 | sed 's/, [0-9]* events//' | tail -1; grep '^when' ocean.sigma
rm -f fig1.sigma; for n in 100 77; do specialize record --constraint-time 600 -o fig1.sigma -- ./fig1 1 $n 2>&1 | sed 's/, [0-9]* events//'; done; grep -c '^when' fig1.sigma
rm -f fig1.sigma; specialize record --constraint exact -o fig1.sigma -- ./fig1 2 100 2>&1 | sed 's/, [0-9]* events//'; grep '^when' fig1.sigma
rm -f fig1.sigma; specialize record --constraint-time 0.001 -o fig1.sigma -- ./fig1 2 100 2>&1 | sed 's/, [0-9]* events//'; grep '^when' fig1.sigma
try specialize record --constraint wide -o fig1.sigma -- ./fig1 2 100
try specialize record --constraint-time never -o fig1.sigma -- ./fig1 2 100
