#include "adv.h"
char *page;
static void *f(void *x) { return (void *)(long)page[3]; } // R
int main(void) { pthread_t t; page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); pthread_create(&t, 0, f, 0); usleep(20000); munmap(page, 4096); pthread_join(t, 0); return 0; } // R
