main_of f main.c
echo 'int f(void) { return 3; }' > f.c
specialize-cc -O2 main.c f.c -o app
strip -o stripped app && ./stripped && functions stripped
strip -g -o stripped app && ./stripped && functions stripped
objcopy --only-keep-debug app app.debug && functions app.debug
specialize-cc -s main.c f.c -o stripped && ./stripped && functions stripped
llvm-strip-19 -o gone app && ./gone
try specialize get-bc gone
clang-19 main.c f.c -o plain
try specialize get-bc plain
specialize-cc -c f.c
try specialize get-bc f.o
try specialize get-bc nonesuch
try specialize get-bc .
try specialize get-bc main.c
: > empty
try specialize get-bc empty
printf '#!/bin/sh\n' > script
try specialize get-bc script
