#include <stdarg.h>
#include "stdio.h"
#include <string.h>
#include <errno.h>

enum { MINUS = 1, PLUS = 2, BLANK = 4, SHARP = 8, ZERO = 16 };
typedef struct {
  int flags, width, precision, letter;
  int length;  // -2 char, -1 short, 0 int, 1 long, 3 long double
} Spec;

static int pad(Stream *s, int c, int n) {
  for (int i = 0; i < n; ++i) stream_put(s, c);
  return n > 0 ? n : 0;
}

static int put_whole(Stream *s, const Spec *p, unsigned long n, bool negative) {
  char digits[24];
  int len = 0, written = 0;
  unsigned base = p->letter == 'o' ? 8 : p->letter == 'x' || p->letter == 'X' || p->letter == 'p' ? 16 : 10;
  const char *letters = p->letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  bool zero = !n;
  for (; n; n /= base) digits[len++] = letters[n % base];
  int least = p->precision < 0 ? 1 : p->precision;
  char sign[3] = {0};
  bool is_signed = p->letter == 'd' || p->letter == 'i';
  if (is_signed && negative)
    sign[0] = '-';
  else if (is_signed && p->flags & PLUS)
    sign[0] = '+';
  else if (is_signed && p->flags & BLANK)
    sign[0] = ' ';
  if ((p->flags & SHARP && base == 16 && !zero) || p->letter == 'p')
    sign[0] = '0', sign[1] = p->letter == 'X' ? 'X' : 'x';
  if (p->flags & SHARP && base == 8 && least <= len) least = len + 1;
  int zeros = least > len ? least - len : 0, prefix = (int)strlen(sign);
  int rest = p->width - len - zeros - prefix;
  if (p->flags & ZERO && !(p->flags & MINUS) && p->precision < 0 && rest > 0) zeros += rest, rest = 0;
  if (!(p->flags & MINUS)) written += pad(s, ' ', rest);
  for (int i = 0; i < prefix; ++i) stream_put(s, sign[i]);
  pad(s, '0', zeros);
  for (int i = len; i--;) stream_put(s, digits[i]);
  written += prefix + zeros + len;
  if (p->flags & MINUS) written += pad(s, ' ', rest);
  return written;
}

static int put_text(Stream *s, const Spec *p, const char *text) {
  if (!text) text = p->precision < 0 || p->precision >= 6 ? "(null)" : "";
  int n = (int)(p->precision < 0 ? strlen(text) : strnlen(text, (unsigned long)p->precision)),
      rest = p->width - n;
  int written = n;
  if (!(p->flags & MINUS)) written += pad(s, ' ', rest);
  for (int i = 0; i < n; ++i) stream_put(s, text[i]);
  if (p->flags & MINUS) written += pad(s, ' ', rest);
  return written;
}

static int put_real(Stream *s, const Spec *p, va_list *args) {
  enum { LONGEST = 20000 };
  char few[400], *text = few;
  unsigned long room = sizeof few;
  double d = 0;
  long double l = 0;
  if (p->length == 3)
    l = va_arg(*args, long double);
  else
    d = va_arg(*args, double);
  for (;;) {
    int n = p->length == 3 ? host_format_long(text, room, p->flags, p->width, p->precision, p->letter, l)
                           : host_format_real(text, room, p->flags, p->width, p->precision, p->letter, d);
    if (n >= 0 && (unsigned long)n >= room && room < LONGEST) {
      text = host_allocate(LONGEST, 16), room = LONGEST;
      continue;
    }
    for (int i = 0; i < n; ++i) stream_put(s, text[i]);
    if (text != few) host_free(text);
    return n;
  }
}

static const char *parse(const char *f, Spec *p, va_list *args) {
  *p = (Spec){0, 0, -1, 0, 0};
  for (;; ++f) {
    int flag = *f == '-'    ? MINUS
               : *f == '+'  ? PLUS
               : *f == ' '  ? BLANK
               : *f == '#'  ? SHARP
               : *f == '0'  ? ZERO
               : *f == '\'' ? 32
                            : 0;
    if (!flag) break;
    p->flags |= flag & 31;
  }
  if (*f == '*') {
    p->width = va_arg(*args, int), ++f;
    if (p->width < 0) p->width = -p->width, p->flags |= MINUS;
  }
  for (; *f >= '0' && *f <= '9'; ++f) p->width = p->width * 10 + (*f - '0');
  if (*f == '$') host_refuse("printf with numbered arguments, which has no model");
  if (*f == '.') {
    p->precision = 0, ++f;
    if (*f == '*') p->precision = va_arg(*args, int), ++f;
    for (; *f >= '0' && *f <= '9'; ++f) p->precision = p->precision * 10 + (*f - '0');
    if (p->precision < 0) p->precision = -1;
  }
  for (; *f; ++f) {
    if (*f == 'h')
      --p->length;
    else if (*f == 'l' || *f == 'z' || *f == 'j' || *f == 't' || *f == 'q')
      p->length = 1;
    else if (*f == 'L')
      p->length = 3;
    else
      break;
  }
  p->letter = *f;
  return *f ? f + 1 : f;
}

