// argv and argv[0] are followed through locals, globals and arguments.
#include "own_name.h"
#include <string.h>

typedef struct {
  Map *seen;  // by value: 1 as argv, 2 as the name
  bool read;
} Search;

// argv itself, the name, or memory that holds one of them.
typedef enum { IS_ARGV = 1, IS_NAME = 2, HOLDS_ARGV = 4, HOLDS_NAME = 8 } What;

static void follow(Search *s, LLVMValueRef v, What what);

static bool only_prints(LLVMValueRef call) {
  static const char *const all[] = {
      "printf",  "fprintf",      "dprintf",       "puts",
      "fputs",   "perror",       "warn",          "warnx",
      "err",     "errx",         "error",         "syslog",
      "openlog", "__printf_chk", "__fprintf_chk", "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc"};
  LLVMValueRef f = call_function(call);
  bool is = false;
  for (size_t i = 0; f && i < sizeof all / sizeof *all; ++i) is |= !strcmp(LLVMGetValueName(f), all[i]);
  return is;
}

static void follow_call(Search *s, LLVMValueRef call, LLVMValueRef v, What what) {
  LLVMValueRef f = call_function(call);
  if (LLVMIsAIntrinsicInst(call)) return;
  if (f && LLVMIsAFunction(f) && !LLVMIsDeclaration(f)) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < LLVMCountParams(f); ++i)
      if (LLVMGetArgOperand(call, i) == v) follow(s, LLVMGetParam(f, i), what);
    return;
  }
  s->read |= what == IS_NAME && !only_prints(call);
}

static void follow_store(Search *s, LLVMValueRef store, What what) {
  LLVMValueRef to = LLVMGetOperand(store, 1);
  bool known = LLVMIsAAllocaInst(to) || LLVMIsAGlobalVariable(to);
  if (known)
    follow(s, to, what == IS_ARGV ? HOLDS_ARGV : HOLDS_NAME);
  else
    s->read |= what == IS_NAME;
}

static bool is_first(LLVMValueRef address) {
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(address); ++i) {
    LLVMValueRef n = LLVMGetOperand(address, i);
    if (!LLVMIsAConstantInt(n) || LLVMConstIntGetZExtValue(n)) return false;
  }
  return true;
}

static void follow_use(Search *s, LLVMValueRef user, LLVMValueRef v, What what) {
  if (!LLVMIsAInstruction(user)) return;
  bool address = LLVMIsAGetElementPtrInst(user), holds = what == HOLDS_ARGV || what == HOLDS_NAME;
  if (LLVMIsALoadInst(user) && holds)
    follow(s, user, what == HOLDS_ARGV ? IS_ARGV : IS_NAME);
  else if (LLVMIsALoadInst(user) && what == IS_ARGV)
    follow(s, user, IS_NAME);
  else if (LLVMIsALoadInst(user))
    s->read |= what == IS_NAME;
  else if (address && what == IS_ARGV)
    is_first(user) ? follow(s, user, IS_ARGV) : (void)0;
  else if (LLVMIsAPHINode(user) || LLVMIsASelectInst(user))
    follow(s, user, what);
  else if (call_is(user))
    follow_call(s, user, v, what);
  else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v && !holds)
    follow_store(s, user, what);
  else if (what == IS_NAME)
    s->read |= !LLVMIsAICmpInst(user) && !LLVMIsAStoreInst(user);
}

static void follow(Search *s, LLVMValueRef v, What what) {
  uint64_t known = map_or(s->seen, map_key(v), 0);
  if (known & what) return;
  map_put(s->seen, map_key(v), known | what);
  for (all_uses(u, v)) follow_use(s, LLVMGetUser(u), v, what);
}

bool own_name_read(LLVMModuleRef m) {
  static const char *const names[] = {"program_invocation_name", "program_invocation_short_name",
                                      "__progname", "__progname_full"};
  LLVMValueRef main = LLVMGetNamedFunction(m, "main");
  Search s = {map_new(), false};
  if (main && LLVMCountParams(main) > 1) follow(&s, LLVMGetParam(main, 1), IS_ARGV);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    LLVMValueRef g = LLVMGetNamedGlobal(m, names[i]);
    if (g) follow(&s, g, HOLDS_NAME);
  }
  map_free(s.seen);
  return s.read;
}
