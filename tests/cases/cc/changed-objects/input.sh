# Objects whose symbols were changed after compiling: their bitcode does not stand for them any more.
main_of f main.c
echo 'int f(void) { return 3; }' > f.c
specialize-cc -c main.c && specialize-cc -c f.c
objcopy --redefine-sym f=g f.o renamed.o
echo 'int g(void); int f(void) { return g() + 1; }' > glue.c
specialize-cc main.o glue.c renamed.o -o app
./app && functions app
objcopy --localize-symbol=f f.o local.o
specialize-cc main.o glue.c renamed.o local.o -o app
./app && functions app
specialize relink app -o again && ./again
strip -g f.o && specialize-cc main.o f.o -o app && functions app
