export XDG_CACHE_HOME=$PWD/cache
specialize-cc -O1 -g -pthread -fcommon -c app.c
SPECIALIZE_PASSTHROUGH=1 specialize-cc -c foreign.c
for order in "app.o foreign.o" "foreign.o app.o"; do
  specialize-cc -pthread $order -o app 2> /dev/null
  ./app
  specialize get-bc --text -o - app | sed -n 's/^\(define\|declare\).* @\(step\|other\)(.*/\1 \2/p; s/^@\(limit\|common_one\) = \([a-z]*\) .*/\1 \2/p'
  rm -f app.sigma
  specialize record --constraint exact -o app.sigma -- ./app 2>&1 | sed "s/app.sigma: .*/app.sigma/"
  specialize constrain app.sigma --schedule 0 --when true
  for unit in 1 100000; do
    specialize build ./app --sigma app.sigma -o app.spec --unit $unit 2>&1 | sed "s/: 1 schedule.*/: built/"
    SPECIALIZE_VERBOSE=1 try ./app.spec
  done
done
