# Control comes back to setjmp over events: by longjmp, and where cancelled threads clean up. What is recorded is
# accepted, and both kinds of built programs do as the original.
. "$TOP/tests/held.sh"
for source in *.c *.cc; do
  name=${source%.*}
  for level in -O0 -O2; do
    echo "== $name $level"
    compile $source $name $level
    timeout 20 ./$name > wanted
    wants=$?
    timeout 20 specialize record -o $name$level.sigma -- ./$name 2> said | cmp - wanted
    grep -v "added to\|constraint is false" said
    held $name $name$level.sigma
    cat wanted
  done
done
