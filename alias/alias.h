// alias -- who points where. A module's abstract objects, the places in them that each pointer may point to,
// what each instruction may touch, and whether two pointers may meet. Include this, never a header behind it.
//
// Sound for programs without undefined behaviour, under three assumptions: an integer that no pointer flowed
// into is none; an index into an array inside an object stays in that array; text carries no pointers.
// Everything over-approximates: an object stands for all that one variable, or one call that allocates, ever
// makes. On a clone the code itself tells threads and calls apart, and so do the answers.
//
// Describes the module as it was when made. Reading is free of locks: any number of threads may ask.
#pragma once
#include "ir/ir.h"
#include "sigma/sigma.h"

// What the caller supposes, and must prove with the answers: functions that are never executed; indirect
// calls that reach one function, or none; steps of pointers by a number that is 0.
typedef struct {
  void *self;
  bool (*skips)(void *self, LLVMValueRef function);
  bool (*limits)(void *self, LLVMValueRef call, LLVMValueRef *only);  // NULL: none
  bool (*stays)(void *self, LLVMValueRef gep);
} AliasGuess;

// Calling contexts, by call path: what a function gets and gives back then belongs to the call. Slow, and
// only for one module at a time in a process.
typedef struct {
  bool clones;     // what a function makes is another object in each of its contexts
  double seconds;  // 0: no budget
  size_t nodes;    // of BDDs; 0: LIMIT_DATALOG_NODES
  Bytes *explain;  // gets time and sizes of the rules; may be NULL
} AliasContexts;

typedef struct {
  bool open;  // a library: outside code may use all that it can find by name. Otherwise only main is entered
  const char *const
      *summaries;  // more rows of library.def, words about memory: words, names, effects, ... NULL; or NULL
  bool (*owner)(LLVMValueRef function, uint32_t *thread);  // the thread that alone runs it; false, NULL: any
  const AliasGuess *guess;                                 // may be NULL
  const AliasContexts
      *contexts;  // NULL: callers are not told apart. A spent budget is a warning, and then so
} AliasOptions;

typedef struct Alias Alias;
// options may be NULL. Functions outside that nothing is known of are named in diags, once each; NULL: not.
// NULL: options->summaries has an error, which diags tell.
Alias *alias_new(LLVMModuleRef m, const AliasOptions *options, Diags *diags);
void alias_free(Alias *a);

// -- objects

typedef enum {
  ALIAS_UNKNOWN,       // object 0: all that has escaped, and memory that is not the program's
  ALIAS_GLOBAL,        // value: the variable
  ALIAS_THREAD_LOCAL,  // value: the variable; one per thread
  ALIAS_FUNCTION,      // value: the function
  ALIAS_STACK,         // value: the alloca
  ALIAS_HEAP,          // value: the call of the allocator, or of the outermost wrapper around it
  ALIAS_ARGUMENT,      // value: the parameter, a copy of what the caller has (byval)
  ALIAS_VARARGS,       // value: the function that is passed more than its parameters
  ALIAS_LIBRARY,       // value: the function of the library that owns it
  ALIAS_HIDDEN,        // the library's or the system's, without a value: see alias_name
} AliasKind;
typedef struct {
  AliasKind kind;
  LLVMValueRef value;
  int64_t size;  // -1: unknown
  bool escaped;  // outside code may reach it: pointers to ALIAS_UNKNOWN may point to it
  bool single;   // it stands for one object only: no two of the same site exist, in no two threads
} AliasObject;
uint32_t alias_count(const Alias *a);
AliasObject alias_object(const Alias *a, uint32_t object);
char *alias_name(const Alias *a, uint32_t object);  // for people; the caller frees it

// Accesses of `bytes` bytes that begin at first; or, if stride is not 0, at one of first, first + stride ...
// below end, or anywhere in the object with that remainder if end is INT64_MAX. ALIAS_REST: to the end.
#define ALIAS_REST ((int64_t)1 << 40)
typedef struct {
  uint32_t object;
  int64_t first, stride, end, bytes;
} AliasRange;
typedef Vec(AliasRange) AliasRanges;
bool alias_ranges_meet(const Alias *a, const AliasRange *x, const AliasRange *y);

// Where a pointer may point, by object; added to out. Values that were not there when the module was looked
// at may point anywhere.
void alias_points_to(const Alias *a, LLVMValueRef pointer, AliasRanges *out);

// Why: the shortest chain of assignments by which the object's address comes to the pointer, from where it is
// taken; empty if it came with memory that was copied as a whole, or from code that is not known. Slow.
typedef struct {
  LLVMValueRef value;  // an instruction or parameter
  const char *what;    // what happens to the address there
} AliasStep;
typedef Vec(AliasStep) AliasWhy;
void alias_why(const Alias *a, LLVMValueRef pointer, uint32_t object, AliasWhy *out);

