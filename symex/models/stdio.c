// Streams. What is written waits in a buffer, as it does where standard output is no terminal: a run that
// dies loses it.
#include "stdio.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum { END = -1, BUFFER = sizeof((Stream *)0)->buffer };

static Stream in = {.fd = 0, .reads = true}, out = {.fd = 1, .writes = true},
              err = {.fd = 2, .writes = true, .plain = true};
Stream *stdin = &in, *stdout = &out, *stderr = &err;
static Stream *opened;

int fflush(Stream *s) {
  if (!s) return specialize_flush_all(), 0;
  unsigned long at = 0;
  while (s->fd >= 0 && at < s->used) {
    long n = host_write(s->fd, s->buffer + at, s->used - at, -1);
    if (n < 0) return s->used = 0, s->failed = true, END;
    at += (unsigned long)n;
  }
  s->used = 0;
  return 0;
}
void specialize_flush_all(void) {
  fflush(stdout), fflush(stderr);
  for (Stream *s = opened; s; s = s->next)
    if (s->writes) fflush(s);
}
int fflush_unlocked(Stream *s) {
  return fflush(s);
}

int stream_put(Stream *s, int c) {
  if (s->fd < 0) {
    if (s->used + 1 < s->room) s->to[s->used] = (char)c;
    ++s->used;
    return (unsigned char)c;
  }
  if (!s->writes) return s->failed = true, END;
  s->buffer[s->used++] = (char)c;
  if (s->plain || s->used == BUFFER || (s->line && c == '\n')) return fflush(s) ? END : (unsigned char)c;
  return (unsigned char)c;
}
int stream_get(Stream *s) {
  if (s->pushed) return s->pushed = false, s->back;
  if (s->from) return *s->from ? (unsigned char)*s->from++ : (s->ended = true, END);
  unsigned char c;
  if (s->used && s->writes) fflush(s);
  if (!s->reads) return s->failed = true, END;
  long n = host_read(s->fd, &c, 1, -1);
  if (n <= 0) return *(n ? &s->failed : &s->ended) = true, END;
  return c;
}
void stream_unget(Stream *s, int c) {
  if (c == END) return;
  s->back = c, s->pushed = true, s->ended = false;
}

static Stream *new_stream(int fd, const char *mode) {
  Stream *s = host_allocate(sizeof *s, 16);
  if (!s) return 0;
  memset(s, 0, sizeof *s);
  s->fd = fd;
  s->reads = *mode == 'r' || strchr(mode, '+');
  s->writes = *mode != 'r' || strchr(mode, '+');
  s->next = opened;
  return opened = s;
}
Stream *fdopen(int fd, const char *mode) {
  return new_stream(fd, mode);
}
Stream *fopen(const char *path, const char *mode) {
  int plus = strchr(mode, '+') != 0;
  int flags = *mode == 'r' ? (plus ? O_RDWR : O_RDONLY) : (plus ? O_RDWR : O_WRONLY) | O_CREAT;
  if (*mode == 'w') flags |= O_TRUNC;
  if (*mode == 'a') flags |= O_APPEND;
  if (strchr(mode, 'x')) flags |= O_EXCL;
  int fd = host_open(path, flags);
  return fd < 0 ? 0 : new_stream(fd, mode);
}
Stream *fopen64(const char *path, const char *mode) {
  return fopen(path, mode);
}
Stream *tmpfile(void) {
  int fd = host_anonymous();
  return fd < 0 ? 0 : new_stream(fd, "w+");
}
Stream *tmpfile64(void) {
  return tmpfile();
}
int fclose(Stream *s) {
  int bad = s->writes ? fflush(s) : 0;
  for (Stream **p = &opened; *p; p = &(*p)->next)
    if (*p == s) {
      *p = s->next;
      break;
    }
  int n = host_close(s->fd);
  if (s != &in && s != &out && s != &err) host_free(s);
  return bad || n ? END : 0;
}
Stream *freopen(const char *path, const char *mode, Stream *s) {
  (void)path, (void)mode, (void)s;
  host_refuse("freopen, which has no model");
}
Stream *popen(const char *command, const char *mode) {
  (void)command, (void)mode;
  host_refuse("popen, which runs another program");
}

