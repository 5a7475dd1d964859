// What inline code of libstdc++ calls: operator new and standard exceptions.
#include "cxx.h"

void *__cxa_allocate_exception(unsigned long size);
void __cxa_throw(void *object, void *type, void (*destroy)(void *));

// An exception of the library: its vtable, and for those with a message a text that it owns.
typedef struct {
  void **table;
  char *text;
} Exception;

static void nothing(Exception *e) {
  (void)e;
}
static void destroy_text(Exception *e) {
  free(e->text);
}
static void delete_plain(Exception *e) {
  free(e);
}
static void delete_text(Exception *e) {
  free(e->text), free(e);
}
static const char *text_of(const Exception *e) {
  return e->text;
}
static void set_text(Exception *e, const char *text) {
  e->text = strdup(text);
}

typedef struct {
  long offset;
  const void *info;
  void *functions[3];  // complete and deleting destructors, what
} Table;
#define ROOT(mangled, says)                                    \
  static const char *what_##mangled(const Exception *e) {      \
    return (void)e, says;                                      \
  }                                                            \
  extern const Info info_##mangled __asm__("_ZTI" #mangled);   \
  extern const Table table_##mangled __asm__("_ZTV" #mangled); \
  const Info info_##mangled = {class_table + 2, #mangled, 0};  \
  const Table table_##mangled = {0, &info_##mangled, {nothing, delete_plain, what_##mangled}};
#define PLAIN(mangled, base, says)                                                     \
  NAMED(const char *, what_##mangled, "_ZNK" #mangled "4whatEv", const Exception *e) { \
    return (void)e, says;                                                              \
  }                                                                                    \
  NAMED(void, d1_##mangled, "_ZN" #mangled "D1Ev", Exception *e) {                     \
    (void)e;                                                                           \
  }                                                                                    \
  NAMED(void, d2_##mangled, "_ZN" #mangled "D2Ev", Exception *e) {                     \
    (void)e;                                                                           \
  }                                                                                    \
  NAMED(void, d0_##mangled, "_ZN" #mangled "D0Ev", Exception *e) {                     \
    free(e);                                                                           \
  }                                                                                    \
  extern const Info info_##mangled __asm__("_ZTI" #mangled);                           \
  extern const Table table_##mangled __asm__("_ZTV" #mangled);                         \
  const Info info_##mangled = {single_table + 2, #mangled, &info_##base};              \
  const Table table_##mangled = {0, &info_##mangled, {d1_##mangled, d0_##mangled, what_##mangled}};
#define TEXT(mangled, base)                                               \
  extern const Info info_##mangled __asm__("_ZTI" #mangled);              \
  extern const Table table_##mangled __asm__("_ZTV" #mangled);            \
  const Info info_##mangled = {single_table + 2, #mangled, &info_##base}; \
  const Table table_##mangled = {0, &info_##mangled, {destroy_text, delete_text, text_of}};
ROOT(St9exception, "std::exception")
PLAIN(St9bad_alloc, St9exception, "std::bad_alloc")
PLAIN(St20bad_array_new_length, St9bad_alloc, "std::bad_array_new_length")
PLAIN(St8bad_cast, St9exception, "std::bad_cast")
PLAIN(St17bad_function_call, St9exception, "bad_function_call")
TEXT(St13runtime_error, St9exception)
TEXT(St11logic_error, St9exception)
TEXT(St12length_error, St11logic_error)
TEXT(St12out_of_range, St11logic_error)
TEXT(St16invalid_argument, St11logic_error)
TEXT(St12domain_error, St11logic_error)
TEXT(St11range_error, St13runtime_error)
TEXT(St14overflow_error, St13runtime_error)
TEXT(St15underflow_error, St13runtime_error)
TEXT(St12system_error, St13runtime_error)

NAMED(void, exception_d2, "_ZNSt9exceptionD2Ev", Exception *e) {
  (void)e;
}
NAMED(void, exception_d1, "_ZNSt9exceptionD1Ev", Exception *e) {
  (void)e;
}
NAMED(void, exception_d0, "_ZNSt9exceptionD0Ev", Exception *e) {
  free(e);
}
NAMED(const char *, exception_what, "_ZNKSt9exception4whatEv", const Exception *e) {
  return (void)e, "std::exception";
}

#define MESSAGE(mangled)                                                                                 \
  static void make_##mangled(Exception *e, const char *s) {                                              \
    e->table = (void **)(uintptr_t)table_##mangled.functions, set_text(e, s);                            \
  }                                                                                                      \
  NAMED(void, c1_##mangled, "_ZN" #mangled "C1EPKc", Exception *e, const char *s) {                      \
    make_##mangled(e, s);                                                                                \
  }                                                                                                      \
  NAMED(void, c2_##mangled, "_ZN" #mangled "C2EPKc", Exception *e, const char *s) {                      \
    make_##mangled(e, s);                                                                                \
  }                                                                                                      \
  NAMED(void, cs1_##mangled, "_ZN" #mangled "C1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", \
        Exception *e, const String *s) {                                                                 \
    make_##mangled(e, s->text);                                                                          \
  }                                                                                                      \
  NAMED(void, cs2_##mangled, "_ZN" #mangled "C2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", \
        Exception *e, const String *s) {                                                                 \
    make_##mangled(e, s->text);                                                                          \
  }                                                                                                      \
  NAMED(void, cc1_##mangled, "_ZN" #mangled "C1ERKS_", Exception *e, const Exception *s) {               \
    make_##mangled(e, s->text);                                                                          \
  }                                                                                                      \
  NAMED(void, cc2_##mangled, "_ZN" #mangled "C2ERKS_", Exception *e, const Exception *s) {               \
    make_##mangled(e, s->text);                                                                          \
  }                                                                                                      \
  NAMED(void, d1_##mangled, "_ZN" #mangled "D1Ev", Exception *e) {                                       \
    destroy_text(e);                                                                                     \
  }                                                                                                      \
  NAMED(void, d2_##mangled, "_ZN" #mangled "D2Ev", Exception *e) {                                       \
    destroy_text(e);                                                                                     \
  }                                                                                                      \
  NAMED(void, d0_##mangled, "_ZN" #mangled "D0Ev", Exception *e) {                                       \
    delete_text(e);                                                                                      \
  }
