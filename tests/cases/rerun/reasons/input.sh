# What a recorded run needs and the interpreter does not have ends the run, with the call and its line.
cat > unknown.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
  char name[100];
  puts("before");
  gethostname(name, sizeof name);
  return 0;
}
END
cat > processors.c <<'END'
#include <stdio.h>
#include <unistd.h>
int main(void) { return sysconf(_SC_NPROCESSORS_ONLN) < 1; }
END
cat > assembly.c <<'END'
int main(void) {
  int x = 1;
  __asm__ volatile("add $1, %0" : "+r"(x));
  return x - 2;
}
END
cat > input.c <<'END'
#include <stdio.h>
int main(void) { return getchar() != EOF; }
END
for f in unknown processors assembly input; do
  specialize-cc -g -pthread -w $f.c -o $f
  echo x | specialize record -o $f.sigma -- ./$f > /dev/null 2>&1
  sed -i 's/^input "stdin".*/input "stdin" lost/' $f.sigma
  echo "--- $f"
  try specialize rerun ./$f --sigma $f.sigma
done
echo "--- usage"
try specialize rerun ./unknown
try specialize rerun ./unknown --sigma unknown.sigma --schedule 3
try specialize rerun ./unknown --sigma input.sigma 2>&1 | sed 's/hash of .*/hash/'
try specialize rerun ./unknown --sigma nothing.sigma
