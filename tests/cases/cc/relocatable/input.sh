# ld -r joins bitcode sections; through the wrapper, and by a linker that knows nothing of it.
main_of f main.c
echo 'int g(void); int f(void) { return g() + 1; }' > f.c
echo 'int g(void) { return 1; }' > g.c
specialize-cc -r main.c f.c -o one.o
specialize-cc -c g.c
specialize-cc one.o g.o -o app && ./app && functions app
for l in ld ld.gold ld.lld-19; do
  command -v $l > /dev/null || skip "no $l"
  $l -r one.o g.o -o two.o && specialize-cc two.o -o app && ./app && functions app
done
echo 'joined with code that has none:'
gcc -c g.c -o foreign.o
ld -r one.o foreign.o -o mixed.o && specialize-cc mixed.o -o app
./app
