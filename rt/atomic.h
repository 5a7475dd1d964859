// rt/atomic -- what the calls that atomic instructions become say in their last argument, and the operations
// themselves on memory of any size. Inside generated modules and all runtimes.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Orders are LLVM's: 2 relaxed, 4 acquire, 5 release, 6 both, 7 seq_cst. Operations of an exchange too.
enum {
  RT_HOW_ORDER = 0xf,
  RT_HOW_FAILURE = 4,  // shift: the order of a compare-exchange that fails
  RT_HOW_OPERATION = 8,
  RT_HOW_VOLATILE = 1 << 16,
  RT_HOW_WEAK = 1 << 17,
  RT_HOW_REAL = 1 << 18  // the operands are floating point
};
enum {
  RT_RMW_XCHG,
  RT_RMW_ADD,
  RT_RMW_SUB,
  RT_RMW_AND,
  RT_RMW_NAND,
  RT_RMW_OR,
  RT_RMW_XOR,
  RT_RMW_MAX,
  RT_RMW_MIN,
  RT_RMW_UMAX,
  RT_RMW_UMIN,
  RT_RMW_FADD,
  RT_RMW_FSUB,
  RT_RMW_FMAX,
  RT_RMW_FMIN,
  RT_RMW_LAST
};

// The sizes that there are, with the type that a value has in a call: a pointer is one in generated code.
#ifdef __clang__
#define RT_ATOMIC_POINTER void *
#else
#define RT_ATOMIC_POINTER uintptr_t
#endif
#define RT_ATOMIC_SIZES(X) \
  X(1, uint32_t, 1)        \
  X(2, uint32_t, 2)        \
  X(4, uint32_t, 4)        \
  X(8, uint64_t, 8)        \
  X(p, RT_ATOMIC_POINTER, 8)

static inline uintptr_t rt_cell_of(const volatile void *p) {
  return (uintptr_t)p & ~(uintptr_t)7;
}

static inline uint64_t rt_atomic_mask(unsigned bytes) {
  return bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
}
static inline int64_t rt_atomic_signed(uint64_t v, unsigned bytes) {
  unsigned shift = 64 - 8 * bytes;
  return (int64_t)(v << shift) >> shift;
}

static inline double rt_atomic_real(uint64_t v, unsigned bytes) {
  double d;
  float f;
  uint32_t low = (uint32_t)v;
  memcpy(&d, &v, sizeof d);
  memcpy(&f, &low, sizeof f);
  return bytes == 8 ? d : (double)f;
}
static inline uint64_t rt_atomic_unreal(double d, unsigned bytes) {
  float f = (float)d;
  uint64_t v;
  uint32_t low;
  memcpy(&v, &d, sizeof v);
  memcpy(&low, &f, sizeof low);
  return bytes == 8 ? v : low;
}

static inline uint64_t rt_atomic_apply(uint32_t how, uint64_t a, uint64_t b, unsigned bytes) {
  int64_t sa = rt_atomic_signed(a, bytes), sb = rt_atomic_signed(b, bytes);
  double ra = rt_atomic_real(a, bytes), rb = rt_atomic_real(b, bytes);
  switch (how >> RT_HOW_OPERATION & 0xff) {
    case RT_RMW_ADD:
      return a + b;
    case RT_RMW_SUB:
      return a - b;
    case RT_RMW_AND:
      return a & b;
    case RT_RMW_NAND:
      return ~(a & b);
    case RT_RMW_OR:
      return a | b;
    case RT_RMW_XOR:
      return a ^ b;
    case RT_RMW_MAX:
      return sa > sb ? a : b;
    case RT_RMW_MIN:
      return sa < sb ? a : b;
    case RT_RMW_UMAX:
      return a > b ? a : b;
    case RT_RMW_UMIN:
      return a < b ? a : b;
    case RT_RMW_FADD:
      return rt_atomic_unreal(ra + rb, bytes);
    case RT_RMW_FSUB:
      return rt_atomic_unreal(ra - rb, bytes);
    case RT_RMW_FMAX:
      return rt_atomic_unreal(ra > rb ? ra : rb, bytes);
    case RT_RMW_FMIN:
      return rt_atomic_unreal(ra < rb ? ra : rb, bytes);
    default:
      return b;
  }
}

#define RT_ATOMIC_BY_SIZE(what)                          \
  (bytes == 1   ? what((volatile uint8_t *)p, uint8_t)   \
   : bytes == 2 ? what((volatile uint16_t *)p, uint16_t) \
   : bytes == 4 ? what((volatile uint32_t *)p, uint32_t) \
                : what((volatile uint64_t *)p, uint64_t))

static inline __attribute__((always_inline)) uint64_t rt_atomic_load(const volatile void *at,
                                                                     unsigned bytes) {
  volatile void *p = (volatile void *)(uintptr_t)at;
#define LOAD(q, type) (uint64_t) __atomic_load_n(q, __ATOMIC_SEQ_CST)
  return RT_ATOMIC_BY_SIZE(LOAD);
#undef LOAD
}
// The old value. On x86 an exchange, as a sequentially consistent store is.
static inline __attribute__((always_inline)) uint64_t rt_atomic_swap(volatile void *p, uint64_t v,
                                                                     unsigned bytes) {
#define SWAP(q, type) (uint64_t) __atomic_exchange_n(q, (type)v, __ATOMIC_SEQ_CST)
  return RT_ATOMIC_BY_SIZE(SWAP);
#undef SWAP
}
static inline __attribute__((always_inline)) bool rt_atomic_cas(volatile void *p, uint64_t *expected,
                                                                uint64_t v, unsigned bytes) {
  uint8_t e1 = (uint8_t)*expected;
  uint16_t e2 = (uint16_t)*expected;
  uint32_t e4 = (uint32_t)*expected;
  bool done;
  if (bytes == 1)
    done = __atomic_compare_exchange_n((volatile uint8_t *)p, &e1, (uint8_t)v, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST),
    *expected = e1;
  else if (bytes == 2)
    done = __atomic_compare_exchange_n((volatile uint16_t *)p, &e2, (uint16_t)v, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST),
    *expected = e2;
  else if (bytes == 4)
    done = __atomic_compare_exchange_n((volatile uint32_t *)p, &e4, (uint32_t)v, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST),
    *expected = e4;
  else
    done = __atomic_compare_exchange_n((volatile uint64_t *)p, expected, v, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
  return done;
}
static inline __attribute__((always_inline)) uint64_t rt_atomic_rmw(volatile void *p, uint64_t v,
                                                                    unsigned bytes, uint32_t how) {
#define ADD(q, type) (uint64_t) __atomic_fetch_add(q, (type)v, __ATOMIC_SEQ_CST)
#define SUB(q, type) (uint64_t) __atomic_fetch_sub(q, (type)v, __ATOMIC_SEQ_CST)
  uint32_t op = how >> RT_HOW_OPERATION & 0xff;
  if (op == RT_RMW_XCHG) return rt_atomic_swap(p, v, bytes);
  if (op == RT_RMW_ADD) return RT_ATOMIC_BY_SIZE(ADD);
  if (op == RT_RMW_SUB) return RT_ATOMIC_BY_SIZE(SUB);
#undef ADD
#undef SUB
  uint64_t old = rt_atomic_load(p, bytes);
  while (!rt_atomic_cas(p, &old, rt_atomic_apply(how, old, v, bytes) & rt_atomic_mask(bytes), bytes))
    continue;
  return old;
}
#undef RT_ATOMIC_BY_SIZE
