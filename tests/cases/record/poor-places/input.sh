# Closed descriptors, thousands of arguments, pipes in the place of files, no home, no /proc, a folder that nobody may
# write to: each works, or is told.
export XDG_CACHE_HOME=$PWD/cache OUT=$PWD/sum
specialize-cc -g -pthread app.c -o app
specialize record -o app.sigma -- ./app 5 2> /dev/null
for kind in abort free; do specialize build ./app --sigma app.sigma -o $kind --on-divergence $kind 2> /dev/null; done
specialize build --record ./app -o recorder
echo "closed descriptors"
./app 5; cp sum want.open
for closed in "<&-" ">&-" "2>&-" "<&- >&-" "<&- >&- 2>&-"; do
  eval "./app 5 $closed"; cp sum want; rm -rf again.sigma runs
  for run in ./abort ./free "env SPECIALIZE_DIR=runs ./recorder" "specialize record -o again.sigma -- ./app"; do
    rm -f sum
    eval "timeout 20 $run 5 $closed" > /dev/null 2>&1 || echo "$run $closed: exit $?"
    cmp sum want || echo "$run $closed"
  done
  specialize check ./app again.sigma
  eval "specialize check ./app app.sigma $closed" > /dev/null 2>&1
  echo "check $closed: $?"
  eval "specialize-cc -g -pthread app.c -o app2 $closed" > /dev/null 2>&1
  rm -f sum; ./app2 5 && cmp sum want.open || echo "specialize-cc $closed"
done
echo "10000 arguments"
many=$(seq 10000)
specialize record -o many.sigma -- ./app $many 2>&1 | sed 's/: .*, /: /'
specialize build ./app --sigma many.sigma -o many 2> /dev/null
rm -f sum; SPECIALIZE_VERBOSE=1 ./many $many 2>&1; cut -d, -f1 sum
SPECIALIZE_VERBOSE=1 ./many $many 1 2>&1
echo "pipes"
mkfifo pipe
for verb in "doctor" "check ./app" "show" "race ./app --sigma"; do
  case $verb in doctor) from=app ;; *) from=app.sigma ;; esac
  cat $from > pipe & timeout 20 specialize $verb pipe > out 2>&1
  echo "$verb: $?"
done
cat app.sigma > pipe & timeout 20 specialize build ./app --sigma pipe -o piped 2> /dev/null
rm -f sum; ./piped 5; cut -d, -f1 sum
for verb in "record -o pipe -- ./app 5" "constrain pipe --schedule 0 --when true" "rebase ./app pipe"; do try timeout 20 specialize $verb; done
echo "a pipe in the place of a source, or of what is known"
mv app.c app.keep; mkfifo app.c
timeout 20 specialize race ./app --sigma app.sigma | tail -1
timeout 20 specialize show app.sigma --schedule 0 | grep -c lock
for file in /dev/zero "$PWD/huge"; do
  rm -f app.c; ln -s "$file" app.c; truncate -s 8G huge 2> /dev/null
  timeout 20 specialize race ./app --sigma app.sigma --format html | grep -c "</html>"
done
rm -f app.c huge; mv app.keep app.c
try timeout 20 specialize race ./app --sigma app.sigma --baseline /dev/null
echo "a pipe that assembly reads"
echo '__asm__(".section .rodata\n.incbin \"'$PWD'/blob\"\n.text"); int main(void) { return 0; }' > asm.c
echo blob > blob; specialize-cc asm.c -o asm 2>&1 && rm blob && mkfifo blob
for verb in "alias ./asm --shared" "relink ./asm -o out" "record -o asm.sigma -- ./asm"; do timeout 20 specialize $verb; echo "exit $?"; done 2>&1 | sed "s|$PWD|DIR|"
for what in --help --version "race --help"; do specialize $what > /dev/full; echo "exit $?"; done
echo "no /proc"
cat > without.sh <<X
mount -t tmpfs none /proc || exit 0
for run in "specialize-cc -g -pthread app.c -o app3" "specialize record -o noproc.sigma -- ./app 5" "specialize check ./app noproc.sigma" \
  "specialize build ./app --sigma app.sigma -o noproc" "./noproc 5" "./free 5" "specialize race ./app --sigma app.sigma" "specialize doctor ./app"; do
  timeout 60 \$run > out 2>&1 || echo "\$run: exit \$?" \$(cat out)
done
rm -f sum; ./app3 5 && cut -d, -f1 sum
echo 7 > seven
specialize record -o file.sigma -- ./app -f seven 2>&1 | grep -c "constraint is false"
X
# A sanitizer in our own tools needs /proc itself.
{ ! grep -qa __asan_init "$(command -v specialize)" && unshare -rm bash without.sh 2> /dev/null; } || printf '5\n1\n'
echo "a folder that is read only"
mkdir closed && cp app app.sigma abort closed/ && cd closed
[ "$(id -u)" = 0 ] && as="setpriv --reuid=65534 --regid=65534 --clear-groups env XDG_CACHE_HOME=/nonexistent/cache OUT=/dev/null" && chmod 755 ../.. .. . || { as=env; chmod 555 .; }
try $as specialize record -- ./app 5
try $as specialize record -o /dev/null -- ./app 5
try $as specialize build ./app --sigma app.sigma -o new
try $as specialize constrain app.sigma --schedule 0 --when true
try $as specialize race ./app --sigma app.sigma --witness w
$as ./abort 5; echo "exit $?"
