// SPDX-License-Identifier: Apache-2.0
//
// A peer's plug-in may be several files, one a pattern: NAME.cpp has heddle_peer(), NAME_sort.cpp
// and others add what they know by a line PEER_FINDER(function) at their end.
#ifndef HEDDLE_BENCH_PEERS_SUPPORT_FINDERS_H
#define HEDDLE_BENCH_PEERS_SUPPORT_FINDERS_H

#include "bench/peer/peer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef peer_run *peer_finder(const peer_job *job);

void peer_add_finder(peer_finder *finder);

// The first function that a finder of this plug-in has for the job, or NULL.
peer_run *peer_find(const peer_job *job);

#ifdef __cplusplus
}
#endif

#define PEER_FINDER(function)                                                                      \
    __attribute__((constructor)) static void function##_is_a_finder(void)                          \
    {                                                                                              \
        peer_add_finder(function);                                                                 \
    }

#endif
