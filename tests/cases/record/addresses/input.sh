# Where memory lies differs from run to run, and so does what is decided by it; how much there is, too.
export XDG_CACHE_HOME=$PWD/cache
specialize-cc -g -O1 -pthread numbers.c -o numbers
for how in hash returned stored difference aligned compared "short x"; do
  rm -f app.sigma
  echo "$how: $(specialize record -o app.sigma -- ./numbers $how 2>&1 > /dev/null | sed 's/.*events, //')"
done
for name in set plain; do
  specialize-c++ -g -O1 -pthread $name.cc -o $name
  echo "$name: $(specialize record -o $name.sigma -- ./$name 2>&1 > /dev/null | sed 's/.*events, //')"
done
