// SPDX-License-Identifier: Apache-2.0
//
// Causes before their effects. Findings of the same lines are one; then each looks for another that
// it follows from: the same access out of bounds, an address made of a bad value, a read that comes
// before the write it races with, a race on the same data.
#include "causes.h"
#include "model/decode/program.h"

#include <stdlib.h>
#include <string.h>

typedef struct ordering {
    const loaded_module *module;
    folded_finding *at;
    int32_t count;
    int32_t *bad_address; // by finding: another one whose value its address is made of, or -1
} ordering;

enum { MAX_VALUES = 64 }; // findings whose values are followed: the first ones

// ---- Folding ------------------------------------------------------------------------------------

// A line of the source, or where there is none the instruction itself.
static bool same_line(const ordering *g, const operation *a, const operation *b)
{
    if (a == b) return true;
    if (a == NULL || b == NULL || a->text->source < 0 || b->text->source < 0) return false;
    const ptx_source *x = &g->module->text->sources[a->text->source];
    const ptx_source *y = &g->module->text->sources[b->text->source];
    return x->file == y->file && x->line == y->line;
}

static bool same_lines(const ordering *g, const finding *a, const finding *b)
{
    return (same_line(g, a->site, b->site) && same_line(g, a->other, b->other)) ||
           (a->other != NULL && same_line(g, a->site, b->other) && same_line(g, a->other, b->site));
}

static bool comes_before(const finding *a, const finding *b)
{
    if (a->step != b->step) return a->step < b->step;
    if (a->block != b->block) return a->block < b->block;
    if (a->site != NULL && b->site != NULL && a->site != b->site)
        return a->site->site < b->site->site;
    return a->hazard < b->hazard;
}

static void fold(ordering *g, const finding *f)
{
    for (int32_t k = 0; k < g->count; k++) {
        folded_finding *to = &g->at[k];
        if (to->first->hazard != f->hazard || !same_lines(g, to->first, f)) continue;
        to->times += f->times;
        if (comes_before(f, to->first)) to->first = f;
        return;
    }
    g->at[g->count++] = (folded_finding){.first = f, .times = f->times, .follows = -1};
}

static int compare(const void *a, const void *b)
{
    const folded_finding *x = a, *y = b;
    return comes_before(x->first, y->first) ? -1 : comes_before(y->first, x->first);
}

// ---- Causes -------------------------------------------------------------------------------------

static bool is_store(const operation *o)
{
    return o != NULL && o->op != PTX_OP_ld && o->op != PTX_OP_ldu;
}

// The access that a finding is of, or one of the two of a race.
static bool has_line(const ordering *g, const finding *f, const operation *o)
{
    return o != NULL && (same_line(g, f->site, o) || same_line(g, f->other, o));
}

static const program *program_of(const ordering *g, const operation *o)
{
    for (int32_t k = 0; k < g->module->text->function_count; k++) {
        const program *p = &g->module->programs[k];
        if (p->code != NULL && o >= p->code && o < p->code + p->length) return p;
    }
    return NULL;
}

// For each finding the first other one that reads a value which goes into its address, or -1.
static bool find_bad_addresses(ordering *g)
{
    int32_t most = 0;
    for (int32_t k = 0; k < g->module->text->function_count; k++)
        if (g->module->text->functions[k].register_count > most)
            most = g->module->text->functions[k].register_count;
    uint8_t *reached = malloc((size_t)most + 1);
    if (reached == NULL) return false;
    for (int32_t k = 0; k < g->count; k++) g->bad_address[k] = -1;
    for (int32_t c = 0; c < g->count && c < MAX_VALUES; c++)
        for (int side = 0; side < 2; side++) {
            const finding *cause = g->at[c].first;
            const operation *load = side == 0 ? cause->site : cause->other;
            const program *p = load != NULL && !is_store(load) ? program_of(g, load) : NULL;
            if (p == NULL || cause->hazard == HD_HAZARD_RULE) continue;
            memset(reached, 0, (size_t)most + 1);
            hd__model_value_spreads(p->text, load->text, reached);
            for (int32_t k = 0; k < g->count; k++) {
                const operation *o = g->at[k].first->site;
                if (k != c && g->bad_address[k] < 0 && o != NULL && o != load &&
                    program_of(g, o) == p && hd__model_address_has(o->text, reached))
                    g->bad_address[k] = c;
            }
        }
    free(reached);
    return true;
}

