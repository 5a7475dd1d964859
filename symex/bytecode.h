// symex/bytecode -- inside symex/: a module as the interpreter runs it, with the models of the C library
// beside it. One instruction of ours belongs to one of LLVM's, which may have several; the module is not
// changed.
#pragma once
#include "ir/ir.h"
#include "memory.h"

#define CODE_NONE UINT32_MAX

typedef enum {
#define OP(name) OP_##name,
#include "ops.def"
  OPS
} Op;

typedef struct {
  uint16_t op;
  uint8_t width;  // of an integer, in bits; for signed ones of up to 64 bits 64 less it
  uint8_t more;
  uint32_t to, a, b, c;  // slots, mostly
  uint32_t bytes;
  uint64_t imm;
} Inst;

// What a value is made of. Aggregates and vectors are a row of these, each in the slots that it needs.
typedef enum { SCALAR_INT, SCALAR_POINTER, SCALAR_FLOAT, SCALAR_DOUBLE, SCALAR_LONG_DOUBLE } ScalarKind;
typedef struct {
  uint64_t offset;  // in memory
  uint32_t slot;    // in the row
  uint16_t bits, bytes;
  uint8_t kind;  // ScalarKind
} Scalar;
typedef struct {
  Scalar *at;
  uint32_t len, slots;
  uint64_t size;
  const char *refused;  // why there are no values of it; NULL: there are
} Layout;

typedef struct {
  uint32_t from, to;  // slots
} Move;
typedef struct {
  uint32_t pc, block;
  uint32_t first, count;  // moves of phis, all at once
  uint32_t cost;          // instructions of the block, as LLVM counts
} Edge;
typedef struct {
  uint32_t function, first, end;  // pcs
  uint32_t cost;
  LLVMBasicBlockRef block;
} Block;

// An argument behind those that the callee names, as the calling convention passes it.
typedef enum {
  PASS_INT,
  PASS_DOUBLE,
  PASS_FLOAT,
  PASS_LONG_DOUBLE,
  PASS_WIDE,
  PASS_VECTOR,
  PASS_MEMORY
} PassKind;
typedef struct {
  uint32_t slot;
  uint32_t count;  // of slots
  uint8_t kind;    // PassKind
  uint64_t size;   // of what is copied for the callee; 0: nothing is
  const Layout *row;
} Pass;
typedef struct {
  uint32_t args, arg_count;  // passes
  uint32_t result, result_count;
  uint64_t result_mask;
  uint32_t site;            // of the module; SITE_NONE: of a model
  uint32_t normal, unwind;  // edges of an invoke; CODE_NONE
  const Sync *sync;         // a direct operation
  bool event, derived;      // the call is an event; so is what it opens
  bool variadic;
} Call;

typedef enum { CODE_BODY, CODE_HOST, CODE_SYNC, CODE_SETJMP, CODE_LONGJMP, CODE_UNKNOWN } FunctionKind;
typedef struct {
  LLVMValueRef value;
  uint8_t kind;  // FunctionKind
  bool model;    // of the C library, not the program
  bool enterable;
  bool variadic;
  uint32_t callee;  // another function that it stands for; CODE_NONE
  uint32_t host;
  const Sync *sync;
  uint32_t entry;                      // edge
  uint32_t slots, params;              // all; those of the arguments, which come first
  uint32_t constants, constant_count;  // the last slots, from the pool
  uint32_t first_block, block_count;
  uint64_t frame;                                  // bytes of variables
  uint32_t named_ints, named_floats, named_bytes;  // how many registers and bytes the named arguments take
} Function;

#define FUNCTION_BASE UINT64_C(0x10000000)
enum { FUNCTION_STEP = 16 };

typedef struct {
  LLVMModuleRef modules[2];  // the program, the models
  LLVMTargetDataRef layout;
  Sites *sites;
  Vec(Inst) insts;
  Vec(LLVMValueRef) origins;  // by pc
  Vec(uint32_t) block_of;     // by pc
  Vec(Block) blocks;
  Vec(Edge) edges;
  Vec(Move) moves;
  Vec(Call) calls;
  Vec(Pass) passes;
  Vec(uint64_t) pool;  // constants, cases of switches
  Vec(Function) functions;
  Vec(char *) reasons;     // of OP_REFUSED
  uint32_t most_accesses;  // of a block
  Vec(LLVMTypeRef) layout_types;
  Map *function_of, *layouts, *global_at;
  Memory start;         // of globals, when the run begins
  uint64_t models_end;  // in it, of those that the models define
  uint64_t thread_local_size;
  Vec(LLVMValueRef) thread_locals;
  Vec(uint64_t) thread_local_at;
} Bytecode;

// What the schedule needs to know of a call site.
typedef struct {
  const Maysync *sync;  // without operations on excluded objects
  const Callgraph *graph;
} CodeSync;

// NULL with an error. The module, models and tables must outlive it.
Bytecode *bytecode_new(LLVMModuleRef m, LLVMModuleRef models, Sites *sites, const CodeSync *s, Diags *diags);
void bytecode_free(Bytecode *c);
void bytecode_check(const Bytecode *c);  // asserts that it is whole

uint32_t bytecode_function(const Bytecode *c, const char *name);  // CODE_NONE
uint32_t bytecode_function_at(const Bytecode *c, uint64_t address);
uint64_t bytecode_address(uint32_t function);
const char *bytecode_name(const Bytecode *c, uint32_t function);
const char *bytecode_global_name(const Bytecode *c,
                                 uint64_t address);           // of the variable that begins there; NULL
bool bytecode_of_model(const Bytecode *c, uint64_t address);  // in a variable of the models
LLVMValueRef bytecode_origin(const Bytecode *c, uint32_t pc);

// Inside: the parts of the compiler.
const Layout *layout_of(Bytecode *c, LLVMTypeRef t);
// The words of a constant in the slots of its type; false: it is none that can be known.
bool constant_words(Bytecode *c, LLVMValueRef v, uint64_t *out, const char **why);
void globals_place(Bytecode *c, Diags *diags);
bool globals_fill(Bytecode *c, Diags *diags);
bool globals_fill_thread(Bytecode *c, unsigned char *bytes);
void compile_function(Bytecode *c, uint32_t f, const CodeSync *s);
