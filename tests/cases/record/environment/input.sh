# What record and replay tell the runtime must not be seen by the program or its children; what the user sets must.
specialize-cc -g -pthread app.c -o app
env="env -i PATH=$PATH HOME=$HOME TMPDIR=$TMPDIR LC_ALL=C"
printf 'a\nb\n' > in
echo "plain"
cat in | $env ./app
echo "recorded"
cat in | $env "$(command -v specialize)" record --order total --max-events 1000 -o app.sigma -- ./app
echo "with the user's own"
cat in | $env SPECIALIZE_VERBOSE=1 "$(command -v specialize)" record -o app2.sigma -- ./app | grep -v '^libc'
echo "built to record"
specialize build --record ./app -o app.rec
cat in | $env SPECIALIZE_DIR=runs ./app.rec | grep SPEC
ls runs | wc -l