MESSAGE(St13runtime_error)
MESSAGE(St11logic_error)
MESSAGE(St12length_error)
MESSAGE(St12out_of_range)
MESSAGE(St16invalid_argument)
MESSAGE(St12domain_error)
MESSAGE(St11range_error)
MESSAGE(St14overflow_error)
NAMED(const char *, runtime_what, "_ZNKSt13runtime_error4whatEv", const Exception *e) {
  return e->text;
}
NAMED(const char *, logic_what, "_ZNKSt11logic_error4whatEv", const Exception *e) {
  return e->text;
}

#define THROWS(name, symbol, mangled, text)                                             \
  NAMED(void, name, symbol, const char *s) {                                            \
    Exception *e = __cxa_allocate_exception(sizeof *e);                                 \
    (void)s;                                                                            \
    e->table = (void **)(uintptr_t)table_##mangled.functions;                           \
    set_text(e, text);                                                                  \
    __cxa_throw(e, (void *)(uintptr_t)&info_##mangled, (void (*)(void *))destroy_text); \
  }
THROWS(throw_length, "_ZSt20__throw_length_errorPKc", St12length_error, s)
THROWS(throw_logic, "_ZSt19__throw_logic_errorPKc", St11logic_error, s)
THROWS(throw_range, "_ZSt20__throw_out_of_rangePKc", St12out_of_range, s)
THROWS(throw_argument, "_ZSt24__throw_invalid_argumentPKc", St16invalid_argument, s)
THROWS(throw_runtime, "_ZSt21__throw_runtime_errorPKc", St13runtime_error, s)
THROWS(throw_alloc, "_ZSt17__throw_bad_allocv", St9bad_alloc, "std::bad_alloc")
THROWS(throw_array, "_ZSt28__throw_bad_array_new_lengthv", St20bad_array_new_length,
       "std::bad_array_new_length")
THROWS(throw_cast, "_ZSt16__throw_bad_castv", St8bad_cast, "std::bad_cast")
THROWS(throw_call, "_ZSt25__throw_bad_function_callv", St17bad_function_call, "bad_function_call")
int vsnprintf(char *to, unsigned long room, const char *f, __builtin_va_list args);
static void throw_formatted(const char *s, __builtin_va_list args) {
  char text[400];
  vsnprintf(text, sizeof text, s, args);
  throw_range(text);
}
NAMED(void, throw_range_format, "_ZSt24__throw_out_of_range_fmtPKcz", const char *s, ...) {
  __builtin_va_list args;
  __builtin_va_start(args, s);
  throw_formatted(s, args);
}
void specialize_throw_range_format(const char *s, ...) {
  __builtin_va_list args;
  __builtin_va_start(args, s);
  throw_formatted(s, args);
}
NAMED(void, throw_system, "_ZSt20__throw_system_errori", int n) {
  (void)n;
  host_refuse("std::system_error, which has no model");
}

void *specialize_new(unsigned long n, unsigned long align) {
  void *p = host_allocate(n ? n : 1, align);
  if (!p) throw_alloc(0);
  return p;
}
NAMED(void *, new_one, "_Znwm", unsigned long n) {
  return specialize_new(n, 16);
}
NAMED(void *, new_array, "_Znam", unsigned long n) {
  return specialize_new(n, 16);
}
NAMED(void *, new_aligned, "_ZnwmSt11align_val_t", unsigned long n, unsigned long a) {
  return specialize_new(n, a);
}
NAMED(void *, new_quiet, "_ZnwmRKSt9nothrow_t", unsigned long n, void *x) {
  return (void)x, host_allocate(n ? n : 1, 16);
}
NAMED(void *, new_array_quiet, "_ZnamRKSt9nothrow_t", unsigned long n, void *x) {
  return (void)x, host_allocate(n ? n : 1, 16);
}
NAMED(void, delete_one, "_ZdlPv", void *p) {
  host_free(p);
}
NAMED(void, delete_array, "_ZdaPv", void *p) {
  host_free(p);
}
NAMED(void, delete_sized, "_ZdlPvm", void *p, unsigned long n) {
  (void)n, host_free(p);
}
NAMED(void, delete_array_sized, "_ZdaPvm", void *p, unsigned long n) {
  (void)n, host_free(p);
}
NAMED(void, delete_aligned, "_ZdlPvSt11align_val_t", void *p, unsigned long a) {
  (void)a, host_free(p);
}
NAMED(void, delete_sized_aligned, "_ZdlPvmSt11align_val_t", void *p, unsigned long n, unsigned long a) {
  (void)n, (void)a, host_free(p);
}

void specialize_throw_length(const char *text) {
  throw_length(text);
}
void specialize_throw_range(const char *text) {
  throw_range(text);
}
