// capture/link -- a program linked again by its recipe, with an object in the place of its module.
#pragma once
#include "core/core.h"
#include "app/app.h"

// The result replaces `output` in one step. `more` are further objects (paths), put behind the module; may be
// NULL.
bool link_again(const Recipe *r, Span object, const Strings *more, const char *output, Diags *diags);
// Puts a linked program there, in one step.
bool link_place(const char *made, const char *output, Diags *diags);
