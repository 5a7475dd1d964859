#!/usr/bin/env python3
"""naive.py AIR AIRARGS...: solves the constraints that aliasdump prints by plain iteration over plain sets, and
compares every set. Says the rules of alias/spot.h and alias/solve.h again, in the simplest way that works.

object SIZE (0, 1 ...) | escaped O | routine O FIRST COUNT EXTRA RESULT TYPE OUTSIDE | fits CALLTYPE ROUTINETYPE
base N SPOT | edge DST SRC BYTES STRIDE LIMIT | load VALUE POINTER BYTES | store VALUE POINTER BYTES
move DST SRC OBJECT BYTES | call CALLEE RESULT TYPE (-1: any, -2: any that is not outside) ARGS... | escape N | node SPOTS... (0, 1 ...) | gone O"""
import subprocess, sys
from math import gcd

OPEN, REST, FAR, PLACES, UNKNOWN = 2**63 - 1, 2**40, 65536, 128, (0, 0, 0, 0)


def normal(s, size):
    o, first, stride, end = s
    if o == 0 or size == 0:
        return (o, 0, 0, 0)
    if stride and end != OPEN:
        if end - first <= stride:
            stride = 0
        elif abs(end) > FAR or (size >= 0 and 0 <= first < stride and end >= size):
            end = OPEN
    if abs(first) > FAR and end != OPEN:
        first, stride, end = 0, 1, OPEN
    if stride and end == OPEN:
        first %= stride
        if size >= 0 and stride >= size:
            stride = 0
        elif stride > FAR:
            stride = 1
        if stride == 1:
            first = 0
        if not stride and abs(first) > FAR:
            first, stride = 0, 1
    return (o, first, stride, end if stride else 0)


def shifted(s, by):
    (o, first, stride, end), (add, step, limit) = s, by
    first += add
    if stride and end != OPEN:
        end += add
    if not step:
        return (o, first, stride, end)
    is_open = not limit or (stride and end == OPEN)
    last = end if stride and not is_open else first + 1
    return (o, first, gcd(stride, abs(step)), OPEN if is_open else last + limit - 1)


def added(s, by, sign):
    o, first, stride, end = s
    first += sign * by[1]
    if stride and end != OPEN:
        end += sign * by[1]
    return (o, first, gcd(stride, by[2]), OPEN) if by[2] else (o, first, stride, end)


def reaches(s, bottom, top):
    if bottom <= top and s[2] and s[3] != OPEN:
        top, bottom = min(top, s[3] - 1), max(bottom, s[1])
    if bottom > top:
        return False
    return (top - s[1]) % s[2] <= top - bottom if s[2] else bottom <= s[1] <= top


def overlaps(a, n, b, m):
    if a[0] != b[0]:
        return False
    if not a[2]:
        return reaches(b, a[1] - m + 1, a[1] + n - 1)
    if not b[2]:
        return reaches(a, b[1] - n + 1, b[1] + m - 1)
    if a[3] != OPEN and b[3] != OPEN and (a[3] - 1 + n <= b[1] or b[3] - 1 + m <= a[1]):
        return False
    g = gcd(a[2], b[2])
    return n + m - 1 >= g or (a[1] + n - 1 - b[1]) % g <= n + m - 2