// -- accesses

enum { ALIAS_READS = 1, ALIAS_WRITES = 2, ALIAS_FREES = 4 };
typedef struct {
  unsigned kind;         // of the above
  LLVMValueRef pointer;  // the operand by which; NULL: not by one of them
  AliasRanges ranges;
  bool locked;  // a library does it under a lock of its own
} AliasAccess;
typedef Vec(AliasAccess) AliasAccesses;
// What an instruction touches by itself; for a call, what the functions outside do that it may call, not what
// functions of the module do, nor what is done under the library's own locks. Added to out.
void alias_accesses(const Alias *a, LLVMValueRef instruction, AliasAccesses *out);
// What a function outside does wherever it is called; pointers are those of no call.
void alias_accesses_of(const Alias *a, LLVMValueRef function, AliasAccesses *out);
void alias_accesses_free(AliasAccesses *v);
// The functions that a call may enter, of the module or outside; true: and others that nobody knows.
typedef Vec(LLVMValueRef) AliasFunctions;
bool alias_targets(const Alias *a, LLVMValueRef call, AliasFunctions *out);
// The same, whatever was supposed of the call.
bool alias_callees(const Alias *a, LLVMValueRef call, AliasFunctions *out);

// The functions and variables of the module that the text of inline assembly names.
void alias_named_by(LLVMModuleRef m, LLVMValueRef assembly, AliasFunctions *out);

// What a function may do to an object, with all that it calls; threads that it starts not included. Bits:
// ALIAS_READS, ALIAS_WRITES (freeing writes). Of object 0: to memory that is not known.
unsigned alias_modref(const Alias *a, LLVMValueRef function, uint32_t object);

// -- threads

// One per place that creates threads and function that they start with. 0: main, and what runs before and
// after it. A handler of signals is a thread of its own, and so is what outside code may enter by itself.
typedef struct {
  LLVMValueRef start;   // NULL: all that outside code may enter
  LLVMValueRef create;  // NULL: main, or not one call
  bool many;            // there may be several at a time, or one after the other
} AliasThread;
uint32_t alias_threads(const Alias *a);
AliasThread alias_thread(const Alias *a, uint32_t thread);
bool alias_thread_runs(const Alias *a, uint32_t thread, LLVMValueRef function);
bool alias_thread_touches(const Alias *a, uint32_t thread, uint32_t object);
// Threads other than the one that made it may find it: through variables of the program, outside code, what
// threads are given and leave. What is not published is private to the thread that made it.
bool alias_published(const Alias *a, uint32_t object);
bool alias_shared(const Alias *a, uint32_t object);  // published, and more than one thread touches it

// -- the question

typedef enum { ALIAS_NO, ALIAS_MAY, ALIAS_MUST } AliasAnswer;
// NO: no two executions of accesses through these pointers touch a common byte. MUST: all of them begin at
// the same address. A context may be NULL: any; two different threads then may still be one.
AliasAnswer alias_query(const Alias *a, LLVMValueRef x, int64_t bytes_x, const Context *context_x,
                        LLVMValueRef y, int64_t bytes_y, const Context *context_y);

// Finer layers, asked in order while the answer is MAY; `self` must be safe to read from many threads.
typedef struct {
  const char *name;
  void *self;
  AliasAnswer (*query)(void *self, LLVMValueRef x, int64_t bytes_x, const Context *context_x, LLVMValueRef y,
                       int64_t bytes_y, const Context *context_y);
} AliasLayer;
void alias_add_layer(Alias *a, AliasLayer layer);  // not while others ask
// -- for the optimizer

// Gives !alias.scope and !noalias to the loads, stores and calls of functions, in a domain of that name; how
// many were marked is returned. The facts hold for all pairs of dynamic instances in all runs of this module;
// so no function may be one that other modules call, and nothing may have changed since the module was looked
// at. A call is told what it does not touch only of objects that no other thread may write meanwhile.
size_t alias_emit_scopes(const Alias *a, const LLVMValueRef *functions, size_t count, const char *domain);

// Solves the constraints once more, by rules on BDDs, and returns in how many ways the result is not the one
// that a has: with one context, or (contexts) what is in it beyond that. SIZE_MAX: a budget ran out. For
// tests.
size_t alias_compare_contexts(const Alias *a, bool contexts, Diags *diags);
void alias_dump(const Alias *a, Bytes *out);  // constraints and sets, for tests: see tests/naive.py

#include "targets.h"  // needs the above
