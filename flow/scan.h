// flow/scan -- numbers that main reads from standard input by scanf.
#pragma once
#include "input.h"

// Tells v what memory holds behind each. Only as long as it is known which number of the text it is:
// conversions of decimal numbers with blanks between them, in code that runs once, and nothing else reads.
void scan_numbers(Known *v, const Code *c, InputNumbers *out);
