// Names as people read them, beside what the demangler makes of them.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include "ir/ir.h"

static const struct {
  const char *name, *is;
} cases[] = {
    {"main", "main"},
    {"(unknown)", "(unknown)"},
    {"worker(int, char**)", "worker"},
    {"void disposeMemory<char>(char*&)", "disposeMemory<…>"},
    {"std::map<int, std::string>::operator[](int const&)", "std::map<…>::operator[]"},
    {"std::__new_allocator<outBuff>::allocate(unsigned long, void const*)",
     "std::__new_allocator<…>::allocate"},
    {"std::vector<int>::size() const", "std::vector<…>::size"},
    {"operator new(unsigned long)", "operator new"},
    {"operator new[](unsigned long, std::nothrow_t const&)", "operator new[]"},
    {"operator delete(void*)", "operator delete"},
    {"std::ostream& std::operator<< <char>(std::ostream&, char)", "std::operator<< <…>"},
    {"operator<<", "operator<<"},
    {"operator()", "operator()"},
    {"S::operator->() const", "S::operator->"},
    {"bool operator<(S const&, S const&)", "operator<"},
    {"bool operator< <int>(S<int> const&, S<int> const&)", "operator< <…>"},
    {"S::operator unsigned long() const", "S::operator unsigned long"},
    {"(anonymous namespace)::Queue::get((anonymous namespace)::Chunk&)", "(anonymous namespace)::Queue::get"},
    {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"},
    {"f<(S)1>(int)::Local::g()", "f<…>::Local::g"},
    {"thread<void (&)(Queue &), std::reference_wrapper<Queue>, void>", "thread<…>"},
    {"my_operator(int)", "my_operator"},
    {"f<&S::operator-> >()", "f<…>"},
    {"broken<int", "broken<…>"},
};

int main(void) {
  int wrong = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char *got = where_short(cases[i].name);
    if (strcmp(got, cases[i].is)) wrong++, printf("%s: %s, not %s\n", cases[i].name, got, cases[i].is);
    mem_free(got);
  }
  assert(!wrong);
  return 0;
}
