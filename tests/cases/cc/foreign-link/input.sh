# The link that is stored in a program may have been written by somebody else: whatever it says, nothing is loaded into
# the linker or run in its place, and no file is written but the output. `doctor` shows it and runs nothing.
export XDG_CACHE_HOME=$PWD/cache
main_of f main.c
echo 'int f(void) { return 9; }' > f.c
specialize-cc -g main.c f.c -o app
cat > planted.c <<X
#include <stdlib.h>
__attribute__((constructor)) static void run(void) { if (system("echo planted >> $PWD/planted")) abort(); }
int onload(void *x) { (void)x; return 0; }
X
cc -shared -fPIC planted.c -o planted.so
cat > tool.sh <<X
#!/bin/sh
echo planted >> $PWD/planted
X
chmod +x tool.sh
mkdir bin && cp tool.sh bin/ld && cp tool.sh bin/as
echo "-plugin=$PWD/planted.so" > more.rsp
so=$PWD/planted.so
echo "OPTION(\"--plugin=$so\")" > option.ld
mkfifo waits
for change in arg=-plugin=$so "arg=-plugin arg=$so" arg=--plugin=$so arg=--plugi=$so arg=@$PWD/more.rsp path=@$PWD/more.rsp \
  arg=-B$PWD/bin arg=-fuse-ld=$PWD/tool.sh arg=-specs=$PWD/more.rsp "arg=-wrapper arg=$PWD/tool.sh" "arg=-mllvm arg=-load=$so" \
  arg=--load-pass-plugin=$so arg=--error-handling-script=$PWD/tool.sh arg=--lto-newpm-passes=x arg=-Map=$PWD/planted \
  "arg=-o arg=$PWD/planted" arg=--dependency-file=$PWD/planted arg=--out-implib=$PWD/planted arg=--time-trace=$PWD/planted \
  arg=--reproduce=$PWD/planted arg=--print-symbol-counts=$PWD/planted arg=--chroot=/ arg=--audit=$so arg=-r "arg=-run arg=$PWD/tool.sh" \
  "arg=-error-handling-scrip=$PWD/tool.sh arg=-lnone" "linker=ld.gold arg=-T arg=$PWD/option.ld" "path=$PWD/option.ld" \
  "linker=ld.lld arg=-u arg=--reproduce=$PWD/planted" "linker=ld.lld arg=-c arg=--reproduce=$PWD/planted" "arg=--soname arg=@$PWD/more.rsp" \
  path=$PWD/waits "arg=-T arg=$PWD/waits" path=/dev/zero path=/dev/stdin \
  linker=$PWD/tool.sh linker=../tool.sh linker=; do
  test_recipe app other $change
  timeout 20 specialize relink other -o out 2>&1 | sed "s|$PWD|DIR|g"
  specialize doctor other 2>&1 | grep -qF -e "${change##*=}" && echo "  shown by doctor"
  [ ! -e out ] || echo "linked all the same"
  timeout 20 specialize record -o other.sigma -- ./other > said 2>&1 && echo "recorded all the same: $change"
  [ ! -e planted ] || { echo "planted: $change"; rm -f planted; }
done
echo "what links use"
for change in "arg=-z arg=now" arg=--as-needed arg=-O1 arg=--build-id=sha1 arg=--no-undefined arg=-L/usr/lib arg=--hash-style=both linker=ld.lld linker=ld.bfd; do
  rm -f out
  test_recipe app other $change && specialize relink other -o out && ./out || echo "no: $change"
done
