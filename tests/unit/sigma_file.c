// Reading and writing Σ: what is written reads back the same, and what is not whole or not right is refused
// with its line.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "sim.h"

// DESIGN's example, with the lines that it leaves out.
static const char example[] =
    "sigma 1\n"
    "program fig1\n"
    "module 9c1e5a\xe2\x80\xa6                      # hash of the code, without debug info and paths\n"
    "exclude mutex alloc.c:malloc_lock   # objects left out of every schedule here (none in this program)\n"
    "site 0 main#2 create fig1.c:63:5\n"
    "site 1 main#3 join fig1.c:65:5\n"
    "site 2 worker#0 lock fig1.c:38:3\n"
    "site 3 worker#1 unlock fig1.c:40:3\n"
    "schedule 0\n"
    "origin recorded argv \"./fig1\" \"2\" \"100\" exit 0\n"
    "order hb                            # what is enforced, and what analyses use\n"
    "at main                             # dispatch point: main, or main:FILE:LINE\n"
    "when proved (= (atoi (argv 1)) 2)   # proved | exact | by-hand | unproved | false\n"
    "t0 create 0 t1\n"
    "t1 enter worker\n"
    "t0 create 0 t2\n"
    "t1 lock 2 m0\n"
    "t1 unlock 3 m0\n"
    "t2 enter worker\n"
    "t2 lock 2 m0\n"
    "t2 unlock 3 m0\n"
    "t2 exit\n"
    "t1 exit\n"
    "t0 join 1 t1\n"
    "t0 join 1 t2\n"
    "t0 exit\n"
    "end\n";

static Sigma *parse(const void *text, size_t len, Diags *diags) {
  return sigma_parse(span_of(text, len), "app.sigma", diags);
}

static Sigma *parsed(const void *text, size_t len) {
  Diags *diags = diags_new();
  Sigma *s = parse(text, len, diags);
  diags_print(diags, stderr, "test");
  assert(s && !diags_count(diags));
  diags_free(diags);
  return s;
}

static void test_example(void) {
  Sigma *s = parsed(example, sizeof example - 1);
  Diags *diags = diags_new();
  assert(sigma_check(s, diags) && !diags_count(diags));
  const Schedule *c = s->schedules.at[0];
  assert(s->sites.len == 4 && !strcmp(sigma_text(s, s->sites.at[2].name), "worker#0"));
  assert(s->sites.at[2].line == 38 && s->sites.at[2].column == 3 && s->sites.at[2].kind == SYNC_LOCK);
  assert(s->exclusions.len == 1 && s->exclusions.at[0].family == SYNC_MUTEX && s->module_line == 3);
  assert(c->argv.len == 3 && c->end == SIGMA_EXIT && c->end_number == 0 && c->status == SIGMA_PROVED);
  assert(c->events.len == 13 && c->threads == 3 && c->objects.len == 1 && c->events.at[3].line == 17);
  assert(!strcmp(sigma_text(s, c->events.at[5].other), "worker") && schedule_share(c) == 1.0);
  assert(sizeof(Event) == 24);
  diags_free(diags);
  sigma_free(s);
}

static void round_trip(const Sigma *s, bool valid) {
  Bytes once = {0}, twice = {0};
  sigma_print(s, &once);
  Sigma *again = parsed(once.at, once.len);
  sigma_print(again, &twice);
  assert(once.len == twice.len && !memcmp(once.at, twice.at, once.len));
  Diags *diags = diags_new();
  assert(sigma_check(again, diags) == valid);
  diags_free(diags);
  sigma_free(again);
  vec_free(&once);
  vec_free(&twice);
}

static void test_round_trip(void) {
  Sigma *s = parsed(example, sizeof example - 1);
  round_trip(s, true);
  sigma_free(s);
  for (uint64_t seed = 0; seed < 400; ++seed) {
    s = sim_sigma(sim_options(seed));
    if (seed % 3 == 0) sim_schedule(s, sim_options(seed + 1000));
    if (seed % 7 == 0) sim_schedule(s, sim_options(seed + 2000));
    round_trip(s, true);
    sigma_free(s);
  }
  s = sigma_new("empty \t\x7f", "");
  s->module = sigma_intern(s, "00");
  round_trip(s, true);
  sigma_free(s);
}

