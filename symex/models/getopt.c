// As glibc: arguments that are no options are moved behind those that are, unless POSIX order is asked for.
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "stdio_names.h"
#include "host.h"

char *optarg;
int optind = 1, opterr = 1, optopt = '?';
static char *next;
static int first_plain, last_plain;

static void exchange(char **argv) {
  int bottom = first_plain, middle = last_plain, top = optind, count = top - middle;
  for (int moved = 0; moved < count; ++moved) {
    char *x = argv[middle + moved];
    for (int i = middle + moved; i > bottom + moved; --i) argv[i] = argv[i - 1];
    argv[bottom + moved] = x;
  }
  first_plain += count;
  last_plain = optind;
}

static int complain(const char *name, const char *what, const char *which, int letter) {
  if (letter)
    fprintf(stderr, "%s: %s -- '%c'\n", name, what, letter);
  else
    fprintf(stderr, "%s: %s\n", name, which);
  return '?';
}

static int long_option(int argc, char **argv, const char *options, const struct option *longs, int *index,
                       int only) {
  (void)only;
  size_t n = strcspn(next, "=");
  const struct option *found = 0;
  int exact = 0, many = 0;
  for (const struct option *o = longs; o->name; ++o) {
    if (strncmp(o->name, next, n)) continue;
    if (strlen(o->name) == n) {
      found = o, exact = 1;
      break;
    }
    many += found && (found->has_arg != o->has_arg || found->flag != o->flag || found->val != o->val);
    if (!found) found = o;
  }
  char *value = next[n] ? next + n + 1 : 0, *whole = next;
  next = 0;
  ++optind;
  if (!found || (many && !exact)) {
    if (opterr && *options != ':')
      fprintf(stderr, found ? "%s: option '--%s' is ambiguous\n" : "%s: unrecognized option '--%s'\n",
              argv[0], whole);
    optopt = 0;
    return '?';
  }
  if (value && !found->has_arg) {
    if (opterr && *options != ':')
      fprintf(stderr, "%s: option '--%s' doesn't allow an argument\n", argv[0], found->name);
    optopt = found->val;
    return '?';
  }
  optarg = value;
  if (!value && found->has_arg == required_argument) {
    if (optind >= argc) {
      if (opterr && *options != ':')
        fprintf(stderr, "%s: option '--%s' requires an argument\n", argv[0], found->name);
      optopt = found->val;
      return *options == ':' ? ':' : '?';
    }
    optarg = argv[optind++];
  }
  if (index) *index = (int)(found - longs);
  if (!found->flag) return found->val;
  *found->flag = found->val;
  return 0;
}

static int is_option(const char *a) {
  return a[0] == '-' && a[1];
}

static int step(int argc, char **argv, const char *options, const struct option *longs, int *index,
                int posix) {
  optarg = 0;
  if (!optind) optind = 1, next = 0, first_plain = last_plain = 1;
  if (!first_plain) first_plain = last_plain = optind;
  bool in_order = *options == '-', stops = posix || *options == '+' || getenv("POSIXLY_CORRECT");
  if (*options == '-' || *options == '+') ++options;
  if (!next || !*next) {
    if (last_plain > optind) last_plain = optind;
    if (first_plain > optind) first_plain = optind;
    if (!stops && !in_order) {
      if (first_plain != last_plain && last_plain != optind)
        exchange(argv);
      else if (last_plain != optind)
        first_plain = optind;
      while (optind < argc && !is_option(argv[optind])) ++optind;
      last_plain = optind;
    }
    if (optind != argc && !strcmp(argv[optind], "--")) {
      ++optind;
      if (first_plain != last_plain && last_plain != optind)
        exchange(argv);
      else if (first_plain == last_plain)
        first_plain = optind;
      last_plain = argc;
      optind = argc;
    }
    if (optind == argc) {
      if (first_plain != last_plain) optind = first_plain;
      return -1;
    }
    if (!is_option(argv[optind])) {
      if (stops) return -1;
      optarg = argv[optind++];
      return 1;
    }
    if (longs && argv[optind][1] == '-') {
      next = argv[optind] + 2;
      return long_option(argc, argv, options, longs, index, 0);
    }
    next = argv[optind] + 1;
  }
  int c = (unsigned char)*next++;
  const char *spec = c == ':' || c == ';' ? 0 : strchr(options, c);
  if (!*next) ++optind;
  if (!spec) {
    optopt = c;
    return opterr && *options != ':' ? complain(argv[0], "invalid option", 0, c) : '?';
  }
  if (spec[1] != ':') return c;
  if (spec[2] == ':') {
    if (*next) optarg = next, ++optind;
  } else if (*next) {
    optarg = next, ++optind;
  } else if (optind == argc) {
    optopt = c;
    if (opterr && *options != ':') complain(argv[0], "option requires an argument", 0, c);
    c = *options == ':' ? ':' : '?';
  } else {
    optarg = argv[optind++];
  }
  next = 0;
  return c;
}

int getopt(int argc, char *const *argv, const char *options) {
  return step(argc, (char **)(uintptr_t)argv, options, 0, 0, 0);
}
int __posix_getopt(int argc, char *const *argv, const char *options) {
  return step(argc, (char **)(uintptr_t)argv, options, 0, 0, 1);
}
int getopt_long(int argc, char *const *argv, const char *options, const struct option *longs, int *index) {
  return step(argc, (char **)(uintptr_t)argv, options, longs, index, 0);
}
