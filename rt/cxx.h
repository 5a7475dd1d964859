// rt/cxx -- inside rt/: what libstdc++ does in its library rather than its headers, for the recorder and the
// enforcement, which stand between it and the program. Objects are their first words: std::thread its
// pthread_t, std::condition_variable its pthread_cond_t, std::unique_lock a pointer to the mutex,
// std::unique_ptr the pointer.
#pragma once
#include <pthread.h>
#include <stddef.h>

// The compiler has these names for the members of std.
#define START_THREAD _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE
#define CV(name) _ZNSt18condition_variable##name
#define CXX_PASTE_(a, b) a##b
#define CXX_PASTE(a, b) CXX_PASTE_(a, b)
extern void START_THREAD(pthread_t *self, void **state, void (*depend)(void));
extern void _ZNSt6thread4joinEv(pthread_t *self);
extern void _ZNSt6thread6detachEv(pthread_t *self);
extern void CV(C1Ev)(void *self);
extern void CV(C2Ev)(void *self);
extern void CV(D1Ev)(void *self);
extern void CV(D2Ev)(void *self);
extern void CV(4waitERSt11unique_lockISt5mutexE)(void *self, void **lock);
extern void CV(10notify_oneEv)(void *self);
extern void CV(10notify_allEv)(void *self);
extern int __cxa_guard_acquire(void *guard);
extern void __cxa_guard_release(void *guard);
extern void __cxa_guard_abort(void *guard);

// A std::thread::_State is an object with these three virtual functions. libstdc++ gets one of ours around
// the program's.
typedef struct {
  void (*destroy)(void **self), (*remove)(void **self), (*run)(void **self);
} StateTable;
// The pointer of an object is behind two words that only C++'s casts look at.
typedef struct {
  long offset;
  const void *type;
  StateTable table;
} StateObject;
static inline const StateTable *table_of(void **state) {
  return *state;
}

// For the runtime's thread of type T, with the program's state in start.state and ours in cxx_state.
#define CXX_STATE_OF(T)                                           \
  static T *thread_of(void **state) {                             \
    return (T *)(void *)((char *)state - offsetof(T, cxx_state)); \
  }                                                               \
  static void state_destroy(void **self) {                        \
    void **state = thread_of(self)->start.state;                  \
    table_of(state)->destroy(state);                              \
  }                                                               \
  static void state_remove(void **self) {                         \
    void **state = thread_of(self)->start.state;                  \
    table_of(state)->remove(state);                               \
  }
