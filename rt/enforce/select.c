// The dispatcher's library. It runs in the user's process before anything of a schedule does, with one
// thread; a person sees nothing of it but what the environment asks for.
#include "rt/select.h"
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// In one write, so that the lines of several processes do not mix. stdio is the program's.
__attribute__((format(printf, 1, 2))) static void say(const char *fmt, ...) {
  char line[256];
  va_list args;
  va_start(args, fmt);
  int n = vsnprintf(line, sizeof line, fmt, args);
  va_end(args);
  if (n < 0) return;
  size_t len = (size_t)n < sizeof line ? (size_t)n : sizeof line - 1;
  line[len - (len == sizeof line - 1)] = '\n';
  if (write(STDERR_FILENO, line, len) < 0) return;  // there is nobody to tell
}

// All of it, in decimal; -1: it is no number.
static int64_t number(const char *s) {
  int64_t n = 0;
  if (!*s) return -1;
  for (; *s; ++s) {
    if (*s < '0' || *s > '9' || n > UINT32_MAX) return -1;
    n = n * 10 + (*s - '0');
  }
  return n <= UINT32_MAX ? n : -1;
}

int64_t rt_select_choice(void) {
  static int said;
  int kept = errno;
  const char *s = secure_getenv("SPECIALIZE_SCHEDULE");
  int64_t choice = s ? number(s) : RT_CHOICE_TEST;
  if (s && !strcmp(s, "none")) choice = RT_CHOICE_NONE;
  if (s && choice == RT_CHOICE_TEST && !said++)
    say("specialize: SPECIALIZE_SCHEDULE=%.99s ignored: not a number or none\n", s);
  errno = kept;
  return choice;
}

static bool told;

static bool is_verbose(void) {
  const char *s = secure_getenv("SPECIALIZE_VERBOSE");
  return s && !strcmp(s, "1");
}

void rt_select_tell(int64_t id) {
  int kept = errno;
  told = true;
  if (is_verbose()) {
    if (id < 0)
      say("specialize: no schedule fits this input; running the original code\n");
    else
      say("specialize: schedule %lld\n", (long long)id);
  }
  errno = kept;
}

void rt_select_none(void) {
  if (!told) rt_select_tell(-1);
}

// A child that was forked before the choice is another run, and tells only where it comes to a point.
static pid_t waiting;
static void at_end(int status, void *unused) {
  (void)status, (void)unused;
  if (getpid() == waiting) rt_select_none();
}

void rt_select_wait(void) {
  int kept = errno;
  waiting = getpid();
  if (is_verbose()) on_exit(at_end, NULL);
  errno = kept;
}

// As many as there are entries: the links of their directory, but for its own two.
static bool is_alone(void) {
  struct stat tasks;
  return __libc_single_threaded || (!stat("/proc/self/task", &tasks) && tasks.st_nlink == 3);
}

int rt_select_alone(int64_t id) {
  int kept = errno, alone = is_alone();
  if (!alone && is_verbose() && !told)
    say("specialize: schedule %lld fits, but other threads already run; running the original code\n",
        (long long)id);
  told |= !alone;
  errno = kept;
  return alone;
}

noreturn void rt_select_unfit(int64_t id) {
  say("specialize: schedule %lld does not fit this input (SPECIALIZE_SCHEDULE)\n", (long long)id);
  _exit(2);
}

noreturn void rt_select_unknown(int64_t id) {
  say("specialize: this program has no schedule %lld (SPECIALIZE_SCHEDULE)\n", (long long)id);
  _exit(2);
}

const char *rt_select_env(const char *name) {
  return getenv(name);
}

int64_t rt_select_sysconf(int n) {
  int kept = errno;
  int64_t value = sysconf(n);
  errno = kept;
  return value;
}

// The kernel reads the new mask of sigprocmask before it looks at what it is to do with it, and that is
// nothing it knows: so nothing happens, EFAULT where the 8 bytes cannot be read and EINVAL where they can. It
// needs no descriptor, and filters of system calls let it pass, unlike process_vm_readv.
static int readable(uintptr_t at) {
  int kept = errno;
  long failed = syscall(SYS_rt_sigprocmask, ~0, at & ~(uintptr_t)7, NULL, 8);
  int yes = failed == -1 && errno != EFAULT;
  errno = kept;
  return yes;
}

