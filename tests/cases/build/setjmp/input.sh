export XDG_CACHE_HOME=$PWD/cache SPECIALIZE_VERBOSE=1
specialize-cc -O1 -g -pthread setjmp.c -o app
try specialize record -o app.sigma -- ./app n 1 4 b 5 2>&1 | sed 's/, exact.*//'
specialize constrain app.sigma --schedule 0 --when true
specialize build ./app --sigma app.sigma -o app.spec 2> /dev/null
# Other values and errors, jumps before any event, jumps over events.
for args in "n 1 4 b 5" "n 1 c d 7 8 e 9" "e 1 3" "e y 3 c" "e x 3" "l 1 3" "l x 3" "l y 3"; do
  echo "args $args"
  ./app $args
  echo "native $?"
  try ./app.spec $args
done
# A recorded run that jumps over events.
specialize record -o late.sigma -- ./app l y 3 2>&1 | sed 's/, exact.*//'
specialize constrain late.sigma --schedule 0 --when true
try specialize build ./app --sigma late.sigma -o late.spec 2>&1 | sed "s/, [0-9.]* s$//"
