# Units: the same bytes for any number of threads, from the cache or not, and whatever became of the cache.
export XDG_CACHE_HOME=$PWD/cache
cp "$TOP"/tests/programs/fig1.c .
specialize-cc -O1 -g -pthread fig1.c -o app
for p in 2 3; do specialize record -o app.sigma -- ./app $p 100; done > /dev/null 2>&1
for s in 0 1; do
  specialize constrain app.sigma --schedule $s --when "(and (= argc 3) (= (atoi (argv 1)) $((s + 2))))"
done
made() { specialize build ./app --sigma app.sigma -o "$@" --timings 2>&1 | grep '^specialize: units: [0-9]*,\|note\|warning\|error'; }
same() { cmp first.spec "$1" && ./"$1" 2 50 > got && ./app 2 50 > want && cmp got want; rm -f "$1"; }
objects=cache/specialize/objects

made first.spec --unit 1
made second.spec --unit 1 -j 1; same second.spec
rm -r $objects; made third.spec --unit 1 -j1; same third.spec
rm -r $objects; made fourth.spec --unit 1 -j 7; same fourth.spec
for s in 2 3; do SPECIALIZE_VERBOSE=1 ./first.spec $s 9 > got; ./app $s 9 > want; cmp got want; done
./first.spec 4 9 > got; ./app 4 9 > want; cmp got want
made whole.spec
made whole2.spec; cmp whole.spec whole2.spec

echo "another constraint, another schedule, another option, another program"
specialize constrain app.sigma --schedule 1 --when "(= (atoi (argv 1)) 3)"
made other.spec --unit 1
cp app.sigma both.sigma
specialize record -o app.sigma -- ./app 4 100 > /dev/null 2>&1
specialize constrain app.sigma --schedule 2 --when "(= (atoi (argv 1)) 4)"
without() { awk -v n="$1" '/^schedules /{print $1, $2 - 1; next} /^schedule /{k = $2} k != n || !k {if ($1 == "schedule" && $2 > n) $2--; print} /^end/{k = ""}' app.sigma; }
without 2 | cmp - both.sigma
without 1 > other.sigma
mv other.sigma app.sigma
made other.spec --unit 1
SPECIALIZE_VERBOSE=1 ./other.spec 4 9 > got; ./app 4 9 > want; cmp got want
cp both.sigma app.sigma
made other.spec --unit 1 --chaos
sed 's/sum %ld/SUM %ld/' fig1.c > changed.c
specialize-cc -O1 -g -pthread changed.c -o changed
cp app app.old
specialize rebase ./changed app.sigma > /dev/null 2>&1
mv changed app
made other.spec --unit 1
mv app.old app
cp both.sigma app.sigma

echo "entries damaged, cut short, empty"
specialize constrain app.sigma --schedule 1 --when "(and (= argc 3) (= (atoi (argv 1)) 3))"
rm -r $objects; made again.spec --unit 1; same again.spec
set -- $objects/*
printf X | dd of="$1" bs=1 seek=200 conv=notrunc 2> dd.log
head -c 100 "$2" > cut; cp cut "$2"
: > "$3"
made again.spec --unit 1; same again.spec
made again.spec --unit 1; same again.spec

echo "a build that is killed, builds at once"
for after in 0.02 0.1 0.2; do
  rm -r $objects
  { timeout -s KILL $after specialize build ./app --sigma app.sigma -o killed.spec --unit 1; } > /dev/null 2>&1
  made again.spec --unit 1 > /dev/null; same again.spec
done
rm -rf "$TMPDIR"/specialize-*
rm -r $objects
for i in 1 2 3; do specialize build ./app --sigma app.sigma -o at-once$i.spec --unit 1 2> /dev/null & done; wait
for i in 1 2 3; do same at-once$i.spec; done

echo "bounded"
head -c 2000000 /dev/zero > $objects/0123456789abcdef0123456789abcdef
cp $objects/0123456789abcdef0123456789abcdef $objects/fedcba9876543210fedcba9876543210.AbCdEf
touch -d '2 hours ago' $objects/0* $objects/f*.AbCdEf
export SPECIALIZE_CACHE=1
rm $(ls $objects/* | grep -v '/0\|/f' | head -1)
made again.spec --unit 1; same again.spec
ls $objects | grep -c '^0123456789abcdef0123456789abcdef$\|AbCdEf'
made again.spec --unit 1
export SPECIALIZE_CACHE=0
made again.spec --unit 1; same again.spec
unset SPECIALIZE_CACHE

echo "nowhere to keep them"
rm -r $objects; : > $objects
made again.spec --unit 1 ; same again.spec
try specialize build ./app --sigma app.sigma -o again.spec -j many
