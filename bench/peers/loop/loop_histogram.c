// SPDX-License-Identifier: Apache-2.0
//
// The one-thread histogram: four tables in turn for bytes, so that equal neighbours do not wait for
// each other; one table for more bins than that pays.
#include "bench/peer/peer_histogram.h"
#include "bench/peers/support/finders.h"

#include <stddef.h>
#include <string.h>

static void count_u8(const peer_job *job)
{
    const uint8_t *x = job->in;
    uint32_t t[4][256] = {{0}}, *out = job->out;
    int64_t i = 0;
    for (; i + 4 <= job->n; i += 4)
        t[0][x[i]]++, t[1][x[i + 1]]++, t[2][x[i + 2]]++, t[3][x[i + 3]]++;
    for (; i < job->n; i++) t[0][x[i]]++;
    for (int k = 0; k < 256; k++) out[k] = t[0][k] + t[1][k] + t[2][k] + t[3][k];
}

static void count_u32(const peer_job *job)
{
    const uint32_t *x = job->in;
    uint32_t *out = job->out;
    memset(out, 0, (size_t)histogram_of(job)->bins * sizeof *out);
    for (int64_t i = 0; i < job->n; i++) out[x[i]]++;
}

static void count_f32(const peer_job *job)
{
    const float *x = job->in;
    uint32_t t[4][256] = {{0}}, *out = job->out;
    int64_t i = 0;
    for (; i + 4 <= job->n; i += 4)
        for (int k = 0; k < 4; k++) t[k][(int)(x[i + k] * 256)]++;
    for (; i < job->n; i++) t[0][(int)(x[i] * 256)]++;
    for (int k = 0; k < 256; k++) out[k] = t[0][k] + t[1][k] + t[2][k] + t[3][k];
}

static void weights_u32(const peer_job *job)
{
    const uint32_t *x = job->in;
    const float *w = histogram_of(job)->weights;
    float *out = job->out;
    memset(out, 0, (size_t)histogram_of(job)->bins * sizeof *out);
    for (int64_t i = 0; i < job->n; i++) out[x[i]] += w[i];
}

static peer_run *find(const peer_job *job)
{
    if (job->pattern != PEER_HISTOGRAM) return NULL;
    if (histogram_of(job)->weights) return job->type == PEER_U32 ? weights_u32 : NULL;
    switch (job->type) {
    case PEER_U8: return count_u8;
    case PEER_U32: return count_u32;
    case PEER_F32: return histogram_of(job)->bins == 256 ? count_f32 : NULL;
    default: return NULL;
    }
}

PEER_FINDER(find)
