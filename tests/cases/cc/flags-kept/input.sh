# The relinked program is compiled as the original was.
cat > main.c <<X
#include <stdio.h>
void missing(void);
void never_called(void) { missing(); }
int main(void) { puts("here"); return 0; }
X
specialize-cc -O2 -ffunction-sections -fdata-sections -Wl,--gc-sections main.c -o app && ./app
specialize relink app -o again && ./again
specialize-cc -fno-pie -no-pie -O1 main.c -Wl,--unresolved-symbols=ignore-all -o app && readelf -hW app | grep Type
specialize relink app -o again && readelf -hW again | grep Type && ./again
sed -i '/missing/d' main.c
specialize-cc -static main.c -o app && specialize relink app -o again && ./again && functions again
for o in -O0 -O1 -Os -O3; do specialize-cc $o main.c -o app && specialize get-bc --recipe app | grep -o -e '-O.'; done
specialize-cc -fprofile-instr-generate main.c -o app && specialize relink app -o again && LLVM_PROFILE_FILE=again.prof ./again && [ -s again.prof ] && echo profile written
try specialize relink app -o again -O 7
try specialize relink app
