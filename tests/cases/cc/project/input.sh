make -s CC=specialize-cc
make -s check 2>&1
for p in app app-lld tool libshared.so; do echo "$p: $(functions $p)"; done
echo 'linked again, without any of the parts:'
rm -f *.o *.a *.rsp *.d
for p in app app-lld tool libshared.so; do specialize relink $p -o $p || exit 1; done
make -s check 2>&1 -o app
if command -v ccache > /dev/null; then
  echo 'with ccache in front, twice:'
  export CCACHE_DIR=$PWD/cache
  for i in 1 2; do
    rm -f *.o *.a app app-lld tool *.so
    make -s CC=specialize-cc LAUNCH=ccache 2> /dev/null && make -s check 2>&1
    for p in app app-lld tool libshared.so; do echo "$p: $(functions $p)"; done
  done
fi
