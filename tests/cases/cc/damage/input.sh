# A program whose module, stored link or stored files are damaged anywhere is told apart, and nothing else happens.
main_of f main.c
echo 'int f(void) { return 9; }' > f.c
cc -c f.c
specialize-cc -g -O1 main.c f.o -o app 2> /dev/null
python3 - <<X
import subprocess
data = open("app", "rb").read()
for line in subprocess.run(["readelf", "-SW", "app"], capture_output=True, text=True).stdout.splitlines():
    words = line[line.find("]") + 1 :].split()
    if not words or not words[0].startswith(".spec."):
        continue
    start, size = int(words[3], 16), int(words[4], 16)
    said = set()
    for at in sorted({0, 1, 4, 5, 8, size - 1, size - 4, *range(0, size, size // 12 + 1)}):
        broken = bytearray(data)
        broken[start + at] ^= 1 << at % 8
        open("broken", "wb").write(broken)
        for verb in (["doctor", "broken"], ["relink", "broken", "-o", "out"], ["get-bc", "broken", "-o", "out"]):
            done = subprocess.run(["specialize", *verb], capture_output=True, text=True)
            said.add((done.returncode, "unusable" in done.stderr))
    print(words[0], *sorted(said))
X
