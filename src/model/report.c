// SPDX-License-Identifier: Apache-2.0
//
// A launch's report: counts of instructions gathered by source line, findings in the order of
// causes.
#include "model/detect/causes.h"
#include "model.h"
#include "model/counters/source_sites.h"
#include "model/detect/warnings.h"

#include <stdlib.h>
#include <string.h>

static const char *const hazard_names[] = {
    [HD_HAZARD_OUTSIDE] = "out of bounds",
    [HD_HAZARD_UNALIGNED] = "unaligned",
    [HD_HAZARD_UNINITIALISED] = "uninitialised",
    [HD_HAZARD_RACE] = "race",
    [HD_HAZARD_BARRIER] = "barrier",
    [HD_HAZARD_RULE] = "access rule",
    [HD_HAZARD_LEAK] = "leak",
};

const char *hd_model_hazard_name(hd_model_hazard hazard)
{
    return (int)hazard >= 0 && hazard <= HD_HAZARD_LEAK ? hazard_names[hazard] : "unknown";
}

void hd__model_report_free(hd_model_report *r)
{
    for (int32_t k = 0; k < r->finding_count; k++) free((void *)(uintptr_t)r->findings[k].text);
    free((void *)(uintptr_t)r->findings);
    hd__model_report_warnings_free(r);
    free((void *)(uintptr_t)r->sites);
    free((void *)(uintptr_t)r->samples);
    free((void *)(uintptr_t)r->events);
    *r = (hd_model_report){0};
}

// ---- Lines --------------------------------------------------------------------------------------

static bool is_empty(const hd_model_counts *c)
{
    return c->warp_instructions == 0;
}

// One site a source line; without lines, one a PTX line.
static int compare_sites(const void *a, const void *b)
{
    const hd_model_site *x = a, *y = b;
    if (x->file != y->file) {
        if (x->file == NULL || y->file == NULL) return x->file == NULL ? 1 : -1;
        const int order = strcmp(x->file, y->file);
        if (order != 0) return order;
    }
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->ptx_line < y->ptx_line ? -1 : x->ptx_line > y->ptx_line;
}

static int32_t join_lines(hd_model_site *sites, int32_t count)
{
    int32_t kept = 0;
    for (int32_t k = 0; k < count; k++) {
        hd_model_site *last = kept > 0 ? &sites[kept - 1] : NULL;
        const bool same = last != NULL && sites[k].file != NULL && last->file == sites[k].file &&
                          last->line == sites[k].line;
        if (same)
            hd__model_counts_add(&last->counts, &sites[k].counts);
        else
            sites[kept++] = sites[k];
    }
    return kept;
}

static void add_counts(const launch_states *s, int32_t site, hd_model_counts *into)
{
    static const observer *const counting[] = {&hd__model_instruction_counts, &hd__model_coalescing,
                                               &hd__model_bank_conflicts, &hd__model_atomic_chains};
    for (int k = 0; s->observers[k] != NULL; k++)
        for (size_t c = 0; c < sizeof counting / sizeof *counting; c++) {
            const site_table *t = s->observers[k] == counting[c] ? s->states[k] : NULL;
            if (t != NULL && t->at != NULL) hd__model_counts_add(into, &t->at[site]);
        }
}

static bool gather_sites(hd_model_report *r, const launch_states *s)
{
    const ptx_module *text = s->module->text;
    hd_model_site *sites = calloc((size_t)s->module->sites + 1, sizeof *sites);
    int32_t count = 0;
    if (sites == NULL) return false;
    for (int32_t f = 0; f < text->function_count; f++) {
        const program *p = &s->module->programs[f];
        for (int32_t k = 0; p->code != NULL && k <= p->length; k++) {
            const operation *o = &p->code[k];
            hd_model_counts counts = {0};
            add_counts(s, o->site, &counts);
            hd__model_counts_add(&r->total, &counts);
            if (is_empty(&counts)) continue;
            const int32_t source = o->text->source;
            sites[count++] = (hd_model_site){.file = hd__model_ptx_source_file(text, source),
                                             .line = source >= 0 ? text->sources[source].line : 0,
                                             .ptx_line = o->text->line,
                                             .text = hd__model_module_line(s->owner, source),
                                             .counts = counts};
        }
    }
    qsort(sites, (size_t)count, sizeof *sites, compare_sites);
    r->sites = sites;
    r->site_count = join_lines(sites, count);
    return true;
}

