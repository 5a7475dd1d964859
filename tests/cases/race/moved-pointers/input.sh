# Pointers that atomic operations move, that are differences, or that go through numbers and further arguments.
. "$TOP/tests/marked.sh"
marked "-O0 -O1 -O2"
