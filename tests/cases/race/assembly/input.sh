# Inline assembly touches what its constraints and its text say: an instruction that only aligns code or does nothing is no
# access, one that dereferences an operand is one of that memory.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
static int quiet, read_here, cleared;
int *volatile leak = &quiet;
static void *first(void *arg) {
  __asm__ volatile(".p2align 4");
  __asm__ volatile("nop");
  __asm__ volatile("pause" ::: "memory");
  quiet = 1;
  read_here = 1;
  cleared = 1;
  return arg;
}
static void *second(void *arg) {
  int x;
  __asm__ volatile("nop");
  __asm__ volatile("movl (%1), %0" : "=r"(x) : "r"(&read_here));
  __asm__ volatile("movl \$0, %0" : "=m"(cleared));
  return arg;
}
$END_OF_THREADS
X
made app
races app
