command -v ccache > /dev/null || skip "no ccache"
export CCACHE_DIR=$PWD/cache
main_of f main.c
echo 'int f(void) { return 9; }' > f.c
for i in 1 2; do
  ccache specialize-cc -O2 -c main.c && ccache specialize-cc -O2 -c f.c
  ccache specialize-cc main.o f.o -o app && ./app && functions app
  rm -f *.o app
done
ccache -s | grep -E -o 'Hits: +[0-9]+ /' | head -n 1
