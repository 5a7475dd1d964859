# What was once recorded and then refused. It is recorded, accepted, and runs as the original.
. "$TOP/tests/held.sh"
c++ -shared -fPIC library.cpp -o libguard.so
for source in *.c *.cc; do
  name=${source%.*} links=
  [ $name != catch ] || links="-L. -lguard -Wl,-rpath,$PWD"
  for level in -O0 -O2; do
    echo "== $name $level"
    compile $source $name $level $links
    timeout 20 ./$name > wanted 2> wanted.errors
    wants=$?
    timeout 20 specialize record -o $name$level.sigma -- ./$name 2> said | cmp - wanted
    grep -v "added to\|outside\|constraint is false" said | cmp - wanted.errors
    held $name $name$level.sigma
    cat wanted
    echo "exit $wants"
  done
done
