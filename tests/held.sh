# For cases that build programs and run them: what they write and how they end is what the original does.
export XDG_CACHE_HOME=$PWD/cache
# compile SOURCE NAME [options]
compile() {
  local cc=specialize-cc
  [[ $1 == *.c ]] || cc=specialize-c++
  $cc -g -pthread "$1" -o "$2" "${@:3}"
}
# held NAME SIGMA: builds both kinds of NAME, whose original wrote the file `wanted` and ended with $wants, and runs each
# three times; prints where one differs.
held() {
  local kind i status
  specialize check "./$1" "$2" | sed 's/, [0-9]* events/, N events/'
  specialize constrain "$2" --schedule 0 --when true
  for kind in abort free; do
    specialize build "./$1" --sigma "$2" -o "$1.$kind" --on-divergence $kind 2>&1 | grep -v "schedule, "
    for i in 1 2 3; do
      timeout 20 "./$1.$kind" > now 2> said
      status=$?
      cmp now wanted || cat said
      [ $status = $wants ] || echo "$kind: exit $status"
    done
  done
}
