#ifndef ALL_H
#define ALL_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <unistd.h>
#include <errno.h>
#include <signal.h>
#include <setjmp.h>
#include <stdarg.h>
#include <fcntl.h>
#include <time.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <sys/syscall.h>
#include <semaphore.h>
#define GO(f,a) pthread_t th; pthread_create(&th,0,f,a)
#define J pthread_join(th,0)
#define NI __attribute__((noinline))
#endif