// No prefix is a file, but for the last line end of a file without `schedules N`... not even that.
static void test_truncation(void) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Bytes text = {0};
    if (seed) {
      Sigma *s = sim_sigma(sim_options(seed));
      if (seed % 2) sim_schedule(s, sim_options(seed + 1000));
      sigma_print(s, &text);
      sigma_free(s);
    } else {
      vec_append(&text, example, sizeof example - 1);
    }
    for (size_t len = 0; len < text.len; ++len) {
      unsigned char *cut = mem_copy(text.at, len);  // so that a sanitizer sees reading behind it
      Diags *diags = diags_new();
      assert(!parse(cut, len, diags) && diags_count(diags) == 1);
      const Diag *d = diags_at(diags, 0);
      unsigned lines = 1;
      for (size_t i = 0; i < len; ++i) lines += cut[i] == '\n';
      assert(d->kind == DIAG_ERROR && !strcmp(d->file, "app.sigma") && d->line >= 1 && d->line <= lines);
      diags_free(diags);
      mem_free(cut);
    }
    vec_free(&text);
  }
}

typedef struct {
  const char *from, *to;
  unsigned line;
  const char *says;
} Change;

// Each changes the example, once.
static const Change changes[] = {
    {"sigma 1\n", "", 1, "not a schedule file: the first line must be `sigma 1`"},
    {"sigma 1\n", "sigma 2\n", 1,
     "schedule file version 2 is newer than this Specialize, which reads version 1"},
    {"sigma 1\n", "sigma 0\n", 1, "schedule file version 0 does not exist"},
    {"sigma 1\n", "sigma\n", 1, "the version is missing at the end of this line"},
    {"sigma 1\n", "sigma one\n", 1, "expected a number for the version, not one"},
    {"sigma 1\n", "sigma 1 2\n", 1, "unexpected 2 at the end of this line"},
    {"program fig1\n", "", 2, "expected the line `program`, not module"},
    {"program fig1\n", "program fig1\nprogram fig1\n", 3, "expected the line `module`, not program"},
    {"program fig1\n", "program\n", 2, "program is missing at the end of this line"},
    {"program fig1\n", "program \"\"\n", 2, "program is empty"},
    {"exclude mutex", "exclude lock", 4, "lock is not a kind of object"},
    {"site 1", "site 2", 6, "expected site 1, not site 2"},
    {"site 1 main#3", "site 1 main#2", 6, "site 1 is the same as site 0"},
    {"worker#0 lock", "worker#0 init", 7, "init is not an operation of a site"},
    {"fig1.c:38:3", "fig1.c:38", 7, "fig1.c:38 is not a place such as fig1.c:38:3"},
    {"fig1.c:38:3", "fig1.c:38:4294967296", 7, "fig1.c:38:4294967296 is not a place such as fig1.c:38:3"},
    {"fig1.c:38:3", "fig1.c:038:3", 7, "fig1.c:038:3 is not a place such as fig1.c:38:3"},
    {"fig1.c:38:3", ":38:3", 7, ":38:3 is not a place such as fig1.c:38:3"},
    {"fig1.c:38:3", "fig1.c:38:3 x", 7, "unexpected x at the end of this line"},
    {"schedule 0", "schedule 1", 9, "expected schedule 0, not schedule 1"},
    {"schedule 0", "schedules 1", 9, "expected the line `schedule`, not schedules"},
    {"origin recorded", "origin made", 10, "expected recorded, enumerated or written, not made"},
    {"argv \"./fig1\"", "argv ./fig1", 10, "expected argv, exit or signal, not ./fig1"},
    {"exit 0", "exit 256", 10, "expected a number for how the run ended, not 256"},
    {"order hb ", "order HB ", 11, "expected hb or total, not HB"},
    {"order hb ", "", 12, "expected the line `order`, not at"},
    {"at main ", "at start ", 12, "expected main or main:FILE:LINE, not start"},
    {"at main ", "at main:x.c ", 12, "expected main or main:FILE:LINE, not main:x.c"},
    {"at main ", "at main:x.c:0 ", 12, "expected main or main:FILE:LINE, not main:x.c:0"},
    {"when proved", "when true", 13, "expected proved, exact, by-hand, unproved or false, not true"},
    {"when proved", "when false", 13, "expected because or nothing, not (="},
    {"(argv 1)", "(argv x)", 13, "argv takes one literal number, for example (argv 1)"},
    {"(argv 1)) 2)", "(argv 1)) 2", 13, "the term ends without the ) of ="},
    {"t0 create 0 t1\n", "", 14, "t1 has not been created"},
    {"t1 enter worker\n", "t1 enter\n", 15, "a function is missing at the end of this line"},
    {"t1 lock 2 m0", "t1 lock 4 m0", 17, "there is no site 4"},
    {"t1 lock 2 m0", "t1 lock m0", 17, "m0 is not the number of a site"},
    {"t1 lock 2 m0", "t1 lock 2", 17, "an object is missing at the end of this line"},
    {"t1 lock 2 m0", "t1 lock 2 x0", 17, "x0 is not an object"},
    {"t1 lock 2 m0", "t1 lock 2 m00", 17, "m00 is not an object"},
    {"t1 lock 2 m0", "t1 lock 2 m4294967295", 17, "m4294967295 is not an object"},
    {"t1 lock 2 m0", "t1 lock 2 m0 m1", 17, "unexpected m1 at the end of this line"},
    {"t1 lock 2 m0", "t1 lock 2 m0 =", 17, "an outcome is missing at the end of this line"},
    {"t1 lock 2 m0", "t1 lock 2 m0 = EBUSY", 17, "EBUSY is not an outcome"},
    {"t1 lock 2 m0", "t1 lock 2 m0 = busy x", 17, "unexpected x at the end of this line"},
    {"t1 lock 2 m0", "t1 lock 2 m0 = spurious", 17, "spurious is not an outcome"},
    {"t1 lock 2 m0", "t1 \"lock\" 2 m0", 17, "lock is not an event"},
    {"t1 lock 2 m0", "t1 wait 2 c0 m0", 17, "wait is not an event"},
    {"t1 lock 2 m0", "t1 init 2 m0", 17, "init is not an event"},
    {"t1 lock 2 m0", "t4000000000 lock 2 m0", 17, "t4000000000 has not been created"},
    {"t1 lock 2 m0", "t99999999999999999999 lock 2 m0", 17, "t99999999999999999999 is not a thread"},
    {"t1 lock 2 m0", "t01 lock 2 m0", 17, "t01 is not a thread"},
    {"t1 lock 2 m0", "lock 2 m0", 17, "lock is not a thread"},
    {"t1 lock 2 m0", "t1", 17, "an event is missing at the end of this line"},
    {"t1 lock 2 m0", "t1 lock 2 m0\r", 17, "this byte is not allowed in text; write \\x0d"},
    {"t1 lock 2 m0", "t1 lock 2 \"m0", 17, "a quote without a closing quote"},
    {"t1 lock 2 m0", "repeat 3", 17, "repeat is not a thread"},
    {"schedule 0\n", "access 0 worker%3 read\nschedule 0\n", 0, ""},
    {"schedule 0\n", "access 0 f%3 write 8 a.c:1:2\naccess 1 f%3 read 8\nschedule 0\n", 0, ""},
    {"schedule 0\n", "access 1 worker%3 read\nschedule 0\n", 9, "expected access 0, not access 1"},
    {"schedule 0\n", "access 0 worker#3 read\nschedule 0\n", 9,
     "worker#3 is not an instruction such as worker%17"},
    {"schedule 0\n", "access 0 worker%03 read\nschedule 0\n", 9,
     "worker%03 is not an instruction such as worker%17"},
    {"schedule 0\n", "access 0 %3 read\nschedule 0\n", 9, "%3 is not an instruction such as worker%17"},
    {"schedule 0\n", "access 0 f%3\nschedule 0\n", 9, "read or write is missing"},
    {"schedule 0\n", "access 0 f%3 touch\nschedule 0\n", 9, "expected read or write, not touch"},
    {"schedule 0\n", "access 0 f%3 read a.c\nschedule 0\n", 9, "a.c is not a place such as fig1.c:38:3"},
    {"schedule 0\n", "access 0 f%3 read 8 a.c:1:2 x\nschedule 0\n", 9,
     "unexpected x at the end of this line"},
    {"schedule 0\n", "access 0 f%3 read\naccess 1 f%3 read 4\nschedule 0\n", 10,
     "access 1 is the same as access 0"},
    {"schedule 0\n", "access 0 f%3 read\nsite 4 f#1 lock\nschedule 0\n", 10,
     "expected the line `schedule`, not site"},
    {"t1 lock 2 m0", "t1 access", 17, "an access is missing"},
    {"t1 lock 2 m0", "t1 access 0", 17, "there is no access 0"},
    {"t1 lock 2 m0", "t1 access x", 17, "x is not the number of an access"},
    {"end\n", "end 12\n", 27, "schedule 0 ends after 13 events, not after 12"},
    {"end\n", "end x\n", 27, "x is not a number of events"},
    {"end\n", "end 13 x\n", 27, "unexpected x at the end of this line"},
    {"end\n", "", 26, "the file is truncated: the line `end` is missing"},
    {"end\n", "end", 27, "the file is truncated: it ends inside this line"},
    {"end\n", "end\nend\n", 28, "expected the end of the file, not end"},
    {"end\n", "end\nschedule 1\n", 28, "a second schedule needs the line `schedules N` after `module`"},
    {"exclude", "schedules 2\nexclude", 28, "the file is truncated: it has 1 of 2 schedules"},
    {"exclude", "schedules 0\nexclude", 10, "expected the end of the file, not schedule"},
    {"t0 create 0 t1\n", "object m0 mutex\nobject m0 mutex\nt0 create 0 t1\n", 15, "m0 is declared twice"},
    {"t0 create 0 t1\n", "t0 create 0 t1\nobject m0 mutex\n", 15, "object is not a thread"},
    {"t0 create 0 t1\n", "object m0 cond\nt0 create 0 t1\n", 14, "the name m0 is that of a mutex"},
    {"t0 create 0 t1\n", "object m0 mutex count 3\nt0 create 0 t1\n", 14,
     "only barriers and semaphores have a count"},
    {"t0 create 0 t1\n", "object b0 barrier count 0\nt0 create 0 t1\n", 14,
     "a barrier needs at least one thread"},
    {"t0 create 0 t1\n", "object r0 rwlock recursive\nt0 create 0 t1\n", 14,
     "recursive is not allowed on this line"},
    {"t0 create 0 t1\n", "incomplete\nt0 create 0 t1\n", 0, ""},
    {"t0 create 0 t1\n", "incomplete\nleft-out 5\nt0 create 0 t1\n", 0, ""},
    {"t0 create 0 t1\n", "left-out 5\noutside libx.so 1 0\noutside \"a b\" 0 2\nt0 create 0 t1\n", 0, ""},
    {"t0 create 0 t1\n", "outside libx.so 1 0\noutside libx.so 2 0\nt0 create 0 t1\n", 15,
     "libx.so is listed twice"},
    {"t0 create 0 t1\n", "outside libx.so 1\nt0 create 0 t1\n", 14,
     "the places that synchronize is missing at the end of this line"},
    {"t0 create 0 t1\n", "outside libx.so -1 0\nt0 create 0 t1\n", 14,
     "expected a number for its threads, not -1"},
    {"t0 create 0 t1\n", "left-out 5\nincomplete\nt0 create 0 t1\n", 15, "incomplete is not a thread"},
    {"order hb ", "crash t3 0xff\nframe f\norder hb ", 29, "t3, which crashed, has not been created"},
    {"order hb ", "crash t1 0xFF\norder hb ", 11, "0xFF is not an address"},
    {"order hb ",
     "env A \"1\"\nenv B unset\ninput x copy \"a\\x00\"\ninput y hash 3 ff\ncrash t2 0x0\nframe f "
     "a:1:2\norder hb ",
     0, ""},
    {"order hb ", "env A \"\\x00\"\norder hb ", 11, "a NUL in a text"},
    {"order hb ", "input x all\norder hb ", 11, "expected copy, hash or lost, not all"},
    {"order hb ", "input x copy \"\"\nenv A unset\norder hb ", 12, "expected the line `order`, not env"},
};

