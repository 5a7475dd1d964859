# What cannot be answered is said, with 2; unknown functions are named once.
specialize-cc -g -O2 -pthread app.c -o app
for a in app.c:99 app.c:17 app.c app.c:0 c:20 other.c:3 app.c:20:3; do try specialize alias ./app "$a"; done
try specialize alias ./app
try specialize alias ./missing app.c:20
try specialize alias ./app app.c:20 app.c:21 app.c:22
printf '%s\n' 'void mystery(int *);' 'int main(void) { int x; mystery(&x); mystery(&x); return x; }' > unknown.c
printf 'void mystery(int *p) { *p = 0; }\n' > mystery.c
clang-19 -c mystery.c
specialize-cc -g unknown.c mystery.o -o unknown 2> /dev/null
try specialize alias ./unknown unknown.c:2
