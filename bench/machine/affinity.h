// SPDX-License-Identifier: Apache-2.0
//
// Where threads run. A worker of a thread pool that slept can wake on the core of the thread that
// woke it and stay there, for seconds, while other cores idle: a parallel region of OpenMP then
// takes 240 us instead of 0.7 (seen with 2 cores and libgomp, whose waiting thread spins on the
// core that the other one needs).
#ifndef HEDDLE_BENCH_MACHINE_AFFINITY_H
#define HEDDLE_BENCH_MACHINE_AFFINITY_H

// Moves the calling thread to another of its cores and lets it go again, which ends such a state
// in one or two tries. Does nothing where there is one core.
void placement_nudge(void);

#endif
