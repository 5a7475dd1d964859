// app/sections -- a program or shared library built by specialize-cc: the program itself, with its module and
// its link recipe in sections that are not loaded.
#pragma once
#include "core/core.h"
#include "recipe.h"

#define APP_MODULE ".spec.module"
#define APP_RECIPE ".spec.recipe"
#define APP_FILES ".spec.files"
// In objects. The compiler calls them .llvmbc and .llvmcmd; the wrapper renames them so that other tools let
// go.
#define OBJECT_BITCODE ".specbc"
#define OBJECT_BITCODE_RAW ".llvmbc"
#define OBJECT_COMMAND ".speccmd"
#define OBJECT_COMMAND_RAW ".llvmcmd"

typedef struct {
  Bytes module;  // bitcode
  Recipe recipe;
  Strings exported;  // what shared libraries see of it
} App;

// False with an error that says what to do: not a program, not built with the wrapper, stripped, broken.
bool app_read(const char *path, App *out, Diags *diags);
bool app_parse(const char *path, Span file, App *out, Diags *diags);  // the path only for errors
void app_free(App *a);
// Adds or replaces the sections of a finished program. The file is replaced in one step; on failure it is as
// it was.
bool app_write(const char *path, Span module, const Recipe *recipe, Diags *diags);
