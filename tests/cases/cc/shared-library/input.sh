main_of f main.c
echo 'int f(void) { return 7; } int hidden(void) { return 8; }' > f.c
echo '{ global: f; local: *; };' > f.map
specialize-cc -fPIC -shared f.c -Wl,--version-script=f.map -Wl,-soname,libf.so.1 -o libf.so.1
ln -s libf.so.1 libf.so
specialize-cc main.c -L. -lf -Wl,-rpath,"$PWD" -o app && ./app
functions app
functions libf.so.1
rm f.map f.c
specialize relink libf.so.1 -o libf.so.1 && ./app
readelf --dyn-syms -W libf.so | grep -c hidden
functions libf.so.1
