# One line: what it touches. Two: whether they meet, and how the address came there.
specialize-cc -g -O2 -pthread app.c -o app
for n in 13 20 28 29; do echo "line $n"; specialize alias ./app app.c:$n; done
for n in 29 30; do echo "lines 20 and $n"; specialize alias ./app app.c:20 app.c:$n; done
