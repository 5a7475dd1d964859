#include <errno.h>
#include <sys/stat.h>
#include "input.h"
#include "output.h"
#include "search.h"

struct Datalog {
  Ruleset program;
  Layout order;
  Plan plan;
  Engine engine;
  DatalogOptions options;
  GraphEnd end;
  bool solved;  // the relations are there
};

static bool plan_program(Datalog *d, Diags *diags) {
  Ruleset *p = &d->program;
  layout_attributes(&d->order, p);
  if (!steps_make(&d->plan, p, &d->order, diags)) return false;
  bool given = d->options.order && strcmp(d->options.order, "search");
  Place at = given ? (Place){0} : p->order_place;
  return layout_arrange(&d->order, p, given ? d->options.order : p->order, at, diags);
}

Datalog *datalog_parse(const char *name, Span text, const DatalogOptions *options, Diags *diags) {
  Datalog *d = mem_alloc(sizeof *d);
  if (options) d->options = *options;
  size_t before = diags_errors(diags);
  parse_program(&d->program, name, text, d->options.input, diags);
  if (diags_errors(diags) == before) {
    CHECKED(ruleset_check(&d->program));
    if (plan_program(d, diags)) return d;
  }
  datalog_free(d);
  return NULL;
}

Datalog *datalog_read(const char *path, const DatalogOptions *options, Diags *diags) {
  Bytes text = {0};
  int error = file_read(path, &text);
  if (error) return diag_error(diags, "cannot read %s: %s", path, strerror(error)), NULL;
  Datalog *d = datalog_parse(path, span_of(text.at, text.len), options, diags);
  vec_free(&text);
  return d;
}

void datalog_free(Datalog *d) {
  if (!d) return;
  if (d->solved) graph_stop();
  engine_free(&d->engine);
  steps_free(&d->plan);
  layout_free(&d->order);
  ruleset_free(&d->program);
  mem_free(d);
}

// -- from memory

bool datalog_resize(Datalog *d, const char *domain, uint64_t size) {
  uint32_t i = ruleset_domain(&d->program, domain, strlen(domain));
  if (i == NONE || !size || size > (uint64_t)1 << DOMAIN_BITS) return false;
  domain_resize(&d->program.domains.at[i], size);
  for (vec_each(b, &d->order.blocks))
    if (d->order.blocks.at[b].domain == i) d->order.blocks.at[b].bits = d->program.domains.at[i].bits;
  layout_number(&d->order);
  return true;
}

bool datalog_give(Datalog *d, const char *relation, const uint64_t *values, size_t rows) {
  uint32_t i = ruleset_relation(&d->program, relation, strlen(relation));
  if (i == NONE) return false;
  Relation *r = &d->program.relations.at[i];
  size_t attributes = r->attributes.len;
  for (size_t k = 0; k < rows * attributes; ++k)
    if (values[k] >= d->program.domains.at[r->attributes.at[k % attributes].domain].size) return false;
  vec_append(&r->given, values, rows * attributes);
  return r->was_given = true;
}

bool datalog_give_file(Datalog *d, const char *relation, bool bdd, Span text) {
  uint32_t i = ruleset_relation(&d->program, relation, strlen(relation));
  if (i == NONE) return false;
  Relation *r = &d->program.relations.at[i];
  vec_free(&r->files[bdd]);
  vec_append(&r->files[bdd], text.at, text.len);
  vec_push(&r->files[bdd], '\n');  // never empty, so that it counts as given
  return r->was_given = true;
}

// -- solving

static void say_incomplete(const Datalog *d, Diags *diags) {
  const Engine *e = &d->engine;
  const Step *s = e->step == NONE ? NULL : &d->plan.steps.at[e->step];
  Place at = s ? d->program.rules.at[s->rule].place : (Place){0};
  switch (d->end) {
    case GRAPH_TIME:
      diag(diags, DIAG_WARNING, at, "incomplete: the %g seconds are spent; allow more with --seconds",
           d->options.seconds);
      break;
    case GRAPH_NODES:
      limit_reached(LIMIT_OF_DATALOG_NODES);
      diag(diags, DIAG_WARNING, at,
           "incomplete: the table of BDD nodes is full; allow more with --nodes, or try --order search");
      break;
    default:
      diag(diags, DIAG_WARNING, at, "incomplete: stopped");
  }
}

static void find_order(Datalog *d, const GraphBudget *budget, Diags *diags) {
  double first, best;
  size_t trials = d->options.trials ? d->options.trials : LIMIT_DATALOG_TRIALS;
  size_t made = search_order(&d->engine, budget, trials, &first, &best);
  if (made >= trials) limit_reached(LIMIT_OF_DATALOG_TRIALS);
  if (d->engine.wrong) return;
  char *order = datalog_order(d);
  if (first < 0)
    diag_note(diags, "no run of the search was finished; allow more with --seconds or --nodes");
  else
    diag_note(diags, "best order in %zu runs, which makes %.0f nodes instead of %.0f: .bddvarorder %s", made,
              best, first, order);
  mem_free(order);
}

DatalogEnd datalog_solve(Datalog *d, Diags *diags) {
  assert(!d->solved);
  GraphBudget budget = {d->options.seconds, d->options.nodes ? d->options.nodes : LIMIT_DATALOG_NODES, 0};
  Engine *e = &d->engine;
  *e = (Engine){.program = &d->program, .order = &d->order, .plan = &d->plan, .diags = diags};
  e->measured = d->options.explain;
  if (d->options.order && !strcmp(d->options.order, "search")) find_order(d, &budget, diags);
  if (e->wrong) return DATALOG_WRONG;
  engine_init(e);
  d->solved = true;
  graph_start(d->order.variables, &budget);
  d->end = graph_try(engine_begin, e);
  if (d->end == GRAPH_DONE) d->end = graph_try(input_load, e);
  if (e->wrong) return DATALOG_WRONG;
  if (d->end == GRAPH_DONE) d->end = graph_try(engine_run, e);
  graph_relax();
  if (d->end == GRAPH_DONE) return DATALOG_SOLVED;
  say_incomplete(d, diags);
  return DATALOG_INCOMPLETE;
}

