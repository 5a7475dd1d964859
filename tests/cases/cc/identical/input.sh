# But for our sections the program is, byte for byte, the one that clang makes: code, data, debug information, build id.
n=0
check() { # SOURCE FLAGS...
  case $1 in *.cc) k=c++ cl=clang++-19 ;; *) k=cc cl=clang-19 ;; esac
  $cl "${@:2}" -pthread "$1" -lm -o plain && specialize-$k "${@:2}" -pthread "$1" -lm -o ours || { echo "fails: $*"; return; }
  objcopy plain plain.n && objcopy -R .spec.module -R .spec.recipe -R .spec.files ours ours.n
  if cmp -s plain.n ours.n; then n=$((n + 1)); else echo "differs: $*"; fi
}
i=0
for p in "$TOP"/tests/programs/*.c; do # all of them in script/soak
  i=$((i + 1))
  [ -n "${SPEC_SOAK:-}" ] || [ $((i % 6)) = 0 ] && check "$p" -O1 -g
done
check "$TOP/tests/programs/dedup.cc" -O1 -g
for f in -O0 -O3 "-O2 -fuse-ld=lld" "-Os -g -ffunction-sections -Wl,--gc-sections" "-fno-pie -no-pie" \
  "-g -gz" "-O2 -fsanitize=undefined" -static; do
  check "$TOP/tests/programs/pbzip.c" $f
  check "$TOP/tests/programs/dedup.cc" $f
done
# With -flto the linker sees the embedded module too: the build id, a hash of all, is another; what is loaded is not.
for p in pbzip.c dedup.cc; do
  k=c++; cl=clang++-19; case $p in *.c) k=cc; cl=clang-19 ;; esac
  for f in "-flto -fuse-ld=lld" "-flto=thin -fuse-ld=lld"; do
    $cl -O2 -pthread $f -Wl,--build-id=none "$TOP/tests/programs/$p" -lm -o plain
    specialize-$k -O2 -pthread $f -Wl,--build-id=none "$TOP/tests/programs/$p" -lm -o ours
    objcopy -O binary plain plain.n && objcopy -O binary ours ours.n && cmp plain.n ours.n && n=$((n + 1))
  done
done
[ $n -ge 27 ] && echo "all programs are the same"
