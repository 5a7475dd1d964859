# From a fork on the child is the original program, whatever it does; both kinds of built programs do as the original.
. "$TOP/tests/held.sh"
for source in *.c *.cc; do
  name=${source%.*}
  echo "== $name"
  compile $source $name -O1
  timeout 20 ./$name > wanted
  wants=$?
  timeout 20 specialize record -o $name.sigma -- ./$name > recorded 2> said
  grep -v "^specialize: " recorded | cmp - wanted
  grep -v "added to\|other process\|constraint is false" said
  held $name $name.sigma
  cat wanted; echo "exit $wants"
done
