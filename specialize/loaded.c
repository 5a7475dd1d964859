#include "loaded.h"

bool loaded_open(const char *path, Loaded *out, Diags *diags) {
  *out = (Loaded){0};
  if (!app_read(path, &out->app, diags)) return false;
  Span code = span_of(out->app.module.at, out->app.module.len);
  out->context = module_context(diags);
  out->module = module_parse(out->context, code, path, diags);
  if (!out->module || !module_verify(out->module, path, diags) || !hash_module(code, out->hash, diags))
    return false;
  out->hash_text = hash_text(out->hash);
  out->sites = sites_new(out->module);
  out->graph = callgraph_new(out->module, out->sites);
  out->sync = maysync_new(out->graph);
  return true;
}

void loaded_free(Loaded *l) {
  if (l->sync) maysync_free(l->sync);
  if (l->graph) callgraph_free(l->graph);
  if (l->sites) sites_free(l->sites);
  if (l->module) LLVMDisposeModule(l->module);
  if (l->context) LLVMContextDispose(l->context);
  mem_free(l->hash_text);
  app_free(&l->app);
}
