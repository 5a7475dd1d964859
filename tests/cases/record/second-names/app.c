// foo is another name of bar: from assembly, from an option or from a script of the linker.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int g;
void bar(void) { pthread_mutex_lock(&m); ++g; pthread_mutex_unlock(&m); }
void foo(void);
#ifdef ASSEMBLY
__asm__(".globl foo\n.set foo, bar\n");
#endif
static void *t(void *a) { foo(); return a; }
int main(void) { pthread_t x; pthread_create(&x, 0, t, 0); foo(); pthread_join(x, 0); return g != 2; }
