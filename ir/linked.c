#include "linked.h"
#include <ctype.h>
#include <string.h>
#include "call.h"
#include "each.h"
#include "core/core.h"

static const char anywhere[] = "specialize.linked";  // a section that no object has

static const char *name_of(LLVMValueRef g) {
  size_t len;
  return LLVMGetValueName2(g, &len);
}

// NULL: it is not named after one.
static const char *section_of(LLVMValueRef symbol) {
  const char *name = name_of(symbol);
  if (!strncmp(name, "__start_", 8)) return name + 8;
  return strncmp(name, "__stop_", 7) ? NULL : name + 7;
}

static bool is_edge(const char *name) {
  static const char *const names[] = {"end",
                                      "_end",
                                      "edata",
                                      "_edata",
                                      "etext",
                                      "_etext",
                                      "__etext",
                                      "__bss_start",
                                      "data_start",
                                      "__data_start",
                                      "__executable_start",
                                      "__ehdr_start"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(name, names[i])) return true;
  return false;
}

static bool is_anywhere(LLVMValueRef symbol) {
  const char *section = LLVMGetSection(symbol);
  return section && !strcmp(section, anywhere);
}

bool linked_is(LLVMValueRef g) {
  if (!LLVMIsAGlobalVariable(g) || !LLVMIsDeclaration(g)) return false;
  return section_of(g) || is_edge(name_of(g)) || is_anywhere(g);
}

bool linked_reaches(LLVMValueRef symbol, LLVMValueRef variable) {
  const char *of = section_of(symbol), *in = LLVMGetSection(variable);
  if (!LLVMIsAGlobalVariable(variable) || LLVMIsDeclaration(variable) || symbol == variable) return false;
  if (LLVMIsThreadLocal(variable)) return false;
  return of ? in && !strcmp(of, in) : true;
}

static LLVMValueRef named(LLVMModuleRef m, const char *name) {
  LLVMValueRef f = LLVMGetNamedFunction(m, name), g = f ? f : LLVMGetNamedGlobal(m, name);
  return g ? g : LLVMGetNamedGlobalAlias(m, name, strlen(name));
}

void linked_define(LLVMModuleRef m, const char *symbol, const char *expression) {
  LLVMValueRef g = named(m, symbol), to = named(m, expression);
  if (!g || !LLVMIsDeclaration(g)) return;
  if (to && LLVMTypeOf(to) == LLVMTypeOf(g))
    LLVMReplaceAllUsesWith(g, to);
  else if (LLVMIsAGlobalVariable(g))
    LLVMSetSection(g, anywhere);
}

typedef struct {
  const char *at;
  size_t len;
} Part;

static bool is_of_symbol(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static Part trim(Part p) {
  while (p.len && isspace((unsigned char)*p.at)) ++p.at, --p.len;
  while (p.len && isspace((unsigned char)p.at[p.len - 1])) --p.len;
  return p;
}

static bool eat(Part *p, const char *word) {
  size_t n = strlen(word);
  if (p->len < n || memcmp(p->at, word, n)) return false;
  *p = trim((Part){p->at + n, p->len - n});
  return true;
}

static char *symbol_at(Part *p) {
  size_t n = 0;
  while (n < p->len && is_of_symbol(p->at[n])) ++n;
  char *name = n ? mem_format("%.*s", (int)n, p->at) : NULL;
  *p = trim((Part){p->at + n, p->len - n});
  return name;
}

// The number of variables that are labels here, of which `last` is the latest.
typedef struct {
  LLVMModuleRef m;
  unsigned labels;
  LLVMValueRef last;
} Reader;

static void anywhere_else(LLVMValueRef g) {
  LLVMSetSection(g, anywhere);
}

static void take_label(Reader *r, const char *name) {
  LLVMValueRef g = LLVMGetNamedGlobal(r->m, name);
  if (!g || !LLVMIsDeclaration(g)) return;
  if (r->labels++) anywhere_else(g), anywhere_else(r->last);
  r->last = g;
}

static bool eat_directive(Part *p) {
  static const char *const defining[] = {".set ", ".equ ", ".equiv ", ".set\t", ".equ\t", ".equiv\t"};
  for (size_t i = 0; i < sizeof defining / sizeof *defining; ++i)
    if (eat(p, defining[i])) return true;
  return false;
}

// The labels before a statement. What is left has no label.
static Part read_labels(Reader *r, Part p) {
  for (;;) {
    Part rest = p;
    char *name = symbol_at(&rest);
    bool label = name && eat(&rest, ":");
    if (label) take_label(r, name), p = rest;
    mem_free(name);
    if (!label) return p;
  }
}

// `a = b`, or `a, b` after a directive that defines.
static void read_statement(Reader *r, Part all) {
  Part p = read_labels(r, trim(all));
  bool directive = eat_directive(&p);
  if (eat(&p, "PROVIDE_HIDDEN(") || eat(&p, "PROVIDE(") || eat(&p, "HIDDEN("))
    while (p.len && p.at[p.len - 1] == ')') p = trim((Part){p.at, p.len - 1});
  char *name = symbol_at(&p);
  if (name && (directive ? eat(&p, ",") : p.len > 1 && p.at[1] != '=' && eat(&p, "="))) {
    char *to = mem_format("%.*s", (int)p.len, p.at);
    linked_define(r->m, name, to);
    mem_free(to);
  }
  mem_free(name);
}

static void read_all(Reader *r, const char *text, size_t len) {
  for (size_t i = 0; i < len;) {
    size_t from = i;
    while (i < len && text[i] != '\n' && text[i] != ';' && text[i] != '{' && text[i] != '}') ++i;
    read_statement(r, (Part){text + from, i - from});
    ++i;
  }
}

void linked_text(LLVMModuleRef m, const char *text, size_t len) {
  read_all(&(Reader){.m = m}, text, len);
}

void linked_assembly(LLVMModuleRef m) {
  Reader r = {.m = m};
  size_t len;
  const char *text = LLVMGetModuleInlineAsm(m, &len);
  read_all(&r, text, len);
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        if (!call_is(i) || !call_is_asm(i)) continue;
        text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(i), &len);
        read_all(&r, text, len);
      }
}
