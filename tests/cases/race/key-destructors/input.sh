# A destructor of a key runs where a thread ends: in the main thread only if that leaves by pthread_exit.
export XDG_CACHE_HOME=$PWD/cache
for name in two main; do
  echo "== $name"
  specialize-cc -g -pthread $name.c -o $name
  specialize record -o $name.sigma -- ./$name > /dev/null 2>&1
  specialize race --all ./$name --sigma $name.sigma --replay | grep " by \|Location\|Status\|^specialize"
done
