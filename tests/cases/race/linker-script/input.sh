# A variable that a script of the linker defines.
. "$TOP/tests/marked.sh"
printf "alia = g + 4;\n" > x.ld
marked "-O0 -O1 -O2" x.ld
