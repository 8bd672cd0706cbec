// SPDX-License-Identifier: Apache-2.0
//
// The list of what heddle doctor found.
#include "doctor.h"

#include <stdarg.h>
#include <stdio.h>

void find_add(doctor_findings *f, const char *section, const char *what, bool here,
              const char *package, const char *format, ...)
{
    if (f->count == FINDINGS_MAX) return;
    doctor_finding *x = &f->list[f->count++];
    va_list arguments;
    va_start(arguments, format);
    x->section = section;
    x->here = here;
    x->package = here ? NULL : package;
    snprintf(x->name, sizeof x->name, "%s", what);
    vsnprintf(x->text, sizeof x->text, format, arguments);
    va_end(arguments);
}
