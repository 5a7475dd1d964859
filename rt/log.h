// rt/log -- a recording as it lies on disk, and the entries in it. The recorder writes it, rt/reader reads
// it.
//
// One directory per process, named PID-N below $SPECIALIZE_DIR. In it
//   process   one RtProcess, mapped by the process while it runs
//   notes     arguments, environment and files: RtNote, each followed by its text
//   waits     where threads wait for each other, mapped too: RT_STANDS times RtStand (rt/stand.h)
//   eT.S bT.S events (e) and branches (b) of thread T, segment S = 0, 1 ...; an RtSegment, then coded entries
//             (rt/codec.h) up to the first zero byte
// All numbers are little-endian, as in memory. Whatever was written is whole after SIGKILL, abort and crash:
// no entry becomes visible in part. Power loss is not covered.
#pragma once
#include <stdatomic.h>
#include <stdint.h>

typedef enum {
  RT_NONE,
#define NUMBERED(id, word) RT_##id,
#define PLAIN(id, word) RT_##id,
#include "ops.def"
  RT_OPS,
  RT_FIRST_PLAIN = RT_ENTER
} RtOp;

typedef enum {
  RT_KIND_NONE,
  RT_MUTEX,  // pthread_mutex_t, mtx_t
  RT_RWLOCK,
  RT_SPIN,
  RT_COND,  // pthread_cond_t, cnd_t, std::condition_variable
  RT_BARRIER,
  RT_SEMAPHORE,
  RT_ONCE_FLAG,  // pthread_once_t, once_flag, the guard of a C++ static
  RT_UNMODELLED,
  RT_ATOMIC_CELL,  // eight aligned bytes that atomic operations use
  RT_THREAD_NAME,  // inside the recorder only
  RT_KINDS
} RtKind;

// How an operation ended: 0, an error number (1 ... 199), or one of these.
typedef enum {
  RT_OK = 0,
  RT_SERIAL = 251,   // DEPART: this thread got PTHREAD_BARRIER_SERIAL_THREAD
  RT_RAN = 252,      // EXIT: by pthread_exit or thrd_exit
  RT_WAITED = 253,   // ONCE: the routine was not done when the call began
  RT_UNWOUND = 254,  // left by cancellation or an exception
  RT_FAILED = 255    // an error without a number
} RtOutcome;

// Where an input came from.
typedef enum {
  RT_INPUT_NONE,
  RT_INPUT_STDIN,
  RT_INPUT_FILE,     // a regular file or a directory
  RT_INPUT_OTHER,    // a pipe, a socket, a terminal, a device
  RT_INPUT_TIME,     // clocks and timers
  RT_INPUT_RANDOM,   // getrandom, arc4random, the processor; a device is OTHER
  RT_INPUT_SYSTEM,   // process ids, host names, sizes, load, limits
  RT_INPUT_ENVIRON,  // the environment as a whole, not through getenv
  RT_INPUT_UNKNOWN,  // a function that nothing is known of
  RT_INPUT_MEMORY,   // that there was not enough of it
  RT_INPUT_ADDRESS,  // where memory lies, as a number
  RT_INPUT_SHARED,   // an object that other processes use, too
  RT_INPUTS
} RtInput;

// Entries of numbered operations stand in the order of `seq` on their object: 0, 1, 2 ... without a gap, but
// where a thread was killed between number and entry. An operation that changes nothing takes no number.
// RT_SEEN: it belongs after number seq-1 and before number seq, where its outcome is explained (a failed
// try-lock: somebody held the lock). RT_LOOSE: somewhere after number seq-1, as far as the object goes.
//
// UNLOCK, POST, SIGNAL and BROADCAST are written before they are done. Should one fail, another entry follows
// with the same site and object, RT_LOOSE, and the error as its outcome; the one before had no effect.
enum {
  RT_SEEN = 0x8000,
  RT_LOOSE = 0x4000,
  RT_UNSURE = 0x2000,   // with RT_LOOSE: an outcome that no recorded operation explains (code without hooks?)
  RT_FOREIGN = 0x1000,  // the recorder does not know the object as held by this thread, or as free
  // How many numbers others took while a SIGNAL or BROADCAST lasted. Stands in the OVERLAP entry that follows
  // and has the same object and seq; the merged order has it in the event itself.
  RT_SPAN = 0x0fff
};

typedef struct {
  uint32_t site;    // RT_NO_SITE: none
  uint32_t object;  // an object or a thread; 0 may be a thread, never an object
  uint32_t seq;
  uint8_t op, outcome;
  uint16_t extra;
} RtEntry;

