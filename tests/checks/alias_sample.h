// A small program for the checks of alias/: a wrapper of malloc, a table of functions called through a
// pointer, a thread, a cycle of copies, memory that is moved, and something that escapes.
#pragma once
#include "alias/internal.h"
#include "tests/unit/parse.h"

static const char alias_sample[] =
    "@shared = internal global ptr null\n"
    "@table = internal global [2 x ptr] [ptr @first, ptr @second]\n"
    "declare ptr @malloc(i64)\n"
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n"
    "declare void @unknown(ptr)\n"
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
    "define internal ptr @wrap(i64 %n) {\n"
    "  %p = call ptr @malloc(i64 %n)\n"
    "  ret ptr %p\n"
    "}\n"
    "define internal void @first(ptr %x) {\n"
    "  store i32 1, ptr %x\n"
    "  ret void\n"
    "}\n"
    "define internal void @second(ptr %x) {\n"
    "  call void @first(ptr %x)\n"
    "  ret void\n"
    "}\n"
    "define internal ptr @routine(ptr %given) {\n"
    "  %v = load ptr, ptr %given\n"
    "  ret ptr %v\n"
    "}\n"
    "define i32 @main(i32 %argc, ptr %argv) {\n"
    "  %id = alloca i64\n"
    "  %from = alloca [2 x ptr]\n"
    "  %to = alloca [2 x ptr]\n"
    "  %gone = alloca ptr\n"
    "  %m = call ptr @wrap(i64 16)\n"
    "  store ptr %m, ptr %from\n"
    "  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)\n"
    "  br label %loop\n"
    "loop:\n"
    "  %p = phi ptr [ %m, %0 ], [ %q, %loop ]\n"
    "  %c = icmp eq ptr %p, null\n"
    "  %q = select i1 %c, ptr %p, ptr %to\n"
    "  br i1 %c, label %loop, label %end\n"
    "end:\n"
    "  store ptr %q, ptr @shared\n"
    "  %i = zext i32 %argc to i64\n"
    "  %at = getelementptr [2 x ptr], ptr @table, i64 0, i64 %i\n"
    "  %f = load ptr, ptr %at\n"
    "  call void %f(ptr %from)\n"
    "  %r = call i32 @pthread_create(ptr %id, ptr null, ptr @routine, ptr %to)\n"
    "  call void @unknown(ptr %gone)\n"
    "  ret i32 0\n"
    "}\n";

static inline Alias *sample_new(void) {
  return alias_new(parse(LLVMContextCreate(), alias_sample), NULL, NULL);
}

static inline void sample_free(Alias *a) {
  LLVMModuleRef m = a->build.module;
  LLVMContextRef c = LLVMGetModuleContext(m);
  alias_free(a);
  LLVMDisposeModule(m);
  LLVMContextDispose(c);
}
