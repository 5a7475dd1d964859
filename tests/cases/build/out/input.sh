# Where a program can be written, and when not; odd numbers.
export XDG_CACHE_HOME=$PWD/cache
cp "$TOP"/tests/programs/fig1.c .
specialize-cc -O1 -g -pthread fig1.c -o app
specialize record -o app.sigma -- ./app 2 100 > /dev/null 2>&1
specialize constrain app.sigma --schedule 0 --when '(= (atoi (argv 1)) 2)'
build() { try specialize build ./app --sigma app.sigma "$@" 2>&1 | sed 's/: 1 schedule, .*/: built/'; }
whole() { specialize doctor "$1" | grep -c 'functions .*100'; SPECIALIZE_VERBOSE=1 ./"$1" 2 50 2>&1; }
./app 2 50
echo "the schedules stay"
cp app.sigma kept.sigma; ln -s app.sigma link.sigma; ln app.sigma hard.sigma
for out in app.sigma link.sigma hard.sigma ./app.sigma; do build -o $out; done
cmp app.sigma kept.sigma
echo "no place"
mkdir folder
for out in folder missing/x ""; do build -o "$out"; done
build -o /dev/full
build -o /dev/null
echo "in the place of the program, again"
cp app kept
build -o app; whole app
build -o app; whole app
cp kept app
echo "what is there stays until the new one is whole"
echo precious > there; cp there keep
(ulimit -f 40; build -o there)
cmp there keep
n=0
for after in 0.01 0.03 0.05 0.07 0.09 0.11 0.13 0.2; do
  { timeout -s KILL $after specialize build ./app --sigma app.sigma -o there; } > /dev/null 2>&1
  cmp -s there keep || whole there > got && n=$((n + 1))
done
echo "$n of 8"; build -o there; whole there
rm -rf "$TMPDIR"/specialize-* there.*
echo "numbers"
for option in --budget --unit -j; do for n in 0 -1 x "" 9999999999999999; do build -o x $option "$n"; done; done
for n in -5 many 1e3 99999999999999999999 "" 7; do echo "cache $n"; SPECIALIZE_CACHE=$n build -o x; done
