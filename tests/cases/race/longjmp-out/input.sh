# Code that longjmp or a handler of a signal comes to, out of code that synchronizes.
. "$TOP/tests/marked.sh"
marked "-O0 -O1 -O2"
