echo 'int x;' > x.h
echo '#include "x.h"
int main(void) { return x; }' > main.c
specialize-cc -MD -MMD -MP -c main.c && cat main.d
readelf -SW main.o | grep -o '\.specbc'
specialize-cc -MMD -MF dep -MT target main.c -o app && cat dep
specialize-cc -M main.c | head -n 1
specialize-cc -MM main.c
functions app
