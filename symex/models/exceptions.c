// The C++ ABI of exceptions. An exception is a header and, behind it, the object; landing pads get the
// header.
#include <stdint.h>
#include "host.h"

typedef struct Header {
  void *type;
  void (*destroy)(void *);
  void *adjusted;  // the object as the handler's type: the interpreter knows where that lies (symex/unwind.c)
  struct Header *outer;
  long handlers, thrown;
  long unused[2];
} Header;
_Static_assert(sizeof(Header) == 64, "symex/unwind.c knows the size");

static _Thread_local struct {
  Header *caught;
  unsigned uncaught;
} globals;

void *__cxa_get_globals(void) {
  return &globals;
}
void *__cxa_allocate_exception(unsigned long size) {
  Header *h = host_allocate(sizeof *h + size, 16);
  __builtin_memset(h, 0, sizeof *h);
  return h + 1;
}
void __cxa_free_exception(void *object) {
  host_free((Header *)object - 1);
}
void __cxa_throw(void *object, void *type, void (*destroy)(void *)) {
  Header *h = (Header *)object - 1;
  h->type = type, h->destroy = destroy, h->adjusted = object;
  ++h->thrown, ++globals.uncaught;
  host_throw(h);
}
void *__cxa_begin_catch(void *exception) {
  Header *h = exception;
  if (!h) return 0;
  if (h->thrown) --h->thrown, --globals.uncaught;
  h->handlers = h->handlers < 0 ? -h->handlers + 1 : h->handlers + 1;
  if (globals.caught != h) h->outer = globals.caught, globals.caught = h;
  return h->adjusted;
}
void *__cxa_get_exception_ptr(void *exception) {
  return ((Header *)exception)->adjusted;
}
void __cxa_end_catch(void) {
  Header *h = globals.caught;
  if (!h) return;
  if (h->handlers < 0) {  // thrown again
    if (!++h->handlers) globals.caught = h->outer;
    return;
  }
  if (--h->handlers) return;
  globals.caught = h->outer;
  if (h->destroy) h->destroy(h + 1);
  host_free(h);
}
void __cxa_rethrow(void) {
  Header *h = globals.caught;
  if (!h) host_die(6);
  h->handlers = -h->handlers;
  ++h->thrown, ++globals.uncaught;
  host_throw(h);
}
void _Unwind_Resume(void *exception) {
  host_throw(exception);
}
int uncaught(void) __asm__("_ZSt19uncaught_exceptionsv");
int uncaught(void) {
  return (int)globals.uncaught;
}
bool uncaught_one(void) __asm__("_ZSt18uncaught_exceptionv");
bool uncaught_one(void) {
  return globals.uncaught;
}
void terminate(void) __asm__("_ZSt9terminatev");
void terminate(void) {
  host_die(6);
}
void __cxa_pure_virtual(void) {
  host_die(6);
}
void __cxa_deleted_virtual(void) {
  host_die(6);
}
void *current_type(void) __asm__("__cxa_current_exception_type");
void *current_type(void) {
  return globals.caught ? globals.caught->type : 0;
}
void call_terminate(void *exception) __asm__("__clang_call_terminate_model");
void call_terminate(void *exception) {
  __cxa_begin_catch(exception);
  host_die(6);
}
int personality(int a, ...) __asm__("__gxx_personality_v0");
int personality(int a, ...) {
  return a;
}
int c_personality(int a, ...) __asm__("__gcc_personality_v0");
int c_personality(int a, ...) {
  return a;
}

// Type information of the language's own types and of the standard exceptions: a vtable, a name, a base.
typedef struct {
  const void *table;
  const char *name;
  const void *base;
} Info;
const void *const class_table[8] __asm__("_ZTVN10__cxxabiv117__class_type_infoE");
const void *const single_table[8] __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE");
const void *const several_table[8] __asm__("_ZTVN10__cxxabiv121__vmi_class_type_infoE");
const void *const plain_table[8] __asm__("_ZTVN10__cxxabiv123__fundamental_type_infoE");
const void *const pointer_table[8] __asm__("_ZTVN10__cxxabiv119__pointer_type_infoE");
const void *const function_table[8] __asm__("_ZTVN10__cxxabiv120__function_type_infoE");
const void *const enum_table[8] __asm__("_ZTVN10__cxxabiv116__enum_type_infoE");
#define PLAIN(letter)                                       \
  extern const Info plain_##letter __asm__("_ZTI" #letter); \
  const Info plain_##letter = {plain_table + 2, #letter, 0};
PLAIN(v)
PLAIN(b)
PLAIN(c) PLAIN(a) PLAIN(h) PLAIN(s) PLAIN(t) PLAIN(i) PLAIN(j) PLAIN(l) PLAIN(m) PLAIN(x) PLAIN(y) PLAIN(n)
    PLAIN(o) PLAIN(f) PLAIN(d) PLAIN(e) PLAIN(w)
#define POINTER(letter)                                       \
  extern const Info pointer_##letter __asm__("_ZTI" #letter); \
  const Info pointer_##letter = {pointer_table + 2, #letter, 0};
        POINTER(PKc) POINTER(Pc) POINTER(Pv) POINTER(PKv) POINTER(Pi)
