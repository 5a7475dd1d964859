# Runs that leave their schedule and go on: each mode leaves elsewhere, all end as the original.
export XDG_CACHE_HOME=$PWD/cache
keep() {
  rm -f app.sigma
  specialize record -o app.sigma -- ./app 0 > /dev/null 2>&1
  specialize constrain app.sigma --schedule 0 --when "$1"
}
compare() {
  timeout 60 ./app $1 > want; echo "exit $?" >> want
  for i in 1 2 3; do
    SPECIALIZE_VERBOSE=1 timeout 60 ./app.spec $1 > got 2> err; echo "exit $?" >> got
    SPECIALIZE_CHAOS=$i timeout 60 ./app.chaos $1 > chaos 2> quiet; echo "exit $?" >> chaos
    cmp want got && cmp want chaos && [ ! -s quiet ] || { cat got chaos quiet err; continue; }
    echo "$(cat err | sed 's/ diverged: .*/ diverged/' | tr '\n' ',') as the original"
  done | uniq
}
all() {
  echo "== $*"
  "$1" $3 -g -pthread "$2" -o app && keep true
  specialize build ./app --sigma app.sigma -o app.spec --on-divergence free 2>&1 | sed 's/[0-9]* events.*cloned, [0-9]* of/N of/; s/, [0-9.]* s$//'
  cp app.spec app.chaos
  [ $3 = -O0 ] || specialize build ./app --sigma app.sigma -o app.chaos --on-divergence free --chaos 2> /dev/null
  shift 3
  for mode; do echo "$mode: $(compare $mode)"; done
}
for level in -O0 -O2; do
  all specialize-cc places.c $level 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14
  all specialize-c++ thrown.cc $level 0 1 2 3 4 5 6 7
  all specialize-cc tails.c $level 0 1 2 4 8 16 32 63
done
# From a point inside main.
specialize-cc -O1 -g -pthread places.c -o app && keep true
line=$(sed -n '/^  pthread_t t\[2\]/=' places.c)
specialize constrain app.sigma --schedule 0 --at "main:places.c:$((line + 1))" --when true
specialize build ./app --sigma app.sigma -o app.spec --on-divergence free 2> /dev/null
specialize build ./app --sigma app.sigma -o app.chaos --on-divergence free --chaos 2> /dev/null
for mode in 0 1 2 6 10 11; do echo "$mode: $(compare $mode)"; done
# Generic copies count for the budget.
about() {
  specialize build ./app --sigma app.sigma -o x --budget 10 "$@" 2>&1 | sed -n 's/.*would have about \([0-9]*\) .*/\1/p'
}
[ "$(about)" -gt 100 ] && [ "$(about --on-divergence free)" -gt "$(about)" ] && echo more
# By the wrapper.
try specialize build ./app --sigma app.sigma -o x --on-divergence perhaps
try specialize build ./app --sigma app.sigma -o x --on-divergence free --alias
export SPECIALIZE_SIGMA=app.sigma
SPECIALIZE_ON_DIVERGENCE=free specialize-cc -O1 -g -pthread places.c -o app 2>&1 | sed 's/: 1 schedule.*/: built/'
for mode in 0 1; do SPECIALIZE_VERBOSE=1 try ./app $mode 2>&1 | sed 's/diverged: .*/diverged/'; done
SPECIALIZE_ON_DIVERGENCE=perhaps specialize-cc -O1 -g -pthread places.c -o app
