// record/symbols -- inside sigma/: names of the addresses in a recording.
#pragma once
#include "ir/ir.h"

typedef struct Symbols Symbols;
// Of the program that ran; `anchor` is where its rt_program was. Without a symbol table nothing has a name.
Symbols *symbols_new(const char *binary, uint64_t anchor);
void symbols_free(Symbols *s);
// The symbol that holds the address, and how far in; NULL: none. Lives as long as s.
uint64_t symbols_in_file(const Symbols *s, uint64_t address);  // as ir/lines takes it
const char *symbols_name(const Symbols *s, uint64_t address, uint64_t *offset);
void symbols_check(const Symbols *s);  // asserts that it is whole
