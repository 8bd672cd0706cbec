// SPDX-License-Identifier: Apache-2.0
//
// Where the lanes of a warp are: divergent paths that go the same way, reconvergence points where
// they come together again, frames of calls, barriers.
#ifndef HEDDLE_MODEL_EXEC_RECONVERGENCE_H
#define HEDDLE_MODEL_EXEC_RECONVERGENCE_H

#include "machine.h"

// Memory of frames, reconvergence points and divergent paths, reused within a host thread.
typedef struct pool {
    warp_split *splits, *made_splits; // unused; all
    reconvergence *reconvergences, *made_reconvergences;
    frame *frames, *made_frames;
} pool;
void hd__model_pool_close(pool *p);

// Starts a warp at the kernel's first instruction. false: no memory.
bool hd__model_warp_start(machine *m, warp *w, uint32_t lanes);
void hd__model_warp_drop(machine *m, warp *w); // gives back what it holds

// The current divergent path has come to its reconvergence point's place: waits there, or goes on
// with the others.
void hd__model_split_arrives(machine *m);
// The current divergent path is at its function's end.
void hd__model_split_returns(machine *m);
// Lanes of the current divergent path end.
void hd__model_lanes_exit(machine *m, uint32_t lanes);

// A branch whose lanes diverge: those of `taken` go to o->target, the others go on.
void hd__model_split_diverges(machine *m, const operation *o, uint32_t taken, int32_t target);

// A call by some lanes of the mask; the others of the mask come to the same instruction again, with
// what is left. false: no memory, or too deep; the machine has failed.
bool hd__model_split_calls(machine *m, const operation *o, const program *callee, uint32_t lanes);

// Lets those at a barrier go on if all have come.
void hd__model_barrier_check(machine *m, block *b, int32_t number);

// The same of the barrier of a cluster.
void hd__model_cluster_check(machine *m, cluster *c);

// Whether the lanes that an instruction's mask names are all here, at this instruction. If not, the
// divergent path waits; if so, the divergent paths of the others move on with it and *lanes are all
// of them.
bool hd__model_lanes_gather(machine *m, const operation *o, uint32_t members, uint32_t *lanes);

// The current divergent path's lanes of `first` come to an instruction before the others, which
// come to it as a divergent path of their own.
void hd__model_lanes_diverge(machine *m, const operation *o, uint32_t first);

// A divergent path that has spun for long lets others of its warp go first, also those that wait at
// a reconvergence point it has not come to. false: there are none.
bool hd__model_warp_let_others(machine *m, warp *w);

// Lanes that wait where the kernel ends, for others that wait at a barrier, end now. false: there
// are none.
bool hd__model_warp_let_end(machine *m, warp *w);

// The first divergent path that can run, or NULL.
static inline warp_split *warp_ready(const warp *w)
{
    warp_split *f = w->splits;
    while (f != NULL && f->waiting != WAITS_FOR_NOTHING) f = f->next;
    return f;
}

#endif
