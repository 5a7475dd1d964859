// app/linker -- which linker, by its role and not by a path: a stored link says `ld.lld`, and which file that
// is, the compiler is asked when it is needed. And what a stored link may tell a linker.
#pragma once
#include "run.h"

// One of the linkers that we know, for the path of one; NULL if it is none of them.
const char *linker_role(const char *path);
bool linker_known(const char *role);
char *linker_find(const char *role);  // its path; NULL if it is not installed
// What the compiler would run, given the options of its own that decide where it looks. NULL: it finds none.
char *linker_ask(const char *clang, const Args *finders, const char *program);
// What is wrong with these arguments of a linker if somebody else wrote them: they may only read what they
// name, and write the output. NULL: nothing.
char *linker_refuses(const Strings *arguments);
// The same arguments in a form that every linker reads alike: values of letters in words of their own.
void linker_words(const Strings *arguments, Strings *out);
