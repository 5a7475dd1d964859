# Each program as it is, and repaired: what could stand still does, and of the other one nothing is said.
. "$TOP/tests/deadlocks.sh"
for file in *.c *.cc; do
  app=${file%.*} cc=specialize-cc
  [ "$file" = "$app.cc" ] && cc=specialize-c++
  for how in BROKEN FIXED; do
    $cc -O1 -g -pthread -D$how "$file" -o "$app"
    sed -n 's|^// args: *||p' "$file" | while read -r args; do
      rm -f "$app.sigma"
      recorded "$app" $args
      specialize deadlock "./$app" --sigma "$app.sigma" --replay --format json > out.json
      echo "$app${args:+ $args} $how: exit $?"
      told out.json
    done
  done
done
