# Matrix types, which clang lowers in a pass of its own: recorded, built and linked again.
export XDG_CACHE_HOME=$PWD/cache
for level in -O0 -O2; do
  specialize-cc -g $level -fenable-matrix -pthread app.c -o app
  rm -f app.sigma
  specialize record -o app.sigma -- ./app
  echo "exit $?"
  specialize build ./app --sigma app.sigma -o app.spec > out 2>&1 || cat out
  ./app.spec
  echo "exit $?"
  specialize relink ./app -o again && ./again
  echo "exit $?"
done
