/*
 * args: 100
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10;
  FILE *f = tmpfile();
  if (!f) return 1;
  for (int i = 0; i < n; ++i) fprintf(f, "%d line\n", i * i);
  long size = ftell(f);
  rewind(f);
  char line[64];
  int lines = 0, last = 0;
  while (fgets(line, sizeof line, f)) ++lines, last = atoi(line);
  printf("%ld %d %d %d\n", size, lines, last, feof(f));
  fseek(f, -6, SEEK_END);
  printf("%s", fgets(line, sizeof line, f));
  fseek(f, 2, SEEK_SET), ungetc('#', f);
  int c1 = fgetc(f), c2 = fgetc(f);
  printf("%c%c %zu\n", c1, c2, fread(line, 1, 5, f));
  fclose(f);
  const char *name = "written.txt";
  int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (fd < 0) return 1;
  if (write(fd, "hello world", 11) != 11 || pwrite(fd, "J", 1, 0) != 1) return 1;
  struct stat st;
  fstat(fd, &st);
  char back[20] = {0};
  lseek(fd, 6, SEEK_SET);
  printf("%ld %zd %s ", (long)st.st_size, read(fd, back, 19), back);
  printf("%zd\n", pread(fd, back, 5, 0)), printf("%s\n", back);
  char *map = mmap(NULL, 11, PROT_READ, MAP_PRIVATE, fd, 0);
  printf("%.5s\n", map);
  munmap(map, 11);
  close(fd);
  f = fopen(name, "a");
  fputs("!", f), fclose(f);
  f = fopen(name, "r");
  printf("%d %s\n", fscanf(f, "%19s", back), back), fclose(f);
  printf("%d %d\n", rename(name, "other.txt"), unlink("other.txt"));
  printf("%d %d\n", fopen("/no/such/file", "r") == NULL, errno == ENOENT);
  int fds[2];
  if (pipe(fds) || write(fds[1], "pipe", 4) != 4) return 1;
  close(fds[1]);
  printf("%zd %zd\n", read(fds[0], back, 19), read(fds[0], back, 19));
  int again = dup(1);
  fflush(stdout);
  if (write(again, "dup\n", 4) != 4) return 1;
  printf("%d %d\n", read(77, back, 1) < 0, errno == EBADF);
  char *big = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  big[12345] = 7;
  printf("%d %d\n", big[12345], big[12346]);
  printf("%s\n", getenv("NO_SUCH_VARIABLE_HERE") ? "set" : "unset");
  return 0;
}
