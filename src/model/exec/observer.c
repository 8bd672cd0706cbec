// SPDX-License-Identifier: Apache-2.0
//
// Subscriptions: one list of observers an event, so that the others are never called.
#include "observer.h"

#include <stdlib.h>

static bool subscribes_access(const observer *l, int space, int kind)
{
    return l->access != NULL && (l->spaces == 0 || l->spaces >> space & 1) &&
           (l->kinds == 0 || l->kinds >> kind & 1);
}

static bool subscribes(const observer *l, int event)
{
    switch (event) {
    case EVENT_INSTRUCTION: return l->instruction != NULL;
    case EVENT_BRANCH: return l->branch != NULL;
    case EVENT_BARRIER: return l->barrier != NULL;
    case EVENT_RELEASE: return l->release != NULL;
    case EVENT_FENCE: return l->fence != NULL;
    case EVENT_WARP_SYNC: return l->warp_sync != NULL;
    case EVENT_EXCHANGE: return l->exchange != NULL;
    case EVENT_STRONG_VALUE: return l->strong_value != NULL;
    case EVENT_STUCK: return l->stuck != NULL;
    case EVENT_INACTIVE: return l->inactive != NULL;
    case EVENT_REUSE: return l->reuse != NULL;
    default: return subscribes_access(l, event / 3, event % 3);
    }
}

bool hd__model_observe(machine *m, const observer *const *observers, void *const *states)
{
    size_t count = 0;
    while (observers[count] != NULL) count++;
    subscriber *all = calloc((count + 1) * EVENTS, sizeof *all);
    if (all == NULL) return false;
    for (int event = 0; event < EVENTS; event++) {
        subscriber *list = m->subscribers[event] = all + (size_t)event * (count + 1);
        for (size_t k = 0; k < count; k++)
            if (subscribes(observers[k], event)) *list++ = (subscriber){observers[k], states[k]};
    }
    return true;
}

void hd__model_observe_close(machine *m)
{
    free(m->subscribers[0]); // the lists are one block of memory
}
