# Threads that a library of the program's own makes, which no recording sees: never a clean verdict.
export XDG_CACHE_HOME=$PWD/cache
for library in plugin back; do specialize-cc -shared -fPIC -pthread lib/$library.c -o lib$library.so; done
check() {
  cc=specialize-cc
  case $1 in *.cc) cc=specialize-c++ ;; esac
  for level in -O0 -O1 -O2; do
    $cc $level -g -pthread $1 -o app -L. -Wl,--no-as-needed -l"$2" -Wl,-rpath,"$PWD"
    rm -f app.sigma
    specialize record -o app.sigma -- ./app > out 2>&1 || cat out
    specialize constrain app.sigma --schedule 0 --when true
    echo "$1 $level"
    specialize race ./app --sigma app.sigma | grep -E "^incomplete|^specialize"
    echo "exit ${PIPESTATUS[0]}"
  done
}
for f in *.c; do check $f plugin; done
for f in back/*.c*; do check "$f" back; done
# With -rdynamic all is exported, so names say nothing; the thread was seen.
for f in back/*.c*; do check "-rdynamic $f" back; done
