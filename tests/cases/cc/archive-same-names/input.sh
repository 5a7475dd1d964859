# Two members of one name: taken both, fine; taken one of them, we cannot tell which and say so.
main_of f main.c
mkdir a b
echo 'int g(void); int f(void) { return g() + 1; }' > a/x.c
echo 'int g(void) { return 1; }' > b/x.c
for d in a b; do specialize-cc -c $d/x.c -o $d/x.o; done
ar qcs libx.a a/x.o b/x.o
specialize-cc main.c libx.a -o app && ./app && functions app
echo 'int f(void) { return 5; }' > a/x.c
specialize-cc -c a/x.c -o a/x.o
rm libx.a && ar qcs libx.a a/x.o b/x.o
specialize-cc main.c libx.a -o app && ./app && functions app
specialize relink app -o again && ./again
