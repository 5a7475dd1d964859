# Behind setjmp, memory may have changed unseen.
. "$TOP/tests/races.sh"
marked *.c
