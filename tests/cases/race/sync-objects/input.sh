# Freeing, destroying and making a mutex anew meets those who use it.
. "$TOP/tests/races.sh"
marked *.c *.cc
