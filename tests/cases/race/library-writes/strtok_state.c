#include "adv.h"
char text[] = "a b";
static void *f(void *x) { char own[] = "c d"; strtok(own, " "); return strtok(0, " "); } // R
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); strtok(text, " "); pthread_join(t, 0); return 0; } // R
