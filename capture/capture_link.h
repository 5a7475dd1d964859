// capture/capture_link -- the second half of a link with the wrapper: what the linker took is known
// (app/cc_link.c wrote it down); join the bitcode, note the recipe, put both into the program.
#pragma once
#include "app/app.h"

// taken: the descriptor of what the first half wrote. The program, which the caller frees; NULL: it is no such
// file.
char *capture_link(int taken, Diags *diags);
