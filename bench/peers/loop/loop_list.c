// SPDX-License-Identifier: Apache-2.0
//
// The sequential walk: from the head, which it is told, link by link; the length is known, so that
// one walk will do.
#include "bench/peer/peer_list.h"
#include "bench/peers/support/finders.h"

#include <stddef.h>

static void rank_i32(const peer_job *job)
{
    const int32_t *next = job->in;
    int32_t *rank = job->out, at = (int32_t)((const peer_list *)job->more)->head;
    for (int64_t k = job->n - 1; k >= 0; k--) {
        rank[at] = (int32_t)k;
        at = next[at];
    }
}

static peer_run *find(const peer_job *job)
{
    return job->pattern == PEER_LIST && job->type == PEER_I32 ? rank_i32 : NULL;
}

PEER_FINDER(find)
