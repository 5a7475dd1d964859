# A detached thread goes on while destructors and handlers of exit run. A replay may not come to see that, and then has
# refuted nothing.
export XDG_CACHE_HOME=$PWD/cache
for f in *.c *.cc; do
  cc=specialize-cc
  case $f in *.cc) cc=specialize-c++ ;; esac
  rm -f app.sigma
  $cc -O1 -g -pthread $f -o app
  specialize record -o app.sigma -- ./app > log 2>&1 || cat log
  specialize constrain app.sigma --schedule 0 --when true
  specialize race ./app --sigma app.sigma --replay > out
  echo "$f: exit $?"
  grep '^refuted' out || echo 'nothing refuted'
done
