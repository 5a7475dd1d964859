// ELF, archives, bitcode's outside, packing, fields, recipes, traces: good input, and every prefix of it.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "ir/ir.h"

static Span text(const char *s) {
  return span_of((const unsigned char *)s, strlen(s));
}

// A copy that ends where its allocation ends, so that a sanitizer sees every read behind it.
static Span tight(Span s, size_t len) {
  return span_of(mem_copy(s.at, len), len);
}
static void tight_free(Span s) {
  mem_free((void *)(uintptr_t)s.at);
}

static void read_everything(Span s) {
  Elf e;
  if (!elf_read(s, &e)) {
    Bytes out = {0};
    for (vec_each(i, &e.sections)) {
      Span d = elf_data(&e, &e.sections.at[i]);
      assert(d.at >= s.at && d.at + d.len <= s.at + s.len);
    }
    for (size_t i = 0; i < elf_symbol_count(&e); ++i) assert(elf_symbol(&e, i).name);
    ElfAdd add = {".x", NULL, text("data")};
    elf_add(&e, &add, 1, &out);
    vec_free(&out);
  }
  elf_free(&e);
}

static void test_elf(void) {
  Bytes self = {0}, bigger = {0}, again = {0};
  assert(file_read("/proc/self/exe", &self) == 0);
  Elf e, f;
  assert(!elf_read(span_of(self.at, self.len), &e) && elf_section(&e, ".text") && e.machine == EM_X86_64);
  ElfAdd add[] = {{".one", NULL, text("first")}, {".two", NULL, text("second")}};
  assert(!elf_add(&e, add, 2, &bigger));
  assert(!elf_read(span_of(bigger.at, bigger.len), &f) && f.sections.len == e.sections.len + 2);
  assert(elf_data(&f, elf_section(&f, ".two")).len == 6 && elf_symbol_count(&f) == elf_symbol_count(&e));
  assert(!strcmp(elf_symbol(&f, 5).name, elf_symbol(&e, 5).name));
  add[0].data = text("shorter");
  assert(!elf_add(&f, add, 2, &again) && again.len < bigger.len + 16);
  for (size_t len = 0; len < 5000 && len < self.len; len += 7) {
    Span s = tight(span_of(self.at, self.len), len);
    read_everything(s);
    tight_free(s);
  }
  elf_free(&e), elf_free(&f);
  vec_free(&self), vec_free(&bigger), vec_free(&again);
}

static size_t members(Span s, char *names, size_t room) {
  Ar ar = ar_open(s);
  ArMember m;
  size_t n = 0;
  for (*names = 0; ar_next(&ar, &m); ++n)
    snprintf(names + strlen(names), room - strlen(names), "%.*s:%zu ", (int)m.name.len,
             (const char *)m.name.at, m.data.len);
  return ar.wrong ? SIZE_MAX : n;
}

static void test_ar(void) {
  static const char gnu[] =
      "!<arch>\n"
      "/               0           0     0     0       4         `\n\0\0\0\0"
      "//                                              28        `\na long name indeed.o/\nxx y/\n"
      "a.o/            0           0     0     644     3         `\nabc\n"
      "/0              0           0     0     644     2         `\nhi"
      "/22             0           0     0     644     0         `\n"
      "#1/8            0           0     0     644     10        `\nbsd.o\0\0\0ok";
  char names[200];
  Span all = span_of((const unsigned char *)gnu, sizeof gnu - 1);
  assert(members(all, names, sizeof names) == 4);
  assert(!strcmp(names, "a.o:3 a long name indeed.o:2 xx y:0 bsd.o:2 "));
  for (size_t len = 0; len < all.len; ++len) {
    Span s = tight(all, len);
    members(s, names, sizeof names);
    tight_free(s);
  }
  static const char thin[] =
      "!<thin>\n"
      "//                                              10        `\nsub/tt.o/\n"
      "/0              0           0     0     644     999       `\n"
      "b.o/            0           0     0     644     77        `\n";
  assert(members(text(thin), names, sizeof names) == 2 && !strcmp(names, "sub/tt.o:0 b.o:0 "));
  assert(members(text("!<arch>\nnonsense"), names, sizeof names) == SIZE_MAX);
  assert(members(text("no archive"), names, sizeof names) == SIZE_MAX);
}

static void test_bitcode(void) {
  static const uint32_t module[] = {0xdec04342, 0x35 | 13 << 2, 0, 1u | 8u << 2, 2, 7, 7};
  uint32_t two[14];
  memcpy(two, module, sizeof module), memcpy(two + 7, module, sizeof module);
  two[1] = two[8] = 1u | 13u << 2;
  Spans out = {0};
  assert(!bitcode_split(span_of((unsigned char *)two, sizeof two), &out) && out.len == 2 &&
         out.at[1].len == 28);
  vec_free(&out);
  for (size_t len = 0; len < sizeof two; ++len) {
    Span s = tight(span_of((unsigned char *)two, sizeof two), len);
    assert((bitcode_split(s, &out) == NULL) == (len == 28));
    vec_free(&out);
    tight_free(s);
  }
  two[10] = 0x40000000;
  assert(bitcode_split(span_of((unsigned char *)two, sizeof two), &out) && !out.len);
}

