# Arguments and variables in clones, as a debugger shows them: with optimization off, on, and in units.
command -v gdb > /dev/null || skip "no gdb (Debian package gdb)"
gdb -nx -batch -ex run --args true 2>&1 | grep -q 'exited normally' || skip "gdb cannot run programs here"
export XDG_CACHE_HOME=$PWD/cache DEBUGINFOD_URLS=
ask() { gdb -nx -batch -ex "set print thread-events off" -ex "break debugger.c:$1" -ex run "${@:3}" --args ./app.spec $2 2>&1 | sed -n '/Thread.*hit\|^Breakpoint.*, /,$p' | grep -v '^\[\|^$\|^warning' | sed 's/0x[0-9a-f]*/0xN/g; s/Thread [0-9]* "[^"]*" hit //'; }
for how in "-O0" "-O1" "-O0 --unit 1"; do
  specialize-cc ${how%% *} -g -pthread debugger.c -o app
  rm -f app.sigma
  specialize record -o app.sigma -- ./app 3 > /dev/null 2>&1
  specialize constrain app.sigma --schedule 0 --when true
  specialize build ./app --sigma app.sigma -o app.spec ${how#-O?} 2> /dev/null
  echo "$how"
  ask 18 5 -ex "info args" -ex "info locals" -ex "up 2" -ex "info args" -ex "print *job" -ex "bt 4"
  ask 27 4 -ex "info locals"
  ask 37 6 -ex "info args" -ex "print job" -ex "print sum" -ex bt
done
