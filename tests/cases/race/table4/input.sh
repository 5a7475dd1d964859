# Bugs of these kinds show with few inputs: none with the recorded one. With a constraint that admits the others they
# are found, with an input that is computed; and they happen with it.
. "$TOP/tests/races.sh"
show() { # PROGRAM CONSTRAINT RECORDED
  echo "== $1 $3, admitted $2"
  specialize-cc -g -pthread $1.c -o $1
  rm -rf $1.sigma $1.w
  specialize record -o $1.sigma -- ./$1 $3 2> /dev/null
  specialize constrain $1.sigma --schedule 0 --when "$2" 2> /dev/null
  try specialize race ./$1 --sigma $1.sigma --witness $1.w --format json -o races.json 2> /dev/null
  told races.json
  try specialize race ./$1 --sigma $1.sigma --replay --format json -o races.json 2> /dev/null
  told races.json
  grep -hE '^(origin|env|input)' $1.w/0.sched
  try specialize replay ./$1 $1.w/0.sched --json > replay.json
  grep -o '"status": *"[a-z]*"' replay.json | head -1
  tail -1 replay.json
}
told() {
  python3 - "$1" << 'END'
import json, sys
for r in json.load(open(sys.argv[1]))["races"]:
    print(r["status"], r["object"], "input:", r["input"], "recorded:", r["recorded"], *([r["stdin"]] if r["stdin"] else []))
END
}
show partition '(and (= argc 3) (= (atoi (argv 1)) 2))' '2 100'
show length '(= argc 2)' 8
show radix '(= argc 3)' '3 5'
# A unit stands behind the number; a number is a variable of the environment.
show length '(= argc 2)' 8k
APART=16 show environment '(= argc 1)' ''
# What the constraint says holds for what is computed, whether it is understood or not.
show partition '(and (= argc 3) (= (atoi (argv 1)) 2) (distinct (argv 2) "101"))' '2 100'
show partition '(and (= argc 3) (= (atoi (argv 1)) 2) (= (mod (atoi (argv 2)) 3) 0))' '2 102'
specialize constrain partition.sigma --schedule 0 --when '(and (= argc 3) (= (atoi (argv 1)) 2) (= (mod (atoi (argv 2)) 2) 0))'
try specialize race ./partition --sigma partition.sigma
# Numbers of standard input, with the text around them.
printf ' 10\n+40 end\n' > numbers
show scanned '(= argc 1)' '' < numbers
# The accesses themselves are behind a test of the input.
show mode '(= argc 2)' 1
# A key that is no number of the input: the recorded one stays.
show text '(= argc 2)' abc
specialize race ./length --sigma length.sigma --replay 2> /dev/null | grep -E '^  (Input|Computed|Status|Why)'
