# Times that no clock shows: a held run leaves its schedule, or goes on with the error that the program gets.
export XDG_CACHE_HOME=$PWD/cache
specialize-cc -O1 -g -pthread app.c -o app
for wakes in 1 0; do
  rm -f app.sigma
  specialize record -o app.sigma -- ./app $wakes 2> /dev/null
  specialize constrain app.sigma --schedule 0 --when true
  for what in abort free; do
    specialize build ./app --sigma app.sigma -o $what --on-divergence $what 2> /dev/null
    for args in "" 2000000000 -1 "0 2000000000" "0 -1"; do
      ./app $wakes $args > want
      timeout 30 ./$what $wakes $args > now 2> said; s=$?
      [ $s = 66 ] && echo "$wakes $what '$args': left" || echo "$wakes $what '$args': exit $s, $(cmp want now && cat now)"
    done
  done
done