// -- results

double datalog_size(Datalog *d, const char *relation) {
  uint32_t i = ruleset_relation(&d->program, relation, strlen(relation));
  return i == NONE ? -1 : engine_size(&d->engine, i);
}

typedef struct {
  DatalogRow *row;
  void *self;
} Reading;

static bool hand_on(void *self, const uint64_t *values, const bool *any) {
  Reading *r = self;
  (void)any;
  return r->row(r->self, values);
}

bool datalog_each(Datalog *d, const char *relation, DatalogRow *row, void *self) {
  uint32_t i = ruleset_relation(&d->program, relation, strlen(relation));
  if (i == NONE) return false;
  const Block *blocks[ATTRIBUTES];
  size_t count = engine_blocks(&d->engine, i, blocks);
  Reading r = {row, self};
  return bits_each(d->engine.relations[i], blocks, count, false, hand_on, &r);
}

char *datalog_order(const Datalog *d) {
  return layout_text(&d->order, &d->program);
}

static void print_relation(Datalog *d, uint32_t i, Bytes *out, Diags *diags) {
  const Relation *r = &d->program.relations.at[i];
  put_shown(out, r->name);
  bytes_text(out, ": ");
  output_size(out, engine_size(&d->engine, i));
  bytes_text(out, " tuples\n");
  if (r->flags & RELATION_PRINT_TUPLES && !output_named(&d->engine, i, out))
    diag(diags, DIAG_WARNING, r->place, "only the first %d rows of '%s' are printed (limit datalog-tuples)",
         LIMIT_DATALOG_TUPLES, r->name);
}

enum { SHOWN = RELATION_OUTPUT | RELATION_OUTPUT_TUPLES | RELATION_PRINT_SIZE | RELATION_PRINT_TUPLES };

void datalog_print(Datalog *d, Bytes *out, Diags *diags) {
  for (uint32_t i = 0; i < d->program.relations.len; ++i)
    if (d->program.relations.at[i].flags & SHOWN) print_relation(d, i, out, diags);
}

static void explain_line(Bytes *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void explain_line(Bytes *out, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  put_shown(out, text);
  bytes_text(out, "\n");
  mem_free(text);
}

void datalog_explain(Datalog *d, Bytes *out) {
  char *order = datalog_order(d);
  explain_line(out, "order of variables: %s", order);
  mem_free(order);
  explain_line(out, "%9s %6s %10s  rule", "seconds", "runs", "nodes");
  for (vec_each(i, &d->plan.steps)) {
    const Step *s = &d->plan.steps.at[i];
    const StepState *state = &d->engine.steps[i];
    const Rule *r = &d->program.rules.at[s->rule];
    char *part = r->flags & RULE_SPLIT || d->program.split_all ? mem_format(" (part %u)", s->part + 1)
                                                               : mem_string("");
    explain_line(out, "%9.3f %6zu %10zu  %s:%u: %s%s", state->seconds, state->runs, state->largest,
                 file_base(r->place.file), r->place.line, r->text, part);
    mem_free(part);
  }
  explain_line(out, "%16s %10s  relation", "tuples", "nodes");
  for (uint32_t i = 0; i < d->program.relations.len; ++i) {
    Bytes size = {0};
    output_size(&size, engine_size(&d->engine, i));
    explain_line(out, "%16.*s %10d  %s", (int)size.len, (const char *)size.at,
                 bdd_nodecount(d->engine.relations[i]), d->program.relations.at[i].name);
    vec_free(&size);
  }
}

// -- files

static bool is_file_name(const char *s) {
  return *s && *s != '.' && !strchr(s, '/');
}

static bool save_relation(Datalog *d, uint32_t i, const char *dir, const char *ending, Diags *diags) {
  const Relation *r = &d->program.relations.at[i];
  if (!is_file_name(r->name))
    return diag(diags, DIAG_ERROR, r->place, "'%s' cannot be the name of a file", r->name), false;
  Bytes out = {0};
  bool tuples = !strcmp(ending, "tuples"), ok = true;
  if (!tuples)
    output_bdd(&d->engine, i, &out);
  else if (!(ok = output_tuples(&d->engine, i, &out)))
    diag(diags, DIAG_ERROR, r->place,
         "'%s' has more than %d rows, too many for a .tuples file (limit datalog-tuples); use output",
         r->name, LIMIT_DATALOG_TUPLES);
  char *name = mem_format("%s.%s", r->name, ending), *path = file_join(dir, name);
  int error = ok ? file_write(path, out.at, out.len, 0) : 0;
  if (error) diag_error(diags, "cannot write %s: %s", path, strerror(error));
  mem_free(path);
  mem_free(name);
  vec_free(&out);
  return ok && !error;
}

bool datalog_save(Datalog *d, const char *dir, Diags *diags) {
  if (mkdir(dir, 0777) && errno != EEXIST)
    return diag_error(diags, "cannot make the folder %s: %s", dir, strerror(errno)), false;
  bool ok = true;
  for (uint32_t i = 0; ok && i < d->program.relations.len; ++i) {
    unsigned flags = d->program.relations.at[i].flags;
    if (flags & RELATION_OUTPUT) ok = save_relation(d, i, dir, "bdd", diags);
    if (ok && flags & RELATION_OUTPUT_TUPLES) ok = save_relation(d, i, dir, "tuples", diags);
  }
  return ok;
}
