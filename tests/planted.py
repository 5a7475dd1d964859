#!/usr/bin/env python3
"""A race behind each way that code hides one: random programs, each with a planted race, and twins without.

planted.py --bin BIN [--seeds FIRST COUNT] [--jobs N] [--keep DIR]

A program is a life of two threads (joined, waiting as the process ends, detached, behind a fork...), a way to reach a line
(called, through a table in a section, behind setjmp, in a handler of exit...), an access of each thread to the same bytes, and a
level of optimization. Its verdict must name the two lines, or be incomplete; it is never clean. The twin holds a mutex at both
accesses: what is told of its two lines is noise, and counted, no more."""
import argparse, collections, concurrent.futures, json, os, random, re, subprocess, sys, tempfile

HEAD = """#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER, mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static int ready;
static char sink[64];
"""

# The bytes; how the first thread writes them; how the other touches them. KEEP: what it reads must be used.
BYTES = {
    "text": ("static char text[64] = \"some text\";", [
        "text[3] = 'x';", "memset(text, 'a', 9);", "memcpy(text, \"0123456789\", 10);", "strcpy(text, \"other\");",
        "strncpy(text, \"name\", 8);", "strcat(text, \"e\");", "snprintf(text, sizeof text, \"%d\", 42);",
        "sprintf(text, \"%s\", \"abcdefgh\");", "put(text, \"%d-%s\", 7, \"b\");", "sscanf(\"word\", \"%63s\", text);",
        "(void)!getcwd(text, sizeof text);", "stpcpy(text, \"steps\");", "memmove(text + 2, text, 6);",
        "strftime(text, sizeof text, \"%H\", &(struct tm){0});", "(void)!pread(open(\"/dev/zero\", O_RDONLY), text, 8, 0);",
        "(void)!readv(open(\"/dev/zero\", O_RDONLY), (struct iovec[]){{sink, 4}, {text, 8}}, 2);",
        "(void)!fread(text, 1, 8, fopen(\"/dev/zero\", \"r\"));", "(void)!fgets(text, 9, fopen(\"/proc/self/comm\", \"r\"));",
        "(void)!read(open(\"/dev/zero\", O_RDONLY), text, 8);", "qsort(text, 8, 1, by_char);", "swab(\"badc\", text + 2, 4);",
        "confstr(_CS_PATH, text, sizeof text);", "gethostname(text, sizeof text);", "ctime_r(&(time_t){5}, text);",
        "mempcpy(text, \"abcdef\", 6);", "bzero(text, 8);", "strtok(text, \" \");", "for (int i = 0; i < 8; ++i) text[i] = 'b';",
        "*(volatile char *)(text + 3) = 1;", "((struct { char a[12]; } *)text)->a[3] = 4;",
    ], [
        "sink[0] = text[3];", "sink[1] = memcmp(text, \"some tix\", 8) != 0;", "sink[2] = strlen(text) > 3;",
        "memcpy(sink, text, 9);", "snprintf(sink, sizeof sink, \"%s\", text);", "sink[4] = strcmp(text, \"some texts\") > 0;",
        "put(sink, \"<%s>\", text);", "text[3] = 'y';", "memset(text, 'c', 8);", "strcpy(sink, text);",
        "sink[6] = strchr(text, 'q') != NULL;", "(void)!write(open(\"/dev/null\", O_WRONLY), text, 9);",
        "(void)!writev(open(\"/dev/null\", O_WRONLY), (struct iovec[]){{sink, 4}, {text, 8}}, 2);",
        "for (int i = 0; i < 8; ++i) sink[i] = text[i];",
    ]),
    "number": ("static long number;", [
        "number = 5;", "++number;", "number += sink[0];", "memset(&number, 1, sizeof number);", "time(&number);",
        "sscanf(\"12\", \"%ld\", &number);", "{ long copy = 3; memcpy(&number, &copy, sizeof copy); }",
        "scan(\"17\", \"%ld\", &number);", "{ char *end; number = strtol(\"15\", &end, 10); }",
        "(void)!read(open(\"/dev/zero\", O_RDONLY), &number, sizeof number);", "number = -number;",
        "*(int *)&number = 9;",
    ], [
        "sink[0] = (char)number;", "number = 6;", "number *= 2;", "if (number == 4) sink[1] = 1;",
        "snprintf(sink, sizeof sink, \"%ld\", number);", "put(sink, \"%ld\", number);", "memcpy(sink, &number, sizeof number);",
        "sink[2] = memcmp(&number, sink, 2) > 0;",
    ]),
    "end": ("static char *end;", ["strtol(\"15x\", &end, 10);", "strtod(\"1.5x\", &end);", "end = sink;", "{ char t[] = \"a b\"; strtok_r(t, \" \", &end); }",
                                  "strtoull(\"7\", &end, 0);"],
            ["sink[0] = end != NULL;", "end = NULL;", "memcpy(sink, &end, sizeof end);"]),
    "at": ("static struct timespec at;", ["clock_gettime(CLOCK_MONOTONIC, &at);", "at = (struct timespec){1, 2};", "at.tv_sec = 3;", "timespec_get(&at, TIME_UTC);",
                                          "clock_getres(CLOCK_REALTIME, &at);"],
           ["sink[0] = (char)at.tv_sec;", "struct timespec copy = at; sink[1] = (char)copy.tv_sec;", "at.tv_sec = 9;"]),
    "when": ("static struct tm when;", ["gmtime_r(&(time_t){9}, &when);", "localtime_r(&(time_t){9}, &when);", "strptime(\"12\", \"%H\", &when);", "when.tm_hour = 2;"],
             ["sink[0] = (char)when.tm_hour;", "when.tm_hour = 4;", "strftime(sink, sizeof sink, \"%H\", &when);"]),
    "power": ("static int power;", ["(void)!frexp(8.5, &power);", "power = 2;", "__atomic_store_n(&power, 1, __ATOMIC_RELAXED); power = 3;",
                                    "pthread_attr_t a; pthread_attr_init(&a); pthread_attr_getdetachstate(&a, &power);",
                                    "sem_getvalue(&sem, &power);"],
              ["sink[0] = (char)power;", "power = 7;", "sink[1] = power > 3 ? 1 : 2;"]),
    "about": ("static struct stat about;", ["stat(\"/\", &about);", "fstat(0, &about);", "lstat(\"/\", &about);", "about.st_size = 3;"],
              ["sink[0] = (char)about.st_size;", "about.st_size = 4;", "struct stat copy = about; sink[1] = (char)copy.st_size;"]),
}
HELP = """
static inline int by_char(const void *a, const void *b) {
  return *(const char *)a - *(const char *)b;
}
static inline void put(char *to, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  vsnprintf(to, 32, format, again); // R
  va_end(again);
  va_end(args);
}
static inline void scan(const char *from, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsscanf(from, format, args); // R
  va_end(args);
}
"""

