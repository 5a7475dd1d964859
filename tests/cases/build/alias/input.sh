# What points-to knows of clones takes loads out of them.
export XDG_CACHE_HOME=$PWD/cache SPECIALIZE_VERBOSE=1
specialize-cc -O2 -g -pthread own.c -o own
specialize record -o own.sigma -- ./own > /dev/null 2>&1
specialize constrain own.sigma --schedule 0 --when '(> argc 0)'
build() { specialize build --no-dataflow ./own --sigma own.sigma "$@" 2>&1 | sed 's/: own.spec: .*/: built/; s/[0-9]* instr/N instr/'; }
loads() { sed -n '/^define.*@worker.s0.t1/,/^}/p' $1/after*.ll | grep -c '= load i64, ptr .*!tbaa'; }
build -o own.spec --emit-llvm without
build -o own.spec --emit-llvm with --alias
echo "$(loads without) loads, then $(loads with)"
try ./own.spec
try ./own.spec
echo "in main"
specialize constrain own.sigma --schedule 0 --when '(> argc 0)' --at main:own.c:22
build -o own.spec --alias
try ./own.spec
