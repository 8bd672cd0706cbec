// SPDX-License-Identifier: Apache-2.0
//
// The end of a launch that failed: the first error, with the line it came from.
#include "machine.h"

#include <stdarg.h>
#include <stdio.h>

void hd__model_machine_fail(machine *m, const operation *o, const char *format, ...)
{
    va_list arguments;
    int n = 0;
    if (m->failed) return;
    m->failed = true;
    if (o != NULL && o->text != NULL) {
        const ptx_module *module = m->grid->program->module;
        const ptx_source *s = o->text->source >= 0 ? &module->sources[o->text->source] : NULL;
        const char *file =
            s != NULL && s->file < module->file_count ? module->files[s->file] : NULL;
        if (file != NULL)
            n = snprintf(m->error, sizeof m->error, "%s:%d: ", file, (int)s->line);
        else
            n = snprintf(m->error, sizeof m->error, "PTX line %d: ", (int)o->text->line);
    }
    if (n < 0 || n >= (int)sizeof m->error) n = 0;
    va_start(arguments, format);
    vsnprintf(m->error + n, sizeof m->error - (size_t)n, format, arguments);
    va_end(arguments);
}
