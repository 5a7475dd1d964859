# A section that is not what it was: named, and the program is linked all the same.
main_of f main.c
echo 'int f(void) { return 3; }' > f.c
specialize-cc -c main.c && specialize-cc -c f.c
objcopy -O binary --only-section=.specbc --set-section-flags .specbc=alloc f.o code
damage() { # OFFSET
  cp code bad; printf '\377\377\377\377' | dd of=bad bs=1 seek=$1 conv=notrunc 2> /dev/null
  objcopy --update-section .specbc=bad f.o bad.o
  specialize-cc main.o bad.o -o app 2>&1 | sed 's/ (Producer.*//'
  ./app
}
damage 0
damage 40
damage $(($(stat -c %s code) / 2))
head -c 100 code > cut && objcopy --update-section .specbc=cut f.o bad.o && specialize-cc main.o bad.o -o app; ./app
: > none && objcopy --update-section .specbc=none f.o bad.o && specialize-cc main.o bad.o -o app; ./app
specialize-cc main.c f.c -o app
objcopy -O binary --only-section=.spec.module --set-section-flags .spec.module=alloc app mod
head -c 50 mod > cut && objcopy --update-section .spec.module=cut app broken && ./broken
try specialize get-bc broken
objcopy --remove-section .spec.recipe app broken
try specialize get-bc broken
objcopy --update-section .spec.recipe=cut app broken
try specialize relink broken -o x
