# 10,000 objects on one command line; the compiler itself goes over to a response file for the linker.
mkdir -p o/1
echo 'int main(void) { return 0; }' > main.c
echo 'static int x;' > empty.c
specialize-cc -c empty.c -o o/1/1.o
for i in $(seq 2 100); do cp o/1/1.o o/1/$i.o; done
for i in $(seq 2 100); do cp -r o/1 o/$i; done
specialize-cc main.c o/*/*.o -o app && ./app && functions app
specialize get-bc --recipe app | grep -c '^part'
