// rt/maps -- whether memory belongs to this process alone, as /proc/self/maps has it. Header only: both
// runtimes ask, each for itself. Plain system calls, since those of the C library are cancellation points and
// may allocate by functions of the program.
#pragma once
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct {
  unsigned long from, to;
  char how[8];
} Mapping;
// False too where it cannot be found out.
static inline bool maps_private(unsigned long address) {
  char text[4096], line[256];
  size_t n = 0;
  bool found = false;
  long fd = syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC), got;
  while (fd >= 0 && (got = syscall(SYS_read, fd, text, sizeof text)) > 0)
    for (long i = 0; i < got; ++i) {
      Mapping m;
      if (text[i] != '\n') {
        if (n < sizeof line - 1) line[n++] = text[i];
        continue;
      }
      line[n] = 0, n = 0;
      if (sscanf(line, "%lx-%lx %7s", &m.from, &m.to, m.how) == 3 && address >= m.from && address < m.to)
        found = m.how[3] == 'p';
    }
  if (fd >= 0) syscall(SYS_close, fd);
  return found;
}
