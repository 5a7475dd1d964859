#!/usr/bin/env python3
"""Compares what core/ finds in functions (tests/tools/irdump) with what LLVM's own analyses print.

Inputs: random control flow graphs, and the programs of a directory compiled at several levels.
SPEC_SOAK=1 takes many more graphs and every level.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

PASSES = 'print<domtree>,print<postdomtree>,print<loops>,print<scalar-evolution>'


class Graphs:
    """Random functions as IR text. Blocks are numbered; the entry is apart, for nothing may lead to it."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def target(self, at, count):
        # Far jumps make irreducible tangles, near ones something that looks like nested loops.
        if self.rng.random() < self.far:
            return self.rng.randrange(count)
        return min(count - 1, max(0, at + self.rng.choice((-2, -1, 1, 1, 1, 2, 3))))

    def terminator(self, at, count, pads):
        def to():
            return f'label %x{self.target(at, count)}'
        weights = {'ret': self.stop, 'unreachable': self.stop / 2, 'br': 6, 'cond': 10, 'switch': 2,
                   'indirect': 1, 'invoke': 2, 'callbr': 1}
        kind = self.rng.choices(list(weights), list(weights.values()))[0]
        if kind == 'ret':
            return 'ret void'
        if kind == 'unreachable':
            return 'unreachable'
        if kind == 'br':
            return f'br {to()}'
        if kind == 'cond':
            return f'br i1 %c, {to()}, {to()}'
        if kind == 'switch':
            cases = ' '.join(f'i32 {i}, {to()}' for i in range(self.rng.randrange(5)))
            return f'switch i32 %s, {to()} [ {cases} ]'
        if kind == 'indirect':
            return f'indirectbr ptr %p, [{", ".join(to() for _ in range(self.rng.randrange(4)))}]'
        if kind == 'callbr':
            labels = [to() for _ in range(self.rng.randrange(1, 3))]
            marks = ','.join('!i' for _ in labels)
            return f'callbr void asm "", "{marks}"() to {to()} [{", ".join(labels)}]'
        pads.append(at)
        return f'invoke void @g() to {to()} unwind label %pad{at}'

    def function(self, name, count):
        self.far = self.rng.choice((0.0, 0.1, 0.3, 1.0))
        self.stop = self.rng.choice((0.0, 0.3, 1.0, 3.0))
        head = f'define void @{name}(i1 %c, i32 %s, ptr %p) personality ptr @__gxx_personality_v0'
        text = [head + ' {', 'entry:']
        pads = []
        text.append(f'  br i1 %c, label %x0, label %x{self.rng.randrange(count)}')
        for at in range(count):
            text += [f'x{at}:', f'  {self.terminator(at, count, pads)}']
        for at in pads:
            text += [f'pad{at}:', '  %lp' + str(at) + ' = landingpad { ptr, i32 } cleanup']
            text.append(f'  br label %x{self.target(at, count)}')
        return '\n'.join(text + ['}', ''])

    def module(self, functions, largest):
        text = 'declare void @g()\ndeclare i32 @__gxx_personality_v0(...)\n'
        for i in range(functions):
            text += self.function(f'r{i}', self.rng.randint(1, self.rng.choice((3, 8, 20, largest))))
        return text


class Function:
    def __init__(self):
        self.dom, self.postdom, self.loops, self.inducts = {}, {}, {}, {}


def of_core(text):
    """What irdump prints, by function name. The irreducible parts have no counterpart in LLVM."""
    functions, f = {}, None
    for line in text.splitlines():
        word = line.split()
        if word[0] == 'site':
            continue
        if word[0] == 'function':
            f = functions[word[1]] = Function()
        elif word[0] in ('dom', 'postdom'):
            getattr(f, word[0])[word[1]] = word[2]
        elif word[0] == 'loop':
            key = {word[i]: word[i + 1] for i in range(2, len(word) - 1, 2)}
            blocks, latches, exiting = (frozenset(key.get(k, '').split(',')) - {''}
                                        for k in ('blocks', 'latches', 'exiting'))
            f.loops[word[1]] = (int(key['depth']), blocks, latches, exiting)
        elif word[0] == 'induct':
            sign = '-' if 'minus,' in line else ''
            f.inducts[word[1]] = (word[3], word[5], sign + word[7])  # loop, start, step
    return functions


