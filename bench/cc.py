#!/usr/bin/env python3
"""What the compiler wrapper costs: replays every compile and link command of real builds, with clang-19 and with the
wrapper in turn. Prints a markdown section. Usage: cc.py PREFIX WORKDIR [ROUNDS]"""
import os, re, shutil, statistics, subprocess, sys, time

prefix, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
here = os.path.dirname(os.path.abspath(__file__))
os.environ["PATH"] = prefix + "/bin:" + os.environ["PATH"]
BUILDS = {
    "pbzip2": (None, "make CXX='{cxx} -Wno-reserved-user-defined-literal'"),
    "xz-utils": ("CC=clang-19 ./configure --disable-nls --disable-doc --disable-shared", "make CC={cc}"),
    "zstd": (None, "make -C programs zstd CC={cc} && make -C lib libzstd.a CC={cc}"),
}

OURS = {"clang-19": "specialize-cc", "clang++-19": "specialize-c++"}

def sh(cmd, cwd):
    subprocess.run(cmd, shell=True, cwd=cwd, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

def logged_build(name):
    """Builds once with a compiler that writes its commands down; returns them as (directory, arguments)."""
    src, log = f"{work}/{name}", f"{work}/{name}.log"
    shutil.rmtree(src, ignore_errors=True)
    shutil.copytree(f"{work}/src/{name}", src, symlinks=True)
    configure, make = BUILDS[name]
    if configure: sh(configure, src)
    open(log, "w").close()
    for kind, real in (("cc", "clang-19"), ("cxx", "clang++-19")):
        with open(f"{work}/log{kind}", "w") as f:
            f.write(f'#!/bin/sh\nprintf "%s\\0" {real} "$PWD" "$@" >> {log}\nprintf "\\n" >> {log}\nexec {OURS[real]} "$@"\n')
        os.chmod(f"{work}/log{kind}", 0o755)
    sh(make.format(cc=f"{work}/logcc", cxx=f"{work}/logcxx"), src)
    out = []
    for line in open(log, "rb").read().split(b"\0\n"):
        if line:
            words = [w.decode(errors="surrogateescape") for w in line.split(b"\0")]
            out.append((words[0], words[1], words[2:]))
    return out

def run(compiler, cwd, args):
    start = time.monotonic()
    pid = os.posix_spawnp("env", ["env", "-C", cwd, compiler] + args, os.environ,
                          file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, status

def output_of(cwd, args):
    for i, a in enumerate(args):
        if a == "-o" and i + 1 < len(args): return os.path.join(cwd, args[i + 1])
    return None

def split(commands):
    """Compiles and links; what does both in one step becomes one of each."""
    compiles, links = [], []
    for compiler, cwd, args in commands:
        out = output_of(cwd, args)
        if out is None or out == "/dev/null" or {"-E", "-S", "-M", "-MM"} & set(args): continue
        sources = [a for a in args if re.search(r"\.(c|cc|cpp|S)$", a) and not a.startswith("-")]
        if not all(os.path.exists(os.path.join(cwd, s)) for s in sources): continue  # a probe, gone
        if "-c" in args:
            compiles.append((compiler, cwd, args))
            continue
        flags = [a for i, a in enumerate(args) if a not in sources and a != "-o" and args[i - 1] != "-o" and not a.startswith("-l")]
        compiles += [(compiler, cwd, flags + ["-c", s, "-o", s + ".o"]) for s in sources]
        links.append((compiler, cwd, [a + ".o" if a in sources else a for a in args]))
    return compiles, links

def measure(commands):
    """Sums over the commands, a pair for each round: {which: {"wall": [...], "cpu": [...], "size": n}}."""
    res = {w: {"wall": [], "cpu": [], "size": 0} for w in ("clang", "ours")}
    for r in range(rounds):
        sums = {w: [0.0, 0.0, 0] for w in res}
        for n, (compiler, cwd, args) in enumerate(commands):
            for w in ("clang", "ours") if (r + n) % 2 else ("ours", "clang"):
                name = compiler if w == "clang" else OURS[compiler]
                wall, cpu, status = run(name, cwd, args)
                assert status == 0, (name, cwd, args)
                sums[w][0] += wall; sums[w][1] += cpu
                out = output_of(cwd, args)
                if out and os.path.exists(out): sums[w][2] += os.path.getsize(out)
        for w in res:
            res[w]["wall"].append(sums[w][0]); res[w]["cpu"].append(sums[w][1]); res[w]["size"] = sums[w][2]
    return res

def ratio(res, key):
    return statistics.median(o / c for o, c in zip(res["ours"][key], res["clang"][key]))

def start_up():
    print("\n| start-up, median of 21 | ms |\n|---|---|")
    verbs = re.findall(r"^  ([a-z-]+) ", subprocess.run(["specialize", "--help"], capture_output=True, text=True).stdout, re.M)
    cases = [["specialize", "--version"]] + [["specialize", v, "--help"] for v in verbs if v not in ("CC", "cc")]
    for c in cases:
        times = []
        for _ in range(21):
            t = time.monotonic(); subprocess.run(c, stdout=subprocess.DEVNULL); times.append(time.monotonic() - t)
        print(f"| `{' '.join(c)}` | {statistics.median(times) * 1000:.0f} |")
    wrapper, plain = [], []
    for _ in range(21):
        t = time.monotonic(); subprocess.run(["specialize-cc", "-dumpversion"], stdout=subprocess.DEVNULL); wrapper.append(time.monotonic() - t)
        t = time.monotonic(); subprocess.run(["clang-19", "-dumpversion"], stdout=subprocess.DEVNULL); plain.append(time.monotonic() - t)
    print(f"| `specialize-cc -dumpversion` less `clang-19 -dumpversion` | {(statistics.median(wrapper) - statistics.median(plain)) * 1000:.1f} |")

subprocess.run([f"{here}/../script/debian-source", *BUILDS, f"{work}/src"], check=True)
print(f"## The compiler wrapper\n\nEach command of the build replayed with `clang-19` and with the wrapper in turn, {rounds} rounds; ratio wrapper / clang, median.\n")
print("| program | compiles | compile, wall | compile, cpu | objects, size | links | link, wall | program, size |\n|---|---|---|---|---|---|---|---|")
total = {w: {"wall": [0.0] * rounds, "cpu": [0.0] * rounds} for w in ("clang", "ours")}
for name in BUILDS:
    commands = logged_build(name)
    compiles, links = split(commands)
    c = measure(compiles)
    for compiler, cwd, args in compiles: run(OURS[compiler], cwd, args)  # so that every link has bitcode to join
    l = measure(links)
    for w in total:
        for key in ("wall", "cpu"): total[w][key] = [a + b for a, b in zip(total[w][key], c[w][key])]
    print(f"| {name} | {len(compiles)} | {ratio(c, 'wall'):.3f} | {ratio(c, 'cpu'):.3f} | {c['ours']['size'] / c['clang']['size']:.2f} | {len(links)} "
          f"| {ratio(l, 'wall'):.2f} | {l['ours']['size'] / l['clang']['size']:.2f} |", flush=True)
print(f"| sum | | {ratio(total, 'wall'):.3f} | {ratio(total, 'cpu'):.3f} | | | | |")
start_up()
