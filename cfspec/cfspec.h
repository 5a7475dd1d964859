// cfspec -- clones of a program specialized to the control flow of a schedule, and the choice between them.
// Include this, never a header behind it.
#pragma once
#include "dispatch.h"
