# Of one schedule: each thread and each call has code of its own, and so it has memory of its own.
export XDG_CACHE_HOME=$PWD/cache
specialize-cc -g -O1 -pthread app.c -o app
specialize record -o app.sigma -- ./app 2>/dev/null
# Who comes first differs from run to run.
asks() {
  specialize alias ./app "$@" --sigma app.sigma --schedule 0 | sed 's/call [0-9]*/call N/g; s/\.a[0-9]*/.aN/g'
}
echo "in the program"; specialize alias ./app app.c:19
specialize alias ./app app.c:19 app.c:19 | sed -n 1p
echo "in the clones"; asks app.c:19 | awk '/^app/ { at = $0; next } { print at, $0 }' | sort
asks app.c:19 app.c:19 | grep '(writes) and.*(writes)' | sort | uniq -c | sed 's/^ *//'
echo "a callback"; asks app.c:7 | grep global\\\|compared | sort | uniq -c | sed 's/^ *//'
echo "shared"; asks --shared | sed 's/^ *//' | sort | uniq -c | sed 's/^ *//'
try specialize alias ./app app.c:19 --schedule 0
try specialize alias ./app app.c:19 --sigma app.sigma --schedule 1
try specialize alias ./app app.c:19 --sigma app.sigma --schedule x
try specialize alias ./app app.c:19 --sigma missing.sigma
