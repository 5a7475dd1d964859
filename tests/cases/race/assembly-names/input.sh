# Variables that assembly names a second time, or puts into a table.
. "$TOP/tests/marked.sh"
marked "-O0 -O1 -O2"