#if defined(__SANITIZE_ADDRESS__)
#define RAW __attribute__((no_sanitize_address))
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RAW __attribute__((no_sanitize("address")))
#endif
#endif
#ifndef RAW
#define RAW
#endif

RAW int rt_select_read(int64_t address, void *to, size_t size) {
  uintptr_t first = (uintptr_t)address;
  if (first + size < first || !readable(first) || !readable(first + size - 1)) return 0;
  for (size_t i = 0; i < size; ++i) ((volatile char *)to)[i] = ((const volatile char *)first)[i];
  return 1;
}

// A page is the least that can be unreadable.
RAW const char *rt_select_text(int64_t address) {
  enum { PAGE = 4096 };
  uintptr_t at = (uintptr_t)address;
  while (readable(at)) {
    uintptr_t end = (at | (PAGE - 1)) + 1;
    for (; at != end; ++at)
      if (!*(const volatile char *)at) return (const char *)(uintptr_t)address;
    if (!end) break;
  }
  return NULL;
}

const char *rt_select_array(const char *at, size_t size) {
  return memchr(at, 0, size) ? at : NULL;
}

int64_t rt_select_char(const char *s, int64_t i) {
  if (!s || i < 0 || strnlen(s, (size_t)i) < (size_t)i) return RT_SELECT_NO_CHAR;
  return (signed char)s[i];
}

// strtol and its kin set errno.
#define KEPT(type, expression)             \
  int kept = errno;                        \
  type value = s ? (type)(expression) : 0; \
  errno = kept;                            \
  return value

static int base_of(int64_t n) {
  return n < 0 || n > 36 ? 1 : (int)n;
}

int64_t rt_select_atoi(const char *s) {
  KEPT(int64_t, atoi(s));
}
int64_t rt_select_strtol(const char *s, int64_t base) {
  KEPT(int64_t, strtol(s, NULL, base_of(base)));
}
int64_t rt_select_strtoul(const char *s, int64_t base) {
  KEPT(int64_t, strtoul(s, NULL, base_of(base)));
}
double rt_select_strtod(const char *s) {
  KEPT(double, strtod(s, NULL));
}
int64_t rt_select_strlen(const char *s) {
  return s ? (int64_t)strlen(s) : 0;
}
int64_t rt_select_strcmp(const char *a, const char *b) {
  return a && b ? strcmp(a, b) : 0;
}
int64_t rt_select_strncmp(const char *a, const char *b, int64_t n) {
  return a && b ? strncmp(a, b, (size_t)n) : 0;
}
int64_t rt_select_strcasecmp(const char *a, const char *b) {
  return a && b ? strcasecmp(a, b) : 0;
}
int64_t rt_select_strncasecmp(const char *a, const char *b, int64_t n) {
  return a && b ? strncasecmp(a, b, (size_t)n) : 0;
}

int64_t rt_select_which(const char *s, const char *const *texts, size_t n) {
  size_t low = 0, high = s ? n : 0;
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    int there = strcmp(s, texts[mid]);
    if (!there) return (int64_t)mid;
    if (there > 0)
      low = mid + 1;
    else
      high = mid;
  }
  return -1;
}

// There are few, and no memory may be allocated to sort many. A NaN equals nothing.
#define DISTINCT(equal)            \
  for (size_t i = 1; i < n; ++i)   \
    for (size_t j = 0; j < i; ++j) \
      if (equal) return 0;         \
  return 1

int rt_select_distinct_ints(const int64_t *at, size_t n) {
  DISTINCT(at[i] == at[j]);
}
int rt_select_distinct_reals(const double *at, size_t n) {
  DISTINCT(at[i] == at[j]);
}
int rt_select_distinct_texts(const char *const *at, size_t n) {
  DISTINCT(at[i] && at[j] && !strcmp(at[i], at[j]));
}
