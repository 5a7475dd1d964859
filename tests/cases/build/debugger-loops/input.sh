# Variables in a loop of clones, which has become a function that several of them share.
command -v gdb > /dev/null || skip "no gdb (Debian package gdb)"
gdb -nx -batch -ex run --args true 2>&1 | grep -q 'exited normally' || skip "gdb cannot run programs here"
export XDG_CACHE_HOME=$PWD/cache DEBUGINFOD_URLS=
specialize-cc -O1 -g -pthread loops.c -o app
specialize record -o app.sigma -- ./app 3 > /dev/null 2>&1
specialize constrain app.sigma --schedule 0 --when true
for how in "" "--no-dataflow" "--unit 1"; do
  specialize build ./app --sigma app.sigma -o app.spec --timings $how 2>&1 | grep 'loops: [0-9]* in'
  echo
  gdb -nx -batch -ex "set print thread-events off" -ex "break loops.c:13 if steps == 4" -ex run -ex "bt 3" \
    -ex "print n" -ex "print steps" -ex "print next" -ex "print limit" -ex "continue" -ex "bt 2" -ex "print limit" \
    --args ./app.spec 6 2>&1 | sed -n '/Thread.*hit/,$p' | grep -v '^\[\|^$\|^warning\|^(More' | sed 's/0x[0-9a-f]*/0xN/g; s/Thread [0-9]* "[^"]*" hit //'
  echo
done
