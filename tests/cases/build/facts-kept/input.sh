# Where a wrong fact would change the output: each program gives the original's with what data flow knows, and no fact is
# wrong when it is tested. So do inputs that leave the schedule, or they stop.
export XDG_CACHE_HOME=$PWD/cache
one() { # NAME WHEN ARGUMENTS...
  n=$1 when=$2; shift 2
  rm -f $n.sigma
  specialize record -o $n.sigma -- ./$n "$@" > /dev/null 2>&1
  specialize constrain $n.sigma --schedule 0 --when "$when"
  ./$n "$@" > want
  for more in "" --check-facts; do
    specialize build ./$n --sigma $n.sigma -o $n.spec $more 2> said || cat said
    SPECIALIZE_VERBOSE=1 ./$n.spec "$@" > now 2> said
    echo "$n $level$(printf ' %s' "$@")$more: exit $?, $(tail -1 said)"
    cmp want now
  done
}
other() { # NAME ARGUMENTS...: another input of the last program
  n=$1; shift
  ./$n "$@" > want; ./$n.spec "$@" > now 2> said
  s=$?; [ $s = 66 ] && echo "$n $*: stopped" || { cmp want now && echo "$n $*: exit $s"; }
}
for level in -O0 -O1 -O2; do
  for f in *.c; do specialize-cc $level -g -w -pthread $f -o ${f%.c} -lm; done
  one shared_fork true
  one vfork true
  one handler true
  one volatile_flag true 1; other volatile_flag 2; other volatile_flag 3
  LEVEL=4 one texts '(and (= (env "LEVEL") "4") (= (atoi (argv 1)) 1))' 1
  LEVEL=4 one setting '(= (env "LEVEL") "4")'
  one kills true 0 6; other kills 0 3; other kills 1 6
  one widths '(= (atoi (argv 1)) 2)' 2
  one both true 5; other both 6
  one create true 1; other create 0
  one jumps true
  one errors true 5; other errors 99999999999999999999999
  one remap true
  LEVEL=4 one vector '(= (env "LEVEL") "4")'; LEVEL=4 other vector 1
  one both '(= (< (div 10 (atoi (argv 1))) 3) false)' 2; other both 0
done
