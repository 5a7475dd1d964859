# What was once recorded and then refused. It is recorded, accepted, and runs as the original.
export XDG_CACHE_HOME=$PWD/cache
c++ -shared -fPIC library.cpp -o libguard.so
for source in *.c *.cc; do
  name=${source%.*} cc=specialize-cc links=
  [[ $source == *.c ]] || cc=specialize-c++
  [ $name != catch ] || links="-L. -lguard -Wl,-rpath,$PWD"
  for level in -O0 -O2; do
    echo "== $name $level"
    $cc -g $level -pthread $source -o $name $links
    timeout 20 ./$name > wanted 2> wanted.errors
    wants=$?
    timeout 20 specialize record -o $name$level.sigma -- ./$name 2> said | cmp - wanted
    grep -v "added to\|outside\|constraint is false" said | cmp - wanted.errors
    specialize check ./$name $name$level.sigma | sed 's/, [0-9]* events/, N events/'
    specialize constrain $name$level.sigma --schedule 0 --when true
    for kind in abort free; do
      specialize build ./$name --sigma $name$level.sigma -o $name.$kind --on-divergence $kind 2>&1 | grep -v "schedule, "
      for i in 1 2; do
        timeout 20 ./$name.$kind > now 2> said
        status=$?
        cmp now wanted || cat said
        [ $status = $wants ] || echo "$kind: exit $status"
      done
    done
    cat wanted
    echo "exit $wants"
  done
done
