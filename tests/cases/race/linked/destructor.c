#include "adv.h"
int g;
__attribute__((destructor)) static void bye(void) { g = 7; } // R
static void *f(void *x) { for (int i = 0; i < 50; i++) { g++; usleep(1000); } return NULL; } // R
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_detach(t); usleep(5000); return 0; }
