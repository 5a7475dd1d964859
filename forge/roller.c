#include "roller.h"

static bool emit_whole(LLVMModuleRef m, const EmitOptions *e, const SpecializerOptions *o, Objects *out,
                       Diags *d) {
  LLVMTargetMachineRef tm = emit_machine(m, e, d);
  Bytes object = {0};
  bool ok = tm && (!o->emit_llvm || emitter_write_ir(m, o->emit_llvm, "before.ll", d)) &&
            emit_optimize(m, tm, e, d) &&
            (!o->emit_llvm || emitter_write_ir(m, o->emit_llvm, "after.ll", d)) &&
            emit_object(m, tm, &object, d);
  vec_push(out, object);
  if (tm) LLVMDisposeTargetMachine(tm);
  return ok;
}

bool roller_build(const Program *l, const char *app, const CfspecInput *in, const bool *ordinary,
                  const EmitOptions *e, const SpecializerOptions *o, SpecializerFigures *out, Diags *d) {
  Program copy = {0};
  Objects objects = {0};
  InstrumentOptions how = {.targets = &l->targets, .events = true, .ordinary = ordinary};
  CfspecInput with = *in;
  bool ok = program_again(app, &copy, d) && instrument_module(copy.module, l->hash, &how, d);
  with.module = copy.module;
  ok = ok && cfspec_roll(&with, &out->rolled, d);
  timings_mark(&out->times, "schedules");
  ok = ok && emit_whole(copy.module, e, o, &objects, d);
  timings_mark(&out->times, "code");
  ok = ok && link_specialized(l, o, "roll", &objects, d);
  timings_mark(&out->times, "linking");
  for (size_t i = 0; i < in->count; ++i)
    out->clones.events += in->sigma->schedules.at[in->schedules[i]]->events.len;
  emitter_free(&objects);
  program_free(&copy);
  return ok;
}
