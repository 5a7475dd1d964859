# @files, and 10,000 arguments and objects.
main_of f main.c
echo 'int f(void) { return 6; }' > "with space.c"
printf '%s\n' '-O1 "with space.c"' "main.c -o 'the app'" > args
specialize-cc @args && './the app' && functions 'the app'
echo 'main.o' > objects
specialize-cc -c main.c
i=0
while [ $i -lt 100 ]; do
  echo "int f$i(void) { return $i; }" > f$i.c
  echo "-c f$i.c" > c$i
  echo f$i.o >> objects
  echo "-DUNUSED_$i=1 " >> many
  i=$((i + 1))
done
echo 'int f(void) { return 0; }' > f.c
specialize-cc -c f.c $(ls f[0-9]*.c)
specialize-cc @objects f.o -o big && ./big && functions big | wc -w
specialize-cc $(seq -f '-DNAME_%.0f=1' 10000) main.c f.c -o app && ./app && functions app
for k in $(seq 10000); do echo "int g$k;"; done > many.c
