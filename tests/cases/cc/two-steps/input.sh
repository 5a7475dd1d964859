main_of f main.c
echo 'int f(void) { return 41; }' > f.c
specialize-cc -c main.c
specialize-cc -c f.c -o sub.o
specialize-cc main.o sub.o -o app
./app
functions app
readelf -SW sub.o | grep -o '\.spec[a-z]*'
