# Compile and link in one command: the temporary object's bitcode is captured, and named after the source.
main_of f main.c
echo 'int f(void) { return 41; }' > f.c
specialize-cc -O2 main.c f.c -o app
./app
functions app
specialize get-bc --recipe app | grep -A1 '^part'
echo 'no section of the compiler is left:'
readelf -SW app | grep -c llvm || true
