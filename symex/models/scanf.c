#include "stdio.h"
#include <stdlib.h>
#include <string.h>

static bool is_space(int c) {
  return c == ' ' || (c >= 9 && c <= 13);
}
static bool is_digit(int c) {
  return c >= '0' && c <= '9';
}

typedef struct {
  Stream *s;
  long taken;
} Scan;
static int take(Scan *k) {
  int c = stream_get(k->s);
  k->taken += c >= 0;
  return c;
}
static void back(Scan *k, int c) {
  k->taken -= c >= 0;
  stream_unget(k->s, c);
}
static void skip(Scan *k) {
  int c;
  while (is_space(c = take(k))) continue;
  back(k, c);
}

// The characters of a number, as many as can be one.
static int number_text(Scan *k, char *to, int width, int room, bool real, int base) {
  int n = 0, c = take(k);
  bool hex = false, point = false, exponent = false, digits = false;
  if (width <= 0 || width >= room) width = room - 1;
  if ((c == '-' || c == '+') && n < width) to[n++] = (char)c, c = take(k);
  for (; n < width; c = take(k)) {
    int low = c | 32;
    if (is_digit(c))
      digits = true;
    else if (low == 'x' && !hex && (base == 16 || base == 0) && n && to[n - 1] == '0')
      hex = true;
    else if ((hex || base == 16) && low >= 'a' && low <= 'f')
      digits = true;
    else if (real && c == '.' && !point && !exponent)
      point = true;
    else if (real && low == (hex ? 'p' : 'e') && digits && !exponent)
      exponent = true;
    else if (real && (c == '-' || c == '+') && exponent && (to[n - 1] | 32) == (hex ? 'p' : 'e')) {
    } else if (real && !digits && !point && (low >= 'a' && low <= 'z') && strchr("infatynINFATYN", c)) {
    } else
      break;
    to[n++] = (char)c;
  }
  back(k, c);
  to[n] = 0;
  return n;
}

static void store_whole(void *to, long n, int length) {
  if (length <= -2)
    *(signed char *)to = (signed char)n;
  else if (length == -1)
    *(short *)to = (short)n;
  else if (length == 0)
    *(int *)to = (int)n;
  else
    *(long *)to = n;
}

static bool scan_whole(Scan *k, int letter, int width, int length, void *to) {
  char text[80], *end;
  int base = letter == 'd' || letter == 'u' ? 10 : letter == 'o' ? 8 : letter == 'i' ? 0 : 16;
  skip(k);
  if (!number_text(k, text, width, sizeof text, false, base)) return false;
  long n = letter == 'd' || letter == 'i' ? strtol(text, &end, base) : (long)strtoul(text, &end, base);
  if (end == text) return false;
  if (to) store_whole(to, n, length);
  return true;
}
static bool scan_real(Scan *k, int width, int length, void *to) {
  char text[400], *end;
  skip(k);
  if (!number_text(k, text, width, sizeof text, true, 0)) return false;
  if (length == 3) {
    long double x = strtold(text, &end);
    if (to) *(long double *)to = x;
  } else if (length == 1) {
    double x = strtod(text, &end);
    if (to) *(double *)to = x;
  } else {
    float x = strtof(text, &end);
    if (to) *(float *)to = x;
  }
  return end != text;
}

static const char *read_set(const char *f, bool *in) {
  bool not = *f == '^';
  f += not ;
  memset(in, not, 256);
  const char *first = f;
  for (; *f && (*f != ']' || f == first); ++f) {
    if (f[1] == '-' && f[2] && f[2] != ']') {
      for (int c = (unsigned char)f[0]; c <= (unsigned char)f[2]; ++c) in[c] = !not ;
      f += 2;
    } else {
      in[(unsigned char)*f] = !not ;
    }
  }
  return *f ? f + 1 : f;
}

// allowed NULL: what is no space.
static bool scan_text(Scan *k, int width, const bool *allowed, char *to) {
  int n = 0, c;
  if (width <= 0) width = 1 << 30;
  while (n < width && (c = take(k)) >= 0) {
    if (allowed ? !allowed[c] : is_space(c)) {
      back(k, c);
      break;
    }
    if (to) to[n] = (char)c;
    ++n;
  }
  if (n && to) to[n] = 0;
  return n > 0;
}

