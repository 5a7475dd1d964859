#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <inttypes.h>
#include "host.h"

void *malloc(size_t n) {
  return host_allocate(n, 16);
}
void free(void *p) {
  host_free(p);
}
void *calloc(size_t n, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(n, size, &all)) return errno = ENOMEM, (void *)0;
  void *p = host_allocate(all, 16);
  return p ? __builtin_memset(p, 0, all) : 0;
}
void *realloc(void *p, size_t n) {
  if (!p) return host_allocate(n, 16);
  if (!n) return host_free(p), (void *)0;
  size_t had = host_size(p);
  void *q = host_allocate(n, 16);
  if (!q) return 0;
  __builtin_memcpy(q, p, had < n ? had : n);
  host_free(p);
  return q;
}
void *reallocarray(void *p, size_t n, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(n, size, &all)) return errno = ENOMEM, (void *)0;
  return realloc(p, all);
}
void *aligned_alloc(size_t align, size_t n) {
  return host_allocate(n, align);
}
void *memalign(size_t align, size_t n) {
  return host_allocate(n, align);
}
void *valloc(size_t n) {
  return host_allocate(n, 4096);
}
int posix_memalign(void **to, size_t align, size_t n) {
  if (align < sizeof(void *) || align & (align - 1)) return EINVAL;
  void *p = host_allocate(n, align);
  if (!p) return ENOMEM;
  *to = p;
  return 0;
}
size_t malloc_usable_size(void *p) {
  return p ? host_size(p) : 0;
}

