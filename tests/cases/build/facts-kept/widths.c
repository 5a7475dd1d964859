/* widths and signs: products that wrap, shifts, unsigned division, 64 bits that differ only in their upper half */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static uint64_t wide;
static uint32_t low;
static int32_t negative;
static uint8_t small;
static int32_t shifted;
static uint32_t halved;
static void *run(void *x) {
  long n = (long)x;
  pthread_mutex_lock(&m);
  wide = (uint64_t)n << 32;
  low = (uint32_t)wide;
  negative = (int32_t)-n;
  small = (uint8_t)(n * 200);
  shifted = negative >> 1;
  halved = (uint32_t)negative / 2u;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(int argc, char **argv) {
  pthread_t t;
  long n = atoi(argv[1]);
  pthread_create(&t, 0, run, (void *)n);
  pthread_join(t, 0);
  pthread_mutex_lock(&m);
  if (wide == (uint64_t)n) puts("narrow");
  if (low) puts("low");
  if (small == 144) puts("144");
  if (shifted == -1) puts("arithmetic");
  if (halved == 2147483647u) puts("unsigned");
  printf("%llu %u %d %u %d %u\n", (unsigned long long)wide, low, negative, small, shifted, halved);
  pthread_mutex_unlock(&m);
  return 0;
}
