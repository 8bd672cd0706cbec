// SPDX-License-Identifier: Apache-2.0
//
// The machine executes and notifies; each detector and counter is an observer of its own. An
// observer has one state for each host thread that runs blocks, so that no call needs a lock; at
// the end the states are merged in the order of the threads, which must not matter.
#ifndef HEDDLE_MODEL_EXEC_OBSERVER_H
#define HEDDLE_MODEL_EXEC_OBSERVER_H

#include "machine.h"

typedef enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC } access_kind;

// How the addresses of the lanes lie, where that is seen at once.
typedef enum access_shape {
    SHAPE_ANY,
    SHAPE_ROW, // lanes 0 to n - 1 ask, and address[l] is address[0] + l * bytes
    SHAPE_SAME // all lanes that ask have one address
} access_shape;

// One request of a warp to memory. Observers are notified of asynchronous copies (cp.async) when
// their bytes move: at the wait for them, as a load and a store of the lanes that asked for them.
// Bulk copies come in chunks of at most 128 bytes, of the lane that began them. Operations on an
// mbarrier are atomics of 8 bytes of shared memory: arrivals release, waits that end acquire.
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
    access_shape shape;     // with SHAPE_ROW and SHAPE_SAME no lane is outside or unaligned
    allocation *allocation; // of global memory: that all lanes lie in, or NULL: look yourself
    bool poll;              // a strong load or an atomic found what the warp's last one found
} access_event;

// A branch, or a return that only some lanes take.
typedef struct branch_event {
    const operation *site;
    uint32_t mask, taken;
} branch_event;

// Lanes come to a barrier of their block. Number CLUSTER_BARRIER is that of the cluster.
#define CLUSTER_BARRIER BARRIERS
typedef struct barrier_event {
    const operation *site;
    int32_t number;
    uint32_t mask;
    bool last; // it lets all go on
} barrier_event;

typedef struct observer {
    const char *name;
    size_t state_bytes;
    // Of accesses, which: bits 1 << space and 1 << kind; 0: all.
    uint32_t spaces, kinds;
    bool early; // notified of the store of an asynchronous copy already when it begins
    // All may be NULL. `any` is this host thread's state, zeroed at first.
    bool (*open)(void *any, const grid *g); // false: no memory
    void (*begin_block)(void *any, const machine *m);
    void (*end_block)(void *any, const machine *m);
    // Costly: called for every instruction. Observers that only count take m->ran at the end.
    void (*instruction)(void *any, const machine *m, const operation *o); // lanes: m->mask
    void (*access)(void *any, const machine *m, const access_event *e);
    void (*branch)(void *any, const machine *m, const branch_event *e);
    void (*barrier)(void *any, const machine *m, const barrier_event *e);
    // A barrier of m->block lets all go on, also where the last thread ended instead of coming.
    void (*release)(void *any, const machine *m, int32_t number);
    void (*fence)(void *any, const machine *m, const operation *o);     // order and scope are o's
    void (*warp_sync)(void *any, const machine *m, const operation *o); // m->mask has met
    void (*exchange)(void *any, const machine *m);                      // m->mask shuffled or voted
    void (*strong_value)(void *any, const machine *m,
                         const operation *o);   // a strong load or atomic
                                                // has its values
    void (*stuck)(void *any, const machine *m); // all of m->block wait, and none can come
    // A shuffle's lanes of m->mask that read a lane which does not take part.
    void (*inactive)(void *any, const machine *m, const operation *o, uint32_t lanes);
    // malloc of a kernel gave these bytes of an allocation away again, whole words.
    void (*reuse)(void *any, const machine *m, allocation *a, uint64_t address, int64_t bytes);
    void (*finish)(void *any, const machine *m); // this host thread has no more blocks
    void (*merge)(void *into, const void *from);
    void (*close)(void *any);
} observer;

// An observer of some event, with its state.
typedef struct subscriber {
    const observer *by; // NULL: the end of the list
    void *state;
} subscriber;

static inline void notify_access(const machine *m, const access_event *e)
{
    for (const subscriber *h = m->subscribers[EVENT_ACCESS(e->space, e->kind)]; h->by != NULL; h++)
        h->by->access(h->state, m, e);
}

// Makes the lists of m->subscribers out of a launch's observers. false: no memory.
bool hd__model_observe(machine *m, const observer *const *observers, void *const *states);
void hd__model_observe_close(machine *m);

#endif
