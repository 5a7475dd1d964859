# The exit status is the compiler's; a compiler that crashes or is missing is said to.
echo 'int main(void) { return x; }' > bad.c
try specialize-cc bad.c -o app 2>&1 | tail -n 1
try specialize-cc -c bad.c 2>&1 | tail -n 1
printf '#!/bin/sh\nkill -SEGV $$\n' > crash && chmod +x crash
bash -c 'SPECIALIZE_CLANG=./crash specialize-cc -c bad.c; exit $?' 2> /dev/null
echo "exit $?"
try env SPECIALIZE_CLANG=./nonesuch specialize-cc -c bad.c
printf '#!/bin/sh\nexit 3\n' > three && chmod +x three
try env SPECIALIZE_CLANG=./three specialize-cc -c bad.c
echo 'int main(void) { return f(); } ' > undefined.c
specialize-cc -Wno-everything undefined.c -o app 2> /dev/null
echo "exit $?"; ls app 2>&1
echo '#pragma clang __debug crash' > ice.c
specialize-cc -c ice.c > /dev/null 2>&1; a=$?
clang-19 -c ice.c > /dev/null 2>&1; b=$?
[ $a = $b ] && echo 'same status after a crash inside'
rm -f "$TMPDIR"/*
