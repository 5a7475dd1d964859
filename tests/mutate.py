"""For aliasmutants.py and racemutants.py: rules are dropped one after the other in a copy of the sources."""
import os, shutil, subprocess


def copy(source, top):
    tree, work = os.path.join(top, "tree"), os.path.join(top, "build")
    shutil.rmtree(tree, ignore_errors=True)  # what was built is of use again
    shutil.copytree(source, tree, ignore=shutil.ignore_patterns("build", ".git"))
    subprocess.run(["cmake", "-S", tree, "-B", work, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                    "-DCMAKE_C_FLAGS=-Wno-error"], check=True, capture_output=True)
    return tree, work


def build(work, targets):
    r = subprocess.run(["ninja", "-C", work, "-j2", *targets], capture_output=True, text=True)
    return r.returncode == 0, r.stdout


def sweep(folder, mutants, judge):
    """Mutants: a file of the folder, a text in it, what it becomes. judge() says who notices. How many nobody did."""
    missed = 0
    for file, old, new in mutants:
        path = os.path.join(folder, file)
        text = open(path).read()
        if old not in text:
            print("STALE ", file, repr(old), flush=True)
            missed += 1
            continue
        open(path, "w").write(text.replace(old, new, 1))
        by = judge()
        missed += not by
        print("noticed by " + by if by else "MISSED", file, repr(old)[:100], flush=True)
        open(path, "w").write(text)
    print(len(mutants), "mutants,", missed, "missed")
    return missed
