# Names that want to be commands: of a terminal, of JSON, of a page. None gets through.
printf '%s\n' 'sigma 1' 'program "a\xff\x1b[31mred\x07</script><b>\x22\\"' 'module 00' 'schedules 1' \
  'exclude mutex "alloc.c:\x9b1m lock"' \
  'site 0 "f\xc2\x9b\xe2\x82#0" lock "a \"b\"\n<i>.c:1:2"' 'site 1 "größe#1" unlock "ü.c:1:2"' 'schedule 0' \
  'origin recorded argv "./a b" "" "it'"'"'s" "\xfe" exit 0' 'order hb' 'at main' \
  'when exact (= (argv 1) "\xfe</script>")' 'object m0 mutex name "x\ry"' \
  't0 lock 0 m0' 't0 unlock 1 m0' 't0 exit' 'end 3' > odd.sigma
try specialize show odd.sigma --schedule 0
try specialize show odd.sigma --json
specialize show odd.sigma --schedule 0 | LC_ALL=C tr -d '\n\40-\176\200-\377' | wc -c