# How a thread comes to its line: around the function NAME_do, defined before.
REACH = {
    "call": ("", "{n}_do();"),
    "pointer": ("static void (*{n}_at)(void) = {n}_do;", "{n}_at();"),
    "kept": ("static struct {{ int id; void (*run)(void); }} *{n}_op;", "{n}_op = malloc(sizeof *{n}_op); {n}_op->run = {n}_do; {n}_op->run(); free({n}_op);"),
    "section": ("typedef void {n}_fn(void);\nstatic {n}_fn *const {n}_entry __attribute__((used, section(\"{n}_table\"))) = {n}_do;\n"
                "extern {n}_fn *const __start_{n}_table[], *const __stop_{n}_table[];",
                "for ({n}_fn *const *f = __start_{n}_table; f < __stop_{n}_table; ++f) (*f)();"),
    "setjmp": ("static __thread jmp_buf {n}_env;\nstatic __attribute__((noinline)) void {n}_back(int n) {{\n  if (n) longjmp({n}_env, n);\n}}",
               "int n = setjmp({n}_env); if (n < 2) {n}_back(n + 1); {n}_do();"),
    "setjmp_behind": ("static __thread jmp_buf {n}_env;\nstatic __attribute__((noinline)) void {n}_back(void) {{\n  longjmp({n}_env, 1);\n}}",
                      "if (!setjmp({n}_env)) {n}_back(); else {n}_do();"),
    "bsearch": ("static int {n}_cmp(const void *a, const void *b) {{\n  if (a != b) {n}_do();\n  return 0;\n}}",
                "int key = 1, all[3] = {{1, 2, 3}}; (void)!bsearch(&key, all, 3, sizeof *all, {n}_cmp);"),
    "once": ("static pthread_once_t {n}_once = PTHREAD_ONCE_INIT;", "pthread_once(&{n}_once, {n}_do);"),
    "cleanup": ("static void {n}_clean(void *p) {{\n  (void)p;\n  {n}_do();\n}}",
                "pthread_cleanup_push({n}_clean, NULL); pthread_cleanup_pop(1);"),
    "loop": ("", "for (int i = 0; i < 3; ++i) if (i == 1 || sink[60]) {n}_do();"),
    "switch": ("static int {n}_which = 2;", "switch ({n}_which + sink[61]) {{ case 1: sink[9] = 1; break; case 2: {n}_do(); break; default: break; }}"),
    "weak": ("__attribute__((weak)) void {n}_hook(void) {{\n  {n}_do();\n}}", "{n}_hook();"),
}

