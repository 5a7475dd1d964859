// specialize/doctor -- what is there and what is not, printed, with what to do about it.
#pragma once
#include "ir/ir.h"

size_t doctor_installation(void);  // how many troubles
// What was captured of a program; whole: all of it. False after an error.
bool doctor_app(const char *name, bool *whole, Diags *diags);
