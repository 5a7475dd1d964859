// std::string, for code that calls members that are not inline.
#include "cxx.h"

// std::string. A short text stands in the object itself.
enum { SHORT = 15 };
#define STRING "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"
#define STRING_CONST "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"
static bool is_short(const String *s) {
  return s->text == (const char *)s->here;
}
static unsigned long room(const String *s) {
  return is_short(s) ? SHORT : s->here[0];
}
static void set_size(String *s, unsigned long n) {
  s->size = n, s->text[n] = 0;
}
static void begin(String *s) {
  s->text = (char *)s->here, set_size(s, 0);
}
NAMED(char *, create, STRING "9_M_createERmm", String *s, unsigned long *want, unsigned long had) {
  (void)s;
  if (*want >> 62) specialize_throw_length("basic_string::_M_create");
  if (*want > had && *want < 2 * had) *want = 2 * had;
  return specialize_new(*want + 1, 16);
}
NAMED(void, dispose, STRING "10_M_disposeEv", String *s) {
  if (!is_short(s)) host_free(s->text);
}
static void grow(String *s, unsigned long n) {
  unsigned long want = n;
  if (n <= room(s)) return;
  char *text = create(s, &want, room(s));
  memcpy(text, s->text, s->size + 1);
  dispose(s);
  s->text = text, s->here[0] = want;
}
static void put(String *s, unsigned long at, unsigned long drop, const char *text, unsigned long n) {
  unsigned long tail = s->size - at - drop;
  char *copy = n ? host_allocate(n, 16) : 0;  // it may be part of s
  if (n) memcpy(copy, text, n);
  grow(s, s->size - drop + n);
  memmove(s->text + at + n, s->text + at + drop, tail);
  if (n) memcpy(s->text + at, copy, n), host_free(copy);
  set_size(s, at + n + tail);
}
static void check(const String *s, unsigned long at, const char *who) {
  if (at > s->size) specialize_throw_range(who);
}
static void construct(String *s, const char *text, unsigned long n);
NAMED(void, construct_fill, STRING "12_M_constructEmc", String *s, unsigned long n, char c) {
  unsigned long want = n;
  if (n > SHORT) s->text = create(s, &want, 0), s->here[0] = want;
  memset(s->text, c, n);
  set_size(s, n);
}
static void construct(String *s, const char *text, unsigned long n) {
  begin(s);
  put(s, 0, 0, text, n);
}
NAMED(void, construct_range, STRING "12_M_constructIPKcEEvT_S8_St20forward_iterator_tag", String *s,
      const char *a, const char *b) {
  construct(s, a, (unsigned long)(b - a));
}
NAMED(void, construct_own, STRING "12_M_constructIPcEEvT_S7_St20forward_iterator_tag", String *s,
      const char *a, const char *b) {
  construct(s, a, (unsigned long)(b - a));
}
#define ALLOCATOR(kind, symbol)                               \
  NAMED(void, allocator_##kind, "_ZNSaIcE" symbol, void *a) { \
    (void)a;                                                  \
  }
