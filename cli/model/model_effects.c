// SPDX-License-Identifier: Apache-2.0
//
// heddle model: findings and what follows from them, for the text and the page.
#include <stdio.h>
#include <string.h>

#include "model.h"

int32_t model_causes(const hd_model_report *report)
{
    int32_t count = 0;
    for (int32_t k = 0; k < report->finding_count; k++) count += report->findings[k].follows < 0;
    return count;
}

int32_t model_effects_end(const hd_model_report *report, int32_t k)
{
    int32_t end = k + 1;
    while (end < report->finding_count && report->findings[end].follows >= 0) end++;
    return end;
}

static size_t add_place(model_run *r, const char *before, const char *file, int32_t line,
                        char *text, size_t room)
{
    char place[512];
    if (file == NULL || line <= 0) return 0;
    model_place(model_shown_file(&r->sources, file), line, 0, place, sizeof place);
    const int n = snprintf(text, room, "%s%s", before, place);
    return n > 0 && (size_t)n < room ? (size_t)n : 0;
}

const char *model_effect_text(model_run *r, const hd_model_finding *f, char *text, size_t room)
{
    char times[32];
    const bool two = f->other_line != f->line || f->other_file != f->file;
    size_t used = (size_t)snprintf(text, room, "%s, %s time%s", hd_model_hazard_name(f->hazard),
                                   model_number(f->times, times), f->times == 1 ? "" : "s");
    const size_t here = add_place(r, " at ", f->file, f->line, text + used, room - used);
    if (here == 0)
        snprintf(text + used, room - used, ": %s", f->text);
    else if (two)
        add_place(r, " and ", f->other_file, f->other_line, text + used + here, room - used - here);
    return text;
}
