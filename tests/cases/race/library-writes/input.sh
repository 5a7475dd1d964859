# What functions of the library write, hold and give back: each of these meets it in another thread.
. "$TOP/tests/races.sh"
marked *.c
