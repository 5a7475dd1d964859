// session/ask -- what accesses of source lines may touch, and what threads share, as text or JSON.
#pragma once
#include "alias/alias.h"
#include "meetings.h"

typedef struct {
  const char *const *places;  // FILE:LINE; two at most: then whether they may meet
  size_t count;
  const Meetings *meetings;  // of two places, with values; NULL
  bool shared;               // also the objects that threads share
  bool json;                 // docs/alias.schema.json
} AskAliases;
// False after an error; then out is of no use.
bool ask_aliases(LLVMModuleRef m, const AliasOptions *how, const AskAliases *what, Bytes *out, Diags *diags);
