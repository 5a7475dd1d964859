# Code without bitcode is named, with the reason; it is stored, so that the program can be linked again without it.
main_of f main.c
echo 'int h(void); int g(void); int f(void) { return g() + h(); }' > f.c
printf '.globl g\n.type g,@function\ng: movl $40, %%eax\nret\n.section .note.GNU-stack,"",@progbits\n' > g.s
echo 'int h(void) { return 2; }' > h.c
gcc -c h.c
ar rcs libh.a h.o
specialize-cc -c g.s
specialize-cc main.c f.c g.o libh.a -o app 2>&1 | sed 's/by GCC.*/by GCC …/'
./app
functions app
try specialize doctor app | sed "s/by GCC.*/by GCC …/; /^  link /,/crtn.o$/d"
rm -f *.o *.a
specialize relink app -o again && ./again
specialize-cc -c f.c
gcc -c main.c -o main2.o && gcc -c f.c -o f2.o && gcc -c h.c && gcc -c g.s
specialize-cc main2.o f2.o g.o h.o -o none 2>&1 | sed 's/by GCC.*/by GCC …/'
./none
try specialize get-bc none
