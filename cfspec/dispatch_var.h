// cfspec/dispatch_var -- inside dispatch: variables of the program by their names in constraints, and how
// they are to be read.
#pragma once
#include "dispatch.h"

typedef enum {
  READ_INT,
  READ_REAL,
  READ_ARRAY,    // the text in an array of `size` bytes
  READ_POINTER,  // the text where a pointer points
  READ_ADDRESS   // nothing is read
} ReadHow;
typedef struct {
  LLVMValueRef global;  // NULL: a local,
  uint32_t local;       // which one of the place
  ReadHow how;
  unsigned bits;  // of an integer or a real
  bool is_signed;
  bool guessed;  // nobody knows whether it is signed
  bool checked;  // it may not be there, or is of unknown size: read it as memory at an address
  uint64_t size;
} Reading;

typedef struct Variables Variables;
Variables *variables_new(LLVMModuleRef m, const DispatchPlace *place);  // place may be NULL
void variables_free(Variables *v);
// NULL, or why it cannot be; the caller frees the text.
char *variable_read(Variables *v, const char *name, TermAccess access, Reading *out);
char *variable_address(Variables *v, const char *name, Reading *out);
void variables_check(const Variables *v);  // asserts that it is whole
// How an access reads memory of unknown type. Not for DECLARED.
Reading reading_of(TermAccess access);
