// SPDX-License-Identifier: Apache-2.0
//
// Compaction and partition by one thread, without branches: what a careful C programmer has.
#include "bench/peer/peer_select.h"
#include "bench/peers/support/finders.h"

#include <stddef.h>

#define T        int32_t
#define NAMED(f) f##_i32
#include "loop_select_body.h"
#define T        double
#define NAMED(f) f##_f64
#include "loop_select_body.h"
#define T        uint8_t
#define NAMED(f) f##_u8
#include "loop_select_body.h"

static peer_run *find_select(const peer_job *job)
{
    if (job->pattern != PEER_COMPACT && job->pattern != PEER_PARTITION) return NULL;
    switch (job->type) {
    case PEER_I32: return find_i32(job);
    case PEER_F64: return find_f64(job);
    case PEER_U8: return find_u8(job);
    default: return NULL;
    }
}

PEER_FINDER(find_select)
