// SPDX-License-Identifier: Apache-2.0
//
// Who listens to what: one list an event, so that those that do not care are never called.
#include "observer.h"

#include <stdlib.h>

static bool hears_access(const listener *l, int space, int kind)
{
    return l->access != NULL && (l->spaces == 0 || l->spaces >> space & 1) &&
           (l->kinds == 0 || l->kinds >> kind & 1);
}

static bool hears(const listener *l, int event)
{
    switch (event) {
    case EVENT_INSTRUCTION: return l->instruction != NULL;
    case EVENT_BRANCH: return l->branch != NULL;
    case EVENT_BARRIER: return l->barrier != NULL;
    case EVENT_RELEASE: return l->release != NULL;
    case EVENT_FENCE: return l->fence != NULL;
    case EVENT_WARP_SYNC: return l->warp_sync != NULL;
    case EVENT_EXCHANGE: return l->exchange != NULL;
    case EVENT_OBSERVED: return l->observed != NULL;
    case EVENT_STUCK: return l->stuck != NULL;
    case EVENT_INACTIVE: return l->inactive != NULL;
    case EVENT_REUSE: return l->reuse != NULL;
    default: return hears_access(l, event / 3, event % 3);
    }
}

bool hd__listen(machine *m, const listener *const *listeners, void *const *states)
{
    size_t count = 0;
    while (listeners[count] != NULL) count++;
    heard *all = calloc((count + 1) * EVENTS, sizeof *all);
    if (all == NULL) return false;
    for (int event = 0; event < EVENTS; event++) {
        heard *list = m->heard[event] = all + (size_t)event * (count + 1);
        for (size_t k = 0; k < count; k++)
            if (hears(listeners[k], event)) *list++ = (heard){listeners[k], states[k]};
    }
    return true;
}

void hd__listen_close(machine *m)
{
    free(m->heard[0]); // they are one piece
}
