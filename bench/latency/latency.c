// SPDX-License-Identifier: Apache-2.0
//
// The rows of latency: the time of one call on a few elements, where the call itself is the cost.
// Every public pattern has one. Results are compared with those of the serial backend.
#include "latency_calls.h"

#include <stdlib.h>
#include <string.h>

// The rows of reduce and scan are those patterns' own, with their peers.
extern const bench_pattern pattern_reduce, pattern_scan;

typedef struct state {
    latency_arrays arrays;
    hd_context *serial;
    char *memory, *expected;
    size_t used, out_bytes;
} state;

// ---- Data -----------------------------------------------------------------------------------

#define ARRAYS 12 // of at most 8 bytes an element

static void *take(state *s, size_t bytes)
{
    void *got = s->memory + s->used;
    s->used += (bytes + 63) / 64 * 64;
    return got;
}

static size_t array_bytes(int64_t n)
{
    const size_t least = n < LATENCY_BINS ? LATENCY_BINS : (size_t)n;
    return (least * 8 + 63) / 64 * 64;
}

// Every index once: an odd step through a number of places that is a power of two.
static void fill_permutation(int32_t *index, int64_t n)
{
    int64_t places = 1, at = 0;
    while (places < n) places *= 2;
    const int64_t step = places * 5 / 8 | 1;
    for (int64_t i = 0; i < n; i++) {
        do at = (at + step) % places;
        while (at >= n);
        index[i] = (int32_t)at;
    }
}

static void fill(latency_arrays *a)
{
    for (int64_t i = 0; i < a->n; i++) {
        const uint64_t bits = data_mix((uint64_t)i);
        a->x[i] = (int32_t)(bits >> 33), a->y[i] = (int32_t)i;
        a->sorted[i] = (int32_t)(i / 2), a->ones[i] = 1;
        a->bin[i] = (int32_t)(bits % LATENCY_BINS), a->flags[i] = bits >> 8 & 1;
        a->f[i] = (float)(bits >> 40) * 0x1p-24f;
        a->pairs[i] = (latency_pair){a->x[i], a->y[i]};
    }
    fill_permutation(a->index, a->n);
    for (int64_t i = 0; i < a->n; i++)
        a->next[a->index[i]] = i + 1 < a->n ? a->index[i + 1] : a->index[i];
}

static bool allocate(state *s, int64_t n)
{
    latency_arrays *a = &s->arrays;
    const size_t bytes = array_bytes(n);
    s->memory = aligned_alloc(64, ARRAYS * bytes);
    s->out_bytes = 3 * bytes;
    s->expected = malloc(s->out_bytes);
    if (!s->memory || !s->expected) return false;
    a->n = n;
    for (int64_t k = 1; k * k <= n; k++)
        if (n % k == 0) a->rows = k;
    a->columns = n / a->rows;
    int32_t **const arrays[] = {&a->x, &a->y, &a->sorted, &a->index, &a->next, &a->ones, &a->bin};
    a->out = take(s, bytes), a->out_y = take(s, bytes), a->number = take(s, bytes);
    a->pairs = take(s, bytes);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) *arrays[k] = take(s, bytes / 2);
    a->flags = take(s, bytes / 2), a->f = take(s, bytes / 2);
    fill(a);
    return true;
}

// ---- Rows -----------------------------------------------------------------------------------

static void call(bench_row *row)
{
    const state *s = row->state;
    const latency_call *what = row->what->detail;
    const hd_status status = what->run(row->ctx, &s->arrays);
    if (status) row->status = status;
}

// The same call on the serial backend, into the same memory.
static bool check(const bench_row *row)
{
    const state *s = row->state;
    const latency_call *what = row->what->detail;
    memcpy(s->expected, row->job.out, s->out_bytes);
    memset(row->job.out, 0xa5, s->out_bytes);
    return what->run(s->serial, &s->arrays) == HD_OK &&
           memcmp(s->expected, row->job.out, s->out_bytes) == 0;
}

static bool prepare_call(bench_row *row)
{
    const int64_t n = row->job.n;
    state *s = row->state = calloc(1, sizeof *s);
    if (!s || n < 1 || n > INT32_MAX || !allocate(s, n)) return false;
    const hd_context_options options = {.backend = HD_SERIAL};
    if (hd_open(&s->serial, &options) != HD_OK) return false;
    row_set(row, PEER_OTHER_OP, s->arrays.x, s->arrays.out, n);
    row->job.pattern = -1; // no peer has it
    row->out = HD_VIEW((uint8_t *)s->arrays.out, (int64_t)s->out_bytes);
    row->host_only = true;
    row->heddle = call;
    row->check = check;
    row->bytes = n * (int64_t)data_type_size(row->what->peer_type);
    return true;
}

static bool prepare(data *d, bench_row *row)
{
    if (row->what->detail) return prepare_call(row);
    const bool scan = strcmp(row->what->variant, "scan") == 0;
    if (!(scan ? &pattern_scan : &pattern_reduce)->prepare(d, row)) return false;
    row->peak_bytes = 0;
    return true;
}

static void finish(bench_row *row)
{
    state *s = row->what->detail ? row->state : NULL;
    if (!s) return;
    hd_close(s->serial);
    free(s->memory), free(s->expected);
    free(s);
}

static const int64_t sizes[] = {1, 16, 100, 1000, 0};

const bench_pattern pattern_latency = {
    .name = "latency",
    .formula = "bytes of the elements read",
    .cases = latency_cases,
    .case_count = LATENCY_CASES,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
    .finish = finish,
};
