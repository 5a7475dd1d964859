# Addresses of labels: in a function that only its stub reaches, twice in one table, and seen by assembler code.
export XDG_CACHE_HOME=$PWD/cache
specialize-cc -O1 -g -pthread labels.c -o app
keep() {
  specialize record -o "$1.sigma" -- ./app $2 > /dev/null 2>&1
  specialize constrain "$1.sigma" --schedule 0 --when true
  specialize build ./app --sigma "$1.sigma" -o "$1.spec" 2>&1 | grep -v cloned
}
keep none ''
for args in '1 2 3' '3 0'; do ./app $args; SPECIALIZE_SCHEDULE=none ./none.spec $args; done
./none.spec
keep later 2
for args in 2 3 0; do ./app $args; ./later.spec $args; done
keep both '2 2'
