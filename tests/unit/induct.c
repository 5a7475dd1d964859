// Induction variables: exact expectations, and claims about wrapping against running the loop.
#undef NDEBUG
#include "parse.h"

typedef struct {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMValueRef function;
  Cfg *cfg;
  Dom *dom;
  Loops *loops;
  Inducts *in;
} Case;

static Case open_case(const char *text) {
  Case c = {.context = LLVMContextCreate()};
  c.module = parse(c.context, text);
  c.function = LLVMGetNamedFunction(c.module, "f");
  c.cfg = cfg_new(c.function);
  c.dom = dom_new(c.cfg);
  c.loops = loops_new(c.cfg, c.dom);
  c.in = inducts_new(c.loops);
  return c;
}

static void close_case(Case *c) {
  inducts_free(c->in);
  loops_free(c->loops);
  dom_free(c->dom);
  cfg_free(c->cfg);
  LLVMDisposeModule(c->module);
  LLVMContextDispose(c->context);
}

static LLVMValueRef named(const Case *c, const char *name) {
  size_t len;
  for (all_blocks(b, c->function))
    for (all_insts(i, b))
      if (!strcmp(LLVMGetValueName2(i, &len), name)) return i;
  return NULL;
}

static const Induct *find(const Case *c, const char *name) {
  return inducts_find(c->in, named(c, name));
}

static const char forms[] =
    "define void @f(i32 %n, i32 %s, ptr %p, i1 %c, i8 %m) {\n"
    "entry: br i1 %c, label %h, label %before\n"
    "before: br label %h\n"
    "h:\n"
    "  %up = phi i32 [ 0, %entry ], [ 0, %before ], [ %up2, %l1 ], [ %up1, %l2 ]\n"
    "  %down = phi i64 [ 9, %entry ], [ 8, %before ], [ %d, %l1 ], [ %d, %l2 ]\n"
    "  %by = phi i32 [ %n, %entry ], [ %n, %before ], [ %b, %l1 ], [ %b, %l2 ]\n"
    "  %less = phi i32 [ %n, %entry ], [ %n, %before ], [ %q, %l1 ], [ %q, %l2 ]\n"
    "  %at = phi ptr [ %p, %entry ], [ %p, %before ], [ %at1, %l1 ], [ %at1, %l2 ]\n"
    "  %chain = phi i8 [ 1, %entry ], [ 1, %before ], [ %e, %l1 ], [ %e, %l2 ]\n"
    "  %uneven = phi i32 [ 0, %entry ], [ 0, %before ], [ %u1, %l1 ], [ %u2, %l2 ]\n"
    "  %times = phi i32 [ 1, %entry ], [ 1, %before ], [ %t, %l1 ], [ %t, %l2 ]\n"
    "  %still = phi i32 [ %n, %entry ], [ %n, %before ], [ %still, %l1 ], [ %still, %l2 ]\n"
    "  %varies = phi i32 [ 0, %entry ], [ 0, %before ], [ %v, %l1 ], [ %v, %l2 ]\n"
    "  %merged = phi i32 [ 0, %entry ], [ 0, %before ], [ %m3, %l1 ], [ %m3, %l2 ]\n"
    "  %crossed = phi i32 [ 0, %entry ], [ 0, %before ], [ %up1, %l1 ], [ %up1, %l2 ]\n"
    "  %up1 = add nsw i32 %up, 1\n"
    "  %up2 = add nsw i32 1, %up\n"
    "  %d = sub nuw i64 %down, 3\n"
    "  %inv = add i32 %s, 7\n"
    "  %b = add nsw i32 %inv, %by\n"
    "  %q = sub i32 %less, %s\n"
    "  %at1 = getelementptr inbounds i32, ptr %at, i64 -2\n"
    "  %c1 = add nsw i8 %chain, 100\n"
    "  %e = add nsw i8 %c1, 100\n"
    "  %u1 = add i32 %uneven, 1\n"
    "  %u2 = add i32 %uneven, 2\n"
    "  %t = mul i32 %times, 2\n"
    "  %v = add i32 %varies, %up\n"
    "  br i1 %c, label %x, label %y\n"
    "x: %m1 = add nuw nsw i32 %merged, 4\n"
    "  br label %z\n"
    "y: %m2 = add nsw i32 %merged, 4\n"
    "  br label %z\n"
    "z: %m3 = phi i32 [ %m1, %x ], [ %m2, %y ]\n"
    "  %w = sext i32 %up to i64\n"
    "  %big = sext i32 %inv to i64\n"
    "  %stop = icmp sle i64 %big, %w\n"
    "  br i1 %stop, label %out, label %l1\n"
    "l1: %go = icmp ne i32 %b, 5\n"
    "  br i1 %go, label %h, label %l2\n"
    "l2: br i1 %c, label %h, label %out\n"
    "out: ret void\n"
    "}\n";

