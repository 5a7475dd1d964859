#include <sys/uio.h>
#include <pthread.h>
#include <fcntl.h>
char a[4], b[4];
static void *f(void *x) { struct iovec v[2] = {{a, 4}, {b, 4}}; writev(open("/dev/null", O_WRONLY), v, 2); return 0; } // R
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); b[1] = 'x'; pthread_join(t, 0); return 0; } // R
