// No race: the stream has a lock of its own, and each thread prints a text of its own.
#include "adv.h"
static void say(const char *fmt, ...) { va_list ap; va_start(ap, fmt); vfprintf(stderr, fmt, ap); va_end(ap); }
static void *f(void *a) { char own[8] = "x"; say("%s\n", own); return NULL; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); say("%d\n", 2); pthread_join(t, 0); return 0; }
