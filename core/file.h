// core/file -- whole files in, whole files out. A file of the user's is replaced in one step or not at all.
#pragma once
#include <stdbool.h>
#include "vec.h"

// All of these return 0 or an errno value. What is no regular file (a pipe, /dev/zero) is read up to 256 MiB.
int file_read(const char *path, Bytes *out);
// Writes beside path, then renames over it; mode 0 means 0666 less the umask, or that of the file it
// replaces. Anything but a regular file (a pipe, /dev/stdout) is written to directly.
int file_write(const char *path, const void *data, size_t len, unsigned mode);
int file_write_fd(int fd, const void *data, size_t len);
int file_read_fd(int fd, Bytes *out);
bool file_exists(const char *path);
// Between these nobody else who calls them for a file in the same folder reads and writes it. -1: that cannot
// be asked for there; then all goes on without.
int file_lock(const char *path);
void file_unlock(int lock);
int file_writable(const char *path);  // or an errno value: whether file_write will find a place
// dir/name, or name itself if that is absolute.
char *file_join(const char *dir, const char *name);
const char *file_base(const char *path);  // what follows the last slash
char *file_temp_dir(void);                // a new directory below $TMPDIR, or NULL with errno
void file_remove_tree(const char *dir);
