// symex/files -- inside symex/: the files of an interpreted run. They begin with what Σ stores; what the run
// writes stays here. Nothing of the machine is changed, and nothing read but an input whose stored hash still
// fits.
#pragma once
#include "sigma/sigma.h"

typedef enum { FILE_REGULAR, FILE_PIPE, FILE_INPUT, FILE_OUTPUT, FILE_ERRORS } FileKind;
typedef struct {
  uint8_t kind;  // FileKind
  bool removed;
  char *path;  // NULL: it has no name
  Bytes bytes;
  unsigned writers;  // of a pipe
} VirtualFile;
typedef struct {
  uint32_t file;
  uint64_t at;
  unsigned users;  // descriptors
  bool reads, writes, appends;
} OpenFile;

typedef struct {
  const Sigma *sigma;
  const Schedule *schedule;
  Bytes *out, *err;
  Vec(VirtualFile) files;
  Vec(OpenFile) opened;
  IdVec descriptors;  // open file + 1; 0: closed
  const char *why;    // of FILES_UNKNOWN
} Files;

// Results are those of the system call, or a negative error number, or:
enum { FILES_UNKNOWN = -100000, FILES_WAIT };  // the recording does not say; a pipe is empty yet

void files_init(Files *f, const Sigma *s, const Schedule *c, Bytes *out, Bytes *err);
void files_free(Files *f);
int64_t files_open(Files *f, const char *path, int flags);
int64_t files_anonymous(Files *f);
int64_t files_pipe(Files *f, int fds[2]);
int64_t files_close(Files *f, int fd);
int64_t files_dup(Files *f, int fd, int to);  // to -1: the first that is free
// at: -1: where the file stands, which is moved.
int64_t files_read(Files *f, int fd, int64_t at, unsigned char *to, uint64_t size);
int64_t files_write(Files *f, int fd, int64_t at, const unsigned char *from, uint64_t size);
int64_t files_seek(Files *f, int fd, int64_t by, int whence);
int64_t files_truncate(Files *f, int fd, uint64_t size);
int64_t files_remove(Files *f, const char *path);
int64_t files_rename(Files *f, const char *from, const char *to);
// Size and kind: FileKind. path NULL: of the descriptor.
int64_t files_stat(Files *f, const char *path, int fd, uint64_t *size, int *kind);
