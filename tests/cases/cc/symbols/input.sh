# What the linker decided about symbols holds in the module too.
main_of f main.c
cat > wrap.c <<X
int __real_g(void);
int __wrap_g(void) { return __real_g() + 100; }
int g(void);
int f(void) { return g(); }
X
echo 'int g(void) { return 3; }' > g.c
for x in wrap g main; do specialize-cc -c $x.c; done
specialize-cc main.o wrap.o g.o -Wl,--wrap=g -o app && ./app && specialize relink app -o again && ./again
gcc -c g.c -o foreign.o
specialize-cc main.o wrap.o foreign.o -Wl,--wrap,g -o app > /dev/null 2>&1; ./app && specialize relink app -o again && ./again
echo 'twice defined:'
echo 'int f(void) { return 1; }' > f1.c
echo 'int f(void) { return 2; } int extra(void) { return f(); }' > f2.c
specialize-cc main.c f1.c f2.c -Wl,-z,muldefs -o app && ./app && specialize relink app -o again && ./again
echo 'weak and strong, in either order:'
echo '__attribute__((weak)) int f(void) { return 1; } int weak_extra(void) { return 0; }' > weak.c
specialize-cc main.c weak.c f1.c -o app && ./app && specialize relink app -o again && ./again
specialize-cc main.c f2.c weak.c -o app && ./app && specialize relink app -o again && ./again
echo 'common:'
echo 'int shared; int f(void) { return shared; }' > c1.c
echo 'int shared = 5;' > c2.c
specialize-cc -fcommon main.c c1.c c2.c -o app && ./app && specialize relink app -o again && ./again
echo 'statics of one name, alias, ifunc, module assembly:'
cat > s1.c <<X
static int s(void) { return 1; }
int s2(void);
int f(void) { return s() + s2(); }
X
cat > s2.c <<X
static int s(void) { return 20; }
int impl(void) { return s(); }
int s2a(void) __attribute__((alias("impl")));
static int (*resolve(void))(void) { return impl; }
int s2i(void) __attribute__((ifunc("resolve")));
int from_asm(void);
__asm__(".globl from_asm\nfrom_asm: movl \$300, %eax\nret\n");
int s2(void) { return s2a() + s2i() + from_asm(); }
X
specialize-cc main.c s1.c s2.c -o app && ./app && functions app && specialize relink app -o again && ./again
