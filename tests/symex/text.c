/*
 * args: 12 x
 * stdin: 17 -5 3.25 word 0x1f  rest of the line
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <inttypes.h>

static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int texts(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(int argc, char **argv) {
  int a, b;
  float f;
  char word[20], line[80], *end;
  unsigned x;
  printf("[%5d|%-5d|%05d|%+d|% d|%x|%#x|%#o|%X|%i]\n", 42, 42, 42, 42, 42, 255, 255, 8, 48879, -1);
  printf("[%.3d|%8.3d|%-8.3d|%08.3d|%.0d|%ld|%lld|%hd|%hhd|%zu|%jd]\n", 5, 5, 5, 5, 0, -1L, 1LL << 40, (short)70000, (char)300, sizeof a, (intmax_t)-9);
  printf("[%s|%10s|%-10s|%.2s|%*s|%-*s|%c|%%|%5c]\n", "abc", "abc", "abc", "abc", 6, "ab", 6, "cd", 'z', 'y');
  printf("[%f|%.2f|%10.3f|%-10.1f|%+.0f|%e|%g|%#g|%010.2f|% f]\n", 3.14159, 2.005, -1.5, 2.25, 2.5, 12345.678, 1e10, 1.0, -3.14159, 1.0);
  printf("[%" PRIu64 "|%p|%s]\n", UINT64_MAX, (void *)0, argc > 2 ? argv[2] : "none");
  int n = snprintf(line, 8, "%s-%d", "truncated", 12345);
  printf("%d %s\n", n, line);
  printf("%d\n", scanf("%d %d %f %19s %x", &a, &b, &f, word, &x));
  printf("%d %d %g %s %x\n", a, b, f, word, x);
  printf("%s", fgets(line, sizeof line, stdin));
  printf("%d %d\n", fgets(line, sizeof line, stdin) == NULL, feof(stdin));
  printf("%d ", sscanf("10:20:30,abc]", "%d:%d:%d,%[a-c]", &a, &b, &n, word));
  printf("%d %d %d %s\n", a, b, n, word);
  errno = 0;
  printf("%ld ", strtol("  -0x7fz", &end, 0));
  printf("%s %lu %ld %d\n", end, strtoul("777", NULL, 8), strtol("99999999999999999999", NULL, 10), errno == ERANGE);
  printf("%g ", strtod("1.5e3xyz", &end));
  printf("%s %d %g\n", end, atoi("12abc"), atof("-.5"));
  int v[] = {5, 3, 9, -2, 7, 0, 3}, key = 7;
  qsort(v, 7, sizeof *v, up);
  for (int i = 0; i < 7; ++i) printf("%d ", v[i]);
  printf("at %ld\n", (long)((int *)bsearch(&key, v, 7, sizeof *v, up) - v));
  char *names[] = {"pear", "apple", "fig", "banana"};
  qsort(names, 4, sizeof *names, texts);
  for (int i = 0; i < 4; ++i) printf("%s ", names[i]);
  puts("");
  char buffer[40] = "a,b;;c", *save, *copy = strdup("some words here");
  for (char *t = strtok_r(buffer, ",;", &save); t; t = strtok_r(NULL, ",;", &save)) printf("<%s>", t);
  printf(" %s %s %zu %zu\n", strstr(copy, "words"), strrchr(copy, 'e'), strspn(copy, "emos"), strcspn(copy, " "));
  strcat(strcpy(buffer, "head"), "tail"), memmove(buffer + 2, buffer, 5), strncat(buffer, "xyz", 2);
  printf("%s %d %d %d\n", buffer, strcmp("a", "b") < 0, strncmp("abc", "abd", 2), memcmp("x", "y", 1) < 0);
  copy = realloc(copy, 1000), strcat(copy, "!");
  printf("%s\n", copy);
  free(copy);
  for (const char *p = "aZ5 _\t"; *p; ++p) printf("%d%d%d%d%d%c ", !!isalpha(*p), !!isdigit(*p), !!isspace(*p), !!isupper(*p), !!ispunct(*p), isprint(*p) ? toupper(*p) : '.');
  puts("");
  srand(7);
  printf("%d %d %d ", rand(), rand(), rand());
  srand48(9);
  printf("%ld %.10f ", lrand48(), drand48());
  unsigned seed = 5;
  printf("%d %d\n", rand_r(&seed), rand_r(&seed));
  div_t d = div(-17, 5);
  printf("%d %d\n", d.quot, d.rem);
  fputs("done\n", stdout), putchar('x'), putc('\n', stdout);
  fprintf(stderr, "to stderr\n");
  return 0;
}
