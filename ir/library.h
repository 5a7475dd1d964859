// ir/library -- what is known of functions outside the module: the rows of library.def. For glibc, libstdc++,
// the core of libevent and some of libbz2; of other libraries nothing is known.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// During the call; in another thread; on an occasion that comes later; LATER: in any later call of any
// function outside.
typedef enum {
  LIBRARY_NOW,
  LIBRARY_THREAD,
  LIBRARY_AT_EXIT,
  LIBRARY_AT_QUICK_EXIT,
  LIBRARY_AT_THREAD_EXIT,
  LIBRARY_AT_FORK,
  LIBRARY_ON_EXCEPTION,
  LIBRARY_ON_SIGNAL,
  LIBRARY_IN_LOOP,  // of events, which the program calls
  LIBRARY_LATER,
  LIBRARY_OCCASIONS
} LibraryWhen;

#define LIBRARY_MEMORY ((unsigned)-1)
typedef struct {
  unsigned arg;      // that holds the function; LIBRARY_MEMORY: it is found in memory
  const char *type;  // the signature it is called with (ir/signature), or "*" and the end of its name
  LibraryWhen when;
} LibraryCall;

// What it reads beside its arguments. FD, STREAM: by the argument `number`; OPENS: its result is open for it.
typedef enum {
  LIBRARY_IN_NOTHING,
  LIBRARY_IN_UNKNOWN,
  LIBRARY_IN_FD,
  LIBRARY_IN_STREAM,
  LIBRARY_IN_OPENS_FD,
  LIBRARY_IN_OPENS_STREAM,
  LIBRARY_IN_STDIN,
  LIBRARY_IN_FILE,
  LIBRARY_IN_SUCCESS,  // of something in the file system, or with another process
  LIBRARY_IN_TIME,
  LIBRARY_IN_RANDOM,
  LIBRARY_IN_SYSTEM,
  LIBRARY_IN_ENVIRON,
  LIBRARY_IN_OTHER
} LibraryInput;

typedef struct {
  const char *memory;  // the words that ir/summary reads; NULL: not known
  const LibraryCall *calls;
  size_t call_count;
  bool calls_known;
  unsigned runs;  // a bit for each LibraryWhen
  LibraryInput input;
  unsigned number;
  bool waits, ends, ends_thread, forks;
} Library;
// NULL: there is no row for it. prefix: also of what only begins so.
const Library *library_find(const char *name, bool prefix);
// Whether rows for all names that begin alike may speak of this one: names of C++ must be the C++ library's.
bool library_has(const char *name);
// A variable of the C++ library, which gives its address to nobody: what it leads to at first is the library's.
bool library_has_variable(const char *name);
// How much of a name "begin*" or "begin*part*" says; 0: it is no name of these.
size_t library_matches(const char *pattern, const char *name);

// TABLED: it calls what its row says and nothing else. LIBSTDCXX: also functions that stand in its arguments;
// overriders of virtual functions that the library calls are not looked for. UNKNOWN: anything.
typedef enum { LIBRARY_UNKNOWN, LIBRARY_LIBSTDCXX, LIBRARY_TABLED } LibraryTrust;
LibraryTrust library_trust(const char *name);
size_t library_calls(const char *name, const LibraryCall **calls);  // how many
bool library_runs(const char *name, LibraryWhen when);
bool library_waits(const char *name);
bool library_forks(const char *name);  // it comes back in a forked process too
// The C and C++ libraries themselves call the program's function of this name, if it has one: malloc and the
// like.
bool library_replaced(const char *name);

// All names that have rows, in their order; NULL behind the last.
const char *library_name(size_t i);
void library_check(void);  // asserts that the table is whole
