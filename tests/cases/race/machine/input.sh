# Assembly that names symbols, instructions with an intrinsic of their own, addresses that are computed, a routine that
# takes an int.
. "$TOP/tests/races.sh"
[ "$(uname -m)" = x86_64 ] || skip 'this is not x86-64'
flags='-O1 -mavx2' && grep -q avx2 /proc/cpuinfo || skip 'there is no AVX2'
marked *.c
