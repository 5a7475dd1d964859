# Constructors and handlers of atexit stand where they run.
for how in JOINS LINGERS; do
  specialize-cc -g -pthread -D$how a.c -o a
  specialize record -o $how.sigma -- ./a 2> /dev/null
  try specialize race ./a --sigma $how.sigma --evidence off --format github -o races
  cat races
done