static bool is_outside(const finding *f)
{
    return f->hazard == HD_HAZARD_OUTSIDE || f->hazard == HD_HAZARD_UNALIGNED;
}

// How f follows from c, or NULL. Earlier rows are the surer ones.
typedef const char *follows(const ordering *g, const finding *f, const finding *c);

static const char *same_access(const ordering *g, const finding *f, const finding *c)
{
    (void)g;
    if (!is_outside(c) || is_outside(f) || c->site == NULL) return NULL;
    return f->site == c->site || f->other == c->site ? "it is of the access out of bounds" : NULL;
}

static const char *early_read(const ordering *g, const finding *f, const finding *c)
{
    if (f->hazard != HD_HAZARD_UNINITIALISED || c->hazard != HD_HAZARD_RACE) return NULL;
    return has_line(g, c, f->site) ? "it is read before it is written: nothing orders the two"
                                   : NULL;
}

static const char *bad_address(const ordering *g, const finding *f, const finding *c)
{
    for (int32_t k = 0; k < g->count; k++)
        if (g->at[k].first == f && g->bad_address[k] >= 0 && g->at[g->bad_address[k]].first == c)
            return "its address is made of the value that is read there";
    return NULL;
}

static const char *misplaced_write(const ordering *g, const finding *f, const finding *c)
{
    (void)g;
    const bool unwritten = f->hazard == HD_HAZARD_UNINITIALISED && f->object != NULL;
    return unwritten && is_outside(c) && is_store(c->site) && c->object == f->object &&
                   comes_before(c, f)
               ? "what was to be written to the same array was written out of its bounds"
               : NULL;
}

static const char *same_data(const ordering *g, const finding *f, const finding *c)
{
    if (f->hazard != HD_HAZARD_RACE || c->hazard != HD_HAZARD_RACE || f->object == NULL ||
        f->object != c->object || !comes_before(c, f))
        return NULL;
    return has_line(g, c, f->site) || has_line(g, c, f->other)
               ? "the same data, and one of the same lines"
               : NULL;
}

static bool leads_to(const ordering *g, int32_t from, int32_t to)
{
    for (; from >= 0; from = g->at[from].follows)
        if (from == to) return true;
    return false;
}

static void find_cause(ordering *g, int32_t k)
{
    static follows *const rows[] = {same_access, early_read, bad_address, misplaced_write,
                                    same_data};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        for (int32_t c = 0; c < g->count; c++) {
            if (c == k || leads_to(g, c, k)) continue;
            const char *because = rows[row](g, g->at[k].first, g->at[c].first);
            if (because == NULL) continue;
            g->at[k].follows = c, g->at[k].because = because;
            return;
        }
}

// ---- Order --------------------------------------------------------------------------------------

// A cause, then what follows from it, from what is `from` to what is `g`. Returns the places used.
static int32_t emit(ordering *g, const folded_finding *from, int32_t *place, int32_t k,
                    int32_t used)
{
    place[k] = used;
    g->at[used] = from[k];
    if (from[k].follows >= 0) g->at[used].follows = place[from[k].follows];
    used++;
    for (int32_t f = 0; f < g->count; f++)
        if (from[f].follows == k) used = emit(g, from, place, f, used);
    return used;
}

static bool put_in_order(ordering *g)
{
    folded_finding *from = malloc(((size_t)g->count + 1) * sizeof *from);
    int32_t *place = malloc(((size_t)g->count + 1) * sizeof *place), used = 0;
    const bool done = from != NULL && place != NULL;
    if (done) memcpy(from, g->at, (size_t)g->count * sizeof *from);
    for (int32_t k = 0; done && k < g->count; k++)
        if (from[k].follows < 0) used = emit(g, from, place, k, used);
    free(from);
    free(place);
    return done;
}

int32_t hd__model_findings_order(const loaded_module *module, const finding *const *all,
                                 int32_t count, folded_finding *to)
{
    ordering g = {.module = module, .at = to};
    for (int32_t k = 0; k < count; k++) fold(&g, all[k]);
    qsort(g.at, (size_t)g.count, sizeof *g.at, compare);
    g.bad_address = malloc(((size_t)g.count + 1) * sizeof *g.bad_address);
    bool done = g.bad_address != NULL && find_bad_addresses(&g);
    for (int32_t k = 0; done && k < g.count; k++) find_cause(&g, k);
    done = done && put_in_order(&g);
    free(g.bad_address);
    return done ? g.count : -1;
}
