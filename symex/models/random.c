// The generators of glibc, whose numbers follow from their seeds alone.
#include <stdlib.h>
#include "host.h"

enum { DEGREE = 31, SEPARATION = 3 };
static int state[DEGREE];
static int front, rear, seeded;

static void seed(unsigned s) {
  int word = (int)(s ? s : 1);
  state[0] = word;
  for (int i = 1; i < DEGREE; ++i) {
    long high = word / 127773, low = word % 127773;
    word = (int)(16807 * low - 2836 * high);
    if (word < 0) word += 2147483647;
    state[i] = word;
  }
  front = SEPARATION, rear = 0, seeded = 1;
  for (int i = 0; i < DEGREE * 10; ++i) (void)random();
}
long random(void) {
  if (!seeded) seed(1);
  unsigned sum = (unsigned)state[front] + (unsigned)state[rear];
  state[front] = (int)sum;
  if (++front == DEGREE) front = 0;
  if (++rear == DEGREE) rear = 0;
  return sum >> 1;
}
void srandom(unsigned s) {
  seed(s);
}
void srand(unsigned s) {
  seed(s);
}
int rand(void) {
  return (int)random();
}
int rand_r(unsigned *at) {
  unsigned next = *at, result;
  next = next * 1103515245 + 12345;
  result = next / 65536 % 2048;
  next = next * 1103515245 + 12345;
  result = result << 10 ^ next / 65536 % 1024;
  next = next * 1103515245 + 12345;
  result = result << 10 ^ next / 65536 % 1024;
  *at = next;
  return (int)result;
}

static unsigned short own[3];
static unsigned long multiplier = 0x5deece66d, addend = 0xb;
static unsigned long advance(unsigned short x[3]) {
  unsigned long n = (unsigned long)x[2] << 32 | (unsigned long)x[1] << 16 | x[0];
  n = (n * multiplier + addend) & 0xffffffffffff;
  x[0] = (unsigned short)n, x[1] = (unsigned short)(n >> 16), x[2] = (unsigned short)(n >> 32);
  return n;
}
static double as_real(unsigned long n) {
  return (double)n / 281474976710656.0;
}
double erand48(unsigned short x[3]) {
  return as_real(advance(x));
}
double drand48(void) {
  return erand48(own);
}
long nrand48(unsigned short x[3]) {
  return (long)(advance(x) >> 17);
}
long lrand48(void) {
  return nrand48(own);
}
long jrand48(unsigned short x[3]) {
  return (int)(advance(x) >> 16);
}
long mrand48(void) {
  return jrand48(own);
}
void srand48(long s) {
  own[0] = 0x330e, own[1] = (unsigned short)s, own[2] = (unsigned short)(s >> 16);
  multiplier = 0x5deece66d, addend = 0xb;
}
unsigned short *seed48(unsigned short x[3]) {
  static unsigned short old[3];
  for (int i = 0; i < 3; ++i) old[i] = own[i], own[i] = x[i];
  multiplier = 0x5deece66d, addend = 0xb;
  return old;
}
