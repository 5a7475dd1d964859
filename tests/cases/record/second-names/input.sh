# A function that synchronizes, called by a second name: recorder, checker and builder must mean the same by it.
export XDG_CACHE_HOME=$PWD/cache
echo 'foo = bar;' > names.ld
for way in -DASSEMBLY -Wl,--defsym,foo=bar names.ld; do
  specialize-cc -g -O1 -pthread app.c -o app $way
  rm -f app.sigma
  specialize record --constraint exact -o app.sigma -- ./app
  specialize check ./app app.sigma
  specialize race ./app --sigma app.sigma | head -1
  specialize build ./app --sigma app.sigma -o app.spec > out 2>&1 || cat out
  SPECIALIZE_RECHECK=1 ./app.spec
  echo "$way: exit $?"
done
