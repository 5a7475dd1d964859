// app/recipe -- how a program was linked, so that it can be linked again from its module: the linker's
// arguments in order, with the captured objects replaced by the one module, and the others stored or named.
#pragma once
#include <stdbool.h>
#include "core/core.h"

typedef enum {
  LINK_TEXT,    // an argument as it was
  LINK_PATH,    // text before, then a file that is where it was (absolute)
  LINK_STORED,  // text before, then stored file number `file`
  LINK_MODULE   // here comes the object made of the module
} LinkKind;
typedef struct {
  LinkKind kind;
  char *text, *path;
  unsigned file;
} LinkArg;

// One object of the link: with bitcode (why is NULL), or without and why. functions: how many its machine
// code defines.
typedef struct {
  char *name, *why, *flags;
  unsigned functions;
} LinkPart;

typedef struct {
  char *name;  // of the object, or of a linker script
  Bytes data;
} StoredFile;

typedef struct {
  char *linker;  // its role (linker.h)
  char *directory, *output;
  Vec(LinkArg) args;
  Vec(LinkPart) parts;
  Vec(StoredFile) files;
} Recipe;

void recipe_free(Recipe *r);
// Text for the recipe, an ar archive for its files. recipe_read gives NULL or what is wrong.
void recipe_write(const Recipe *r, Bytes *text, Bytes *files);
const char *recipe_read(Span text, Span files, Recipe *out);
// The compiler's optimization level for the whole: the highest that any part was built with, 0 to 3.
int recipe_level(const Recipe *r);
bool recipe_has_flag(const Recipe *r, const char *flag);  // was any part built with this flag?
