# Callers are told apart if that is asked for: what a function returns belongs to the call. Budgets fall back.
specialize-cc -g -O1 -pthread app.c -o app
for text in '*a = 1' '*b = 2' '*e = 3' '*c.value = 4' '*same(arg)'; do
  n=$(grep -nF "$text" app.c | cut -d: -f1)
  echo "$text"; specialize alias ./app app.c:$n | grep -E "first|second|third"
  echo "$text with contexts"; specialize alias ./app app.c:$n --context-sensitive | grep -E "first|second|third"
done
n=$(grep -nF '*h->value = 6' app.c | cut -d: -f1)
for how in '' --context-sensitive '--context-sensitive --clone-objects'; do
  echo "*h->value = 6 $how"; specialize alias ./app app.c:$n $how | grep -E "first|second|third"
done
specialize alias ./app app.c:$n --context-sensitive --clone-objects --seconds 0.000001 | grep -E "first|second|third"
try specialize alias ./app app.c:29 --clone-objects
try specialize alias ./app app.c:29 --seconds 3
try specialize alias ./app app.c:29 --context-sensitive --seconds soon
