# Schedules that begin inside main: what comes before is the program's own.
export XDG_CACHE_HOME=$PWD/cache
line() { grep -n "$2" $1 | head -1 | cut -d: -f1; }
at() { specialize constrain $1 --schedule $2 --when "$3" --at "main:$4"; }
build() { specialize build "$@" 2>&1 | sed 's/, [0-9.]* s$//; s/[0-9]* instructions/N instructions/'; }
for level in -O0 -O2; do
  echo "options $level"
  rm -f app.sigma
  specialize-cc $level -g -pthread options.c -o app
  for n in 2 3; do try specialize record --constraint exact -o app.sigma -- ./app -t $n > /dev/null 2>&1; done
  where=options.c:$(line options.c 'short unused_later')
  at app.sigma 0 '(= (var threads) 2)' $where
  at app.sigma 1 '(and (= (var threads) 3) (= (var job string) "x"))' $where
  build ./app --sigma app.sigma -o app.spec
  at app.sigma 1 '(and (= (var threads) 3) (>= (mem int64 (addr job)) 0))' $where
  try specialize check ./app app.sigma
  build ./app --sigma app.sigma -o app.spec
  export SPECIALIZE_VERBOSE=1
  for args in "" "-q" "-n 7 -o out -t 2 rest" "-t3" "-t 3 -n -1" "-q file -t 4" "-t 9" "-x"; do
    ./app $args > want 2> want.err; echo "args $args: native $?"
    try ./app.spec $args > got; head -n -1 got | cmp - want; tail -1 got
  done
  SPECIALIZE_SCHEDULE=none ./app.spec
  SPECIALIZE_SCHEDULE=1 try ./app.spec -t 3 -n -5
  SPECIALIZE_SCHEDULE=2 try ./app.spec
  SPECIALIZE_SCHEDULE=1 ./app.spec -t 2 2>&1 | grep -c diverged
  SPECIALIZE_RECHECK=1 SPECIALIZE_VERBOSE=0 try ./app.spec
  unset SPECIALIZE_VERBOSE

  echo "two $level"
  rm -f two.sigma
  specialize-cc $level -g -pthread two.c -o two
  for n in 1 2 3; do specialize record --constraint exact -o two.sigma -- ./two $n > /dev/null 2>&1; done
  specialize constrain two.sigma --schedule 0 --when '(= (atoi (argv 1)) 1)'
  at two.sigma 1 '(and (= (var n) 2) (= argc 2))' "two.c:$(line two.c 'if (many')"
  at two.sigma 2 '(and (= (var n) 3) (> (var many) 8))' "two.c:$(line two.c 'n > 2 ?')"
  build ./two --sigma two.sigma -o two.spec
  export SPECIALIZE_VERBOSE=1
  for args in "1" "1 4" "2" "2 5" "3" "3 -6" "3 5" "4" "50"; do
    SPECIALIZE_SCHEDULE=none ./two.spec $args > want 2> /dev/null
    try ./two.spec $args > got; head -n -1 got | cmp - want; tail -2 got
  done
  unset SPECIALIZE_VERBOSE
done
specialize show two.sigma --schedule 2 | grep -i 'main:'

echo "one block"
specialize-cc -O1 -g -pthread same.c -o same
for n in 1 2 3; do specialize record --constraint exact -o same.sigma -- ./same $n > /dev/null 2>&1; done
at same.sigma 0 '(= (var n) 1)' "same.c:$(line same.c 'n \*= 2')"
at same.sigma 1 '(= (var n) 4)' "same.c:$(line same.c 's.d +=')"
at same.sigma 2 '(and (> (var n) 2) (< (var n) 8))' "same.c:$(line same.c '= 7;')"
build ./same --sigma same.sigma -o same.spec
for n in 1 2 3 7 8; do ./same $n; SPECIALIZE_VERBOSE=1 ./same.spec $n; done

echo "arrays"
for level in -O0 -O2; do
  rm -f vla.sigma
  specialize-cc $level -g -pthread vla.c -o vla
  specialize record --constraint exact -o vla.sigma -- ./vla > /dev/null 2>&1
  at vla.sigma 0 '(< argc 4)' "vla.c:$(line vla.c '= 20')"
  build ./vla --sigma vla.sigma -o vla.spec
  for args in "" "1 2" "1 2 3"; do ./vla $args; SPECIALIZE_VERBOSE=1 ./vla.spec $args; done
done

echo "exceptions"
for level in -O0 -O2; do
  rm -f thrown.sigma
  specialize-c++ $level -g -pthread thrown.cc -o thrown
  for n in 2 3; do specialize record --constraint exact -o thrown.sigma -- ./thrown $n > /dev/null 2>&1; done
  at thrown.sigma 0 '(and (>= (var n) 0) (<= (var n) 2))' "thrown.cc:$(line thrown.cc 'int twice')"
  at thrown.sigma 1 '(= (var n) 3)' "thrown.cc:$(line thrown.cc 'int twice')"
  build ./thrown --sigma thrown.sigma -o thrown.spec
  for args in 1 2 3 4 ""; do
    ./thrown $args > want
    SPECIALIZE_VERBOSE=1 try ./thrown.spec $args > got; head -n -1 got | cmp - want; tail -3 got
  done
done

echo "another thread"
specialize-cc -g -pthread crowd.c -o crowd
specialize record --constraint exact -o crowd.sigma -- ./crowd > /dev/null 2>&1
at crowd.sigma 0 '(and (= argc 1) (= (var n) 4))' "crowd.c:$(line crowd.c 'n += 1')"
build ./crowd --sigma crowd.sigma -o crowd.spec
SPECIALIZE_VERBOSE=1 ./crowd.spec
CROWD=1 SPECIALIZE_VERBOSE=1 ./crowd.spec
CROWD=1 ./crowd.spec

echo "no such point"
cp wrong.c calls.c && sed 's|main(argc - 1, argv)|n|' calls.c > wrong.c
specialize-cc -g -pthread wrong.c -o wrong
specialize record --constraint exact -o wrong.sigma -- ./wrong > /dev/null 2>&1
cp wrong.sigma kept
for what in 'Lines' 'n += argv' 'argc > 7' 'case 5' 'argc > 8' 'pthread_t t;' 'pthread_create(' 'return n =='; do
  cp kept wrong.sigma
  at wrong.sigma 0 true "wrong.c:$(grep -n "$what" wrong.c | tail -1 | cut -d: -f1)"
  echo "$what"
  try specialize build ./wrong --sigma wrong.sigma -o wrong.spec 2>&1 | sed 's/: wrong.spec: .*/: built/'
done
at wrong.sigma 0 true other.c:16; try specialize check ./wrong wrong.sigma
at wrong.sigma 0 '(= (var i) 0)' wrong.c:16; try build ./wrong --sigma wrong.sigma -o wrong.spec
for name in calls jumps; do
  specialize-cc -g -pthread $name.c -o $name
  specialize record --constraint exact -o $name.sigma -- ./$name > /dev/null 2>&1
  at $name.sigma 0 true $name.c:14; try build ./$name --sigma $name.sigma -o $name.spec
done
at jumps.sigma 0 true jumps.c:13; try build ./jumps --sigma jumps.sigma -o jumps.spec
specialize-cc -pthread wrong.c -o wrong
rm wrong.sigma
specialize record --constraint exact -o wrong.sigma -- ./wrong > /dev/null 2>&1
at wrong.sigma 0 true wrong.c:16; try build ./wrong --sigma wrong.sigma -o wrong.spec
