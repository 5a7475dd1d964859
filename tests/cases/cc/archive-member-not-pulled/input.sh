# The module has exactly the members that the real link has, with each linker.
main_of f main.c
echo 'int f(void) { return 1; }' > f.c
echo 'int g(void) { return 2; }' > g.c
echo 'int f(void) { return 3; } int other(void) { return 4; }' > later.c
for x in main f g later; do specialize-cc -c $x.c; done
ar rcs libf.a g.o f.o
ar rcs liblater.a later.o
ar rcsT libthin.a g.o f.o
for l in bfd gold lld; do
  command -v ld.$l > /dev/null || [ $l = lld ] || skip "no ld.$l"
  specialize-cc -fuse-ld=$l main.o -L. -lf -llater -o app && ./app
  functions app
  specialize-cc -fuse-ld=$l main.o libthin.a liblater.a -o app && ./app
  functions app
done
specialize-cc main.o -Wl,--whole-archive -lf -Wl,--no-whole-archive -L. -o app && functions app
