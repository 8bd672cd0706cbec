// SPDX-License-Identifier: Apache-2.0
//
// Lists of warnings.
#include "warnings.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WARNINGS = 256 };

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
    if (list->count == MAX_WARNINGS) return NULL;
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

warning *hd__model_warning_add(warning_list *list, hd_model_warning_kind kind,
                               const operation *site, const allocation *of)
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
void hd__model_warnings_merge(warning_list *into, const warning_list *from)
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

void hd__model_warnings_free(warning_list *list)
{
    free(list->at);
    *list = (warning_list){0};
}