// What an ATOMIC entry says in the low 12 bits of extra. A write takes a number; what only reads, a
// compare-exchange that failed and an exchange that changed nothing among it, is RT_SEEN. VALUE entries for
// what it read (OLD) and wrote (NEW) stand in front of it, as its bits say.
typedef enum { RT_RELAXED, RT_ACQUIRES, RT_RELEASES, RT_ACQ_REL, RT_SEQ_CST } RtMemoryOrder;
typedef enum { RT_ATOMIC_READ, RT_ATOMIC_WRITE, RT_ATOMIC_UPDATE } RtEffect;
enum { RT_ATOMIC_OLD = 0x400, RT_ATOMIC_NEW = 0x800 };
typedef struct {
  unsigned first, bytes;  // in the cell; bytes is 1, 2, 4 or 8
  RtEffect effect;
  RtMemoryOrder order;
} RtAtomic;
static inline unsigned rt_atomic_extra(RtAtomic a) {
  unsigned log = a.bytes == 8 ? 3 : a.bytes >> 1;
  return a.first | log << 3 | (unsigned)a.effect << 5 | (unsigned)a.order << 7;
}
static inline RtAtomic rt_atomic_of(unsigned extra) {
  return (RtAtomic){extra & 7, 1u << (extra >> 3 & 3), (RtEffect)(extra >> 5 & 3),
                    (RtMemoryOrder)(extra >> 7 & 7)};
}

#define RT_NO_SITE UINT32_MAX
#define RT_NO_THREAD UINT32_MAX
#define RT_NO_VALUE UINT32_MAX

// An OBJECT entry comes before the first use of an object by the thread that meets it first: site holds what
// is known of it (the count of a barrier, the value of a semaphore, the type of a
// mutex as below; RT_NO_VALUE: initialized unseen), object its id, seq and extra the low 32 and the
// next 16 bits of its address, outcome its kind, with RT_WITH_OTHERS if other processes use it too. The same
// address gets a new id when it is initialized again.
static inline uint64_t rt_address(RtEntry e) {
  return (uint64_t)e.extra << 32 | e.seq;
}
enum { RT_WITH_OTHERS = 0x80 };
enum { RT_TYPE_BITS = 0xff, RT_ROBUST = 0x100, RT_SHARED = 0x200, RT_PROTOCOL_SHIFT = 12 };

typedef struct {
  char magic[4];  // "SPRT"
  uint8_t version, kind;
  uint16_t header;  // its size, 64
  uint32_t thread, segment;
  uint64_t program;       // the first eight bytes of the program's hash
  uint64_t size;          // of the file
  uint64_t base;          // bytes of entries in the segments before
  _Atomic uint64_t head;  // bytes of entries in this one; 0 while it is written
  uint64_t unused[2];
} RtSegment;
_Static_assert(sizeof(RtSegment) == 64, "part of the file format");

enum { RT_LOG_VERSION = 2, RT_FRAMES = 64, RT_PROCESS_SIZE = 4096 };

// Why a recording is incomplete; 0: it is not.
typedef enum {
  RT_WHY_FULL = 1,      // no space left, or a file grew to its limit
  RT_WHY_LIMIT = 2,     // SPECIALIZE_MAX_EVENTS
  RT_WHY_ERROR = 4,     // a segment could not be made: see error
  RT_WHY_LATE = 8,      // a thread synchronized after its end was recorded
  RT_WHY_NESTED = 16,   // signal handlers did more than could be kept
  RT_WHY_OBJECTS = 32,  // too many objects
  RT_WHY_NOTES = 64     // the notes are incomplete, events are not
} RtWhy;

typedef enum { RT_END_UNSEEN, RT_END_EXIT, RT_END_SIGNAL } RtEnd;

typedef struct {
  char magic[4];  // "SPRP"
  uint32_t version;
  int32_t pid, parent;
  uint64_t started;  // nanoseconds since 1970
  uint8_t hash[32];
  uint64_t anchor;  // address of rt_program: less its address in the symbol table, where the program lies
  _Atomic uint32_t why, error;
  _Atomic uint32_t threads, objects;
  _Atomic uint32_t end;  // RtEnd
  int32_t status;        // of exit, quick_exit or _exit
  // A signal that ended the process. Address: of the fault. Frames: return addresses, the innermost first.
  _Atomic uint32_t signal;
  int32_t code;
  uint32_t thread, frames;
  uint64_t address, pc;
  uint64_t frame[RT_FRAMES];
  char from[64];  // the recording of the process that this one was forked from, or empty
} RtProcess;
_Static_assert(sizeof(RtProcess) == 696, "part of the file format");

typedef enum {
  RT_NOTE_NONE,
  RT_NOTE_ARG,      // one argument; in order
  RT_NOTE_CWD,      // at start
  RT_NOTE_EXE,      // path of the program
  RT_NOTE_ENV,      // NAME=value, or NAME if it was not set: the first answer of getenv for each name
  RT_NOTE_FILE,     // a regular file opened for reading, or inherited and read: an RtFile, then its path
  RT_NOTE_LIMIT,    // a text was cut: which note
  RT_NOTE_OUTSIDE,  // code that is not recorded made a thread or synchronizes: FUNCTION, NUL, the library
  RT_NOTES
} RtNoteKind;
typedef struct {
  uint32_t kind, size;  // of the text that follows
} RtNote;
typedef struct {
  uint64_t device, inode, size, modified;  // nanoseconds since 1970
} RtFile;
