// SPDX-License-Identifier: Apache-2.0
//
// The plain one-thread loop, as the compiler makes it at -O3 for this machine with float sums
// allowed to be reordered: what a careful C programmer has before any library.
#include "bench/peers/support/finders.h"

#include <stddef.h>

#define T    int32_t
#define NAME i32
#include "loop_body.h"
#define T    float
#define NAME f32
#include "loop_body.h"
#define T    double
#define NAME f64
#include "loop_body.h"

static void sum_u8(const peer_job *job)
{
    const uint8_t *x = job->in;
    uint64_t s = 0;
    for (int64_t i = 0; i < job->n; i++) s += x[i];
    *(uint64_t *)job->out = s;
}

static void sum_i16(const peer_job *job)
{
    const int16_t *x = job->in;
    int64_t s = 0;
    for (int64_t i = 0; i < job->n; i++) s += x[i];
    *(int64_t *)job->out = s;
}

static int32_t open_loop(int32_t threads)
{
    (void)threads;
    return 1;
}

static peer_run *find(const peer_job *job)
{
    if (job->pattern == PEER_REDUCE && job->op == PEER_SUM) {
        if (job->type == PEER_U8) return sum_u8;
        if (job->type == PEER_I16) return sum_i16;
    }
    switch (job->type) {
    case PEER_I32: return find_i32(job);
    case PEER_F32: return find_f32(job);
    case PEER_F64: return find_f64(job);
    default: return NULL;
    }
}

PEER_FINDER(find)

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer loop = {PEER_ABI, "loop", open_loop, peer_find, NULL, NULL, NULL, NULL};
    return &loop;
}
