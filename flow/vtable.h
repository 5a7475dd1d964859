// flow/vtable -- virtual functions that nothing but vtables hold: whoever enters one from outside does so
// with an object that was given the vtable. A class that outside code makes objects of has a vtable outside.
#pragma once
#include "alias/alias.h"

typedef struct Vtables Vtables;
Vtables *vtables_new(LLVMModuleRef m, const Alias *a);
void vtables_free(Vtables *v);
// By that, the objects that the function's first parameter may point into, 0 for what is not known. False:
// any.
bool vtables_this(const Vtables *v, LLVMValueRef function, IdVec *out);