# FIRST runs in a thread, SECOND in main or another one.
LIVES = {
    "joined": ("static void *run(void *p) {{\n  {first}\n  return p;\n}}",
               "pthread_t t; pthread_create(&t, 0, run, 0); {{ {second} }} pthread_join(t, 0);"),
    "two": ("static void *run(void *p) {{\n  {first}\n  return p;\n}}\nstatic void *other(void *p) {{\n  {second}\n  return p;\n}}",
            "pthread_t t, u; pthread_create(&t, 0, run, 0); pthread_create(&u, 0, other, 0); pthread_join(t, 0); pthread_join(u, 0);"),
    "waits_sem": ("static void *run(void *p) {{\n  sem_wait(&sem);\n  {first}\n  return p;\n}}",
                  "pthread_t t; pthread_create(&t, 0, run, 0); usleep(2000); sem_post(&sem); {second}"),
    "waits_cond": ("static void *run(void *p) {{\n  pthread_mutex_lock(&mutex);\n  while (!ready) pthread_cond_wait(&cond, &mutex);\n  pthread_mutex_unlock(&mutex);\n  {first}\n  return p;\n}}",
                   "pthread_t t; pthread_create(&t, 0, run, 0); usleep(2000); pthread_mutex_lock(&mutex); ready = 1; pthread_cond_signal(&cond); pthread_mutex_unlock(&mutex); {second}"),
    "pool": ("static void *run(void *p) {{\n  for (;;) {{\n    pthread_mutex_lock(&mutex);\n    while (!ready) pthread_cond_wait(&cond, &mutex);\n    --ready;\n    pthread_mutex_unlock(&mutex);\n    {first}\n  }}\n  return p;\n}}",
             "pthread_t t; pthread_create(&t, 0, run, 0); for (int i = 0; i < 2; ++i) {{ pthread_mutex_lock(&mutex); ++ready; pthread_cond_signal(&cond); pthread_mutex_unlock(&mutex); }} usleep(1000); {second}"),
    "detached": ("static void *run(void *p) {{\n  {first}\n  return p;\n}}",
                 "pthread_t t; pthread_create(&t, 0, run, 0); pthread_detach(t); {second} usleep(500);"),
    "ends": ("static void *run(void *p) {{\n  {first}\n  return p;\n}}",
             "pthread_t t; pthread_create(&t, 0, run, 0); {{ {second} }} exit(0);"),
    "ends_at_once": ("static void *run(void *p) {{\n  {first}\n  return p;\n}}",
                     "pthread_t t; pthread_create(&t, 0, run, 0); {{ {second} }} _exit(0);"),
    "main_leaves": ("static void *run(void *p) {{\n  usleep(300);\n  {first}\n  return p;\n}}",
                    "pthread_t t; pthread_create(&t, 0, run, 0); {{ {second} }} pthread_exit(NULL);"),
    "at_exit": ("static void *run(void *p) {{\n  usleep(300);\n  {first}\n  return p;\n}}\nstatic void leave(void) {{\n  {second}\n}}",
                "pthread_t t; atexit(leave); pthread_create(&t, 0, run, 0);"),
    "destructor": ("static void *run(void *p) {{\n  usleep(300);\n  {first}\n  return p;\n}}\n__attribute__((destructor)) static void leave(void) {{\n  {second}\n}}",
                   "pthread_t t; pthread_create(&t, 0, run, 0);"),
    "from_constructor": ("static pthread_t t;\nstatic void *run(void *p) {{\n  {first}\n  return p;\n}}\n__attribute__((constructor)) static void begin(void) {{\n  pthread_create(&t, 0, run, 0);\n}}",
                         "{{ {second} }} pthread_join(t, 0);"),
    "fork": ("static void *run(void *p) {{\n  {first}\n  return p;\n}}",
             "pthread_t t; pthread_create(&t, 0, run, 0); pid_t child = fork(); if (!child) _exit(0); waitpid(child, NULL, 0); {{ {second} }} pthread_join(t, 0);"),
    "key": ("static pthread_key_t key;\nstatic void gone(void *p) {{\n  (void)p;\n  {first}\n}}\nstatic void *run(void *p) {{\n  pthread_setspecific(key, sink);\n  return p;\n}}",
            "pthread_t t; pthread_key_create(&key, gone); pthread_create(&t, 0, run, 0); {{ {second} }} pthread_join(t, 0);"),
    "cancelled": ("static void *run(void *p) {{\n  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);\n  sem_wait(&sem);\n  {first}\n  return p;\n}}",
                  "pthread_t t; pthread_create(&t, 0, run, 0); pthread_cancel(t); sem_post(&sem); {{ {second} }} pthread_join(t, 0);"),
    "handed_on": ("static void *inner(void *p) {{\n  {first}\n  return p;\n}}\nstatic void *run(void *p) {{\n  pthread_t t;\n  pthread_create(&t, 0, inner, 0);\n  pthread_detach(t);\n  return p;\n}}",
                  "pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); {second} usleep(500);"),
}


