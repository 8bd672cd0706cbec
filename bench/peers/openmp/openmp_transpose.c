// SPDX-License-Identifier: Apache-2.0
//
// Transposition by OpenMP loops: in blocks of 32 x 32 as the compiler vectorises them, and, in
// OpenMP-plain, the two loops as C has them, rows of out in order. Three columns or rows are a loop
// over structures.
#include "bench/peers/support/finders.h"
#include "bench/peer/peer_transpose.h"

#include <stddef.h>

#define BLOCK 32

#define T    uint8_t
#define NAME u8
#include "openmp_transpose_body.h"
#define T    uint16_t
#define NAME u16
#include "openmp_transpose_body.h"
#define T    float
#define NAME f32
#include "openmp_transpose_body.h"
#define T    double
#define NAME f64
#include "openmp_transpose_body.h"

static peer_run *find(const peer_job *job)
{
    if (job->pattern != PEER_TRANSPOSE || job->in == job->out) return NULL;
    const peer_transpose *m = job->more;
    switch (job->type) {
    case PEER_U8: return turn_u8;
    case PEER_U16: return turn_u16;
    case PEER_F32: return m->columns == 3 ? apart_f32 : m->rows == 3 ? together_f32 : turn_f32;
    case PEER_F64: return turn_f64;
    default: return NULL;
    }
}

PEER_FINDER(find)
