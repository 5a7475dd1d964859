# Where nothing is compiled or linked the compiler is called as it is.
main_of f main.c
echo 'int f(void) { return 3; }' > f.c
same() { clang-19 "$@" > want 2>&1; w=$?; specialize-cc "$@" > got 2>&1; g=$?; cmp want got && [ $w = $g ] && echo "same: $* ($g)"; }
same -E f.c
same -S -o - f.c
same -S -emit-llvm -o - f.c
same -fsyntax-only f.c
same --version
same -dumpmachine
same -print-prog-name=ld
same -print-search-dirs
same
same -c
same nonesuch.c
same -o
same -c f.c -o
same -fno-such-flag f.c
same -v
specialize-cc -c -emit-llvm f.c -o f.bc && clang-19 -c -emit-llvm f.c -o g.bc && cmp f.bc g.bc && echo same bitcode
specialize-cc -c f.c -o /dev/null && [ -c /dev/null ] && echo 'still a device'
specialize-cc main.c f.c -o /dev/null && [ -c /dev/null ] && echo 'still a device'
echo '#define X 1' > x.h && specialize-cc x.h -o x.h.pch && specialize-cc -include-pch x.h.pch -c f.c && echo 'precompiled header'
