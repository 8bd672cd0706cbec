// SPDX-License-Identifier: Apache-2.0
//
// A launch's warnings, as the report has them.
#include "model.h"
#include "model/detect/warnings.h"
#include "model/source/kernel_names.h"

#include <stdlib.h>
#include <string.h>

const char *hd_model_warning_name(hd_model_warning_kind kind)
{
    static const char *const names[] = {
        [HD_WARNING_UNSET] = "unset variable", [HD_WARNING_EARLY_EXIT] = "early exit"};
    return (int)kind >= 0 && kind <= HD_WARNING_EARLY_EXIT ? names[kind] : "unknown";
}

static const warning_list *list_of(const launch_states *s, int k)
{
    const observer *l = s->observers[k];
    return l == &hd__model_early_exits || l == &hd__model_unset_variables ? s->states[k] : NULL;
}

static int compare(const void *a, const void *b)
{
    const hd_model_warning *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return strcmp(x->text, y->text);
}

// The variable's name as it was written, and the text, each a copy.
static bool describe(hd_model_warning *to, const warning *w)
{
    char name[512];
    to->text = strdup(w->text);
    if (w->of == NULL) return to->text != NULL;
    to->variable = strdup(hd__model_demangle(w->of->name, name, sizeof name) ? name : w->of->name);
    return to->text != NULL && to->variable != NULL;
}

static bool add(hd_model_report *r, hd_model_warning *to, const warning *w, const launch_states *s)
{
    const ptx_module *m = s->module->text;
    const int32_t source = w->site->text->source;
    const int32_t other = w->other != NULL ? w->other->text->source : -1;
    *to = (hd_model_warning){.kind = w->kind,
                             .file = hd__model_ptx_source_file(m, source),
                             .other_file = hd__model_ptx_source_file(m, other),
                             .line = source >= 0 ? m->sources[source].line : 0,
                             .other_line = other >= 0 ? m->sources[other].line : 0,
                             .times = w->times,
                             .source = hd__model_module_line(s->owner, source),
                             .other_source = hd__model_module_line(s->owner, other)};
    r->warning_count++;
    return describe(to, w);
}

bool hd__model_report_warnings(hd_model_report *r, const launch_states *s)
{
    int32_t count = 0;
    for (int k = 0; s->observers[k] != NULL; k++) {
        if (s->observers[k] == &hd__model_unset_variables && s->states[k] != NULL)
            hd__model_unset_finish(s->states[k]);
        if (list_of(s, k) != NULL) count += list_of(s, k)->count;
    }
    if (count == 0) return true;
    hd_model_warning *all = calloc((size_t)count, sizeof *all);
    if (all == NULL) return false;
    r->warnings = all;
    for (int k = 0; s->observers[k] != NULL; k++) {
        const warning_list *list = list_of(s, k);
        for (int32_t j = 0; list != NULL && j < list->count; j++)
            if (!add(r, &all[r->warning_count], &list->at[j], s)) return false;
    }
    qsort(all, (size_t)count, sizeof *all, compare);
    return true;
}

void hd__model_report_warnings_free(hd_model_report *r)
{
    for (int32_t k = 0; k < r->warning_count; k++) {
        free((void *)(uintptr_t)r->warnings[k].text);
        free((void *)(uintptr_t)r->warnings[k].variable);
    }
    free((void *)(uintptr_t)r->warnings);
}
