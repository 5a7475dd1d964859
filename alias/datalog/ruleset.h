// datalog/ruleset -- what a program says: domains, relations, rules. Private to the folder; parse makes it.
#pragma once
#include "datalog.h"

#define NONE UINT32_MAX

// Values are numbers below `size`. Names (of a .map file, or of quoted constants) stand for numbers.
typedef struct {
  char *name;
  Place place;
  uint64_t size;
  unsigned bits;
  Intern *texts;    // of names
  IdVec names;      // by value: id of texts
  Map *value_of;    // id of texts -> the first value with this name
  uint64_t mapped;  // values before it are taken by `=>` and by the domain itself
} Domain;

typedef struct {
  char *name;
  Place place;
  uint32_t domain;  // NONE while an undeclared relation is being guessed
  uint32_t number;  // of the instance of the domain that holds it; NONE: any
  uint32_t block;   // by layout_blocks
} Attribute;

enum {
  RELATION_INPUT = 1,
  RELATION_INPUT_TUPLES = 2,
  RELATION_OUTPUT = 4,
  RELATION_OUTPUT_TUPLES = 8,
  RELATION_PRINT_SIZE = 16,
  RELATION_PRINT_TUPLES = 32,
  RELATION_GUESSED = 64,  // not declared: attributes follow from its first use
  RELATION_QUERY = 128,
  RELATION_SPLIT = 256  // holds what a part of a split rule computes
};
// Left and right are attributes: which comes first in the order of variables, or that they are interleaved.
typedef struct {
  uint32_t left, right;
  bool interleaved;
} OrderWish;
typedef struct {
  char *name;
  Place place;
  Vec(Attribute) attributes;
  Vec(OrderWish) wishes;
  unsigned flags;
  Vec(uint64_t) given;  // rows from memory
  bool was_given;
  Bytes files[2];  // .tuples and .bdd from memory
} Relation;

typedef enum { ARGUMENT_VARIABLE, ARGUMENT_CONSTANT, ARGUMENT_ANY, ARGUMENT_ALL } ArgumentKind;
typedef struct {
  ArgumentKind kind;
  uint32_t variable;  // of the rule
  uint64_t value;
  Place place;
} Argument;
typedef Vec(Argument) Arguments;

typedef enum {
  TERM_RELATION,
  TERM_EQUAL,
  TERM_UNEQUAL,
  TERM_LESS,
  TERM_LESS_EQUAL,
  TERM_GREATER,
  TERM_GREATER_EQUAL,
  TERM_MAP
} TermKind;
typedef struct {
  TermKind kind;
  bool negated;
  uint32_t relation;
  Arguments arguments;  // two, unless it is a relation
  Place place;
} Term;

typedef struct {
  char *name;
  Place place;
  uint32_t domain;  // NONE: not known yet
  uint32_t uses;
} Variable;

enum { RULE_SPLIT = 1, RULE_NUMBER = 2, RULE_SINGLE = 4 };
typedef struct {
  Place place;
  char *text;
  Term head;
  Vec(Term) body;
  Vec(Variable) variables;
  unsigned flags;
  int priority;
} Rule;

typedef struct {
  Vec(Domain) domains;
  Vec(Relation) relations;
  Vec(Rule) rules;
  Strings files;  // places point here
  char *folder;   // of the program: where .basedir and .include start
  char *base;     // of the input relations
  char *order;    // .bddvarorder, or NULL
  Place order_place;
  bool split_all, single_ignored, strict;
} Ruleset;

void ruleset_free(Ruleset *p);
uint32_t ruleset_domain(const Ruleset *p, const char *name, size_t len);  // NONE: no such
uint32_t ruleset_relation(const Ruleset *p, const char *name, size_t len);
void domain_resize(Domain *d, uint64_t size);
// The value that a name stands for; a new name gets the next free value. False: no value is left.
bool domain_value(Domain *d, const char *name, size_t len, uint64_t *value);
const char *domain_name(const Domain *d, uint64_t value);        // NULL: it has none
void domain_name_next(Domain *d, const char *name, size_t len);  // of the next line of a .map file
void term_free(Term *t);
void rule_free(Rule *r);
void relation_free(Relation *r);
void ruleset_check(const Ruleset *p);  // asserts that it is whole

// Reads a program; errors go to diags and parts with errors are left out.
void parse_program(Ruleset *p, const char *name, Span text, const char *input, Diags *diags);

enum { DOMAIN_BITS = 63, ATTRIBUTES = 64 };