def recurrence_of(text):
    """Loop, start and step of a printed `{start,+,step}<flags><%loop>`; None for any other expression."""
    end = re.search(r'\}(?:<\w+>)*<%(\w+)>$', text)
    if not text.startswith('{') or not end:
        return None
    depth, parts, last = 0, [], 1
    for i, letter in enumerate(text):
        depth += (letter == '{') - (letter == '}')
        if depth == 0 and i < end.start():
            return None  # a sum of recurrences
        if depth == 1 and text.startswith(',+,', i):
            parts.append(text[last:i])
            last = i + 3
    parts.append(text[last:end.start()])
    return (end[1], *parts) if len(parts) == 2 else None


def tree_of(lines):
    parents, path = {}, []
    for line in lines:
        level, block = re.match(r' *\[(\d+)\] +(?:%(\S+)|<<exit node>>) ', line).groups()
        del path[int(level) - 1:]
        path.append(block or '-')
        if block:
            parents[block] = path[-2] if len(path) > 1 else '-'
    return parents


def loop_of(line):
    depth, rest = re.match(r' *(?:Parallel )?Loop at depth (\d+) containing: (.*)$', line).groups()
    blocks = {n: set(re.findall(r'<(\w+)>', marks)) for n, marks in re.findall(r'%(\w+)((?:<\w+>)*)', rest)}
    with_mark = lambda mark: frozenset(n for n in blocks if mark in blocks[n])
    return min(with_mark('header')), (int(depth), frozenset(blocks), with_mark('latch'), with_mark('exiting'))


def of_llvm(text):
    functions, f, tree, lines, phi = {}, None, None, [], None
    for line in text.splitlines():
        classified = re.match(r'  +-->  (.*?) U: ', line)
        if phi and classified:
            f.inducts[phi] = classified[1]
        of_phi = re.match(r'  %(\S+) = phi ', line)
        phi = of_phi[1] if of_phi else None
        scev = re.match(r"Printing analysis 'Scalar Evolution Analysis' for function '(\S+)':", line)
        if scev:
            f = functions[scev[1]]
        start = re.match(r'(DominatorTree|PostDominatorTree) for function: (\S+)', line)
        loops = re.match(r"Loop info for function '(\S+)':", line)
        if start:
            tree, lines = 'dom' if start[1] == 'DominatorTree' else 'postdom', []
            f = functions.setdefault(start[2], Function())
        elif line.startswith('Roots:'):
            setattr(f, tree, tree_of(lines))
        elif re.match(r' *\[\d+\]', line):
            lines.append(line)
        elif loops:
            f = functions[loops[1]]
        elif 'Loop at depth' in line:
            header, loop = loop_of(line)
            f.loops[header] = loop
    return functions


