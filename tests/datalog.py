#!/usr/bin/env python3
"""Random Datalog programs, solved by `specialize datalog` and here, by trying all values. datalog.py BIN FIRST COUNT.

Each program has three domains, facts, and rules with negation, constants, comparisons, _, *, repeated variables and split,
in random orders of variables; relations come from .tuples files, and go through .bdd files into a second run."""
import itertools, os, random, re, subprocess, sys, tempfile

DOMAINS = {"A": 4, "B": 3, "C": 5}
BITS = {"A": 4, "B": 4, "C": 8}  # values that the bits allow


def bits_of(domain): return range(BITS[domain])


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.relations = {}
        for i in range(rng.randint(4, 8)):
            self.relations[f"r{i}"] = [rng.choice("ABC") for _ in range(rng.randint(1, 3))]
        self.names = list(self.relations)
        self.inputs = self.names[: rng.randint(1, 2)]
        self.rows = {n: {tuple(rng.randrange(DOMAINS[d]) for d in self.relations[n]) for _ in range(rng.randint(0, 8))} for n in self.inputs}
        self.rules = [r for r in (self.rule() for _ in range(rng.randint(4, 12))) if r]

    def argument(self, domain, variables, const=0.15, any_=0.1):
        rng, x = self.rng, self.rng.random()
        if x < const: return rng.randrange(DOMAINS[domain])
        if x < const + any_: return "_"
        known = [v for v, d in variables.items() if d == domain]
        if known and rng.random() < 0.6: return rng.choice(known)
        v = f"{domain.lower()}{len(variables)}"
        variables[v] = domain
        return v

    def rule(self):
        rng, variables = self.rng, {}
        head = rng.choice(self.names)
        rank = self.names.index(head)
        body = []
        for _ in range(rng.randint(1, 4)):
            lower = [n for n in self.names if self.names.index(n) < rank]
            if lower and rng.random() < 0.25:
                n, sign = rng.choice(lower), "!"
            else:
                n, sign = rng.choice(self.names[: rank + 1] if rng.random() < 0.85 else lower or [head]), ""
            args = [self.argument(d, variables) for d in self.relations[n]]
            if rng.random() < 0.08: args[rng.randrange(len(args))] = "*"
            body.append((sign, n, args))
        names = [v for v in variables if any(v in a for _, _, a in body)]
        if names and rng.random() < 0.4:
            a = rng.choice(names)
            same = [v for v in names if variables[v] == variables[a] and v != a]
            b = rng.choice(same) if same and rng.random() < 0.7 else rng.randrange(DOMAINS[variables[a]])
            body.append(("", rng.choice(["=", "!=", "<", "<=", ">", ">="]), [a, b]))
        args = []
        for d in self.relations[head]:
            known = [v for v, e in variables.items() if e == d]
            x = rng.random()
            args.append(rng.choice(known) if known and x < 0.85 else "_" if x < 0.05 else "*" if x > 0.97 else rng.randrange(DOMAINS[d]))
        return head, args, body, variables

    def text(self, how):
        rng = self.rng
        out = [f"{d} {n}" for d, n in DOMAINS.items()] + [".singleignore"]
        blocks = [f"{d}{i}" for d in DOMAINS for i in range(3)]
        rng.shuffle(blocks)
        out.append(".bddvarorder " + "".join(b + rng.choice("x_") for b in blocks)[:-1])
        if rng.random() < 0.2: out.append(".split_all_rules")
        for n, domains in self.relations.items():
            numbers = {d: rng.sample(range(3), 3) for d in DOMAINS}
            args = ", ".join(f"x{i}:{d}{numbers[d].pop() if rng.random() < 0.8 else ''}" for i, d in enumerate(domains))
            out.append(f"{n} ({args}) {how.get(n, '')}")
        show = lambda args: ",".join(map(str, args))
        for head, args, body, _ in self.rules:
            terms = [f"{a[0]} {n} {a[1]}" if n not in self.relations else f"{s}{n}({show(a)})" for s, n, a in body]
            out.append(f"{head}({show(args)}) :- {', '.join(terms)}. {rng.choice(['', '', 'split', f'pri={rng.randint(-3, 3)}'])}")
        return "\n".join(out) + "\n"


COMPARE = {"=": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
           ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}


