// In the C locale, which programs have that do not call setlocale.
#include <ctype.h>
#include <locale.h>
#include <langinfo.h>
#include "host.h"
#undef isalnum
#undef toupper
#undef tolower

enum {
  UPPER = 1 << 8,
  LOWER = 1 << 9,
  ALPHA = 1 << 10,
  DIGIT = 1 << 11,
  XDIGIT = 1 << 12,
  SPACE = 1 << 13,
  PRINT = 1 << 14,
  GRAPH = 1 << 15,
  BLANK = 1 << 0,
  CNTRL = 1 << 1,
  PUNCT = 1 << 2,
  ALNUM = 1 << 3
};

static int is_upper(int c) {
  return c >= 'A' && c <= 'Z';
}
static int is_lower(int c) {
  return c >= 'a' && c <= 'z';
}
static int is_digit(int c) {
  return c >= '0' && c <= '9';
}
static int is_space(int c) {
  return c == ' ' || (c >= 9 && c <= 13);
}

static unsigned short class_of(int c) {
  if (c < 0 || c > 127) return 0;
  unsigned k = 0;
  int alpha = is_upper(c) || is_lower(c), graph = c > 32 && c < 127;
  if (is_upper(c)) k |= UPPER;
  if (is_lower(c)) k |= LOWER;
  if (alpha) k |= ALPHA;
  if (is_digit(c)) k |= DIGIT;
  if (is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) k |= XDIGIT;
  if (is_space(c)) k |= SPACE;
  if (graph || c == ' ') k |= PRINT;
  if (graph) k |= GRAPH;
  if (c == ' ' || c == 9) k |= BLANK;
  if (c < 32 || c == 127) k |= CNTRL;
  if (graph && !alpha && !is_digit(c)) k |= PUNCT;
  if (alpha || is_digit(c)) k |= ALNUM;
  return (unsigned short)k;
}

// The tables that the macros of glibc read, from -128 to 255.
static unsigned short classes[384];
static int lowers[384], uppers[384];
static const unsigned short *classes_at;
static const int *lowers_at, *uppers_at;
static void fill(void) {
  if (classes_at) return;
  for (int c = -128; c < 256; ++c) {
    classes[c + 128] = class_of(c);
    lowers[c + 128] = is_upper(c) ? c + 32 : c;
    uppers[c + 128] = is_lower(c) ? c - 32 : c;
  }
  classes_at = classes + 128, lowers_at = lowers + 128, uppers_at = uppers + 128;
}
const unsigned short **__ctype_b_loc(void) {
  fill();
  return &classes_at;
}
const int **__ctype_tolower_loc(void) {
  fill();
  return &lowers_at;
}
const int **__ctype_toupper_loc(void) {
  fill();
  return &uppers_at;
}
#define IS(name, bit)           \
  int(name)(int c) {            \
    return class_of(c) & (bit); \
  }
IS(isalnum, ALNUM)
IS(isalpha, ALPHA)
IS(isblank, BLANK)
IS(iscntrl, CNTRL)
IS(isdigit, DIGIT)
IS(isgraph, GRAPH)
IS(islower, LOWER)
IS(isprint, PRINT)
IS(ispunct, PUNCT)
IS(isspace, SPACE)
IS(isupper, UPPER)
IS(isxdigit, XDIGIT)
int(tolower)(int c) {
  return is_upper(c) ? c + 32 : c;
}
int(toupper)(int c) {
  return is_lower(c) ? c - 32 : c;
}
int(isascii)(int c) {
  return c >= 0 && c < 128;
}

char *setlocale(int category, const char *locale) {
  (void)category;
  static char c[] = "C";
  if (locale && locale[0] && !(locale[0] == 'C' && !locale[1])) host_assume("the locale is taken to be C");
  return c;
}
