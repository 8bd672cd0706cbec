// SPDX-License-Identifier: Apache-2.0
//
// Where the lanes of a warp are: fragments that go the same way, meetings where they come together
// again, frames of calls, barriers.
#ifndef HEDDLE_MODEL_EXEC_RECONVERGENCE_H
#define HEDDLE_MODEL_EXEC_RECONVERGENCE_H

#include "machine.h"

// Memory of frames, meetings and fragments, reused within a host thread.
typedef struct pool {
    fragment *fragments, *made_fragments; // unused; all
    meeting *meetings, *made_meetings;
    frame *frames, *made_frames;
} pool;
void hd__pool_close(pool *p);

// Starts a warp at the kernel's first instruction. false: no memory.
bool hd__warp_start(machine *m, warp *w, uint32_t lanes);
void hd__warp_drop(machine *m, warp *w); // gives back what it holds

// The current fragment has come to its meeting's place: waits there, or goes on with the others.
void hd__fragment_arrives(machine *m);
// The current fragment is at its function's end.
void hd__fragment_returns(machine *m);
// Lanes of the current fragment end.
void hd__lanes_exit(machine *m, uint32_t lanes);

// A branch whose lanes part: those of `taken` go to o->target, the others go on.
void hd__fragment_parts(machine *m, const operation *o, uint32_t taken, int32_t target);

// A call by some lanes of the mask; the others of the mask come to the same instruction again, with
// what is left. false: no memory, or too deep; the machine has failed.
bool hd__fragment_calls(machine *m, const operation *o, const program *callee, uint32_t lanes);

// Lets those at a barrier go on if all have come.
void hd__barrier_check(machine *m, block *b, int32_t number);

// The same of the barrier of a cluster.
void hd__cluster_check(machine *m, cluster *c);

// Whether the lanes that an instruction's mask names are all here, at this instruction. If not, the
// fragment waits; if so, the fragments of the others move on with it and *lanes are all of them.
bool hd__lanes_gather(machine *m, const operation *o, uint32_t members, uint32_t *lanes);

// The current fragment's lanes of `first` come to an instruction before the others, which come to it
// as a fragment of their own.
void hd__lanes_part(machine *m, const operation *o, uint32_t first);

// A fragment that has spun for long lets others of its warp go first, also those that wait at a
// meeting it has not come to. false: there are none.
bool hd__warp_let_others(machine *m, warp *w);

// Lanes that wait where the kernel ends, for others that wait at a barrier, end now. false: there
// are none.
bool hd__warp_let_end(machine *m, warp *w);

// The first fragment that can run, or NULL.
static inline fragment *warp_ready(const warp *w)
{
    fragment *f = w->fragments;
    while (f != NULL && f->waiting != WAITS_FOR_NOTHING) f = f->next;
    return f;
}

#endif
