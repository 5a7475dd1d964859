#!/usr/bin/env python3
"""racemutants.py SOURCE WORK [FILE...]: drops rules of flow/, race/ and solve/ one after the other, in a copy, and tells which of
them no test notices: unit.solve, the cases of race, missed. Only rules of these files, if some are given. Not part of ctest:
every mutant is compiled."""
import concurrent.futures, glob, os, subprocess, sys, threading
import mutate

# file, text, what it becomes
MUTANTS = [
    ("flow/access.c", "  if (escaped) add_writers(v, 0, there, out);\n", "  (void)escaped;\n"),
    ("race/check.c", "  if (x->atomic && y->atomic) return;\n", "  if (x->atomic || y->atomic) return;\n"),
    ("race/check.c", "accesses_at(c->accesses, b)) && b < a", "accesses_at(c->accesses, b)) && b <= a"),
    ("race/check.c", "  check_lists(c, accesses_writes(v, object), accesses_of(v, 0), object);\n", ""),
    ("race/check.c", "  check_lists(c, accesses_writes(v, 0), accesses_of(v, object), object);\n", ""),
    ("race/check.c", "    for (vec_each(k, &y->ranges))\n      if (alias_ranges_meet", "    for (vec_each(k, &y->ranges))\n      if ((x->ranges.at[i].object || y->ranges.at[k].object) && alias_ranges_meet"),
    ("flow/code.c", "return a == b || (credit ? order_happens_before(c->order, a, b) : order_before(c->order, a, b));",
     "(void)credit;\n  return a == b || order_before(c->order, a, b);"),
    ("flow/code.c", "  if (x.thread == y.thread) return x.to < y.from;\n", "  if (x.thread == y.thread) return x.to <= y.from;\n"),
    ("flow/code.c", "all &= leaves[succs.at[k]];", "all |= leaves[succs.at[k]];"),
    ("flow/code.c", "      if (end_to[p] > most) most = end_to[p];\n", ""),
    ("flow/code.c", "      if (end_from[p] < least) least = end_from[p];\n", "      if (least == NOWHERE || end_from[p] > least) least = end_from[p];\n"),
    ("flow/spread.c", "more = add_everywhere(c, id);\n    if (more) vec_push(work, id);\n  }\n}\n\nstatic void spread_call", "more = false;\n    if (more) vec_push(work, id);\n  }\n}\n\nstatic void spread_call"),
    ("flow/code.c", "    if (s && s->kind == SYNC_EXIT) return true;", "    if (0 && s && s->kind == SYNC_EXIT) return true;"),
    ("flow/code.c", "  return f->own.at[0] >= f->first && vec_last(&f->own) < f->end;", "  return true;"),
    ("flow/code.c", "    if (f->own.at[i] >= n) return f->own.at[i];\n", "    if (f->own.at[i] >= n) return n;\n"),
    ("flow/entered.c", "  while (e != SIGMA_NONE && order_schedule(o)->events.at[e].kind != EVENT_CALLBACK) e = order_path(o, e);\n", ""),
    ("flow/entered.c", "  while (e != SIGMA_NONE && e != opener) e = order_path(o, e);\n", ""),
    ("sigma/stacks.c", "  return e->kind == EVENT_RET || e->kind == EVENT_UNWIND || e->kind == EVENT_CALLBACK;", "  return e->kind == EVENT_RET;"),
    ("flow/spread.c", "  spread_occasion(c, &o->in_loop, &loops, is_entered(c, &o->in_loop), work);\n", ""),
    ("flow/fact.c", "== cfg_block(f->cfg, b) ? of : bv_not(v->t, of);", "!= cfg_block(f->cfg, b) ? of : bv_not(v->t, of);"),
    ("flow/fact.c", "  if (!dom_edge(f->dom, d, b, b)) return BV_NONE;\n", ""),
    ("flow/fact.c", "    if (LLVMGetSuccessor(end, i) == cfg_block(f->cfg, b)) return is;\n", "    if (LLVMGetSuccessor(end, i) == cfg_block(f->cfg, b)) return bv_not(v->t, is);\n"),
    ("race/handmade.c", "  return o == LLVMAtomicOrderingAcquire ||", "  return o == LLVMAtomicOrderingMonotonic || o == LLVMAtomicOrderingAcquire ||"),
    ("race/handmade.c", "  return o == LLVMAtomicOrderingRelease ||", "  return o == LLVMAtomicOrderingMonotonic || o == LLVMAtomicOrderingRelease ||"),
    ("race/handmade.c", "(ends && (found || !releases", "(ends && (!releases"),
    ("race/handmade.c", "  if (!code_passed(flow_code(h->flow), o->waiter, o->behind, r)) return false;\n", ""),
    ("flow/input.c", "  bool is = !n || writers.len;\n", "  bool is = !n;\n"),
    ("flow/known.c", "apart = a.at[i] && a.at[i] != b.at[k] && b.at[k];", "apart = a.at[0] != b.at[0];"),
    ("flow/known.c", "    if (loop_has(f->loops, l, here)) return p->side;", "    if (0 && loop_has(f->loops, l, here)) return p->side;"),
    ("flow/known.c", "at_once ? later : bv_op(v->t, BV_OR, begins, later)", "at_once || begins != BV_NONE ? later : begins"),
    ("flow/known.c", "LLVMGetSuccessor(end, is ? 0 : 1) != to;", "LLVMGetSuccessor(end, is ? 1 : 0) != to;"),
    ("flow/known.c", "bv_ite(v->t, truth, value[a], value[b]);", "bv_ite(v->t, truth, value[b], value[a]);"),
    ("race/locks.c", "LLVMIsAConstant(lock) ? ~bit_of(l, lock) : 0;", "LLVMIsAConstant(lock) ? ~bit_of(l, lock) : ~UINT64_C(0);"),
    ("race/locks.c", "  h->latest = NULL;\n  h->all.exclusive &= kept", "  h->all.exclusive &= kept"),
    ("race/locks.c", "  if (event || h->latest_left_out == i) h->latest_left_out = NULL;\n", ""),
    ("race/locks.c", "  if (h->latest == i) h->latest = NULL;\n", ""),
    ("race/locks.c", "    forget(h);  // it may give back any of them\n", "    (void)outside, (void)forget;\n"),
    ("race/locks.c", " && !calls_back(callee));", " && (true || calls_back(callee)));"),
    ("race/unknown.c", "    if (how == CODE_FOLLOWED) continue;\n", "    if (how != CODE_EVENT_LOST) continue;\n"),
    ("race/unknown.c", "s->kind == SYNC_CREATE && !cfspec_event_of", "s->kind != SYNC_CREATE && !cfspec_event_of"),
    ("race/unknown.c", "  tell_calls(flow_aliases(flow), flow_accesses(flow), out);\n", "  (void)tell_calls;\n"),
    ("flow/memory.c", "  return code_passed(v->code, f, b, w->regions.at[0]);\n", "  return true;\n"),
    ("flow/memory.c", ": dom_of(f->dom, b, block_of(r));", ": true;"),
    ("flow/memory.c", "    if (rel == AFTER ||", "    if (rel != BEFORE ||"),
    ("flow/memory.c", "    known = rel != UNSURE || same;\n", "    (void)same;\n"),
    ("flow/memory.c", "last = k == i || relation(v, all->at[k], w) == BEFORE;", "last = k == i || relation(v, all->at[k], w) != AFTER;"),
    ("flow/memory.c", "  return covered || (first != BV_NONE", "  return true || (first != BV_NONE"),
    ("flow/memory.c", "  return by >= 0 ? by >= bytes_a", "  return by >= 0 ? by >= bytes_a / 2"),
    ("flow/meet.c", "(int64_t)bytes_b - 1,", "(int64_t)bytes_b - 2,"),
    ("flow/meet.c", "1 - (int64_t)bytes_a,", "2 - (int64_t)bytes_a,"),
    ("flow/meet.c", "bv_op(t, BV_OR, bv_op(t, BV_ULT, ab, bytes_a), bv_op(t, BV_ULT, ba, bytes_b));", "bv_op(t, BV_ULT, ab, bytes_a);"),
    ("flow/meet.c", ": FLOW_ANYWHERE;\n}", ": FLOW_DISTINCT;\n}"),
    ("flow/vtable.c", "    else if (!LLVMIsAICmpInst(user))\n      t->known = false;\n", ""),
    ("flow/flat.c", "          LLVMSetVolatile(i, on);\n", "          (void)0;\n"),
    ("solve/interval.c", "b.high - apart}", "b.high - apart - 1}"),
    ("solve/interval.c", "  if (r.low < w.low || r.high > w.high) r = w;", "  if (r.low < w.low) r = w;"),
    ("solve/whole.c", "v[i] < low || v[i] > high", "v[i] < low && v[i] > high"),
    ("solve/whole.c", "order = interval_of(w->bounds, e.a).low >= 0 && interval_of(w->bounds, e.b).low >= 0;", "(void)0;"),
    ("solve/solver.c", "return answer == Z3_L_FALSE ? SOLVE_NO : answer == Z3_L_TRUE ? SOLVE_YES : SOLVE_UNKNOWN;\n}\n\nstatic SolveAnswer",
     "return answer != Z3_L_TRUE ? SOLVE_NO : SOLVE_YES;\n}\n\nstatic SolveAnswer"),
    ("solve/linear.c", "    add(t, e.b, 0 - factor, l, depth - 1);\n", "    add(t, e.b, factor, l, depth - 1);\n"),
]
UNSTEADY = ["formats"]  # its findings depend on the schedule that is recorded


