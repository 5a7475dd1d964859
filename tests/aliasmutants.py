#!/usr/bin/env python3
"""aliasmutants.py SOURCE WORK [--rows]: drops rules of alias/ one after the other, in a copy, and tells which of them no
test notices; with --rows, rows of library.def. Not part of ctest: every mutant is compiled."""
import os, re, subprocess, sys
import mutate

# file, text, what it becomes
MUTANTS = [
    ("build.c", "    case LLVMPHI:\n", "    case LLVMPHI:\n      break;\n"),
    ("build.c", "    case LLVMSelect:\n", "    case LLVMSelect:\n      break;\n"),
    ("build.c", "    case LLVMGetElementPtr:\n      copy_operands", "    case LLVMGetElementPtr:\n      if (0) copy_operands"),
    ("build.c", "    case LLVMXor:\n      build_arithmetic", "    case LLVMXor:\n      if (0) build_arithmetic"),
    ("build.c", "    case LLVMRet:\n      build_return", "    case LLVMRet:\n      if (0) build_return"),
    ("build.c", "      system_load(b->sys, build_result(b, inst), b->thrown, 8);\n", ""),
    ("build.c", "    system_move(b->sys, copy, p.first + i", "    if (0) system_move(b->sys, copy, p.first + i"),
    ("build.c", "  system_store(b->sys, n, extra, 8);\n", "  if (0) system_store(b->sys, n, extra, 8);\n"),
    ("build.c", "  system_store(b->sys, elements, strings, 8);\n", ""),
    ("build.c", "  if (build_is_visible(b, v)) vec_push(&b->sys->escaped, o);\n", ""),
    ("build_call.c", "  system_store(b->sys, argument(b, call, 0), list, 24);\n",
     "  if (0) system_store(b->sys, argument(b, call, 0), list, 24);\n"),
    ("build_call.c", "      copy_memory(b, call, argument(b, call, 0), argument(b, call, 1), 24);\n", ""),
    ("build_call.c", "  for (uint32_t i = 0; i < count; ++i) escape(b, args[i]);\n", ""),
    ("build_call.c", "    system_store(sys, s->b->ended, c.result, 8);\n", ""),
    ("build_call.c", "  system_move(b->sys, to, from, bytes);\n", "  if (0) system_move(b->sys, to, from, bytes);\n"),
    ("build_call.c", "      mix(s, d);\n", "      if (0) mix(s, d);\n"),
    ("build_call.c", "  if (fresh_call(b->fresh, call))\n    build_fresh", "  if (0)\n    build_fresh"),
    ("build_data.c", "      see_elements(d, v, at);\n", "      if (0) see_elements(d, v, at);\n"),
    ("build_data.c", "      see_fields(d, v, at);\n", "      if (0) see_fields(d, v, at);\n"),
    ("solve.c", "link(s, from->node, node);\n", "(void)from;\n"),
    ("solve.c", "  if (s->r->escaped[o]) leak(s, cell.node);\n", ""),
    ("solve.c", "  if (s->r->escaped[o]) give_spot(s, node, SPOT_UNKNOWN);\n", ""),
    ("solve.c", "  for (vec_each(i, &s->r->stored[o])) leak(s, s->r->stored[o].at[i].node);\n", ""),
    ("solve.c", "  give_spot(s, f->extra, SPOT_UNKNOWN);\n  leak(s, f->result);\n", ""),
    ("solve.c", "  for (uint32_t i = 0; i < f->count; ++i) give_spot(s, f->first + i, SPOT_UNKNOWN);\n", ""),
    ("solve.c", "  if (c->result != NODE_NONE) link(s, f->result, c->result);\n", ""),
    ("solve.c", "        leak(s, a->value);\n        continue;\n", "        continue;\n"),
    ("solve.c", "  link(s, cell.node, moving(s, move, distance, cell.bytes));\n",
     "  if (0) link(s, cell.node, moving(s, move, distance, cell.bytes));\n"),
    ("solve.c", "  if (note_end(s, move, spot, ENDS_TARGET)) move_to", "  if (0) move_to"),
    ("spot.c", "  return modulo(top - s.first, s.stride) <= top - bottom;\n", "  return modulo(top - s.first, s.stride) < 1;\n"),
    ("spot.c", "  s.stride = gcd(s.stride, by.stride);\n  s.end = open", "  s.stride = by.stride;\n  s.end = open"),
    ("system.c", "  widen_cycles(s);\n", "  if (0) widen_cycles(s);\n"),
]


UNITS = ["unit_alias_rows", "unit_alias_scopes", "unit_alias"]


def noticed(tree, work):
    for unit in UNITS:
        if subprocess.run([os.path.join(work, "bin", unit)], capture_output=True, timeout=120).returncode: return unit
    naive = [sys.executable, os.path.join(tree, "tests/naive.py"), os.path.join(work, "bin/test_aliasdump"), "1", "150"]
    return "naive" if subprocess.run(naive, capture_output=True, timeout=300).returncode else None


def rows(source):
    found = []
    for part in ("library.def", "library_cxx.def"):
        table = open(os.path.join(source, "ir", part)).read()
        found += [("../ir/" + part, row, "") for row in re.findall(r'^ROW\((?:[^()"]|"[^"]*")*\)\n', table, re.M)]
    return found


def main():
    mutants = rows(os.path.abspath(sys.argv[1])) if "--rows" in sys.argv[3:] else MUTANTS
    tree, work = mutate.copy(*map(os.path.abspath, sys.argv[1:3]))
    targets = UNITS + ["test_aliasdump"]
    ok, text = mutate.build(work, targets)
    if not ok or noticed(tree, work): sys.exit("the tests fail as they are\n" + text[-2000:])
    row_test = os.path.join(work, "bin", UNITS[0]) if "--rows" in sys.argv[3:] else None

    def judge():
        # Rows are linked into one test only, as long as it notices.
        if row_test and mutate.build(work, UNITS[:1])[0] and subprocess.run([row_test], capture_output=True).returncode:
            return UNITS[0]
        return noticed(tree, work) if mutate.build(work, targets)[0] else "the compiler"

    return mutate.sweep(os.path.join(tree, "alias"), mutants, judge)


if __name__ == "__main__":
    sys.exit(main())
