// The command: finds the verb and runs it. One file per verb.
#include <stdio.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include "app/app.h"
#include "core/core.h"
#include "terminal.h"
#include "verbs.h"

typedef struct {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *group, *arguments, *line;
} Verb;

static const Verb verbs[] = {
#define VERB(name, function, group, arguments, line) {name, function, group, arguments, line},
#include "verbs.def"
#undef VERB
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static void print_group(const char *group) {
  printf("\n%s:\n", group);
  for (int i = 0; i < VERBS; ++i)
    if (verbs[i].group && !strcmp(verbs[i].group, group)) printf("  %-9s %s\n", verbs[i].name, verbs[i].line);
}

static int help(void) {
  printf(
      "usage: specialize VERB [options]\n\n"
      "Specialize makes threaded C and C++ programs understandable by fixing their schedules.\n");
  print_group("Build");
  print_group("Record");
  print_group("Look");
  print_group("Find");
  printf(
      "\nexamples:\n"
      "    CC=specialize-cc make              an ordinary build; the program behaves as always\n"
      "    specialize get-bc app -o app.bc    the bitcode of the whole program\n"
      "    specialize doctor app              what of app was captured, and why not the rest\n"
      "    specialize show app.sigma          which schedules there are, and when they hold\n"
      "    specialize race app --sigma app.sigma --replay    the data races that they leave, tried\n"
      "\n`specialize VERB --help` and `man specialize-VERB` say more. Exit status: 0 fine, 1 findings,\n"
      "2 usage or bad input, 3 incomplete, 4 internal error.\n");
  return EXIT_CLEAN;
}

// What was printed must have got there.
static int written(int status) {
  if (!fflush(stdout) && !ferror(stdout)) return status;
  fprintf(stderr, "specialize: error: cannot write to standard output: %s\n", strerror(errno));
  return EXIT_USAGE;
}

static int unknown(const char *word) {
  char *name = shown(word);
  fprintf(stderr, "specialize: error: unknown verb '%s'; `specialize --help` lists the verbs\n", name);
  mem_free(name);
  return EXIT_USAGE;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "specialize: error: no verb given; `specialize --help` lists the verbs\n");
    return EXIT_USAGE;
  }
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not an end without a word
  progress_on(terminal_show);
  const char *word = argv[1];
  if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help"))
    return help(), written(EXIT_CLEAN);
  if (!strcmp(word, "--version"))
    return printf("specialize " SPECIALIZE_VERSION " (LLVM " SPECIALIZE_LLVM ")\n"), written(EXIT_CLEAN);
  for (int i = 0; i < VERBS; ++i) {
    if (strcmp(verbs[i].name, word)) continue;
    return written(verbs[i].run(argc - 1, argv + 1));
  }
  return unknown(word);
}
