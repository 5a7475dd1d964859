// tests/tools/dies -- what must end in an assertion.
#pragma once

// Calls f(data) in a child process. Fails unless an assertion in a function of that name ended it.
void dies_in(const char *function, void (*f)(void *data), void *data);
