#!/usr/bin/env python3
"""aliasruns.py CHECK CLANG LOG.c PROGRAMS: every program of the directory, instrumented, is run as its header says;
all targets of loads, stores and indirect calls that were seen must have been predicted."""
import os, re, shlex, subprocess, sys, tempfile
import header

FLAGS = ["-O1", "-Xclang", "-disable-llvm-passes", "-g", "-w", "-pthread"]


def first_values(path):
    return {key: values[0] for key, values in header.read(path).items()}


def one(check, clang, log, source, work):
    cxx = ["-x", "c++"] if source.endswith(".cc") else []
    bc, out, exe = (os.path.join(work, n) for n in ("in.bc", "out.bc", "exe"))
    run = lambda *a, **k: subprocess.run(list(a), check=True, **k)
    run(clang, *FLAGS, *cxx, "-c", "-emit-llvm", source, "-o", bc)
    run(check, "--instrument", bc, out)
    # The objects are told before the constructors of the program run.
    start = os.path.join(work, "start.c")
    open(start, "w").write("void aliaslog_begin(void);\n"
                           "__attribute__((constructor(101))) static void start(void) { aliaslog_begin(); }\n")
    run(clang, "-O1", "-w", "-pthread", out, start, log, "-o", exe, "-lm", "-lstdc++")
    h = first_values(source)
    env = dict(os.environ, ALIASLOG=os.path.join(work, "log"))
    stdin = h.get("stdin", "").encode().decode("unicode_escape").encode()
    try:
        subprocess.run([exe] + shlex.split(h.get("args", "")), input=stdin, env=env, cwd=work, timeout=60,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None
    # With what the optimizer is told it must still do the same.
    run(check, "--scopes", bc, out, stdout=subprocess.DEVNULL)
    run(clang, "-O2", "-w", "-pthread", out, "-o", exe, "-lm", "-lstdc++")
    told = subprocess.run([exe] + shlex.split(h.get("args", "")), input=stdin, cwd=work, timeout=60, capture_output=True)
    wanted = "".join(line + "\n" for line in re.findall(r"^ \* output: *(.*)$", open(source).read(), re.M))
    if told.stdout.decode() != wanted:
        return False, "with metadata it prints %r, not %r" % (told.stdout.decode(), wanted)
    r = subprocess.run([check, "--check", bc, env["ALIASLOG"]], capture_output=True, text=True)
    return r.returncode == 0, r.stdout


def main():
    check, clang, log, programs = sys.argv[1:5]
    bad = count = 0
    for name in sys.argv[5:] or sorted(n for n in os.listdir(programs) if n.endswith((".c", ".cc"))):
        with tempfile.TemporaryDirectory() as work:
            result = one(check, clang, log, os.path.join(programs, name), work)
        if result is None:
            print(name, "did not end")
            bad += 1
            continue
        count += 1
        bad += not result[0]
        print(name + ":", result[1].strip())
    print(count, "programs,", bad, "wrong")
    return bad or not count


if __name__ == "__main__":
    sys.exit(main())
