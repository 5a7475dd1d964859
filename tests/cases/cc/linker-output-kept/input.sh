# What the user asked the linker to print is printed, no more and no less.
main_of f main.c
echo 'int f(void) { return 3; }' > f.c
specialize-cc -c main.c && specialize-cc -c f.c && ar rcs libf.a f.o
for o in -Wl,-t -Wl,-Map=- -Wl,--print-memory-usage -Wl,-v -Wl,--verbose; do
  clang-19 main.o libf.a $o -o app > want 2> want.err
  specialize-cc main.o libf.a $o -o app > got 2> got.err
  cmp want got && cmp want.err got.err && echo "same for $o" && functions app
done
specialize-cc main.o libf.a -Wl,-Map=map,--cref -o app > /dev/null && grep -c 'Memory Configuration' map && functions app