def holds(term, env, sets, relations):
    sign, name, args = term
    value = lambda x: env[x] if x in env else x
    if name in COMPARE: return COMPARE[name](value(args[0]), value(args[1]))
    domains = relations[name]
    some = [[i for i, a in enumerate(args) if a == "_"], [i for i, a in enumerate(args) if a == "*"]]
    def inside(choice, every):
        row = [value(a) for a in args]
        for i, v in zip(some[0], choice): row[i] = v
        for i, v in zip(some[1], every): row[i] = v
        return (tuple(row) in sets[name]) != (sign == "!")
    choices = lambda where: itertools.product(*(bits_of(domains[i]) for i in where))
    # what is projected is projected before the values that must all hold are looked at
    return all(any(inside(c, e) for c in choices(some[0])) for e in choices(some[1]))


def solutions(args, body, variables, sets, p):
    uses = [a for _, _, more in body for a in more] + args
    once = {v for v in variables if uses.count(v) == 1}
    body = [(s, n, ["_" if a in once and n not in COMPARE else a for a in more]) for s, n, more in body]
    names = [v for v in variables if any(v in a for _, _, a in body) or v in args]
    found = []
    for values in itertools.product(*(bits_of(variables[v]) for v in names)):
        env = dict(zip(names, values))
        if not all(holds(t, env, sets, p.relations) for t in body): continue
        head = next(n for n in p.names if p.relations[n] is p.current)
        spots = [[env[a]] if a in env else bits_of(d) if a == "_" else range(DOMAINS[d]) if a == "*" else [a]
                 for a, d in zip(args, p.relations[head])]
        found += itertools.product(*spots)
    return found


def read(path, domains):
    rows = set()
    for line in open(path):
        if line[0] == "#": continue
        rows |= set(itertools.product(*(bits_of(d) if w == "*" else [int(w)] for w, d in zip(line.split(), domains))))
    return rows


def run(bin_, folder, text, out):
    path = f"{folder}/{out}.datalog"
    open(path, "w").write(text)
    r = subprocess.run([bin_ + "/specialize", "datalog", path, "--input", folder, "-o", f"{folder}/{out}"], capture_output=True, text=True)
    if r.returncode: sys.exit(f"{text}\nexit {r.returncode}\n{r.stderr}")


def check(bin_, seed):
    rng = random.Random(seed)
    p = Program(rng)
    if any(len(v) > 6 for *_, v in p.rules): return
    sets = {}
    original = solve_all(p)
    with tempfile.TemporaryDirectory() as folder:
        for n in p.inputs:
            with open(f"{folder}/{n}.tuples", "w") as f:
                for row in sorted(p.rows[n]): f.write(" ".join(map(str, row)) + "\n")
        how = {n: ("inputtuples " if n in p.inputs else "") + "output outputtuples" for n in p.names}
        text = p.text(how)
        run(bin_, folder, text, "one")
        for n in p.names:
            sets[n] = read(f"{folder}/one/{n}.tuples", p.relations[n])
            if sets[n] != original[n]:
                sys.exit(f"seed {seed}\n{text}\n{n}: {sorted(sets[n])}, not {sorted(original[n])}\ninputs {p.rows}")
        # What was written as BDDs is a fixpoint: the same rules add nothing to it, under another order.
        for n in p.names: os.replace(f"{folder}/one/{n}.bdd", f"{folder}/{n}.bdd")
        text = re.sub(r"(?m)^(r\d+) (\(.*\)) input output", r"\1 \2 input output", declared_as_before(text, p.text({n: "input outputtuples" for n in p.names})))
        run(bin_, folder, text, "two")
        for n in p.names:
            if read(f"{folder}/two/{n}.tuples", p.relations[n]) != original[n]: sys.exit(f"seed {seed}: {n} changes when it is read\n{text}")


def declared_as_before(first, second):
    """The declarations of a file of BDDs name instances, so they stay; the order of variables does not."""
    declared = {m[1]: m[2] for m in re.finditer(r"(?m)^(r\d+) (\(.*?\))", first) if ":-" not in m[0]}
    return re.sub(r"(?m)^(r\d+) (\([^)]*:[^)]*\)) ", lambda m: f"{m[1]} {declared[m[1]]} ", second)


def solve_all(p):
    sets = {n: set(p.rows.get(n, ())) for n in p.names}
    for head in p.names:
        p.current = p.relations[head]
        rules, changed = [r for r in p.rules if r[0] == head], True
        while changed:
            before = len(sets[head])
            for _, args, body, variables in rules:
                sets[head] |= set(solutions(args, body, variables, sets, p))
            changed = len(sets[head]) != before
    return sets


def main():
    bin_, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for seed in range(first, first + count): check(bin_, seed)
    print(f"{count} programs agree")


main()
