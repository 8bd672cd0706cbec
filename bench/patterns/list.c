// SPDX-License-Identifier: Apache-2.0
//
// The rows of list ranking: one list of i32 links in random order, by the efficient method and by
// Wyllie's; one in the order of memory. GB/s counts links read and ranks written once; the peak
// is the fastest copy of as much.
#include "bench/harness/pattern.h"
#include "bench/peer/peer_list.h"

#include <stdlib.h>
#include <string.h>

#define RANDOM    "random"
#define WYLLIE    "random, Wyllie"
#define IN_MEMORY "in order"

static const bench_case cases[] = {
    {"rank", "i32", RANDOM, PEER_OTHER_OP, PEER_I32, PEER_I32, HD_SUM, NULL},
    {"rank", "i32", WYLLIE, PEER_OTHER_OP, PEER_I32, PEER_I32, HD_SUM, NULL},
    {"rank", "i32", IN_MEMORY, PEER_OTHER_OP, PEER_I32, PEER_I32, HD_SUM, NULL},
};

typedef struct state {
    peer_list more;
    hd_list_options options;
    int32_t *right; // the ranks
} state;

static void call_rank(bench_row *row)
{
    const state *s = row->state;
    const hd_status status = hd_list_rank(row->ctx, row->in, row->out, &s->options);
    if (status) row->status = status;
}

static bool check(const bench_row *row)
{
    const state *s = row->state;
    return memcmp(row->job.out, s->right, (size_t)row->job.n * sizeof *s->right) == 0;
}

// A list through all nodes; order is lost.
static void link_nodes(state *s, int32_t *order, int32_t *next, int64_t n, bool shuffled)
{
    for (int64_t i = 0; i < n; i++) order[i] = (int32_t)i;
    for (int64_t i = n - 1; i > 0 && shuffled; i--) {
        const int64_t j = (int64_t)(data_mix((uint64_t)i) % (uint64_t)(i + 1));
        const int32_t kept = order[i];
        order[i] = order[j], order[j] = kept;
    }
    for (int64_t k = 0; k < n; k++) {
        next[order[k]] = order[k + 1 < n ? k + 1 : k];
        s->right[order[k]] = (int32_t)(n - 1 - k);
    }
    s->more.head = order[0];
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n;
    state *s = calloc(1, sizeof *s);
    int32_t *order = malloc((size_t)n * sizeof *order);
    if (s) s->right = malloc((size_t)n * sizeof *s->right);
    row->state = s;
    if (!s || !order || !s->right || n > INT32_MAX) {
        free(order);
        return false;
    }
    link_nodes(s, order, d->in, n, strcmp(row->what->variant, IN_MEMORY) != 0);
    free(order);
    d->fill = FILL_NONE;
    if (strcmp(row->what->variant, WYLLIE) == 0) s->options.method = HD_LIST_WYLLIE;
    row_set(row, PEER_LIST, d->in, d->out, n);
    row->job.more = &s->more;
    row->heddle = call_rank;
    row->peak_bytes = n * (int64_t)sizeof(int32_t);
    row->bytes = 2 * row->peak_bytes;
    row->peak = PEAK_COPY;
    row->check = check;
    return true;
}

static void finish(bench_row *row)
{
    state *s = row->state;
    if (s) free(s->right);
    free(s);
    row->state = NULL;
}

static const int64_t sizes[] = {1 << 16, 1 << 20, 3000001, 1 << 22, 1 << 24, 0};

const bench_pattern pattern_list = {
    .name = "list",
    .formula = "bytes of links read + bytes of ranks written, once",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
    .finish = finish,
};
