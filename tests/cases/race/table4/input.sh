# Bugs of these kinds show with few inputs: none with the recorded one. With a constraint that admits the others they
# are told, and happen with an input that has them.
show() { # PROGRAM CONSTRAINT RECORDED OTHER
  echo "== $1"
  specialize-cc -g -pthread $1.c -o $1
  specialize record -o $1.sigma -- ./$1 $3 2> /dev/null
  specialize constrain $1.sigma --schedule 0 --when "$2" 2> /dev/null
  try specialize race ./$1 --sigma $1.sigma --witness $1.w --format github -o races 2> /dev/null
  grep "^::warning file" races | sed 's/%0A.*//'
  recorded=$(printf ' "%s"' $3) other=$(printf ' "%s"' $4)
  sed "/^origin/s/$recorded/$other/" $1.w/0.sched > other.sched
  grep '^origin' other.sched
  try specialize replay ./$1 other.sched --json > replay.json
  grep -o '"status": *"[a-z]*"' replay.json | head -1
  tail -1 replay.json
}
show partition "(and (= argc 3) (= (atoi (argv 1)) 2))" "2 100" "2 101"
show length "(= argc 2)" 8 20
show radix "(= argc 3)" "3 5" "21 5"