ALLOCATOR(c1, "C1Ev")
ALLOCATOR(c2, "C2Ev")
ALLOCATOR(d1, "D1Ev")
ALLOCATOR(d2, "D2Ev")
NAMED(void, allocator_copy1, "_ZNSaIcEC1ERKS_", void *a, const void *b) {
  (void)a, (void)b;
}
NAMED(void, allocator_copy2, "_ZNSaIcEC2ERKS_", void *a, const void *b) {
  (void)a, (void)b;
}
NAMED(void, string_d1, STRING "D1Ev", String *s) {
  dispose(s);
}
NAMED(void, string_d2, STRING "D2Ev", String *s) {
  dispose(s);
}
NAMED(void, string_c1, STRING "C1Ev", String *s) {
  begin(s);
}
NAMED(void, string_c2, STRING "C2Ev", String *s) {
  begin(s);
}
NAMED(void, string_copy1, STRING "C1ERKS4_", String *s, const String *o) {
  begin(s), put(s, 0, 0, o->text, o->size);
}
NAMED(void, string_copy2, STRING "C2ERKS4_", String *s, const String *o) {
  begin(s), put(s, 0, 0, o->text, o->size);
}
static void take(String *s, String *o) {
  begin(s);
  if (is_short(o))
    memcpy(s->here, o->here, sizeof s->here), s->size = o->size;
  else
    s->text = o->text, s->size = o->size, s->here[0] = o->here[0];
  begin(o);
}
NAMED(void, string_move1, STRING "C1EOS4_", String *s, String *o) {
  take(s, o);
}
NAMED(void, string_move2, STRING "C2EOS4_", String *s, String *o) {
  take(s, o);
}
NAMED(void, string_text1, STRING "C1EPKcRKS3_", String *s, const char *t, void *a) {
  (void)a, begin(s), put(s, 0, 0, t, strlen(t));
}
NAMED(void, string_text2, STRING "C2EPKcRKS3_", String *s, const char *t, void *a) {
  (void)a, begin(s), put(s, 0, 0, t, strlen(t));
}
NAMED(String *, string_assign, STRING "9_M_assignERKS4_", String *s, const String *o) {
  return s == o ? s : (put(s, 0, s->size, o->text, o->size), s);
}
NAMED(String *, string_set, STRING "aSERKS4_", String *s, const String *o) {
  return string_assign(s, o);
}
NAMED(String *, string_set_move, STRING "aSEOS4_", String *s, String *o) {
  if (s != o) dispose(s), take(s, o);
  return s;
}
NAMED(String *, string_set_text, STRING "aSEPKc", String *s, const char *t) {
  return put(s, 0, s->size, t, strlen(t)), s;
}
NAMED(String *, string_add, STRING "pLERKS4_", String *s, const String *o) {
  return put(s, s->size, 0, o->text, o->size), s;
}
NAMED(String *, string_add_text, STRING "pLEPKc", String *s, const char *t) {
  return put(s, s->size, 0, t, strlen(t)), s;
}
NAMED(String *, string_add_char, STRING "pLEc", String *s, char c) {
  return put(s, s->size, 0, &c, 1), s;
}
NAMED(String *, string_append, STRING "6appendERKS4_", String *s, const String *o) {
  return put(s, s->size, 0, o->text, o->size), s;
}
NAMED(String *, string_append_text, STRING "6appendEPKc", String *s, const char *t) {
  return put(s, s->size, 0, t, strlen(t)), s;
}
NAMED(String *, string_append_n, STRING "6appendEPKcm", String *s, const char *t, unsigned long n) {
  return put(s, s->size, 0, t, n), s;
}
NAMED(String *, string_append_m, STRING "9_M_appendEPKcm", String *s, const char *t, unsigned long n) {
  return put(s, s->size, 0, t, n), s;
}
NAMED(void, string_push, STRING "9push_backEc", String *s, char c) {
  put(s, s->size, 0, &c, 1);
}
NAMED(void, string_mutate, STRING "9_M_mutateEmmPKcm", String *s, unsigned long at, unsigned long drop,
      const char *t, unsigned long n) {
  unsigned long tail = s->size - at - drop, want = s->size - drop + n;
  char *text = create(s, &want, room(s));
  memcpy(text, s->text, at);
  if (t) memcpy(text + at, t, n);
  memcpy(text + at + n, s->text + at + drop, tail);
  dispose(s);
  s->text = text, s->here[0] = want;
}
NAMED(String *, string_replace, STRING "10_M_replaceEmmPKcm", String *s, unsigned long at, unsigned long drop,
      const char *t, unsigned long n) {
  return put(s, at, drop, t, n), s;
}
NAMED(String *, string_replace_fill, STRING "14_M_replace_auxEmmmc", String *s, unsigned long at,
      unsigned long drop, unsigned long n, char c) {
  char *t = host_allocate(n + 1, 16);
  memset(t, c, n);
  put(s, at, drop, t, n);
  host_free(t);
  return s;
}
NAMED(void, string_resize, STRING "6resizeEmc", String *s, unsigned long n, char c) {
  if (n > s->size)
    string_replace_fill(s, s->size, 0, n - s->size, c);
  else
    set_size(s, n);
}
NAMED(void, string_reserve, STRING "7reserveEm", String *s, unsigned long n) {
  grow(s, n);
}
NAMED(String *, string_erase, STRING "5eraseEmm", String *s, unsigned long at, unsigned long n) {
  check(s, at, "basic_string::erase");
  return put(s, at, n < s->size - at ? n : s->size - at, 0, 0), s;
}
NAMED(int, string_compare, STRING_CONST "7compareERKS4_", const String *s, const String *o) {
  unsigned long n = s->size < o->size ? s->size : o->size;
  int d = memcmp(s->text, o->text, n);
  return d ? d : s->size < o->size ? -1 : s->size > o->size;
}
NAMED(int, string_compare_text, STRING_CONST "7compareEPKc", const String *s, const char *t) {
  unsigned long k = strlen(t), n = s->size < k ? s->size : k;
  int d = memcmp(s->text, t, n);
  return d ? d : s->size < k ? -1 : s->size > k;
}
NAMED(unsigned long, string_find_n, STRING_CONST "4findEPKcmm", const String *s, const char *t,
      unsigned long at, unsigned long n) {
  for (; at + n <= s->size; ++at)
    if (!memcmp(s->text + at, t, n)) return at;
  return (unsigned long)-1;
}
NAMED(unsigned long, string_find_char, STRING_CONST "4findEcm", const String *s, char c, unsigned long at) {
  for (; at < s->size; ++at)
    if (s->text[at] == c) return at;
  return (unsigned long)-1;
}
NAMED(void, string_substr, STRING_CONST "6substrEmm", String *to, const String *s, unsigned long at,
      unsigned long n) {
  check(s, at, "basic_string::substr");
  begin(to), put(to, 0, 0, s->text + at, n < s->size - at ? n : s->size - at);
}

