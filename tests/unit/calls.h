// A module with its call graph, from text.
#pragma once
#include "parse.h"

typedef struct {
  LLVMContextRef context;
  LLVMModuleRef module;
  Sites *sites;
  Callgraph *graph;
  Maysync *may;
} Calls;

static inline Calls calls_of(const char *text) {
  Calls c = {.context = LLVMContextCreate()};
  c.module = parse(c.context, text);
  c.sites = sites_new(c.module);
  c.graph = callgraph_new(c.module, c.sites);
  c.may = maysync_new(c.graph);
  return c;
}

static inline void calls_free(Calls *c) {
  maysync_free(c->may);
  callgraph_free(c->graph);
  sites_free(c->sites);
  LLVMDisposeModule(c->module);
  LLVMContextDispose(c->context);
}

static inline uint32_t calls_function(const Calls *c, const char *name) {
  LLVMValueRef f = LLVMGetNamedFunction(c->module, name);
  assert(f);
  return callgraph_id(c->graph, f);
}

static inline uint32_t calls_site(const Calls *c, const char *name) {
  uint32_t s = sites_find(c->sites, name, strlen(name));
  assert(s != SITE_NONE);
  return s;
}
