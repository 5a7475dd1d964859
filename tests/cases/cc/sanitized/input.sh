# Programs with AddressSanitizer or ThreadSanitizer are captured as they were before, recorded, and built with it again.
export XDG_CACHE_HOME=$PWD/cache
for what in address thread; do
  echo "== $what"
  specialize-cc -g -O1 -fsanitize=$what -pthread app.c -o app
  rm -f app.sigma
  specialize record -o app.sigma -- ./app 2> /dev/null
  specialize race ./app --sigma app.sigma | sed -n 's/.*: Race-free/Race-free/p'
  specialize constrain app.sigma --schedule 0 --when true
  specialize build ./app --sigma app.sigma -o app.spec 2>&1 | sed 's/, [0-9]* instr.*//'
  ./app.spec
  ./app.spec 1 2 3 4 5 6 2>&1 | grep -o "heap-use-after-free" | head -1
done
