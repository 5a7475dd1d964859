main_of f main.c
echo 'int f(void) { return 9; }' > f.c
real=$(clang-19 -print-prog-name=ld)
for l in -fuse-ld=lld -fuse-ld=bfd "-fuse-ld=$real" "--ld-path=$real"; do
  specialize-cc $l main.c f.c -o app && ./app && functions app
done
echo 'a linker that is not there:'
try specialize-cc -fuse-ld=nonesuch main.c f.c -o app2
