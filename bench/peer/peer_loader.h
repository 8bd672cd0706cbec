// SPDX-License-Identifier: Apache-2.0
//
// Finds the peers' plug-ins and opens them at run time.
#ifndef HEDDLE_BENCH_PEER_PEER_LOADER_H
#define HEDDLE_BENCH_PEER_PEER_LOADER_H

#include "peer.h"

#include <stdbool.h>
#include <stdio.h>

#define PEERS_MAX 32

typedef struct peer_set {
    int count;
    const peer *peer[PEERS_MAX];
    char folder[4096]; // where they were found; "" if nowhere
} peer_set;

// Opens every heddle-peer-*.so of one folder: HEDDLE_PEERS_DIR if it is set (ignored where the
// program has more rights than its user), else `peers` of the build folder that the program lies
// in, else that of its installation. only: a list "TBB,NumPy" of names (any case), or NULL for all;
// on_device: those of a device, else the others. A peer that cannot work here is left out; `log`
// says why.
void peers_open(peer_set *set, const char *only, bool on_device, int threads, FILE *log);
void peers_close(peer_set *set);

#endif
