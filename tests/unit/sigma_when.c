// The constraints by hand of the test programs: each admits the runs that share a schedule, and not the
// other.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include "sigma/sigma.h"

static const struct {
  const char *program, *when, *in[2], *out[1];
} cases[] = {
    {"adhoc",
     "(and (= argc 3) (= (atoi (argv 1)) 2) (>= (atol (argv 2)) 0))",
     {"2 100", "2 7000"},
     {"3 100"}},
    {"aget",
     "(and (= argc 3) (= (atoi (argv 1)) 2) (>= (atol (argv 2)) 1) (<= (atol (argv 2)) 1000000000))",
     {"2 100000", "2 250001"},
     {"3 100000"}},
    {"barnes",
     "(and (= argc 5) (= (atoi (argv 1)) 2) (= (atoi (argv 2)) 24) (= (atoi (argv 3)) 1) (> (atof "
     "(argv 4)) 0.0))",
     {"2 24 1 0.5", "2 24 1 0.9"},
     {"2 31 1 0.5"}},
    {"blackscholes",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (>= (atoi (argv 2)) 1) (<= (atoi (argv 2)) 20000000) (>= "
     "(atoi (argv 3)) 1))",
     {"2 1000 1", "2 37 4"},
     {"3 1000 1"}},
    {"bodytrack",
     "(and (= argc 5) (= (atoi (argv 1)) 2) (= (atoi (argv 2)) 3) (= (atoi (argv 3)) 4) (>= (atoi "
     "(argv 4)) 1))",
     {"2 3 4 50", "2 3 4 333"},
     {"2 3 5 50"}},
    {"callpath",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (= (mod (atoi (argv 2)) 16) 5) (>= (atol (argv 3)) 0))",
     {"2 5 10", "2 5 321"},
     {"2 6 10"}},
    {"cancel_exit",
     "(and (= argc 3) (= (atoi (argv 1)) 2) (>= (atol (argv 2)) 0))",
     {"2 100", "2 3456"},
     {"3 100"}},
    {"canneal",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (>= (atoi (argv 2)) 2) (<= (atoi (argv 2)) 10000000) (>= "
     "(atol (argv 3)) 1))",
     {"2 64 2000", "2 100 900"},
     {"3 64 2000"}},
    {"cholesky",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (= (atoi (argv 2)) 3) (>= (atoi (argv 3)) 1) (<= (atoi "
     "(argv 3)) 1000))",
     {"2 3 3", "2 3 5"},
     {"2 2 3"}},
    {"condsync",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (>= (atol (argv 2)) 0) (>= (atol (argv 3)) 1) (= (div "
     "(atol (argv 2)) (atol (argv 3))) 10))",
     {"2 100 10", "2 1000 100"},
     {"2 100 20"}},
    {"deadlock",
     "(and (= argc 7) (= (atoi (argv 1)) 0) (= (atoi (argv 2)) 1) (= (atoi (argv 3)) 0) (= (atoi "
     "(argv 4)) 1) (= (atol (argv 5)) 20) (>= (atol (argv 6)) 0))",
     {"0 1 0 1 20 10", "0 1 0 1 20 500"},
     {"0 1 2 3 20 10"}},
    {"dedup",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (= (atoi (argv 2)) 6) (>= (atol (argv 3)) 1) (<= (atol "
     "(argv 3)) 100000000))",
     {"2 6 300", "2 6 451"},
     {"2 7 300"}},
    {"detach",
     "(and (= argc 3) (= (atoi (argv 1)) 2) (>= (atol (argv 2)) 0))",
     {"2 100", "2 2222"},
     {"3 100"}},
    {"ferret",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (= (atoi (argv 2)) 6) (>= (atoi (argv 3)) 4) (<= (atoi "
     "(argv 3)) 100000000))",
     {"2 6 32", "2 6 75"},
     {"2 7 32"}},
    {"fft",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (>= (atoi (argv 2)) 2) (<= (atoi (argv 2)) 24) (= (mod "
     "(atoi (argv 2)) 2) 0) (= (atoi (argv 3)) 3))",
     {"2 8 3", "2 10 3"},
     {"4 8 3"}},
    {"fig1",
     "(and (= argc 3) (= (atoi (argv 1)) 2) (>= (atoi (argv 2)) 0) (<= (atoi (argv 2)) 30000000))",
     {"2 100", "2 4000"},
     {"3 77"}},
    {"funptr",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (= (atoi (argv 2)) 1) (>= (atol (argv 3)) 0))",
     {"2 1 10", "2 1 500"},
     {"2 0 10"}},
    {"getopt",
     "(ite (= (argv 1) \"-q\") (ite (= (argv 2) \"-q\") (ite (= (argv 3) \"-q\") (ite (= (argv 4) \"-q\") "
     "(ite (= (argv 5) \"-q\") (= argc 6) (= argc 5)) (or (= argc 4) (and (or (and (= (argv 4) \"-p\") (= "
     "(atoi (argv 5)) 2)) (and (= (argv 4) \"-n\") (>= (strtol (argv 5) 10) 0))) (= argc 6)))) (or (= "
     "argc 3) (and (or (and (= (argv 3) \"-p\") (= (atoi (argv 4)) 2)) (and (= (argv 3) \"-n\") (>= "
     "(strtol (argv 4) 10) 0))) (ite (= (argv 5) \"-q\") (= argc 6) (= argc 5))))) (or (= argc 2) (and "
     "(or (and (= (argv 2) \"-p\") (= (atoi (argv 3)) 2)) (and (= (argv 2) \"-n\") (>= (strtol (argv 3) "
     "10) 0))) (ite (= (argv 4) \"-q\") (ite (= (argv 5) \"-q\") (= argc 6) (= argc 5)) (or (= argc 4) "
     "(and (or (and (= (argv 4) \"-p\") (= (atoi (argv 5)) 2)) (and (= (argv 4) \"-n\") (>= (strtol (argv "
     "5) 10) 0))) (= argc 6))))))) (or (= argc 1) (and (or (and (= (argv 1) \"-p\") (= (atoi (argv 2)) "
     "2)) (and (= (argv 1) \"-n\") (>= (strtol (argv 2) 10) 0))) (ite (= (argv 3) \"-q\") (ite (= (argv "
     "4) \"-q\") (ite (= (argv 5) \"-q\") (= argc 6) (= argc 5)) (or (= argc 4) (and (or (and (= (argv 4) "
     "\"-p\") (= (atoi (argv 5)) 2)) (and (= (argv 4) \"-n\") (>= (strtol (argv 5) 10) 0))) (= argc 6)))) "
     "(or (= argc 3) (and (or (and (= (argv 3) \"-p\") (= (atoi (argv 4)) 2)) (and (= (argv 3) \"-n\") "
     "(>= (strtol (argv 4) 10) 0))) (ite (= (argv 5) \"-q\") (= argc 6) (= argc 5))))))))",
     {"-p 2 -n 100", "-n 5000 -p 2 -q"},
     {"-n 100 -p 3"}},
    {"lu",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (>= (atoi (argv 3)) 1) (<= (atoi (argv 3)) 2500) (= (atoi "
     "(argv 2)) (* 4 (atoi (argv 3)))))",
     {"2 32 8", "2 64 16"},
     {"2 40 8"}},
    {"memset_kill",
     "(and (= argc 3) (>= (atol (argv 1)) 0) (<= (atol (argv 1)) 64) (>= (atol (argv 2)) 0))",
     {"5 100", "20 100"},
     {NULL}},
    {"ocean",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (= (atoi (argv 2)) 16) (>= (atof (argv 3)) 0.0472) (<= "
     "(atof (argv 3)) 0.0527))",
     {"2 16 0.05", "2 16 0.0501"},
     {"2 16 0.005"}},
    {"once", "(and (= argc 3) (= (atoi (argv 1)) 2) (>= (atol (argv 2)) 0))", {"2 100", "2 4321"}, {"3 100"}},
    {"overwrite",
     "(and (= argc 3) (>= (atoi (argv 1)) 0) (>= (atol (argv 2)) 0))",
     {"4 100", "5 100"},
     {NULL}},
    {"padding",
     "(and (= argc 3) (>= (atol (argv 1)) 0) (<= (atol (argv 1)) 11) (>= (atol (argv 2)) 0))",
     {"1 100", "5 100"},
     {NULL}},
    {"pbzip",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (<= (atol (argv 2)) 100000000) (>= (atol (argv 3)) 1) (<= "
     "(atol (argv 3)) 100000000) (> (atol (argv 2)) (* 8 (atol (argv 3)))) (<= (atol (argv 2)) (* 9 "
     "(atol (argv 3)))))",
     {"2 9000 1000", "2 18000 2000"},
     {"2 5000 1000"}},
    {"pfscan",
     "(and (= argc 5) (= (atoi (argv 1)) 2) (= (atoi (argv 2)) 6) (>= (atol (argv 3)) 16) (<= (atol "
     "(argv 3)) 100000000) (= (atoi (argv 4)) 4))",
     {"2 6 200 4", "2 6 911 4"},
     {"2 6 200 3"}},
    {"racy",
     "(and (= argc 3) (= (atoi (argv 1)) 2) (>= (atol (argv 2)) 1) (<= (atol (argv 2)) 100000000))",
     {"2 100", "2 101"},
     {"3 99"}},
    {"radix",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (>= (atol (argv 2)) 1) (<= (atol (argv 2)) 67108864) (>= "
     "(atoi (argv 3)) 29) (<= (atoi (argv 3)) 32))",
     {"2 1000 32", "2 5000 29"},
     {"3 1000 32"}},
    {"recurse",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (= (atoi (argv 2)) 3) (>= (atol (argv 3)) 0))",
     {"2 3 10", "2 3 77"},
     {"2 4 10"}},
    {"rwlock",
     "(and (= argc 4) (= (atoi (argv 1)) 3) (= (atol (argv 2)) 4) (>= (atol (argv 3)) 0))",
     {"3 4 10", "3 4 900"},
     {"3 5 10"}},
    {"sem",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (= (atol (argv 2)) 6) (>= (atol (argv 3)) 0))",
     {"2 6 10", "2 6 444"},
     {"2 8 10"}},
    {"streamcluster",
     "(and (= argc 5) (= (atoi (argv 1)) 2) (or (and (>= (atoi (argv 2)) 198) (<= (atoi (argv 2)) "
     "201)) (= (atoi (argv 2)) 210)) (= (atoi (argv 3)) 3) (= (atoi (argv 4)) 5))",
     {"2 200 3 5", "2 210 3 5"},
     {"2 200 3 6"}},
    {"swaptions",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (>= (atoi (argv 2)) 1) (<= (atoi (argv 2)) 4096) (>= "
     "(atoi (argv 3)) 1))",
     {"2 5 50", "2 9 120"},
     {"4 5 50"}},
    {"timedwait",
     "(and (= argc 3) (= (atoi (argv 1)) 2) (>= (atol (argv 2)) 0) (<= (atol (argv 2)) 1000000000))",
     {"2 10", "2 5000"},
     {"3 10"}},
    {"trylock",
     "(and (= argc 4) (= (atoi (argv 1)) 2) (= (atol (argv 2)) 5) (>= (atol (argv 3)) 0))",
     {"2 5 10", "2 5 1000"},
     {"2 6 10"}},
    {"water",
     "(and (= argc 5) (= (atoi (argv 1)) 2) (= (atoi (argv 2)) 12) (= (atoi (argv 3)) 2))",
     {"2 12 2 7", "2 12 2 1234"},
     {"2 13 2 7"}},
    {"wide", "(and (= argc 3) (>= (atol (argv 2)) 0))", {"4294967296 100", "3 100"}, {NULL}},
};

static bool admits(const Terms *ts, Term when, const char *program, const char *args) {
  const char *argv[16] = {program};
  TermInputs in = {.argc = 1, .argv = argv};
  char *words = mem_string(args);
  for (char *w = strtok(words, " "); w; w = strtok(NULL, " ")) argv[in.argc++] = w;
  bool yes = term_holds(ts, when, &in);
  mem_free(words);
  return yes;
}

int main(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Terms *ts = terms_new();
    Diags *diags = diags_new();
    Term t =
        term_parse(ts, span_of(cases[i].when, strlen(cases[i].when)), diags, (Place){cases[i].program, 1, 1});
    diags_print(diags, stderr, "test");
    assert(t != TERM_NONE);
    Bytes out = {0};
    term_print(ts, t, &out);
    assert(out.len == strlen(cases[i].when) && !memcmp(out.at, cases[i].when, out.len));
    vec_free(&out);
    for (size_t k = 0; k < 2; ++k) assert(!cases[i].in[k] || admits(ts, t, cases[i].program, cases[i].in[k]));
    assert(!cases[i].out[0] || !admits(ts, t, cases[i].program, cases[i].out[0]));
    diags_free(diags);
    terms_free(ts);
  }
  return 0;
}
