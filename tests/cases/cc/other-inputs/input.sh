echo 'int main(void) { return 0; }' | specialize-cc -x c - -o app && ./app && functions app
main_of f main.c
echo 'int f(void) { return 3; }' > f.c
specialize-cc -save-temps -c f.c && ls f.* && specialize-cc main.c f.o -o app && ./app && functions app
clang-19 -S -emit-llvm f.c -o ir.ll && specialize-cc main.c ir.ll -o app && ./app && functions app
specialize-cc -no-integrated-as main.c f.c -o app && ./app && functions app
specialize-cc -O2 -g -gsplit-dwarf main.c f.c -o app && ./app && functions app
printf 'OUTPUT_FORMAT(elf64-x86-64)\nINPUT(f.o)\n' > lib.so && specialize-cc main.c ./lib.so -o app && ./app && functions app
echo 'other machines are not captured, and said so:'
echo 'void _start(void) { for (;;) ; }' > bare.c
specialize-cc -m32 -nostdlib -static -ffreestanding bare.c -o bare32 2>&1 | tail -n 1
