# Control comes back to setjmp over events: by longjmp, and where cancelled threads clean up. What is recorded is
# accepted, and both kinds of built programs do as the original.
export XDG_CACHE_HOME=$PWD/cache
for source in *.c *.cc; do
  name=${source%.*} cc=specialize-cc
  [[ $source == *.c ]] || cc=specialize-c++
  for level in -O0 -O2; do
    echo "== $name $level"
    $cc -g $level -pthread $source -o $name
    timeout 20 ./$name > wanted
    wants=$?
    timeout 20 specialize record -o $name$level.sigma -- ./$name 2> said | cmp - wanted
    grep -v "added to\|constraint is false" said
    specialize check ./$name $name$level.sigma | sed 's/, [0-9]* events/, N events/'
    specialize constrain $name$level.sigma --schedule 0 --when true
    for kind in abort free; do
      specialize build ./$name --sigma $name$level.sigma -o $name.$kind --on-divergence $kind 2>&1 | grep -v "schedule, "
      for i in 1 2 3; do
        timeout 20 ./$name.$kind > now 2> said
        status=$?
        cmp now wanted || cat said
        [ $status = $wants ] || echo "$kind: exit $status"
      done
    done
    cat wanted
  done
done