int fputc(int c, Stream *s) {
  return stream_put(s, c);
}
int putc(int c, Stream *s) {
  return stream_put(s, c);
}
int putc_unlocked(int c, Stream *s) {
  return stream_put(s, c);
}
int fputc_unlocked(int c, Stream *s) {
  return stream_put(s, c);
}
int putchar(int c) {
  return stream_put(stdout, c);
}
int putchar_unlocked(int c) {
  return stream_put(stdout, c);
}
int fputs(const char *text, Stream *s) {
  while (*text)
    if (stream_put(s, *text++) == END) return END;
  return 1;
}
int puts(const char *text) {
  return fputs(text, stdout) == END || stream_put(stdout, '\n') == END ? END : 1;
}
unsigned long fwrite(const void *from, unsigned long size, unsigned long n, Stream *s) {
  const char *p = from;
  unsigned long all = size * n, i = 0;
  while (i < all && stream_put(s, p[i]) != END) ++i;
  return size ? i / size : 0;
}
unsigned long fwrite_unlocked(const void *from, unsigned long size, unsigned long n, Stream *s) {
  return fwrite(from, size, n, s);
}
int fgetc(Stream *s) {
  return stream_get(s);
}
int getc(Stream *s) {
  return stream_get(s);
}
int getc_unlocked(Stream *s) {
  return stream_get(s);
}
int fgetc_unlocked(Stream *s) {
  return stream_get(s);
}
int getchar(void) {
  return stream_get(stdin);
}
int getchar_unlocked(void) {
  return stream_get(stdin);
}
int ungetc(int c, Stream *s) {
  return stream_unget(s, c), c;
}
char *fgets(char *to, int size, Stream *s) {
  int n = 0, c = 0;
  while (n + 1 < size && (c = stream_get(s)) != END) {
    to[n++] = (char)c;
    if (c == '\n') break;
  }
  if (!n) return 0;
  to[n] = 0;
  return to;
}
unsigned long fread(void *to, unsigned long size, unsigned long n, Stream *s) {
  char *p = to;
  unsigned long all = size * n, i = 0;
  if (s->writes) fflush(s);
  while (i < all && s->pushed) p[i++] = (char)stream_get(s);
  while (i < all) {
    if (!s->reads) return s->failed = true, i / size;
    long got = host_read(s->fd, p + i, all - i, -1);
    if (got <= 0) {
      *(got ? &s->failed : &s->ended) = true;
      break;
    }
    i += (unsigned long)got;
  }
  return size ? i / size : 0;
}
unsigned long fread_unlocked(void *to, unsigned long size, unsigned long n, Stream *s) {
  return fread(to, size, n, s);
}
long getdelim(char **line, size_t *room, int until, Stream *s) {
  unsigned long n = 0;
  int c;
  if (!*line) *room = 0;
  while ((c = stream_get(s)) != END) {
    if (n + 2 > *room) {
      *room = *room ? *room * 2 : 120;
      *line = realloc(*line, *room);
    }
    (*line)[n++] = (char)c;
    if (c == until) break;
  }
  if (!n) return -1;
  (*line)[n] = 0;
  return (long)n;
}
long __getdelim(char **line, size_t *room, int until, Stream *s) {
  return getdelim(line, room, until, s);
}
long getline(char **line, size_t *room, Stream *s) {
  return getdelim(line, room, '\n', s);
}

int fseek(Stream *s, long by, int whence) {
  if (s->writes) fflush(s);
  if (s->pushed && whence == 1) --by;
  s->pushed = s->ended = false;
  return host_seek(s->fd, by, whence) < 0 ? -1 : 0;
}
int fseeko(Stream *s, long by, int whence) {
  return fseek(s, by, whence);
}
int fseeko64(Stream *s, long by, int whence) {
  return fseek(s, by, whence);
}
long ftell(Stream *s) {
  if (s->writes) fflush(s);
  long at = host_seek(s->fd, 0, 1);
  return at > 0 && s->pushed ? at - 1 : at;
}
long ftello(Stream *s) {
  return ftell(s);
}
long ftello64(Stream *s) {
  return ftell(s);
}
void rewind(Stream *s) {
  fseek(s, 0, 0);
  s->failed = false;
}
int feof(Stream *s) {
  return s->ended;
}
int ferror(Stream *s) {
  return s->failed;
}
int feof_unlocked(Stream *s) {
  return s->ended;
}
int ferror_unlocked(Stream *s) {
  return s->failed;
}
void clearerr(Stream *s) {
  s->ended = s->failed = false;
}
int fileno(Stream *s) {
  return s->fd;
}
int fileno_unlocked(Stream *s) {
  return s->fd;
}
void flockfile(Stream *s) {
  (void)s;
}
void funlockfile(Stream *s) {
  (void)s;
}
int ftrylockfile(Stream *s) {
  return (void)s, 0;
}
int setvbuf(Stream *s, char *buffer, int mode, unsigned long size) {
  (void)buffer, (void)size;
  s->plain = mode == 2, s->line = mode == 1;
  return 0;
}
void setbuf(Stream *s, char *buffer) {
  s->plain = !buffer;
}
void setlinebuf(Stream *s) {
  s->line = true;
}
int remove(const char *path) {
  return host_remove(path);
}
int rename(const char *from, const char *to) {
  return host_rename(from, to);
}
void perror(const char *what) {
  const char *text = strerror(errno);
  if (what && *what) fputs(what, stderr), fputs(": ", stderr);
  fputs(text, stderr), stream_put(stderr, '\n');
}
