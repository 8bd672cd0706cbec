// SPDX-License-Identifier: Apache-2.0
// Notes of a tour, and the playing of its ladders.
#include "tour_notes.h"

#include <stdio.h>
#include <stdlib.h>

tour_note *tour_note_new(tour_notes *n, const tour_stop *stop)
{
    if (n->count == n->room) {
        const int32_t room = n->room > 0 ? 2 * n->room : 64;
        tour_note *list = realloc(n->list, (size_t)room * sizeof *list);
        if (list == NULL) return NULL;
        n->list = list;
        n->room = room;
    }
    tour_note *note = &n->list[n->count++];
    *note = (tour_note){.stop = stop};
    return note;
}

bool tour_climb(tour_notes *n, int32_t k)
{
    const ladder *l = ladder_number(k);
    const stage_options how = {.checks = HD_MODEL_ALL};
    ladder_results *list = realloc(n->ladders, (size_t)(n->ladder_count + 1) * sizeof *list);
    if (list == NULL) return false;
    n->ladders = list;
    ladder_results *t = &list[n->ladder_count];
    *t = (ladder_results){.of = l,
                          .problem = {.n = l->default_n, .block = l->default_block, .seed = 1}};
    t->results = t->counted = calloc((size_t)l->step_count, sizeof *t->results);
    if (t->results == NULL) return false;
    n->ladder_count++;
    for (int32_t r = 0; r < l->step_count; r++) {
        char file[128];
        t->steps[t->count++] = &l->steps[r];
        snprintf(file, sizeof file, "ladder/%s/%s.cu", l->name, l->steps[r].name);
        ladder_run(l, &l->steps[r], ladder_source(l, &l->steps[r]), file, &t->problem, &how,
                   &t->results[r]);
        if (t->results[r].status == HD_ERROR_BACKEND) {
            snprintf(n->no_ladders, sizeof n->no_ladders, "%.190s", t->results[r].error);
            return false;
        }
        n->wrong += !ladder_as_meant(t, r);
    }
    return true;
}

double tour_gain(const ladder_results *t, int32_t *best)
{
    const int32_t first = ladder_first(t);
    *best = first;
    for (int32_t k = 0; k < t->count; k++)
        if (!(t->steps[k]->flags & STEP_WRONG) && t->results[k].ran &&
            ladder_seconds(t, k) < ladder_seconds(t, *best))
            *best = k;
    return first >= 0 && ladder_seconds(t, *best) > 0
               ? ladder_seconds(t, first) / ladder_seconds(t, *best)
               : 1;
}

void tour_notes_free(tour_notes *n)
{
    for (int32_t k = 0; k < n->ladder_count; k++) ladder_leave(&n->ladders[k]);
    free(n->ladders);
    free(n->list);
}
