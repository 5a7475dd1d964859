export XDG_CACHE_HOME=$PWD/cache
for level in 0 2; do
  specialize-cc -O$level -g -pthread quiet.c -o app
  specialize record -o app$level.sigma -- ./app 7 1 2 2>&1 | sed 's/, exact.*//'
  specialize constrain app$level.sigma --schedule 0 --when true
  specialize build ./app --sigma app$level.sigma -o app.spec 2> /dev/null
  for args in "7 1 2" "27" "97 1 2 3 4 5" "1 1" "1000001" "5 2000000"; do
    echo "args $args"
    ./app $args
    try ./app.spec $args
  done
done
