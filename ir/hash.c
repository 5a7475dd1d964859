// The bitcode without its debug information, by BLAKE3. That the writer is deterministic needs the targets
// registered: only then does it add the symbol table, which is part of what is hashed.
#include "hash.h"
#include <llvm-c/blake3.h>
#include "emit.h"
#include "llvm_gap.h"
#include "module.h"

void hash_bytes(const Span *parts, size_t count, uint8_t out[HASH_BYTES]) {
  llvm_blake3_hasher h;
  llvm_blake3_hasher_init(&h);
  for (size_t i = 0; i < count; ++i) llvm_blake3_hasher_update(&h, parts[i].at, parts[i].len);
  llvm_blake3_hasher_finalize(&h, out, HASH_BYTES);
}

bool hash_module(Span bitcode, uint8_t out[HASH_BYTES], Diags *diags) {
  LLVMContextRef c = module_context(diags);
  LLVMModuleRef m = module_parse(c, bitcode, "module", diags);
  if (m) {
    Bytes code = {0};
    emit_targets();
    gap_strip_debug(m);
    LLVMSetSourceFileName(m, "", 0);
    LLVMSetModuleIdentifier(m, "", 0);
    module_bitcode(m, &code);
    hash_bytes(&(Span){code.at, code.len}, 1, out);
    vec_free(&code);
    LLVMDisposeModule(m);
  }
  LLVMContextDispose(c);
  return m != NULL;
}

char *hash_text(const uint8_t hash[HASH_BYTES]) {
  char *text = mem_alloc(HASH_SHOWN + 1);
  for (int i = 0; i < HASH_SHOWN; ++i) text[i] = "0123456789abcdef"[hash[i / 2] >> (i % 2 ? 0 : 4) & 15];
  return text;
}
