# On a terminal one line says what is going on, and is gone in the end; the program's own lines stay whole.
export XDG_CACHE_HOME=$PWD/cache
cp "$TOP"/tests/programs/fig1.c .
specialize-cc -O1 -g -pthread fig1.c -o app -lm
cat > on_terminal.py <<X
import os, subprocess, sys
ours, theirs = os.openpty()
p = subprocess.Popen(sys.argv[1:], stdin=theirs, stdout=theirs, stderr=theirs)
os.close(theirs)
out = b""
try:
    while data := os.read(ours, 4096): out += data
except OSError: pass  # all have closed it
p.wait()
print(out.decode().replace("\x1b[K", "<clear>").replace("\r\n", "\n").replace("\r", "<start>"), end="")
X
python3 on_terminal.py specialize record -o app.sigma -- ./app 1 100
python3 on_terminal.py specialize record -o app.sigma -- ./app 1 100
