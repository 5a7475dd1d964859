# Functions of the library that are given away as callbacks.
. "$TOP/tests/marked.sh"
marked "-O0 -O1 -O2"