class Naive:
    def __init__(self, lines):
        self.rows, self.sizes, self.nodes, self.gone, self.routine = {}, [], [], set(), {}
        for line in lines:
            word, *rest = line.split()
            if word == "node":
                self.nodes.append({tuple(map(int, t.split(","))) for t in rest})
                continue
            v = list(map(int, rest))
            if word == "object":
                self.sizes.append(v[0])
            elif word == "gone":
                self.gone.add(v[0])
            elif word == "routine":
                self.routine[v[0]] = v
            else:
                self.rows.setdefault(word, []).append(v)
        self.pts = [set() for _ in self.nodes]
        self.leaks, self.escaped, self.merged = set(), {v[0] for v in self.rows.get("escaped", [])}, set()
        self.stored = {}  # object -> {(spot, bytes): set}
        self.places, self.changed = {}, True
        self.fits = {tuple(v) for v in self.rows.get("fits", [])}

    def all(self, word):
        return self.rows.get(word, [])

    def anywhere(self, o):
        return normal((o, 0, 1, OPEN), self.sizes[o])

    def place(self, s):
        return self.anywhere(s[0]) if s[0] in self.merged else s

    def give(self, to, what):
        new = {self.place(s) for s in what} - to
        if new:
            to |= new
            self.changed = True

    def leak(self, what):
        new = {s[0] for s in what} - self.escaped - {0}
        if new:
            self.escaped |= new
            self.changed = True

    def note(self, s):
        places = self.places.setdefault(s[0], set())
        places.add(s)
        if s[0] and len(places) > PLACES and s[0] not in self.merged:
            self.merged.add(s[0])
            self.changed = True

    def cell(self, s, n):
        s = self.place(s)
        size = self.sizes[s[0]]
        if size >= 0 and not (s[2] and s[3] == OPEN):
            if s[1] >= size or (s[3] - 1 if s[2] else s[1]) + n <= 0:
                return None
        if s[2] == 1 and s[3] == OPEN:
            n = 1
        cells = self.stored.setdefault(s[0], {})
        if (s, n) not in cells:
            cells[s, n] = set()
            self.changed = True
        return cells[s, n]

    def load(self, s, n):
        o, found = s[0], set()
        if o == 0:
            return {UNKNOWN}
        if o in self.escaped:
            found.add(UNKNOWN)
        if self.cell(s, n) is None:
            return set()
        s = self.place(s)
        for (c, m), held in self.stored.get(o, {}).items():
            if o in self.merged or overlaps(s, n, c, m):
                found |= held
        return found

    def store(self, s, n, what):
        held = self.cell(s, n) if s[0] else None
        if s[0] == 0 or (s[0] in self.escaped and held is not None):
            self.leak(what)
        if held is not None:
            self.give(held, what)

    def move(self, dst, src, o, n):
        keeps = lambda s: n < REST or not (s[1] or s[2])
        on_way = self.stored.setdefault(o, {})
        for s in set(self.pts[src]):
            if s[0] == 0 or s[0] in self.escaped:
                self.give(on_way.setdefault((self.anywhere(o), 1), set()), {UNKNOWN})
            for (c, m), held in list(self.stored.get(s[0], {}).items()) if s[0] else []:
                far = added(c, s, -1) if keeps(s) else (o, 0, 1, OPEN)
                far = normal((o,) + far[1:], self.sizes[o])
                far_raw = (o,) + (added(c, s, -1) if keeps(s) else (o, 0, 1, OPEN))[1:]
                if overlaps(far_raw, m, (o, 0, 0, 0), n):
                    far = self.place(far)
                    key = (far, 1 if far[2:] == (1, OPEN) else m)
                    self.give(on_way.setdefault(key, set()), held)
        if len(on_way) > PLACES and o not in self.merged:
            self.merged.add(o)
            self.changed = True
        if o in self.merged:
            whole = on_way.setdefault((self.anywhere(o), 1), set())
            for held in list(on_way.values()):
                self.give(whole, held)
            on_way = {(self.anywhere(o), 1): whole}
        for d in set(self.pts[dst]):
            ends = {s for s in self.pts[src] | self.pts[dst] if s[0] == d[0]}
            slides = len(ends) > 1 and any(s[0] == d[0] for s in self.pts[src])
            for (c, m), held in list(on_way.items()):
                if d[0] == 0:
                    self.leak(held)
                    continue
                c = c[:3] + (n,) if c[2] and c[3] == OPEN and n < REST else c
                to = added((d[0],) + c[1:], d, 1) if keeps(d) and not slides else self.anywhere(d[0])
                self.store(normal(to, self.sizes[d[0]]), m, held)

    def call(self, callee, result, kind, *args):
        for s in set(self.pts[callee]):
            if s[0] == 0:
                for a in args:
                    if a >= 0:
                        self.leak(self.pts[a])
                if result >= 0:
                    self.give(self.pts[result], {UNKNOWN})
            r = self.routine.get(s[0])
            if not r or (kind == -2 and r[6]) or (kind >= 0 and (kind, r[5]) not in self.fits):
                continue
            for i, a in enumerate(args):
                if a >= 0:
                    self.give(self.pts[r[1] + i if i < r[2] else r[3]], self.pts[a])
            if result >= 0:
                self.give(self.pts[result], self.pts[r[4]])

    def round(self):
        for n, *s in self.all("base"):
            self.note(tuple(s))
            self.give(self.pts[n], {tuple(s)})
        for dst, src, *by in self.all("edge"):
            if by == [0, 0, 0]:
                self.give(self.pts[dst], self.pts[src])
                continue
            for s in set(self.pts[src]):
                t = self.place(normal(shifted(s, by), self.sizes[s[0]]))
                self.note(t)
                self.give(self.pts[dst], {t})
        for value, pointer, n in self.all("load"):
            for s in set(self.pts[pointer]):
                self.give(self.pts[value], self.load(s, n))
        for value, pointer, n in self.all("store"):
            for s in set(self.pts[pointer]):
                self.store(s, n, self.pts[value])
        for m in self.all("move"):
            self.move(*m)
        for c in self.all("call"):
            self.call(*c)
        for (n,) in self.all("escape"):
            self.leak(self.pts[n])
        for o in list(self.escaped):
            for held in self.stored.get(o, {}).values():
                self.leak(held)
            if o in self.routine:
                _, first, count, extra, result, _, _ = self.routine[o]
                for n in range(first, first + count):
                    self.give(self.pts[n], {UNKNOWN})
                self.give(self.pts[extra], {UNKNOWN})
                self.leak(self.pts[result])

    def solve(self):
        while self.changed:
            self.changed = False
            self.round()

    # Of escaped objects it is left open which of their places became one.
    def shown(self, s):
        kept = {self.place(x) for x in s if UNKNOWN not in s or x == UNKNOWN or x[0] not in self.escaped}
        return {x if x[0] not in self.escaped else x[0] for x in kept}

    def compare(self, name):
        bad = [n for n in range(len(self.nodes)) if self.shown(self.pts[n]) != self.shown(self.nodes[n])]
        for n in bad[:5]:
            print(name, "node", n, "naive", self.shown(self.pts[n]), "solver", self.shown(self.nodes[n]))
        if self.escaped != self.gone:
            print(name, "escaped: naive", sorted(self.escaped), "solver", sorted(self.gone))
        return not bad and self.escaped == self.gone


def main():
    tool, first, last, *files = sys.argv[1:]
    jobs = [["--random", str(s)] for s in range(int(first), int(last))] + [[f] for f in files]
    pairs, ok = 0, True
    for job in jobs:
        text = subprocess.run([tool] + job, check=True, capture_output=True, text=True).stdout
        n = Naive(text.splitlines())
        n.solve()
        ok &= n.compare(" ".join(job))
        pairs += sum(map(len, n.pts))
    print(len(jobs), "modules,", pairs, "pairs", "agree" if ok else "DIFFER")
    return not ok or not pairs


if __name__ == "__main__":
    sys.exit(main())