static void test_forms(void) {
  Case c = open_case(forms);
  LLVMValueRef n = LLVMGetParam(c.function, 0), s = LLVMGetParam(c.function, 1);
  const Induct *v = find(&c, "up");
  assert(v->amount == 1 && !v->step && !v->next && v->nsw && !v->nuw && v->start &&
         !LLVMConstIntGetSExtValue(v->start));
  assert(inducts_monotone(c.in, v, true) && inducts_monotone(c.in, v, false));
  v = find(&c, "down");
  assert(v->amount == -3 && !v->start && v->next == named(&c, "d") && v->nuw && !v->nsw);
  assert(!inducts_monotone(c.in, v, true) && inducts_monotone(c.in, v, false));
  v = find(&c, "by");
  assert(v->start == n && v->step == named(&c, "inv") && !v->minus && v->nsw &&
         !inducts_monotone(c.in, v, true));
  v = find(&c, "less");
  assert(v->step == s && v->minus && !v->nsw);
  v = find(&c, "at");
  assert(v->amount == -2 && v->element == LLVMInt32TypeInContext(c.context) && v->inbounds && !v->nsw &&
         !v->nuw);
  v = find(&c, "chain");
  assert(v->amount == -56 && !v->nsw && !v->nuw);
  v = find(&c, "merged");
  assert(v->amount == 4 && v->next == named(&c, "m3") && v->nsw && !v->nuw);
  assert(!find(&c, "uneven") && !find(&c, "times") && !find(&c, "still") && !find(&c, "varies") &&
         !find(&c, "crossed"));
  assert(inducts_count(c.in) == 7 && !inducts_invariant(c.loops, 0, named(&c, "v")));
  assert(inducts_invariant(c.loops, 0, named(&c, "big")) && !inducts_invariant(c.loops, 0, named(&c, "up")));
  close_case(&c);
}

static void test_bounds(void) {
  Case c = open_case(forms);
  assert(inducts_bounds(c.in) == 1);
  const InductBound *b = inducts_bound(c.in, 0);
  assert(inducts_at(c.in, b->induct)->phi == named(&c, "up") && !b->of_next && b->extended == LLVMSExt &&
         b->always);
  assert(b->stay == LLVMIntSLT && b->bound == named(&c, "big") &&
         !strcmp(LLVMGetBasicBlockName(cfg_block(c.cfg, b->block)), "z"));
  close_case(&c);
}

// An outer and an inner loop; the inner one's exit may leave both.
static const char nest[] =
    "define void @f(i32 %n, i32 %k) {\n"
    "entry: br label %o\n"
    "o: %i = phi i32 [ %n, %entry ], [ %i1, %oo ]\n"
    "  br label %h\n"
    "h: %j = phi i16 [ 0, %o ], [ %j1, %hh ]\n"
    "  %first = icmp ugt i32 %i, %k\n"
    "  br i1 %first, label %hh, label %out\n"
    "hh: %j1 = add i16 %j, 2\n"
    "  %more = icmp ne i16 %j1, 12\n"
    "  br i1 %more, label %h, label %oo\n"
    "oo: %i1 = add i32 %i, -1\n"
    "  %last = icmp slt i32 3, %i1\n"
    "  br i1 %last, label %o, label %out\n"
    "out: ret void\n"
    "}\n";

static void test_nest(void) {
  Case c = open_case(nest);
  const Induct *i = find(&c, "i"), *j = find(&c, "j");
  assert(i->amount == -1 && i->loop == 0 && j->amount == 2 && j->loop == 1 && inducts_bounds(c.in) == 3);
  const InductBound *first = inducts_bound(c.in, 0), *more = inducts_bound(c.in, 1),
                    *last = inducts_bound(c.in, 2);
  assert(first->loop == 0 && first->stay == LLVMIntUGT && !first->of_next && !first->always);
  assert(more->loop == 1 && more->stay == LLVMIntNE && more->of_next && more->always && !more->extended);
  assert(last->loop == 0 && last->stay == LLVMIntSGT && last->of_next && last->always);
  assert(!inducts_monotone(c.in, i, true) && !inducts_monotone(c.in, i, false) &&
         !inducts_monotone(c.in, j, true));
  close_case(&c);
}

// A test that an iteration may pass by.
static const char skipped[] =
    "define void @f(i32 %n, i1 %c) {\n"
    "entry: br label %h\n"
    "h: %i = phi i32 [ 0, %entry ], [ %next, %l ]\n"
    "  br i1 %c, label %test, label %l\n"
    "test: %go = icmp slt i32 %i, %n\n"
    "  br i1 %go, label %l, label %out\n"
    "l: %next = add i32 %i, 1\n"
    "  br label %h\n"
    "out: ret void\n"
    "}\n";

