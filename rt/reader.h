// rt/reader -- recordings read back. Nothing in a recording is trusted: it may be cut at any byte, broken or
// made up; what cannot be is where it ends. Plain C on malloc; a NULL or false may also mean no memory.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "log.h"
#include "stand.h"

typedef struct RtRecording RtRecording;
// The directory of one process, or a file that rt_recording_pack wrote; held in memory as a whole. NULL: *why
// is a text that lives forever. Threads without entries are left out.
RtRecording *rt_recording_open(const char *path, const char **why);
// The same from bytes, which are copied. For a packed file that lies elsewhere.
RtRecording *rt_recording_unpack(const void *at, size_t size, const char **why);
void rt_recording_close(RtRecording *r);
// Into one file, without what was set aside and not used. 0 or an errno value.
int rt_recording_pack(const RtRecording *r, int fd);

const RtProcess *rt_recording_process(const RtRecording *r);
size_t rt_recording_threads(const RtRecording *r);
uint32_t rt_recording_thread(const RtRecording *r, size_t i);  // its id; ascending
size_t rt_recording_bytes(const RtRecording *r);               // of entries and their headers, unpacked

// Notes one after the other: start with *at = 0. Texts live as long as r, and are not terminated.
typedef struct {
  RtNoteKind kind;
  const unsigned char *text;
  size_t size;
} RtNoteText;
bool rt_recording_note(const RtRecording *r, size_t *at, RtNoteText *out);

// Where threads waited when it ended, by slot; those that did not are there too. False: there is no such
// slot.
bool rt_recording_stand(const RtRecording *r, size_t i, RtStand *out);

// One thread's entries in its order, or its branches.
typedef enum {
  RT_TAIL_EXIT,  // the thread's end is recorded
  RT_TAIL_OPEN,  // the process ended, or the recording did
  RT_TAIL_CUT    // damaged: more may have followed
} RtTail;
typedef struct RtCursor RtCursor;
RtCursor *rt_cursor_new(const RtRecording *r, size_t thread);
RtCursor *rt_branches_new(const RtRecording *r, size_t thread);
void rt_cursor_free(RtCursor *c);
bool rt_cursor_next(RtCursor *c, RtEntry *e);
bool rt_branches_next(RtCursor *c, uint32_t *id);
RtTail rt_cursor_tail(const RtCursor *c);  // after next said false

// All threads in one total order: that of each thread, of the numbers on each object, create before enter,
// exit before join, cancel before what it unwound; long runs of one thread. Events whose predecessors are not
// in the recording are left out, and all that depend on them: what comes is a prefix that the program can
// have run.
typedef struct {
  uint32_t thread;
  uint64_t place;  // of the entry in its thread
  RtEntry entry;
  // Which event made it possible, counted from 0 in this order. ENTER: the create. JOIN: the exit. WAKE: the
  // signal or broadcast. ACQUIRE: the post. DEPART: the last arrival. ONCE: the end of the routine. Else, and
  // for a spurious wake-up or an unknown value at the start: RT_NO_CAUSE.
  uint64_t cause;
} RtEvent;
#define RT_NO_CAUSE UINT64_MAX

typedef enum {
  RT_ORDER_WHOLE,   // everything that was recorded
  RT_ORDER_PREFIX,  // something was left out because what it follows is not there
  RT_ORDER_BROKEN   // something was left out because numbers contradict each other
} RtOrder;

typedef struct RtMerge RtMerge;
RtMerge *rt_merge_new(const RtRecording *r);
void rt_merge_free(RtMerge *m);
bool rt_merge_next(RtMerge *m, RtEvent *e);
// After next said false. Stuck: the first event that could not follow (of the first thread that has one).
RtOrder rt_merge_order(RtMerge *m, RtEvent *stuck);

// What an object is, known before the first event; false: nobody has written that down.
typedef struct {
  RtKind kind;
  bool shared;     // with other processes
  uint32_t value;  // as in log.h
  uint64_t address;
} RtObject;
bool rt_merge_object(const RtMerge *m, uint32_t object, RtObject *out);

const char *rt_op_word(RtOp op);  // "lock"
bool rt_op_numbered(RtOp op);
