# What the schedule makes true is in the code that ships: no guard is left, loops over the threads are gone, and numbers
# handed out under a lock are constants.
export XDG_CACHE_HOME=$PWD/cache
cp "$TOP"/tests/programs/fig1.c .
clones() { sed -n '/^define.*@[a-z]*\.s0\.t/,/^}/p' ir/before.ll; }
made() { # NAME ARGUMENTS WHEN
  echo "== $1"
  specialize-cc -O1 -g -pthread $1.c -o $1 && specialize record -o $1.sigma -- ./$1 $2 > /dev/null 2>&1
  specialize constrain $1.sigma --schedule 0 --when "$3"
  specialize build ./$1 --sigma $1.sigma -o $1.spec --emit-llvm ir --timings 2>&1 | sed -n 's/^specialize: data flow: \(.* guards removed\).*/\1/p'
  echo "guards: $(clones | grep -c 'rt_enf_stop'), loops: $(clones | grep -c 'br i1.*!llvm.loop')"
  specialize build ./$1 --sigma $1.sigma -o $1.facts --check-facts 2> /dev/null
}
same() { # NAME ARGUMENTS...
  for p in ./$1.spec ./$1.facts; do SPECIALIZE_VERBOSE=1 $p ${@:2} > now 2> said; echo "exit $?, $(grep -o 'schedule 0$' said)"; ./$1 ${@:2} | cmp - now; done
}
made fig1 "2 100" "(and (= argc 3) (= (atoi (argv 1)) 2) (>= (atoi (argv 2)) 0) (<= (atoi (argv 2)) 30000000))"
clones | grep -o 'store i32 [0-9]*, ptr @global_id' | sort
clones | grep -o 'store i32 [0-9%]*, ptr .*@ranges[^!]*' | sed 's/, align.*//'
same fig1 2 4000
same fig1 2 0
made tickets "3" "(= (atoi (argv 1)) 3)"
clones | grep -o 'store i32 [0-9]*, ptr [^!]*@owner[^,]*' | sort
same tickets 3
made table "4 7" "(and (= argc 3) (= (atoi (argv 1)) 4))"
same table 4 100
made outcomes "" true
same outcomes