static int convert(Stream *s, const Spec *p, va_list *args, int so_far, int error) {
  switch (p->letter) {
    case 'd':
    case 'i': {
      long n = p->length >= 1 ? va_arg(*args, long) : va_arg(*args, int);
      if (p->length == -1) n = (short)n;
      if (p->length <= -2) n = (signed char)n;
      return put_whole(s, p, n < 0 ? -(unsigned long)n : (unsigned long)n, n < 0);
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
      unsigned long n = p->length >= 1 ? va_arg(*args, unsigned long) : va_arg(*args, unsigned);
      if (p->length == -1) n = (unsigned short)n;
      if (p->length <= -2) n = (unsigned char)n;
      return put_whole(s, p, n, false);
    }
    case 'p': {
      void *at = va_arg(*args, void *);
      return at ? put_whole(s, p, (unsigned long)at, false) : put_text(s, p, "(nil)");
    }
    case 'c': {
      if (p->length == 1) host_refuse("printf of wide characters, which has no model");
      char text[2] = {(char)va_arg(*args, int), 0};
      int rest = p->width - 1, written = 1;
      if (!(p->flags & MINUS)) written += pad(s, ' ', rest);
      stream_put(s, text[0]);
      if (p->flags & MINUS) written += pad(s, ' ', rest);
      return written;
    }
    case 's':
      if (p->length == 1) host_refuse("printf of wide characters, which has no model");
      return put_text(s, p, va_arg(*args, const char *));
    case 'm':
      return put_text(s, p, strerror(error));
    case 'n': {
      void *to = va_arg(*args, void *);
      if (p->length == 1)
        *(long *)to = so_far;
      else if (p->length == 0)
        *(int *)to = so_far;
      else if (p->length == -1)
        *(short *)to = (short)so_far;
      else
        *(signed char *)to = (signed char)so_far;
      return 0;
    }
    case '%':
      return stream_put(s, '%'), 1;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return put_real(s, p, args);
    default:
      host_refuse("a conversion of printf that has no model");
  }
}

int stream_print(Stream *s, const char *format, va_list given) {
  va_list args;
  va_copy(args, given);
  int n = 0, error = errno;
  while (*format) {
    if (*format != '%') {
      stream_put(s, *format++), ++n;
      continue;
    }
    Spec p;
    format = parse(format + 1, &p, &args);
    n += convert(s, &p, &args, n, error);
  }
  va_end(args);
  return s->fd >= 0 && s->failed ? -1 : n;
}

static int print_text(char *to, unsigned long room, const char *format, va_list args) {
  Stream s;
  s.fd = -1, s.to = to, s.room = room, s.used = 0, s.failed = false;
  int n = stream_print(&s, format, args);
  if (room) to[s.used < room ? s.used : room - 1] = 0;
  return n;
}

#define ALL(name, last, call) \
  {                           \
    va_list args;             \
    va_start(args, last);     \
    int n = call;             \
    va_end(args);             \
    return n;                 \
  }
int vfprintf(Stream *s, const char *f, va_list args) {
  return stream_print(s, f, args);
}
int vprintf(const char *f, va_list args) {
  return stream_print(stdout, f, args);
}
int vsnprintf(char *to, unsigned long room, const char *f, va_list args) {
  return print_text(to, room, f, args);
}
int vsprintf(char *to, const char *f, va_list args) {
  return print_text(to, 1ul << 30, f, args);
}
int printf(const char *f, ...)
    ALL(printf, f, stream_print(stdout, f, args)) int fprintf(Stream *s, const char *f, ...)
        ALL(fprintf, f, stream_print(s, f, args)) int sprintf(char *to, const char *f, ...)
            ALL(sprintf, f, print_text(to, 1ul << 30, f, args)) int snprintf(char *to, unsigned long room,
                                                                             const char *f, ...)
                ALL(snprintf, f, print_text(to, room, f, args)) int vasprintf(char **to, const char *f,
                                                                              va_list args) {
  int n = print_text(0, 0, f, args);
  *to = host_allocate((unsigned long)n + 1, 16);
  return print_text(*to, (unsigned long)n + 1, f, args);
}
int asprintf(char **to, const char *f, ...)
    ALL(asprintf, f, vasprintf(to, f, args)) int vdprintf(int fd, const char *f, va_list args) {
  char *text;
  int n = vasprintf(&text, f, args);
  host_write(fd, text, (unsigned long)n, -1);
  host_free(text);
  return n;
}
int dprintf(int fd, const char *f,
            ...) ALL(dprintf, f, vdprintf(fd, f, args)) int __printf_chk(int flag, const char *f, ...)
    ALL(__printf_chk, f, ((void)flag, stream_print(stdout, f, args))) int __fprintf_chk(Stream *s, int flag,
                                                                                        const char *f, ...)
        ALL(__fprintf_chk, f, ((void)flag, stream_print(s, f, args))) int __sprintf_chk(char *to, int flag,
                                                                                        unsigned long room,
                                                                                        const char *f, ...)
            ALL(__sprintf_chk, f, ((void)flag, print_text(to, room, f, args))) int __snprintf_chk(
                char *to, unsigned long room, int flag, unsigned long has, const char *f,
                ...) ALL(__snprintf_chk, f, ((void)flag, (void)has, print_text(to, room, f, args)))

                void __assert_fail(const char *what, const char *file, unsigned line, const char *function) {
  extern char *program_invocation_short_name;
  fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n", program_invocation_short_name, file, line,
          function, what);
  specialize_flush_all();
  host_die(6);
}