static void change(const Change *c) {
  Bytes text = {0};
  const char *at = strstr(example, c->from);
  assert(at);
  vec_append(&text, example, (size_t)(at - example));
  bytes_text(&text, c->to);
  bytes_text(&text, at + strlen(c->from));
  Diags *diags = diags_new();
  Sigma *s = parse(text.at, text.len, diags);
  const Diag *d = diags_count(diags) ? diags_at(diags, 0) : NULL;
  bool ok = c->line ? !s && d && d->line == c->line && strstr(d->text, c->says) : s && !d;
  if (!ok) fprintf(stderr, "%s -> %s: ", c->from, c->to), diags_print(diags, stderr, "test");
  assert(ok && diags_count(diags) == !s);
  diags_free(diags);
  sigma_free(s);
  vec_free(&text);
}

// A line that is gone or doubled is seen, and before the events one that is moved. An exclusion is nothing
// that others rely on, and one schedule needs no `schedules 1`.
static void test_moved_lines(void) {
  Bytes text = {0};
  Sigma *s = parsed(example, sizeof example - 1);
  sigma_print(s, &text);
  sigma_free(s);
  vec_push(&text, 0);
  Vec(char *) lines = {0};
  for (char *l = strtok((char *)text.at, "\n"); l; l = strtok(NULL, "\n")) vec_push(&lines, l);
  for (size_t i = 0; i < lines.len; ++i)
    for (int how = 0; how < 3; ++how) {
      if (how == 0 && (!strncmp(lines.at[i], "exclude", 7) || !strncmp(lines.at[i], "schedules", 9)))
        continue;
      Bytes moved = {0};
      for (size_t k = 0; k < lines.len; ++k) {
        size_t from = how == 2 && (k == i || k == i + 1) && i + 1 < lines.len ? 2 * i + 1 - k : k;
        for (int n = k == i ? how == 0 ? 0 : how == 1 ? 2 : 1 : 1; n--;) {
          bytes_text(&moved, lines.at[from]);
          vec_push(&moved, '\n');
        }
      }
      Diags *diags = diags_new();
      Sigma *other = parse(moved.at, moved.len, diags);
      bool valid = other && sigma_check(other, diags);
      // Exchanging neighbours may be another run that can happen; nothing else may be.
      assert(!valid || how == 2);
      if (how == 2 && i < 14) assert(valid == (i + 1 == lines.len));
      diags_free(diags);
      sigma_free(other);
      vec_free(&moved);
    }
  vec_free(&lines);
  vec_free(&text);
}

static void test_save(void) {
  char *dir = file_temp_dir(), *path = file_join(dir, "app.sigma");
  Diags *diags = diags_new();
  Sigma *s = sim_sigma(sim_options(5));
  assert(sigma_save(s, path, diags) && sigma_save(s, path, diags) && !diags_count(diags));
  Sigma *again = sigma_read(path, diags);
  assert(again && !strcmp(again->file, path));
  Bytes a = {0}, b = {0};
  sigma_print(s, &a);
  sigma_print(again, &b);
  assert(a.len == b.len && !memcmp(a.at, b.at, a.len));
  mem_free(path);
  path = file_join(dir, "no/app.sigma");
  assert(!sigma_save(s, path, diags) && !sigma_read(path, diags) && diags_errors(diags) == 2);
  file_remove_tree(dir);
  sigma_free(s);
  sigma_free(again);
  diags_free(diags);
  mem_free(path);
  mem_free(dir);
  vec_free(&a);
  vec_free(&b);
}

int main(void) {
  test_example();
  test_round_trip();
  test_truncation();
  for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) change(&changes[i]);
  test_moved_lines();
  test_save();
  return 0;
}