def function(name, statement, twin):
    lock, unlock = ("  pthread_mutex_lock(&guard);\n", "  pthread_mutex_unlock(&guard);\n") if twin else ("", "")
    return f"static __attribute__((noinline)) void {name}_do(void) {{\n{lock}  {statement} // R\n{unlock}}}\n"


def make(seed, twin):
    r = random.Random(seed)
    object_ = r.choice(["text"] * 4 + sorted(BYTES))
    declared, writes, others = BYTES[object_]
    first, second = r.choice(writes), r.choice(others)
    if r.random() < 0.3: first, second = second if not re.match(r".*copy", second) else first, r.choice(writes)
    if not any(w in (first, second) for w in writes): first = r.choice(writes)
    life, reach = r.choice(sorted(LIVES)), [r.choice(sorted(REACH)) for _ in range(2)]
    level = r.choice(["-O0", "-O1", "-O2"])
    text, calls = HEAD + declared + HELP, {}
    for name, statement, how in (("first", first, reach[0]), ("second", second, reach[1])):
        around, call = REACH[how]
        text += function(name, statement, twin) + (around.format(n=name) + "\n" if around else "")
        text += f"static __attribute__((noinline)) void {name}_way(void) {{\n  {call.format(n=name)}\n}}\n"
        calls[name] = f"{name}_way();"
    before, main = LIVES[life]
    text += before.format(**calls) + "\nint main(void) {\n  sem_init(&sem, 0, 0);\n  " + main.format(**calls) + "\n  return 0;\n}\n"
    return text, level, f"{life}, {reach[0]} `{first}`, {reach[1]} `{second}`"


