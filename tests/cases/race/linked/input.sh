# What the linker defines or collects: tables in sections, functions that run before main and behind it.
. "$TOP/tests/races.sh"
for f in *.c; do
  flags=-O1
  [ $f = defsym.c ] && flags='-O1 -Wl,--defsym=other_name=real_name'
  marked $f
done
