// specialize/findings_out -- the options that all analyses with findings share: in which form, where to, and
// which of them count.
#pragma once
#include "report/report.h"

typedef struct {
  void (*format)(const Report *r, Bytes *out, const FindingOptions *o);
  const char *path;  // - is standard output
  FindingFail fail;
  bool all;
} FindingsOut;

// Values of --format, -o and --fail-on; NULL: not given.
bool findings_out_read(const char *format, const char *path, const char *fail, FindingsOut *out, Diags *d);
int findings_out_write(const FindingsOut *o, const Report *r, Diags *d);  // the status to end with