class Comparison:
    def __init__(self, args, directory):
        self.args, self.directory = args, directory
        self.functions = self.blocks = self.loops = self.failures = 0
        self.inducts = self.known_to_llvm = self.found = self.named = 0

    def run(self, command):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f'{" ".join(command)}: {done.stderr}')
        return done

    def compare(self, what, path):
        named = os.path.join(self.directory, 'named.bc')
        ours = of_core(self.run([self.args.irdump, path, named]).stdout)
        theirs = of_llvm(self.run([self.args.opt, '-passes=' + PASSES, '-disable-output', named]).stderr)
        for name in sorted(set(ours) | set(theirs)):
            if name not in ours or name not in theirs:
                self.fail(what, name, 'function', name in ours, name in theirs)
                continue
            self.functions += 1
            self.blocks += len(theirs[name].postdom)
            self.loops += len(theirs[name].loops)
            for part in ('dom', 'postdom', 'loops'):
                if getattr(ours[name], part) != getattr(theirs[name], part):
                    self.fail(what, name, part, getattr(ours[name], part), getattr(theirs[name], part))
            self.compare_inducts(what, name, ours[name], theirs[name])

    def compare_inducts(self, what, name, ours, theirs):
        """What we call affine LLVM must call so too: the same step, and the same start if both are plain.

        LLVM may know more: that a loop ends at once, or an invariant's value. Or less: it does not look
        through phis that merge equal steps. How much of what it finds we find is counted only.
        """
        plain = re.compile(r'-?\d+$|%\w+$')
        self.inducts += len(ours.inducts)
        for phi, (loop, start, step) in ours.inducts.items():
            text = theirs.inducts[phi]
            scev = recurrence_of(text)
            if scev is None:
                if text not in (start, '%' + phi):
                    self.fail(what, name, 'induct ' + phi, {'': (loop, start, step)}, {'': text})
                continue
            same = scev[0] == loop and (scev[2] == step or not plain.match(scev[2]))
            if not same or (plain.match(scev[1]) and scev[1] != start):
                self.fail(what, name, 'induct ' + phi, {'': (loop, start, step)}, {'': scev})
        for phi, text in theirs.inducts.items():
            scev = recurrence_of(text)
            if scev and plain.match(scev[2]):
                self.known_to_llvm += 1
                self.found += phi in ours.inducts

    def compare_program(self, source, level, also_names):
        path, what = os.path.join(self.directory, 'program.bc'), f'{source} {level}'
        source = os.path.join(self.args.programs, source)
        compile_program(self.args, source, level, path)
        if also_names and level in ('-O0', 'bare'):
            without = os.path.join(self.directory, 'without.bc')
            compile_program(self.args, source, level, without, debug=False)
            self.compare_sites(what, path, without)
        if level == 'bare':  # as a clone is before facts are collected
            self.run([self.args.opt, '-passes=mem2reg', path, '-o', path])
        self.compare(what, path)

    def sites(self, path):
        done = self.run([self.args.irdump, path, os.path.join(self.directory, 'named.bc')])
        return {i: line for i, line in enumerate(done.stdout.splitlines()) if line.startswith('site ')}

    def compare_sites(self, what, with_debug, without):
        """Debug information must change no site's name."""
        ours, theirs = self.sites(with_debug), self.sites(without)
        self.named += len(ours)
        if ours != theirs:
            self.fail(what, 'sites with -g', 'sites without', ours, theirs)

    def fail(self, what, function, part, ours, theirs):
        self.failures += 1
        if self.failures > 10:
            return
        print(f'{what}: {function}: {part} differs')
        if isinstance(ours, dict):
            for key in sorted(set(ours) | set(theirs)):
                if ours.get(key) != theirs.get(key):
                    print(f'  {key}: ours {ours.get(key)}, LLVM {theirs.get(key)}')


def compile_program(args, source, level, out, debug=True):
    command = [args.clang, '-emit-llvm', '-c', source, '-o', out] + ['-g'] * debug
    if source.endswith('.cc'):
        command.append('-std=c++17')
    command += ['-O1', '-Xclang', '-disable-llvm-passes'] if level == 'bare' else [level]
    subprocess.run(command, check=True)


def main():
    parser = argparse.ArgumentParser()
    for name in ('irdump', 'opt', 'clang', 'programs'):
        parser.add_argument('--' + name, required=True)
    args = parser.parse_args()
    long = os.environ.get('SPEC_SOAK', '0') != '0'
    with tempfile.TemporaryDirectory() as directory:
        c = Comparison(args, directory)
        for seed in range(100 if long else 6):
            path = os.path.join(directory, 'random.ll')
            with open(path, 'w') as f:
                f.write(Graphs(seed).module(100, 200 if long else 60))
            c.compare(f'seed {seed}', path)
        print(f'random: {c.functions} functions, {c.blocks} blocks, {c.loops} loops')
        sources = sorted(n for n in os.listdir(args.programs) if n.endswith(('.c', '.cc')))
        for i, source in enumerate(sources):
            if long:
                for level in ('-O0', 'bare', '-O1', '-O2', '-O3'):
                    c.compare_program(source, level, True)
            elif i % 2 == 0:
                c.compare_program(source, '-O2' if i % 4 else 'bare', i % 8 == 0)
        print(f'all: {c.functions} functions, {c.blocks} blocks, {c.loops} loops, {c.failures} differences')
        print(f'{c.inducts} induction variables; of {c.known_to_llvm} that LLVM prints {c.found}')
        print(f'{c.named} sites, the same with -g and without')
        sys.exit(c.failures != 0)


main()
