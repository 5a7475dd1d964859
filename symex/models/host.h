// What the interpreter does for the models (symex/host.def). Results of files are those of the system call.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

long host_write(int fd, const void *from, unsigned long size, long at);  // at -1: where the file stands
long host_read(int fd, void *to, unsigned long size, long at);
long host_seek(int fd, long by, int whence);
int host_open(const char *path, int flags);
int host_anonymous(void);
int host_pipe(int *fds);
int host_close(int fd);
int host_dup(int fd, int to);
int host_truncate(int fd, unsigned long size);
int host_stat(const char *path, int fd, unsigned long *size_and_kind);
int host_remove(const char *path);
int host_rename(const char *from, const char *to);

void *host_allocate(unsigned long size, unsigned long align);
void host_free(void *p);
unsigned long host_size(const void *p);

char *host_environment(const char *name);  // (char *)-1: the recording does not say
char *host_argument(int i);
void *host_constructor(int i, int behind);
void host_begin(void);
void host_exiting(void);
void host_exit(int status);
void host_die(int signal) __attribute__((noreturn));
void host_thread_leaves(void *result);
bool host_thread_end(void *result);  // true: it was the last
unsigned host_self(void);
void host_yield(void);
unsigned long host_nanoseconds(void);

// Flags are bits: - + blank # 0.
int host_format_real(char *to, unsigned long room, int flags, int width, int precision, int letter, double d);
int host_format_long(char *to, unsigned long room, int flags, int width, int precision, int letter,
                     long double d);
unsigned long host_parse_real(const char *text, double *to);
unsigned long host_parse_long(const char *text, long double *to);

void host_refuse(const char *what) __attribute__((noreturn));
void host_assume(const char *what);
void host_throw(void *exception) __attribute__((noreturn));
void host_unwind(void) __attribute__((noreturn));
void host_longjmp(void *buffer, int value) __attribute__((noreturn));

extern _Thread_local int specialize_errno;
void specialize_thread_exit(void *result) __attribute__((noreturn));
void specialize_thread_end(void *result) __attribute__((noreturn));
void specialize_flush_all(void);
void specialize_forget_thread(void);  // its own values and destructors