int stream_scan(Stream *s, const char *f, va_list given) {
  Scan k = {s, 0};
  int done = 0;
  va_list args;
  va_copy(args, given);
  while (*f) {
    if (is_space((unsigned char)*f)) {
      skip(&k), ++f;
      continue;
    }
    if (*f != '%' || f[1] == '%') {
      f += *f == '%';
      int c = take(&k);
      if (c != (unsigned char)*f) {
        back(&k, c);
        if (c < 0 && !done) done = -1;
        break;
      }
      ++f;
      continue;
    }
    ++f;
    bool drop = *f == '*';
    f += drop;
    int width = 0, length = 0;
    for (; is_digit((unsigned char)*f); ++f) width = width * 10 + (*f - '0');
    for (;; ++f) {
      if (*f == 'h')
        --length;
      else if (*f == 'l' || *f == 'z' || *f == 'j' || *f == 't' || *f == 'q')
        length = 1;
      else if (*f == 'L')
        length = 3;
      else
        break;
    }
    int letter = *f;
    if (!letter) break;
    ++f;
    void *to = drop ? 0 : va_arg(args, void *);
    bool ok, in[256];
    if (letter != 'n' && letter != 'c' && letter != '[') skip(&k);
    if (letter != 'n') {
      int c = take(&k);
      back(&k, c);
      if (c < 0) {
        if (!done) done = -1;
        break;
      }
    }
    if (strchr("diouxXp", letter))
      ok = scan_whole(&k, letter, width, letter == 'p' ? 1 : length, to);
    else if (strchr("aefgAEFG", letter))
      ok = scan_real(&k, width, length, to);
    else if (letter == 's')
      ok = scan_text(&k, width, 0, to);
    else if (letter == '[')
      f = read_set(f, in), ok = scan_text(&k, width, in, to);
    else if (letter == 'c') {
      ok = true;
      for (int i = 0; i < (width ? width : 1) && ok; ++i) {
        int c = take(&k);
        if (c < 0)
          ok = false;
        else if (to)
          ((char *)to)[i] = (char)c;
      }
    } else if (letter == 'n') {
      if (to) store_whole(to, k.taken, length);
      continue;
    } else {
      host_refuse("a conversion of scanf that has no model");
    }
    if (!ok) break;
    done += !drop;
  }
  va_end(args);
  return done;
}

static int scan_string(const char *text, const char *f, va_list args) {
  Stream s;
  memset(&s, 0, sizeof s);
  s.fd = -1, s.from = text;
  return stream_scan(&s, f, args);
}
#define ALL(last, call)   \
  {                       \
    va_list args;         \
    va_start(args, last); \
    int n = call;         \
    va_end(args);         \
    return n;             \
  }
int vfscanf(Stream *s, const char *f, va_list args) {
  return stream_scan(s, f, args);
}
int vsscanf(const char *text, const char *f, va_list args) {
  return scan_string(text, f, args);
}
int scanf(const char *f, ...) ALL(f, stream_scan(stdin, f, args)) int fscanf(Stream *s, const char *f, ...)
    ALL(f, stream_scan(s, f, args)) int sscanf(const char *text, const char *f, ...)
        ALL(f, scan_string(text, f, args)) int __isoc99_scanf(const char *f, ...)
            ALL(f, stream_scan(stdin, f, args)) int __isoc99_fscanf(Stream *s, const char *f, ...)
                ALL(f, stream_scan(s, f, args)) int __isoc99_sscanf(const char *text, const char *f, ...)
                    ALL(f, scan_string(text, f, args)) int __isoc23_scanf(const char *f, ...)
                        ALL(f, stream_scan(stdin, f, args)) int __isoc23_fscanf(Stream *s, const char *f, ...)
                            ALL(f, stream_scan(s, f, args)) int __isoc23_sscanf(const char *text,
                                                                                const char *f, ...)
                                ALL(f, scan_string(text, f, args))
