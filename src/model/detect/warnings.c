// SPDX-License-Identifier: Apache-2.0
//
// Lists of warnings, and what the report says of them.
#include "warnings.h"
#include "model/source/kernel_names.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WARNINGS = 256 };

const char *hd_model_warning_name(hd_model_warning_kind kind)
{
    static const char *const names[] = {
        [HD_WARNING_UNSET] = "unset variable", [HD_WARNING_EARLY_EXIT] = "early exit"};
    return (int)kind >= 0 && kind <= HD_WARNING_EARLY_EXIT ? names[kind] : "unknown";
}

// ---- Lists --------------------------------------------------------------------------------------

// Of a variable one warning, of a barrier one.
static warning *known(const warning_list *list, hd_model_warning_kind kind, const operation *site,
                      const allocation *of)
{
    for (int32_t k = 0; k < list->count; k++) {
        warning *w = &list->at[k];
        if (w->kind == kind && w->of == of && (of != NULL || w->site == site)) return w;
    }
    return NULL;
}

static warning *append(warning_list *list)
{
    if (list->count == MOST_WARNINGS) return NULL;
    if (list->count == list->room) {
        const int32_t room = 2 * list->room + 4;
        warning *larger = realloc(list->at, (size_t)room * sizeof *larger);
        if (larger == NULL) return NULL;
        list->at = larger, list->room = room;
    }
    warning *w = &list->at[list->count++];
    memset(w, 0, sizeof *w);
    return w;
}

warning *hd__warning_add(warning_list *list, hd_model_warning_kind kind, const operation *site,
                         const allocation *of)
{
    warning *w = known(list, kind, site, of);
    if (w == NULL) {
        w = append(list);
        if (w == NULL) return NULL;
        w->kind = kind, w->site = site, w->of = of;
    }
    w->times++;
    return w;
}

// Of two texts that of the earlier block stays, of two reads of a variable the earlier instruction.
void hd__warnings_merge(warning_list *into, const warning_list *from)
{
    for (int32_t k = 0; k < from->count; k++) {
        const warning *w = &from->at[k];
        warning *to = known(into, w->kind, w->site, w->of);
        if (to == NULL) {
            to = append(into);
            if (to == NULL) return;
            *to = *w;
            continue;
        }
        const int64_t times = to->times + w->times;
        const bool earlier = w->of != NULL ? w->site->site < to->site->site : w->block < to->block;
        if (earlier) *to = *w;
        to->times = times;
    }
}

void hd__warnings_free(warning_list *list)
{
    free(list->at);
    *list = (warning_list){0};
}

// ---- The report ---------------------------------------------------------------------------------

static const warning_list *list_of(const launch_states *s, int k)
{
    const listener *l = s->listeners[k];
    return l == &hd__early_exits || l == &hd__unset_variables ? s->states[k] : NULL;
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
    to->variable = strdup(hd__demangle(w->of->name, name, sizeof name) ? name : w->of->name);
    return to->text != NULL && to->variable != NULL;
}

static bool add(hd_model_report *r, hd_model_warning *to, const warning *w, const launch_states *s)
{
    const ptx_module *m = s->module->text;
    const int32_t source = w->site->text->source;
    const int32_t other = w->other != NULL ? w->other->text->source : -1;
    *to = (hd_model_warning){.kind = w->kind,
                             .file = hd__source_file(m, source),
                             .other_file = hd__source_file(m, other),
                             .line = source >= 0 ? m->sources[source].line : 0,
                             .other_line = other >= 0 ? m->sources[other].line : 0,
                             .times = w->times,
                             .source = hd__module_line(s->owner, source),
                             .other_source = hd__module_line(s->owner, other)};
    r->warning_count++;
    return describe(to, w);
}

bool hd__report_warnings(hd_model_report *r, const launch_states *s)
{
    int32_t count = 0;
    for (int k = 0; s->listeners[k] != NULL; k++) {
        if (s->listeners[k] == &hd__unset_variables && s->states[k] != NULL)
            hd__unset_finish(s->states[k]);
        if (list_of(s, k) != NULL) count += list_of(s, k)->count;
    }
    if (count == 0) return true;
    hd_model_warning *all = calloc((size_t)count, sizeof *all);
    if (all == NULL) return false;
    r->warnings = all;
    for (int k = 0; s->listeners[k] != NULL; k++) {
        const warning_list *list = list_of(s, k);
        for (int32_t j = 0; list != NULL && j < list->count; j++)
            if (!add(r, &all[r->warning_count], &list->at[j], s)) return false;
    }
    qsort(all, (size_t)count, sizeof *all, compare);
    return true;
}

void hd__report_warnings_free(hd_model_report *r)
{
    for (int32_t k = 0; k < r->warning_count; k++) {
        free((void *)(uintptr_t)r->warnings[k].text);
        free((void *)(uintptr_t)r->warnings[k].variable);
    }
    free((void *)(uintptr_t)r->warnings);
}
