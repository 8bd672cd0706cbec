// SPDX-License-Identifier: Apache-2.0
//
// The machine executes and notifies; each detector is a listener of its own. A listener has one
// state for each host thread that runs blocks, so that no call needs a lock; at the end the states
// are added together in the order of the threads, which must not matter.
#ifndef HD_MODEL_LISTENER_H
#define HD_MODEL_LISTENER_H

#include "model/machine.h"

typedef enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC } access_kind;

// One request of a warp to memory.
typedef struct access_event {
    const operation *site;
    access_kind kind;
    ptx_space space;         // never generic: what the addresses turned out to be
    uint32_t mask;           // lanes that ask
    uint32_t outside;        // of them: whose address no memory of the space has
    uint32_t unaligned;      // of them: whose address is no multiple of the access
    const uint64_t *address; // of each lane: global ones as they are, others from 0 in their space
    uint8_t *const *host;    // where each lane's bytes lie, or NULL
    int32_t bytes;           // of one lane, all elements of a vector together
    access_order order;
    access_scope scope;
} access_event;

typedef struct branch_event {
    const operation *site;
    uint32_t mask, taken;
} branch_event;

typedef struct barrier_event {
    const operation *site;
    int32_t number;
    uint32_t mask;
    bool last; // it lets all go on
} barrier_event;

typedef struct listener {
    const char *name;
    size_t state_bytes;
    // All may be NULL. `any` is this host thread's state, zeroed at first.
    bool (*open)(void *any, const grid *g); // false: no memory
    void (*begin_block)(void *any, const machine *m);
    void (*end_block)(void *any, const machine *m);
    void (*instruction)(void *any, const machine *m, const operation *o); // lanes: m->mask
    void (*access)(void *any, const machine *m, const access_event *e);
    void (*branch)(void *any, const machine *m, const branch_event *e);
    void (*barrier)(void *any, const machine *m, const barrier_event *e);
    void (*fence)(void *any, const machine *m, const operation *o); // order and scope are o's
    void (*merge)(void *into, const void *from);
    void (*close)(void *any);
} listener;

static inline void notify_access(const machine *m, const access_event *e)
{
    for (int k = 0; m->grid->listeners[k] != NULL; k++)
        if (m->grid->listeners[k]->access != NULL)
            m->grid->listeners[k]->access(m->states[k], m, e);
}

#endif
