# What functions of the library read and write beside their plain arguments.
. "$TOP/tests/marked.sh"
marked -O1 -lrt