def case_fails(tree, work, case):
    r = subprocess.run([os.path.join(tree, "tests/run-case"), case, os.path.join(work, "bin")], capture_output=True, timeout=300,
                       env=dict(os.environ, TOP=tree))
    return r.returncode not in (0, 77)


def noticed(tree, work):
    for unit in ("solve", "flow"):
        if subprocess.run([os.path.join(work, "bin/unit_" + unit)], capture_output=True, timeout=300).returncode: return "unit." + unit
    cases = [c for c in sorted(glob.glob(os.path.join(tree, "tests/cases/race/*"))) if os.path.basename(c) not in UNSTEADY]
    found, lock = [], threading.Lock()

    def look(case):
        if not found and case_fails(tree, work, case):
            with lock: found.append("race." + os.path.basename(case))

    with concurrent.futures.ThreadPoolExecutor(2) as pool: list(pool.map(look, cases))
    if found: return found[0]
    missed = [sys.executable, os.path.join(tree, "tests/missed.py"), "--bin", os.path.join(work, "bin")]
    return "missed" if subprocess.run(missed, capture_output=True, timeout=900).returncode else None


def main():
    mutants = [m for m in MUTANTS if not sys.argv[3:] or m[0] in sys.argv[3:]]
    tree, work = mutate.copy(*map(os.path.abspath, sys.argv[1:3]))
    ok, text = mutate.build(work, ["all"])
    by = noticed(tree, work) if ok else text[-2000:]
    if by: sys.exit("the tests fail as they are: " + by)

    def judge():
        return noticed(tree, work) if mutate.build(work, ["specialize", "unit_solve", "unit_flow"])[0] else "the compiler"

    return mutate.sweep(tree, mutants, judge)


if __name__ == "__main__":
    sys.exit(main() > 0)
