#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "host.h"
#undef strdup
#undef strndup

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  unsigned char *d = to;
  const unsigned char *s = from;
  while (n--) *d++ = *s++;
  return to;
}
void *memmove(void *to, const void *from, size_t n) {
  unsigned char *d = to;
  const unsigned char *s = from;
  if (d <= s)
    while (n--) *d++ = *s++;
  else
    while (n--) d[n] = s[n];
  return to;
}
void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
  return (char *)memcpy(to, from, n) + n;
}
void *memset(void *to, int c, size_t n) {
  unsigned char *d = to;
  while (n--) *d++ = (unsigned char)c;
  return to;
}
void bzero(void *to, size_t n) {
  memset(to, 0, n);
}
void explicit_bzero(void *to, size_t n) {
  memset(to, 0, n);
}
int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (; n; --n, ++x, ++y)
    if (*x != *y) return *x - *y;
  return 0;
}
int bcmp(const void *a, const void *b, size_t n) {
  return memcmp(a, b, n);
}
void *memchr(const void *a, int c, size_t n) {
  const unsigned char *x = a;
  for (; n; --n, ++x)
    if (*x == (unsigned char)c) return (void *)(uintptr_t)x;
  return 0;
}
void *memrchr(const void *a, int c, size_t n) {
  const unsigned char *x = a;
  while (n--)
    if (x[n] == (unsigned char)c) return (void *)(uintptr_t)(x + n);
  return 0;
}
void *rawmemchr(const void *a, int c) {
  const unsigned char *x = a;
  while (*x != (unsigned char)c) ++x;
  return (void *)(uintptr_t)x;
}
void *memmem(const void *a, size_t n, const void *b, size_t k) {
  const char *x = a;
  for (size_t i = 0; k <= n && i <= n - k; ++i)
    if (!memcmp(x + i, b, k)) return (void *)(uintptr_t)(x + i);
  return 0;
}
size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n]) ++n;
  return n;
}
size_t strnlen(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n]) ++n;
  return n;
}
char *strcpy(char *restrict to, const char *restrict from) {
  char *d = to;
  while ((*d++ = *from++)) continue;
  return to;
}
char *stpcpy(char *restrict to, const char *restrict from) {
  while ((*to = *from)) ++to, ++from;
  return to;
}
char *strncpy(char *restrict to, const char *restrict from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; ++i) to[i] = from[i];
  for (; i < n; ++i) to[i] = 0;
  return to;
}
char *strcat(char *restrict to, const char *restrict from) {
  strcpy(to + strlen(to), from);
  return to;
}
char *strncat(char *restrict to, const char *restrict from, size_t n) {
  char *d = to + strlen(to);
  while (n-- && *from) *d++ = *from++;
  *d = 0;
  return to;
}
int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) ++a, ++b;
  return (unsigned char)*a - (unsigned char)*b;
}
int strncmp(const char *a, const char *b, size_t n) {
  for (; n; --n, ++a, ++b)
    if (*a != *b || !*a) return (unsigned char)*a - (unsigned char)*b;
  return 0;
}
int strcoll(const char *a, const char *b) {
  return strcmp(a, b);
}
static int low(int c) {
  return c >= 'A' && c <= 'Z' ? c + 32 : c;
}
int strcasecmp(const char *a, const char *b) {
  while (*a && low((unsigned char)*a) == low((unsigned char)*b)) ++a, ++b;
  return low((unsigned char)*a) - low((unsigned char)*b);
}
int strncasecmp(const char *a, const char *b, size_t n) {
  for (; n; --n, ++a, ++b) {
    int d = low((unsigned char)*a) - low((unsigned char)*b);
    if (d || !*a) return d;
  }
  return 0;
}
char *strchr(const char *s, int c) {
  for (;; ++s) {
    if (*s == (char)c) return (char *)(uintptr_t)s;
    if (!*s) return 0;
  }
}
char *index(const char *s, int c) {
  return strchr(s, c);
}
char *strchrnul(const char *s, int c) {
  while (*s && *s != (char)c) ++s;
  return (char *)(uintptr_t)s;
}
char *strrchr(const char *s, int c) {
  const char *last = 0;
  for (;; ++s) {
    if (*s == (char)c) last = s;
    if (!*s) return (char *)(uintptr_t)last;
  }
}
char *rindex(const char *s, int c) {
  return strrchr(s, c);
}
char *strstr(const char *a, const char *b) {
  size_t n = strlen(b);
  for (;; ++a) {
    if (!strncmp(a, b, n)) return (char *)(uintptr_t)a;
    if (!*a) return 0;
  }
}
char *strcasestr(const char *a, const char *b) {
  size_t n = strlen(b);
  for (;; ++a) {
    if (!strncasecmp(a, b, n)) return (char *)(uintptr_t)a;
    if (!*a) return 0;
  }
}
size_t strspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && strchr(set, s[n])) ++n;
  return n;
}
size_t strcspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && !strchr(set, s[n])) ++n;
  return n;
}
char *strpbrk(const char *s, const char *set) {
  s += strcspn(s, set);
  return *s ? (char *)(uintptr_t)s : 0;
}
char *strtok_r(char *restrict s, const char *restrict set, char **restrict state) {
  if (!s) s = *state;
  if (!s) return 0;
  s += strspn(s, set);
  if (!*s) return *state = 0, (char *)0;
  char *end = s + strcspn(s, set);
  *state = *end ? end + 1 : 0;
  *end = 0;
  return s;
}
char *strtok(char *restrict s, const char *restrict set) {
  static char *state;
  return strtok_r(s, set, &state);
}
char *strsep(char **s, const char *set) {
  char *begin = *s;
  if (!begin) return 0;
  char *end = begin + strcspn(begin, set);
  *s = *end ? end + 1 : 0;
  *end = 0;
  return begin;
}
char *strdup(const char *s) {
  size_t n = strlen(s) + 1;
  char *p = malloc(n);
  return p ? memcpy(p, s, n) : 0;
}
char *strndup(const char *s, size_t most) {
  size_t n = strnlen(s, most);
  char *p = malloc(n + 1);
  if (!p) return 0;
  p[n] = 0;
  return memcpy(p, s, n);
}

static const struct {
  int number;
  const char *text;
} errors[] = {{0, "Success"},
              {1, "Operation not permitted"},
              {2, "No such file or directory"},
              {3, "No such process"},
              {4, "Interrupted system call"},
              {5, "Input/output error"},
              {9, "Bad file descriptor"},
              {11, "Resource temporarily unavailable"},
              {12, "Cannot allocate memory"},
              {13, "Permission denied"},
              {14, "Bad address"},
              {16, "Device or resource busy"},
              {17, "File exists"},
              {20, "Not a directory"},
              {21, "Is a directory"},
              {22, "Invalid argument"},
              {24, "Too many open files"},
              {27, "File too large"},
              {28, "No space left on device"},
              {29, "Illegal seek"},
              {32, "Broken pipe"},
              {33, "Numerical argument out of domain"},
              {34, "Numerical result out of range"},
              {35, "Resource deadlock avoided"},
              {75, "Value too large for defined data type"},
              {110, "Connection timed out"},
              {130, "Owner died"},
              {131, "State not recoverable"}};

char *strerror(int number) {
  for (unsigned i = 0; i < sizeof errors / sizeof *errors; ++i)
    if (errors[i].number == number) return (char *)(uintptr_t)errors[i].text;
  host_refuse("strerror of a number that the models do not know");
}
char *strerror_r(int number, char *to, size_t size) {
  (void)to, (void)size;
  return strerror(number);
}
