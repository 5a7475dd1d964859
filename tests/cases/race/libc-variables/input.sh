# Variables of the C library, under all their names.
. "$TOP/tests/marked.sh"
marked -O1
