// SPDX-License-Identifier: Apache-2.0
//
// Lists of findings.
#include "model/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 1000

static finding *same(const finding_list *list, hd_model_hazard hazard, const operation *site,
                     const operation *other)
{
    for (int32_t k = 0; k < list->count; k++) {
        finding *f = &list->at[k];
        if (f->hazard == hazard && f->site == site && f->other == other) return f;
    }
    return NULL;
}

static finding *append(finding_list *list)
{
    if (list->count == list->room) {
        const int32_t room = list->room > 0 ? 2 * list->room : 8;
        finding *larger =
            room <= 2 * MOST ? realloc(list->at, (size_t)room * sizeof *larger) : NULL;
        if (larger == NULL) {
            list->lost = true;
            return NULL;
        }
        list->at = larger, list->room = room;
    }
    finding *f = &list->at[list->count++];
    memset(f, 0, sizeof *f);
    return f;
}

finding *hd__finding_add(finding_list *list, const machine *m, hd_model_hazard hazard,
                         const operation *site, const operation *other)
{
    finding *f = same(list, hazard, site, other);
    if (f == NULL) {
        f = append(list);
        if (f == NULL) return NULL;
        f->hazard = hazard, f->site = site, f->other = other;
        f->block = m->block != NULL ? m->block->index : -1;
    }
    f->times++;
    return f;
}

// Of two texts the one of the earlier block stays, so that it does not depend on who came first.
void hd__findings_merge(finding_list *into, const finding_list *from)
{
    for (int32_t k = 0; k < from->count; k++) {
        const finding *f = &from->at[k];
        finding *to = same(into, f->hazard, f->site, f->other);
        if (to == NULL) {
            to = append(into);
            if (to == NULL) return;
            *to = *f;
            continue;
        }
        to->times += f->times;
        if (f->block < to->block) {
            to->block = f->block;
            memcpy(to->text, f->text, sizeof to->text);
        }
    }
    into->lost |= from->lost;
}

void hd__findings_free(finding_list *list)
{
    free(list->at);
    *list = (finding_list){0};
}

const char *hd__thread_name(const machine *m, int lane, char *text, size_t room)
{
    const int32_t *at = m->block->at;
    snprintf(text, room, "thread %d of block (%d,%d,%d)", (int)(m->warp->number * WARP + lane),
             (int)at[0], (int)at[1], (int)at[2]);
    return text;
}