static void test_skipped(void) {
  Case c = open_case(skipped);
  assert(inducts_bounds(c.in) == 1 && !inducts_bound(c.in, 0)->always &&
         inducts_bound(c.in, 0)->stay == LLVMIntSLT);
  assert(!inducts_monotone(c.in, find(&c, "i"), true) && !inducts_monotone(c.in, find(&c, "i"), false));
  close_case(&c);
}

static const char *const predicates[] = {"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"};

static bool holds(unsigned p, long a, long b) {
  long ua = a & 0xffff, ub = b & 0xffff;
  bool all[] = {a == b, a != b, ua > ub, ua >= ub, ua<ub, ua <= ub, a> b, a >= b, a < b, a <= b};
  return all[p];
}

// Runs `for (v = start; v stay bound; v += amount)` on 8 bits and sees whether v ever turns back.
static bool turns(bool is_signed, unsigned p, int extended, int start, int bound, int amount) {
  signed char v = (signed char)start;
  for (unsigned n = 0; n < 300; ++n) {
    long compared = extended == 2 ? (unsigned char)v : v;
    if (!holds(p, compared, bound)) return false;
    signed char next = (signed char)(v + amount);
    int from = is_signed ? v : (unsigned char)v, to = is_signed ? next : (unsigned char)next;
    if (amount > 0 ? to < from : to > from) return true;
    v = next;
  }
  return false;
}

static bool ever_turns(bool is_signed, unsigned p, int extended, int start, int amount, bool constant,
                       int bound) {
  int low = extended ? -400 : -128, high = extended ? 400 : 127;
  for (int b = constant ? bound : low; b <= (constant ? bound : high); ++b)
    if (turns(is_signed, p, extended, start, b, amount)) return true;
  return false;
}

// Whether a claim is due: the test bounds the variable in the way it goes, in this order, and no start is too
// high.
static bool due(bool is_signed, unsigned p, int amount, int bound) {
  bool above = p == 4 || p == 5 || p == 8 || p == 9;
  if (p < 2 || (p >= 6) != is_signed || above != (amount > 0)) return false;
  for (int start = -128; start < 128; ++start)
    if (turns(is_signed, p, 0, start, bound, amount)) return false;
  return true;
}

// extended: 0 no, 1 sext, 2 zext to i16.
static unsigned test_monotone(unsigned p, int extended, int start, int amount, bool constant, int bound) {
  char *limit = constant ? mem_format("%d", bound) : mem_string("%n");
  char *widen =
      extended ? mem_format("%%w = %s i8 %%v to i16\n", extended == 2 ? "zext" : "sext") : mem_string("");
  char *text = mem_format(
      "define void @f(%s %%n) {\n"
      "entry: br label %%h\n"
      "h: %%v = phi i8 [ %d, %%entry ], [ %%next, %%body ]\n"
      "%s"
      "%%c = icmp %s %s, %s\n"
      "br i1 %%c, label %%body, label %%out\n"
      "body: %%next = add i8 %%v, %d\n"
      "br label %%h\n"
      "out: ret void\n}\n",
      extended ? "i16" : "i8", start, widen, predicates[p], extended ? "i16 %w" : "i8 %v", limit, amount);
  Case c = open_case(text);
  const Induct *v = find(&c, "v");
  unsigned claims = 0;
  assert(v && v->amount == amount && inducts_bounds(c.in) == 1);
  for (int is_signed = 0; is_signed < 2; ++is_signed) {
    bool claimed = inducts_monotone(c.in, v, is_signed);
    claims += claimed;
    if (claimed) assert(!ever_turns(is_signed, p, extended, start, amount, constant, bound));
    if (!claimed && constant && !extended) assert(!due(is_signed, p, amount, bound));
  }
  close_case(&c);
  mem_free(text);
  mem_free(widen);
  mem_free(limit);
  return claims;
}

static void test_wrapping(void) {
  static const int starts[] = {0, 1, 100, -1, -128}, amounts[] = {1, 2, 7, 127, -1, -3, -128};
  static const int bounds[] = {0, 1, 2, 10, 120, 126, 127, -1, -10, -127, -128};
  unsigned claims = 0;
  for (unsigned p = 0; p < 10; ++p)
    for (int extended = 0; extended < 3; ++extended)
      for (unsigned s = 0; s < 5; ++s)
        for (unsigned a = 0; a < 7; ++a) {
          claims += test_monotone(p, extended, starts[s], amounts[a], false, 0);
          for (unsigned b = 0; b < 11; b += 1 + (s + a) % 3)
            claims += test_monotone(p, extended, starts[s], amounts[a], true, bounds[b]);
        }
  printf("%u claims that a variable never turns back\n", claims);
  assert(claims > 500);
}

int main(void) {
  test_forms();
  test_bounds();
  test_nest();
  test_skipped();
  test_wrapping();
  return 0;
}
