// rt/watched -- the functions that rt/outside watches: the program must export these names. NULL ends the list.
#pragma once

extern const char *const rt_watched[];
