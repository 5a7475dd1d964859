# -flto objects are bitcode themselves, optimized already; what we keep is from before that.
main_of f main.c
echo 'static int twice(int x) { return 2 * x; } int f(void) { return twice(21); }' > f.c
for how in "-flto -fuse-ld=lld" "-flto=thin -fuse-ld=lld" "-flto"; do
  case $how in *lld) ;; *) [ -e "$(dirname "$(readlink -f "$(clang-19 -print-prog-name=clang-19)")")/../lib/LLVMgold.so" ] || skip "no LLVMgold.so" ;; esac
  echo "$how"
  specialize-cc -O2 ${how%% *} -c main.c && specialize-cc -O2 ${how%% *} -c f.c
  specialize-cc -O2 $how main.o f.o -o app && ./app && functions app
  specialize-cc -O2 $how main.c f.c -o app && ./app && functions app
  readelf -SW app | grep -c llvm || true
  specialize relink app -o again && ./again
done
