// test_recipe APP OUT CHANGE... -- a program with another stored link, as somebody else may have written it.
// Changes: linker=NAME, arg=TEXT (in front of the others), path=TEXT (a path; APP's own stay).
#include <stdio.h>
#include <stdlib.h>
#include "app/app.h"

static void put_first(Recipe *r, LinkKind kind, const char *text, const char *path) {
  LinkArg a = {kind, mem_string(text), path ? mem_string(path) : NULL, 0};
  vec_push(&r->args, a);
  memmove(r->args.at + 1, r->args.at, (r->args.len - 1) * sizeof a);
  r->args.at[0] = a;
}

static bool change(Recipe *r, const char *how) {
  if (!strncmp(how, "arg=", 4)) return put_first(r, LINK_TEXT, how + 4, NULL), true;
  if (!strncmp(how, "path=", 5)) return put_first(r, LINK_PATH, "", how + 5), true;
  if (strncmp(how, "linker=", 7) != 0) return false;
  mem_free(r->linker);
  r->linker = mem_string(how + 7);
  return true;
}

int main(int argc, char **argv) {
  Diags *d = diags_new();
  App a;
  Bytes all = {0};
  bool ok = argc > 2 && app_read(argv[1], &a, d);
  if (!ok || file_read(argv[1], &all)) return diags_print(d, stderr, "test_recipe"), 2;
  for (int i = argc; ok && i-- > 3;) ok = change(&a.recipe, argv[i]);
  ok = ok && !file_write(argv[2], all.at, all.len, 0755) &&
       app_write(argv[2], span_of(a.module.at, a.module.len), &a.recipe, d);
  app_free(&a);
  vec_free(&all);
  diags_print(d, stderr, "test_recipe");
  diags_free(d);
  return ok ? 0 : 2;
}
