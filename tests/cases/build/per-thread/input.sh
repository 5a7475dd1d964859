# Functions that never synchronize: recursive, with variable arguments, called through pointers, without memory.
export XDG_CACHE_HOME=$PWD/cache
specialize-cc -O1 -g -pthread helpers.c -o app
specialize record -o app.sigma -- ./app 3 > /dev/null 2>&1
specialize constrain app.sigma --schedule 0 --when true
copies() { sed -n 's/^define [^@]*@\([a-z_]*\.s0\.t[0-9]\)(.*/\1/p' "$1/before.ll" | sort | tr '\n' ' '; echo; }
calls() { sed -n "/^define [^@]*@$2(/,/^}/p" "$1/before.ll" | grep -o '@[a-z_]*\(\.s0[a-z0-9.]*\)\?(' | grep -v pthread | sort -u | tr '\n' ' '; echo; }
build() { specialize build ./app --sigma app.sigma -o "$@" --timings 2>&1 | grep 'for each\|error\|warning'; }
build app.spec --per-thread --emit-llvm all
copies all
calls all worker.s0.t1.a1
calls all walk.s0.t2
calls all walk
for args in "3" "4" "5 x" ""; do ./app $args > want; ./app.spec $args > got; cmp want got && cat got; done
echo "the smallest first"
used=$(specialize build ./app --sigma app.sigma -o tight.spec 2>&1 | sed -n 's/.* \([0-9]*\) instructions cloned.*/\1/p')
for more in 0 100 250; do
  mkdir -p tight
  build tight.spec --per-thread --budget $((used + more)) --emit-llvm tight
  copies tight
  ./app 3 > want; ./tight.spec 3 > got; cmp want got
done
echo "nothing without"
build plain.spec --emit-llvm plain
copies plain
echo "who writes, by thread"
specialize alias ./app --sigma app.sigma helpers.c:23 | grep -A2 writes
