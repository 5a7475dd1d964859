# The disk fills up while the bitcode is being added: the program stays as the linker made it.
main_of f main.c
{ echo 'int f(void) { return 3; }'; for i in $(seq 400); do echo "int unused_$i(int x) { return x * $i + ${RANDOM}; }"; done; } > f.c
specialize-cc -O2 -c main.c f.c
clang-19 -s main.o f.o -o plain
size=$(stat -c %s plain)
( trap '' XFSZ; ulimit -f $((size / 1024 + 4)); specialize-cc -s main.o f.o -o app ) 2>&1
cmp app plain && ./app && ls
mkdir locked && cp main.o f.o locked
try specialize get-bc plain -o /nonesuch/x
specialize-cc main.o f.o -o app
try specialize get-bc app -o /dev/full
specialize get-bc app -o kept.bc && cp kept.bc before.bc
( trap '' XFSZ; ulimit -f 4; specialize get-bc app -o kept.bc ); cmp kept.bc before.bc && echo 'the old file is whole'
try specialize relink app -o /nonesuch/x
TMPDIR=/nonesuch specialize relink app -o again; echo "exit $?"