static void test_pack(void) {
  Bytes data = {0}, packed = {0}, back = {0};
  for (unsigned i = 0; i < 100000; ++i) vec_push(&data, (unsigned char)(i * i >> 5));
  pack(span_of(data.at, data.len), &packed);
  assert(!unpack(span_of(packed.at, packed.len), &back) && back.len == data.len &&
         !memcmp(back.at, data.at, data.len));
  vec_free(&back);
  for (size_t len = 0; len < packed.len; len += 1 + len / 50)
    assert(unpack(span_of(packed.at, len), &back) && !back.at);
  for (size_t i = 0; i < packed.len; i += 7) {  // any damage is seen
    packed.at[i] ^= 1 << i % 8;
    assert(unpack(span_of(packed.at, packed.len), &back) && !back.at);
    packed.at[i] ^= 1 << i % 8;
  }
  static const unsigned char absurd[] = {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0x40, 0, 0, 0, 0, 1, 0, 0};
  packed.len = 0;
  vec_append(&packed, absurd, sizeof absurd);
  pack_seal(&packed, 0);
  assert(!strcmp(unpack(span_of(packed.at, packed.len), &back), "compressed data claims an impossible size"));
  vec_free(&data), vec_free(&packed);
}

static void add_arg(Recipe *r, LinkKind kind, const char *s, const char *path, unsigned file) {
  LinkArg a = {kind, mem_string(s), path ? mem_string(path) : NULL, file};
  vec_push(&r->args, a);
}

static void test_recipe(void) {
  Recipe r = {mem_string("ld.lld"), mem_string("/a b\n\\c"), mem_string("out\xff"), {0}, {0}, {0}}, back;
  add_arg(&r, LINK_TEXT, "-z", NULL, 0), add_arg(&r, LINK_TEXT, "", NULL, 0);
  add_arg(&r, LINK_PATH, "-L", "/lib", 0), add_arg(&r, LINK_STORED, "-T=", NULL, 1),
      add_arg(&r, LINK_MODULE, "", NULL, 0);
  vec_push(&r.parts, ((LinkPart){mem_string("a.o"), NULL, mem_string("-O2 -ffunction-sections"), 3}));
  vec_push(&r.parts, ((LinkPart){mem_string("b c.o"), mem_string("assembler"), NULL, 1}));
  vec_push(&r.files, ((StoredFile){mem_string("b c.o"), {0}})),
      vec_push(&r.files, ((StoredFile){mem_string("s"), {0}}));
  vec_append(&r.files.at[1].data, "odd", 3);
  Bytes one = {0}, one_files = {0}, two = {0}, two_files = {0};
  recipe_write(&r, &one, &one_files);
  assert(!recipe_read(span_of(one.at, one.len), span_of(one_files.at, one_files.len), &back));
  recipe_write(&back, &two, &two_files);
  assert(one.len == two.len && !memcmp(one.at, two.at, one.len) && one_files.len == two_files.len);
  assert(!memcmp(one_files.at, two_files.at, one_files.len) && !strcmp(back.directory, "/a b\n\\c"));
  assert(recipe_level(&r) == 2 && recipe_has_flag(&r, "-O2") && !recipe_has_flag(&r, "-ffunction"));
  recipe_free(&back);
  for (size_t len = 0; len < one.len; ++len)
    assert(recipe_read(span_of(one.at, len), span_of(one_files.at, one_files.len), &back) && !back.args.at);
  assert(recipe_read(span_of(one.at, one.len), span_of(one_files.at, one_files.len - 4), &back));
  one.at[7] = '9';
  assert(!strcmp(recipe_read(span_of(one.at, one.len), span_of(one_files.at, one_files.len), &back),
                 "the link recipe has another version"));
  recipe_free(&r);
  vec_free(&one), vec_free(&two), vec_free(&one_files), vec_free(&two_files);
}

static void test_trace(void) {
  char *dir = file_temp_dir();
  assert(dir && chdir(dir) == 0);
  static const char *const names[] = {"a.o", "l.a", "odd(1).a", "two\nlines.o"};
  for (int i = 0; i < 4; ++i) assert(file_write(names[i], "x", 1, 0) == 0);
  Trace t = {0};
  Bytes rest = {0};
  char *known_at[] = {mem_string("two\nlines.o")};
  Strings known = {known_at, 1, 1};
  trace_read(text("a.o\nl.a\n(l.a)b.o\nodd(1).a(m(2).o)\n(odd(1).a)c)d.o\na.o\ntwo\nlines.o\nl.a(b.o)\n"
                  "Archive member included\n/tmp/gone.o\nno newline"),
             &known, &t, &rest);
  static const char *const want[] = {"two\nlines.o", NULL,       "a.o",    NULL,       "l.a",   NULL,  "l.a",
                                     "b.o",          "odd(1).a", "m(2).o", "odd(1).a", "c)d.o", "l.a", "b.o"};
  assert(t.len == 7);
  for (vec_each(i, &t)) {
    assert(!strcmp(t.at[i].path, want[2 * i]) && !t.at[i].member == !want[2 * i + 1]);
    if (t.at[i].member) assert(!strcmp(t.at[i].member, want[2 * i + 1]));
  }
  vec_push(&rest, 0);
  assert(!strcmp((char *)rest.at, "Archive member included\nno newline"));
  trace_free(&t);
  vec_free(&rest);
  mem_free(known_at[0]);
  file_remove_tree(dir);
  mem_free(dir);
}

int main(void) {
  test_elf();
  test_ar();
  test_bitcode();
  test_pack();
  test_recipe();
  test_trace();
}
