// report/embed -- inside report/: files that the assembler puts into the tool, and pages made of them.
#pragma once
#include "words.h"

#define EMBED(name, file)                                                                      \
  __asm__(".pushsection .rodata\n.globl " #name "\n" #name ":\n.incbin \"" REPORT_DIR "/" file \
          "\"\n.byte 0\n.popsection\n");                                                       \
  extern const char name[]

// Writes base.html up to its data, with the title, base.css and these styles, and this body. What follows is
// for page_end.
const char *page_begin(const char *title, const char *css, const char *body, Bytes *out);
// Writes base.js and these, up to NULL, where @JS@ stands, and the rest.
void page_end(const char *rest, const char *const *scripts, Bytes *out);
