// SPDX-License-Identifier: Apache-2.0
//
// Variables of a module that a kernel reads and that nobody set: the source gives them no value, no
// kernel stored to them and the host did not write them. They are zeros, as C has it; but a filter
// whose coefficients the host would have copied says nothing then.
#include "model/source/kernel_names.h"
#include "warnings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct unset_state {
    warning_list list; // of variables that were read
    allocation **stored;
    int32_t stored_count, stored_room;
} unset_state;

bool hd__model_has_unset(const device_memory *memory)
{
    for (int32_t k = 0; k < memory->count; k++)
        if (memory->all[k]->unset) return true;
    return false;
}

static void stored(unset_state *s, allocation *a)
{
    for (int32_t k = 0; k < s->stored_count; k++)
        if (s->stored[k] == a) return;
    if (s->stored_count == s->stored_room) {
        const int32_t room = 2 * s->stored_room + 8;
        allocation **larger = realloc(s->stored, (size_t)room * sizeof *larger);
        if (larger == NULL) return; // a warning too many
        s->stored = larger, s->stored_room = room;
    }
    s->stored[s->stored_count++] = a;
}

static void touch(unset_state *s, const access_event *e, allocation *a)
{
    if (a == NULL || !a->unset) return;
    if (e->kind != ACCESS_LOAD) {
        stored(s, a);
        return;
    }
    warning *w = hd__model_warning_add(&s->list, HD_WARNING_UNSET, e->site, a);
    if (w == NULL) return;
    if (e->site->site < w->site->site) w->site = e->site;
    if (w->text[0] != 0) return;
    char name[256];
    const char *written = hd__model_demangle(a->name, name, sizeof name) ? name : a->name;
    snprintf(w->text, sizeof w->text, "nobody set '%s' (%lld bytes of %s memory): it is all zeros",
             written, (long long)a->bytes, a->constant ? "constant" : "global");
}

static void access(void *any, const machine *m, const access_event *e)
{
    const uint32_t lanes = e->mask & ~e->outside;
    if (lanes == 0) return;
    if (e->allocation != NULL) {
        touch(any, e, e->allocation);
        return;
    }
    const allocation *last = NULL;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint64_t at = e->address[__builtin_ctz(left)];
        if (allocation_holds(last, at, 1)) continue;
        allocation *a = hd__model_device_find(m->grid->memory, at);
        if (allocation_holds(a, at, 1)) touch(any, e, a);
        last = a;
    }
}

void hd__model_unset_finish(void *any)
{
    unset_state *s = any;
    int32_t kept = 0;
    for (int32_t k = 0; k < s->stored_count; k++) s->stored[k]->unset = false;
    for (int32_t k = 0; k < s->list.count; k++)
        if (s->list.at[k].of->unset) s->list.at[kept++] = s->list.at[k];
    s->list.count = kept;
}

static void merge(void *into, const void *from)
{
    const unset_state *other = from;
    hd__model_warnings_merge(into, from);
    for (int32_t k = 0; k < other->stored_count; k++) stored(into, other->stored[k]);
}

static void close_state(void *any)
{
    unset_state *s = any;
    hd__model_warnings_free(&s->list);
    free(s->stored);
    s->stored = NULL;
}

const observer hd__model_unset_variables = {
    .name = "unset variables",
    .state_bytes = sizeof(unset_state),
    .spaces = 1u << PTX_GLOBAL | 1u << PTX_CONST,
    .access = access,
    .merge = merge,
    .close = close_state,
};