NAMED(void, copy_chars, STRING "13_S_copy_charsEPcPKcS7_", char *to, const char *a, const char *b) {
  memcpy(to, a, (unsigned long)(b - a));
}
NAMED(void, copy_chars_own, STRING "13_S_copy_charsEPcS5_S5_", char *to, const char *a, const char *b) {
  memcpy(to, a, (unsigned long)(b - a));
}
NAMED(void, copy_chars_n, STRING "7_S_copyEPcPKcm", char *to, const char *a, unsigned long n) {
  memcpy(to, a, n);
}

// Small members, which are inline functions where the compiler optimizes.
#define SIMPLE(result, name, symbol) NAMED(result, name, symbol, String *s)
SIMPLE(const char *, string_c_str, STRING_CONST "5c_strEv") {
  return s->text;
}
SIMPLE(const char *, string_data, STRING_CONST "4dataEv") {
  return s->text;
}
SIMPLE(char *, string_data_own, STRING "4dataEv") {
  return s->text;
}
SIMPLE(char *, string_own_data, STRING_CONST "7_M_dataEv") {
  return s->text;
}
SIMPLE(char *, string_local, STRING "13_M_local_dataEv") {
  return (char *)s->here;
}
SIMPLE(const char *, string_local_const, STRING_CONST "13_M_local_dataEv") {
  return (char *)s->here;
}
SIMPLE(bool, string_is_local, STRING_CONST "11_M_is_localEv") {
  return is_short(s);
}
SIMPLE(unsigned long, string_size, STRING_CONST "4sizeEv") {
  return s->size;
}
SIMPLE(unsigned long, string_length, STRING_CONST "6lengthEv") {
  return s->size;
}
SIMPLE(unsigned long, string_capacity, STRING_CONST "8capacityEv") {
  return room(s);
}
SIMPLE(unsigned long, string_max, STRING_CONST "8max_sizeEv") {
  return (void)s, 0x3fffffffffffffff;
}
SIMPLE(bool, string_empty, STRING_CONST "5emptyEv") {
  return !s->size;
}
SIMPLE(char *, string_begin, STRING "5beginEv") {
  return s->text;
}
SIMPLE(const char *, string_begin_const, STRING_CONST "5beginEv") {
  return s->text;
}
SIMPLE(char *, string_end, STRING "3endEv") {
  return s->text + s->size;
}
SIMPLE(const char *, string_end_const, STRING_CONST "3endEv") {
  return s->text + s->size;
}
SIMPLE(char *, string_front, STRING "5frontEv") {
  return s->text;
}
SIMPLE(char *, string_back, STRING "4backEv") {
  return s->text + s->size - 1;
}
SIMPLE(void, string_clear, STRING "5clearEv") {
  set_size(s, 0);
}
SIMPLE(void, string_pop, STRING "8pop_backEv") {
  set_size(s, s->size - 1);
}
SIMPLE(void *, string_allocator, STRING "16_M_get_allocatorEv") {
  return s;
}
SIMPLE(const void *, string_allocator_const, STRING_CONST "16_M_get_allocatorEv") {
  return s;
}
NAMED(void, string_set_size, STRING "13_M_set_lengthEm", String *s, unsigned long n) {
  set_size(s, n);
}
NAMED(void, string_set_length, STRING "9_M_lengthEm", String *s, unsigned long n) {
  s->size = n;
}
NAMED(void, string_set_data, STRING "7_M_dataEPc", String *s, char *p) {
  s->text = p;
}
NAMED(void, string_set_capacity, STRING "11_M_capacityEm", String *s, unsigned long n) {
  s->here[0] = n;
}
NAMED(void, string_resize_one, STRING "6resizeEm", String *s, unsigned long n) {
  string_resize(s, n, 0);
}
NAMED(char *, string_element, STRING "ixEm", String *s, unsigned long i) {
  return s->text + i;
}
NAMED(const char *, string_element_const, STRING_CONST "ixEm", const String *s, unsigned long i) {
  return s->text + i;
}
NAMED(char *, string_at, STRING "2atEm", String *s, unsigned long i) {
  if (i >= s->size)
    specialize_throw_range_format("basic_string::at: __n (which is %zu) >= this->size() (which is %zu)", i,
                                  s->size);
  return s->text + i;
}
NAMED(unsigned long, string_find, STRING_CONST "4findERKS4_m", const String *s, const String *o,
      unsigned long at) {
  return string_find_n(s, o->text, at, o->size);
}
NAMED(unsigned long, string_find_text, STRING_CONST "4findEPKcm", const String *s, const char *t,
      unsigned long at) {
  return string_find_n(s, t, at, strlen(t));
}
NAMED(unsigned long, string_rfind_char, STRING_CONST "5rfindEcm", const String *s, char c, unsigned long at) {
  for (unsigned long i = at < s->size ? at + 1 : s->size; i-- > 0;)
    if (s->text[i] == c) return i;
  return (unsigned long)-1;
}
NAMED(String *, string_assign_public, STRING "6assignERKS4_", String *s, const String *o) {
  return string_assign(s, o);
}
NAMED(String *, string_assign_text, STRING "6assignEPKc", String *s, const char *t) {
  return put(s, 0, s->size, t, strlen(t)), s;
}
NAMED(String *, string_assign_n, STRING "6assignEPKcm", String *s, const char *t, unsigned long n) {
  return put(s, 0, s->size, t, n), s;
}
NAMED(String *, string_append_fill, STRING "6appendEmc", String *s, unsigned long n, char c) {
  return string_replace_fill(s, s->size, 0, n, c);
}
NAMED(String *, string_insert, STRING "6insertEmRKS4_", String *s, unsigned long at, const String *o) {
  return check(s, at, "basic_string::insert"), put(s, at, 0, o->text, o->size), s;
}
NAMED(String *, string_insert_text, STRING "6insertEmPKc", String *s, unsigned long at, const char *t) {
  return check(s, at, "basic_string::insert"), put(s, at, 0, t, strlen(t)), s;
}
NAMED(String *, string_replace_at, STRING "7replaceEmmRKS4_", String *s, unsigned long at, unsigned long n,
      const String *o) {
  return check(s, at, "basic_string::replace"),
         put(s, at, n < s->size - at ? n : s->size - at, o->text, o->size), s;
}
NAMED(String *, string_replace_text, STRING "7replaceEmmPKc", String *s, unsigned long at, unsigned long n,
      const char *t) {
  return check(s, at, "basic_string::replace"), put(s, at, n < s->size - at ? n : s->size - at, t, strlen(t)),
         s;
}
NAMED(void, string_fill1, STRING "C1EmcRKS3_", String *s, unsigned long n, char c, void *a) {
  (void)a, begin(s), string_replace_fill(s, 0, 0, n, c);
}
NAMED(void, string_fill2, STRING "C2EmcRKS3_", String *s, unsigned long n, char c, void *a) {
  (void)a, begin(s), string_replace_fill(s, 0, 0, n, c);
}
NAMED(void, string_n1, STRING "C1EPKcmRKS3_", String *s, const char *t, unsigned long n, void *a) {
  (void)a, construct(s, t, n);
}
NAMED(void, string_n2, STRING "C2EPKcmRKS3_", String *s, const char *t, unsigned long n, void *a) {
  (void)a, construct(s, t, n);
}
NAMED(void, string_hider1, STRING "12_Alloc_hiderC1EPcRKS3_", String *s, char *t, void *a) {
  (void)a, s->text = t;
}
NAMED(void, string_hider2, STRING "12_Alloc_hiderC2EPcRKS3_", String *s, char *t, void *a) {
  (void)a, s->text = t;
}
NAMED(void, string_hider_move1, STRING "12_Alloc_hiderC1EPcOS3_", String *s, char *t, void *a) {
  (void)a, s->text = t;
}
NAMED(void, string_hider_move2, STRING "12_Alloc_hiderC2EPcOS3_", String *s, char *t, void *a) {
  (void)a, s->text = t;
}
NAMED(void, string_erase_own, STRING "8_M_eraseEmm", String *s, unsigned long at, unsigned long n) {
  put(s, at, n, 0, 0);
}
