// SPDX-License-Identifier: Apache-2.0
//
// Wyllie's pointer jumping as an OpenMP loop, ceil(log2 n) times over all nodes.
#include "bench/peer/peer_list.h"
#include "bench/peers/support/finders.h"

#include <stddef.h>
#include <stdlib.h>

static void jump(const uint64_t *restrict from, uint64_t *restrict to, int64_t n, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < n; i++) {
        const uint64_t here = from[i], there = from[(uint32_t)here];
        to[i] = ((here >> 32) + (there >> 32)) << 32 | (uint32_t)there;
    }
}

static void rank_i32(const peer_job *job)
{
    static uint64_t *words; // kept: fresh pages would cost more than a step
    static int64_t room;
    const int32_t *next = job->in;
    const int64_t n = job->n;
    if (room < n) {
        free(words);
        words = malloc(2 * (size_t)n * sizeof *words);
        room = words ? n : 0;
    }
    if (!words) return;
    uint64_t *from = words, *to = words + n;
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int64_t i = 0; i < n; i++)
        from[i] = (uint64_t)(next[i] != (int32_t)i) << 32 | (uint32_t)next[i];
    for (int64_t reach = 1; reach < n; reach *= 2) {
        jump(from, to, n, job->threads);
        uint64_t *kept = from;
        from = to, to = kept;
    }
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int64_t i = 0; i < n; i++) ((int32_t *)job->out)[i] = (int32_t)(from[i] >> 32);
}

static peer_run *find(const peer_job *job)
{
    return job->pattern == PEER_LIST && job->type == PEER_I32 ? rank_i32 : NULL;
}

PEER_FINDER(find)
