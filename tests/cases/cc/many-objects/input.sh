# 10,000 objects on one command line; the compiler itself goes over to a response file for the linker.
mkdir o
echo 'int main(void) { return 0; }' > main.c
echo 'static int x;' > empty.c
specialize-cc -c empty.c -o o/1.o
for i in $(seq 2 10000); do ln o/1.o o/$i.o; done
specialize-cc main.c o/*.o -o app && ./app && functions app
specialize get-bc --recipe app | grep -c '^part'