static int digit(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

// The number without its sign; *negative, *over, and where it ends (text: there is none).
static unsigned long parse(const char *text, char **end, int base, int *negative, int *over) {
  const char *s = text;
  while (*s == ' ' || (*s >= 9 && *s <= 13)) ++s;
  *negative = *s == '-', *over = 0;
  if (*s == '-' || *s == '+') ++s;
  int hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit((unsigned char)s[2]) < 16;
  if ((base == 0 || base == 16) && hex)
    s += 2, base = 16;
  else if (base == 0)
    base = *s == '0' ? 8 : 10;
  const char *first = s;
  unsigned long n = 0;
  for (int d; (d = digit((unsigned char)*s)) < base; ++s)
    *over |=
        __builtin_mul_overflow(n, (unsigned long)base, &n) || __builtin_add_overflow(n, (unsigned long)d, &n);
  if (end) *end = (char *)(uintptr_t)(s == first ? text : s);
  return n;
}
static long parse_signed(const char *s, char **end, int base) {
  int negative, over;
  unsigned long n = parse(s, end, base, &negative, &over);
  if (over || n > (unsigned long)LONG_MAX + (unsigned long)negative) {
    errno = ERANGE;
    return negative ? LONG_MIN : LONG_MAX;
  }
  return (long)(negative ? -n : n);
}
static unsigned long parse_unsigned(const char *s, char **end, int base) {
  int negative, over;
  unsigned long n = parse(s, end, base, &negative, &over);
  if (over) return errno = ERANGE, ULONG_MAX;
  return negative ? -n : n;
}
#define SIGNED(name)                               \
  long name(const char *s, char **end, int base) { \
    return parse_signed(s, end, base);             \
  }
#define UNSIGNED(name)                                      \
  unsigned long name(const char *s, char **end, int base) { \
    return parse_unsigned(s, end, base);                    \
  }
#undef strtol
#undef strtoul
long model_strtol(const char *, char **, int) __asm__("strtol");
long model_strtoll(const char *, char **, int) __asm__("strtoll");
long model_strtoimax(const char *, char **, int) __asm__("strtoimax");
long model_isoc23_strtol(const char *, char **, int) __asm__("__isoc23_strtol");
long model_isoc23_strtoll(const char *, char **, int) __asm__("__isoc23_strtoll");
unsigned long model_strtoul(const char *, char **, int) __asm__("strtoul");
unsigned long model_strtoull(const char *, char **, int) __asm__("strtoull");
unsigned long model_strtoumax(const char *, char **, int) __asm__("strtoumax");
unsigned long model_isoc23_strtoul(const char *, char **, int) __asm__("__isoc23_strtoul");
unsigned long model_isoc23_strtoull(const char *, char **, int) __asm__("__isoc23_strtoull");
SIGNED(model_strtol)
SIGNED(model_strtoll)
SIGNED(model_strtoimax)
SIGNED(model_isoc23_strtol)
SIGNED(model_isoc23_strtoll)
UNSIGNED(model_strtoul)
UNSIGNED(model_strtoull)
UNSIGNED(model_strtoumax)
UNSIGNED(model_isoc23_strtoul)
UNSIGNED(model_isoc23_strtoull)

int(atoi)(const char *s) {
  return (int)parse_signed(s, 0, 10);
}
long(atol)(const char *s) {
  return parse_signed(s, 0, 10);
}
long long(atoll)(const char *s) {
  return parse_signed(s, 0, 10);
}
double strtod(const char *restrict s, char **restrict end) {
  double d;
  unsigned long n = host_parse_real(s, &d);
  if (end) *end = (char *)(uintptr_t)(s + n);
  if (n && (d == __builtin_inf() || d == -__builtin_inf())) {
    const char *p = s;
    while (*p && *p != 'i' && *p != 'I') ++p;
    if (!*p) errno = ERANGE;
  }
  return d;
}
float strtof(const char *restrict s, char **restrict end) {
  long double d;
  unsigned long n = host_parse_long(s, &d);
  if (end) *end = (char *)(uintptr_t)(s + n);
  return (float)d;
}
long double strtold(const char *restrict s, char **restrict end) {
  long double d;
  unsigned long n = host_parse_long(s, &d);
  if (end) *end = (char *)(uintptr_t)(s + n);
  return d;
}
double(atof)(const char *s) {
  return strtod(s, 0);
}

int(abs)(int x) {
  return x < 0 ? -x : x;
}
long(labs)(long x) {
  return x < 0 ? -x : x;
}
long long(llabs)(long long x) {
  return x < 0 ? -x : x;
}
div_t div(int a, int b) {
  return (div_t){a / b, a % b};
}
ldiv_t ldiv(long a, long b) {
  return (ldiv_t){a / b, a % b};
}
lldiv_t lldiv(long long a, long long b) {
  return (lldiv_t){a / b, a % b};
}

char *getenv(const char *name) {
  char *value = host_environment(name);
  if (value != (char *)-1) return value;
  host_assume("environment variables that the recording does not have are taken to be unset");
  return 0;
}
char *secure_getenv(const char *name) {
  return getenv(name);
}
int setenv(const char *name, const char *value, int replace) {
  (void)name, (void)value, (void)replace;
  host_refuse("setenv, which has no model");
}

// Merging, as glibc does: what is compared with what decides what a comparison that synchronizes does.
static void merge(char *b, size_t n, size_t s, int (*cmp)(const void *, const void *, void *), void *arg,
                  char *tmp) {
  if (n <= 1) return;
  size_t n1 = n / 2, n2 = n - n1;
  char *b1 = b, *b2 = b + n1 * s, *to = tmp;
  merge(b1, n1, s, cmp, arg, tmp);
  merge(b2, n2, s, cmp, arg, tmp);
  while (n1 > 0 && n2 > 0) {
    if (cmp(b1, b2, arg) <= 0)
      __builtin_memcpy(to, b1, s), b1 += s, --n1;
    else
      __builtin_memcpy(to, b2, s), b2 += s, --n2;
    to += s;
  }
  if (n1 > 0) __builtin_memcpy(to, b1, n1 * s);
  __builtin_memcpy(b, tmp, (n - n2) * s);
}
void qsort_r(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *, void *), void *arg) {
  if (n <= 1 || !size) return;
  char *tmp = host_allocate(n * size, 16);
  merge(base, n, size, cmp, arg, tmp);
  host_free(tmp);
}
// The comparison is called with one argument more, which it does not look at.
void qsort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *)) {
  qsort_r(base, n, size, (int (*)(const void *, const void *, void *))(void (*)(void))cmp, 0);
}
void *bsearch(const void *key, const void *base, size_t n, size_t size,
              int (*cmp)(const void *, const void *)) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t i = (low + high) / 2;
    const void *p = (const char *)base + i * size;
    int c = cmp(key, p);
    if (c < 0)
      high = i;
    else if (c > 0)
      low = i + 1;
    else
      return (void *)(uintptr_t)p;
  }
  return 0;
}
int mkstemp(char *name) {
  (void)name;
  host_refuse("mkstemp, which has no model");
}
int system(const char *command) {
  (void)command;
  host_refuse("system, which runs another program");
}
int getloadavg(double *to, int n) {
  (void)to, (void)n;
  host_refuse("getloadavg, of which the recording says nothing");
}