// ---- Findings -----------------------------------------------------------------------------------

static const finding_list *findings_of(const launch_states *s, int k)
{
    static const observer *const finding_observers[] = {&hd__model_memory_check, &hd__model_races,
                                                        &hd__model_uninitialised,
                                                        &hd__model_barriers, &hd__model_pram};
    for (size_t c = 0; c < sizeof finding_observers / sizeof *finding_observers; c++)
        if (s->observers[k] == finding_observers[c]) return s->states[k];
    return NULL;
}

static bool add_finding(hd_model_report *r, const launch_states *s, hd_model_finding *to,
                        const folded_finding *from)
{
    const ptx_module *m = s->module->text;
    const finding *f = from->first;
    const int32_t source = f->site != NULL ? f->site->text->source : -1;
    const int32_t other = f->other != NULL ? f->other->text->source : -1;
    char *text = malloc(strlen(f->text) + 1);
    if (text == NULL) return false;
    strcpy(text, f->text);
    *to = (hd_model_finding){.hazard = f->hazard,
                             .text = text,
                             .file = hd__model_ptx_source_file(m, source),
                             .other_file = hd__model_ptx_source_file(m, other),
                             .line = source >= 0 ? m->sources[source].line : 0,
                             .other_line = other >= 0 ? m->sources[other].line : 0,
                             .times = from->times,
                             .source = hd__model_module_line(s->owner, source),
                             .other_source = hd__model_module_line(s->owner, other),
                             .follows = from->follows,
                             .because = from->because};
    r->finding_count++;
    return true;
}

// In the order of causes: `lists` is of all findings, `folded` and `made` have room for as many.
static bool make_findings(hd_model_report *r, const launch_states *s, const finding **list,
                          folded_finding *folded, hd_model_finding *made)
{
    int32_t count = 0;
    for (int k = 0; s->observers[k] != NULL; k++) {
        const finding_list *of = findings_of(s, k);
        for (int32_t j = 0; of != NULL && j < of->count; j++) list[count++] = &of->at[j];
    }
    count = hd__model_findings_order(s->module, list, count, folded);
    for (int32_t k = 0; k < count; k++)
        if (!add_finding(r, s, &made[k], &folded[k])) return false;
    return count >= 0;
}

static bool gather_findings(hd_model_report *r, const launch_states *s)
{
    size_t count = 1;
    for (int k = 0; s->observers[k] != NULL; k++)
        if (findings_of(s, k) != NULL) count += (size_t)findings_of(s, k)->count;
    hd_model_finding *made = calloc(count, sizeof *made);
    const finding **list = malloc(count * sizeof *list);
    folded_finding *folded = malloc(count * sizeof *folded);
    r->findings = made;
    const bool done =
        made != NULL && list != NULL && folded != NULL && make_findings(r, s, list, folded, made);
    free(list);
    free(folded);
    return done;
}

hd_status hd__model_report_make(hd_model *model, const launch_states *s, const char *kernel)
{
    hd_model_report *r = &model->report;
    r->kernel = kernel;
    memcpy(r->shape.grid, s->launch->grid, sizeof r->shape.grid);
    memcpy(r->shape.block, s->launch->block, sizeof r->shape.block);
    r->shape.shared = s->launch->dynamic_bytes;
    r->seconds = s->seconds;
    for (int k = 0; s->observers[k] != NULL; k++)
        if (s->observers[k] == &hd__model_pram && s->states[k] != NULL)
            hd__model_pram_report(s->states[k], r);
    if (gather_sites(r, s) && gather_findings(r, s) && hd__model_report_warnings(r, s) &&
        hd__model_report_samples(r, s) && hd__model_report_trace(r, s))
        return HD_OK;
    hd__model_report_free(r);
    return hd__model_fail(model, HD_ERROR_MEMORY, "no memory for the report of %s", kernel);
}
