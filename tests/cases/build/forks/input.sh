# From a fork on the child is the original program, whatever it does; both kinds of built programs do as the original.
export XDG_CACHE_HOME=$PWD/cache
for source in *.c *.cc; do
  name=${source%.*} cc=specialize-cc
  [[ $source == *.c ]] || cc=specialize-c++
  echo "== $name"
  $cc -g -O1 -pthread $source -o $name
  timeout 20 ./$name > wanted
  wants=$?
  timeout 20 specialize record -o $name.sigma -- ./$name > recorded 2> said
  grep -v "^specialize: " recorded | cmp - wanted
  grep -v "added to\|other process\|constraint is false" said
  specialize check ./$name $name.sigma | sed 's/, [0-9]* events/, N events/'
  specialize constrain $name.sigma --schedule 0 --when true
  for kind in abort free; do
    specialize build ./$name --sigma $name.sigma -o $name.$kind --on-divergence $kind 2>&1 | grep -v "schedule, "
    for i in 1 2 3; do
      timeout 20 ./$name.$kind > now 2> said
      status=$?
      cmp now wanted || cat said
      [ $status = $wants ] || echo "$kind: exit $status"
    done
  done
  cat wanted; echo "exit $wants"
done