def run(words, where, seconds=60):
    return subprocess.run(words, cwd=where, capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL, errors="replace")


def lines_of(side):
    return {side["line"]} | {f["line"] for f in side["stack"]}


def judge(bin_, where, text, level):
    """What comes of it: found, incomplete, clean, elsewhere (only other pairs are told), or what went wrong."""
    open(os.path.join(where, "p.c"), "w").write(text)
    built = run([bin_ + "/specialize-cc", level, "-g", "-w", "-pthread", "p.c", "-o", "p", "-lm"], where)
    if built.returncode: return "not built: " + built.stderr[-300:]
    recorded = run([bin_ + "/specialize", "record", "--constraint", "exact", "-o", "p.sigma", "--", "./p"], where)
    if not os.path.exists(os.path.join(where, "p.sigma")): return "not recorded: " + recorded.stderr[-300:]
    run([bin_ + "/specialize", "constrain", "p.sigma", "--schedule", "0", "--when", "true"], where)
    race = run([bin_ + "/specialize", "race", "./p", "--sigma", "p.sigma", "--format", "json"], where, 300)
    try: report = json.loads(race.stdout)
    except ValueError: return f"race {race.returncode}: " + race.stderr[-300:]
    marks = {n for n, line in enumerate(text.split("\n"), 1) if line.endswith("// R")}
    if any(marks & lines_of(r["a"]) and marks & lines_of(r["b"]) for r in report["races"]): return "found"
    if report["incomplete"]: return "incomplete"
    return "elsewhere" if report["races"] else "clean"


def attempt(o, seed):
    out = []
    for twin in (False, True):
        text, level, what = make(seed, twin)
        with tempfile.TemporaryDirectory() as where:
            try: got = judge(o.bin, where, text, level)
            except subprocess.TimeoutExpired: got = "took too long"
        if o.keep and (got != "found" if not twin else got != "clean"):
            open(os.path.join(o.keep, f"{seed}{'t' if twin else ''}.c"), "w").write(f"// {level} {what}: {got}\n" + text)
        out.append((got, level, what))
    return seed, out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", required=True), p.add_argument("--seeds", type=int, nargs=2, default=[1, 60])
    p.add_argument("--jobs", type=int, default=2), p.add_argument("--keep")
    o = p.parse_args()
    o.bin = os.path.abspath(o.bin)
    os.environ["XDG_CACHE_HOME"] = cache = tempfile.mkdtemp()
    if o.keep: os.makedirs(o.keep, exist_ok=True)
    planted, twins, bad = collections.Counter(), collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for seed, (one, twin) in pool.map(lambda s: attempt(o, s), range(o.seeds[0], o.seeds[0] + o.seeds[1])):
            planted[one[0].split(":")[0]] += 1
            twins[twin[0].split(":")[0]] += 1
            if one[0] not in ("found", "incomplete"):
                bad += 1
                print(f"{seed} {one[1]} {one[2]}: {one[0]}", flush=True)
            if twin[0] not in ("found", "incomplete", "clean", "elsewhere"):
                bad += 1
                print(f"{seed} twin: {twin[0]}", flush=True)
    subprocess.run(["rm", "-rf", cache])
    show = lambda c: ", ".join(f"{n} {what}" for what, n in c.most_common())
    print("planted:", show(planted)), print("twins:", show(twins))
    return bool(bad)


sys.exit(main())
