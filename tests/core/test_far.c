// SPDX-License-Identifier: Apache-2.0
// Calls that part more than the caches hold, on few threads and on many: as the serial backend has
// it. Outputs begin within a line.
#include "tests/support/check.h"

#include <stdlib.h>
#include <string.h>

#define SERIAL 0
static hd_context *contexts[3];
static const int32_t threads[3] = {1, 2, 8};

typedef struct arrays {
    int64_t n;
    uint64_t *in, *out[3];
    int64_t *index;
    uint8_t *label;
} arrays;

static arrays new_arrays(int64_t n, int64_t ways)
{
    arrays a = {.n = n};
    uint64_t state = check_seed();
    a.in = check_memory((size_t)(n + 1) * 8);
    a.index = check_memory((size_t)n * 8);
    a.label = check_memory((size_t)n);
    for (int k = 0; k < 3; k++) a.out[k] = check_memory((size_t)(n + 2) * 8);
    for (int64_t i = 0; i < n; i++) {
        a.in[i] = check_next(&state);
        a.index[i] = (int64_t)check_below(&state, n / 2);
        a.label[i] = (uint8_t)check_below(&state, ways);
    }
    return a;
}

static void drop_arrays(arrays *a)
{
    free(a->in), free(a->index), free(a->label);
    for (int k = 0; k < 3; k++) free(a->out[k]);
}

// n elements of the output of context k, one element into its memory.
static hd_view out_of(const arrays *a, int k, hd_type type, int64_t n)
{
    return hd_view_of(type, (char *)a->out[k] + hd_type_size(type), n);
}

static void clear(const arrays *a)
{
    for (int k = 0; k < 3; k++) memset(a->out[k], 0x5a, (size_t)(a->n + 2) * 8);
}

static void compare(const arrays *a, const char *what, hd_type type)
{
    for (int k = 1; k < 3; k++)
        CHECK(memcmp(a->out[k], a->out[SERIAL], (size_t)(a->n + 2) * 8) == 0,
              "%s of %s, %d threads", what, hd_type_name(type), threads[k]);
}

static void test_type(const arrays *a, hd_type type, int64_t ways)
{
    const int64_t half = a->n / 2; // which is enough where it is given up for something
    const hd_view in = hd_view_of(type, a->in, half), index = HD_VIEW(a->index, half);
    clear(a);
    for (int k = 0; k < 3; k++)
        CHECK_OK(contexts[k], hd_scatter(contexts[k], in, index, out_of(a, k, type, half), NULL));
    compare(a, "scatter", type);
    clear(a);
    for (int k = 0; k < 3; k++)
        CHECK_OK(contexts[k], hd_shuffle(contexts[k], in, out_of(a, k, type, half),
                                         &(hd_shuffle_options){.seed = 7}));
    compare(a, "shuffle", type);
    clear(a);
    for (int k = 0; k < 3; k++) {
        int64_t counts[256];
        CHECK_OK(contexts[k],
                 hd_partition(contexts[k], hd_view_of(type, a->in, a->n), out_of(a, k, type, a->n),
                              HD_VIEW(counts, ways),
                              &(hd_partition_options){.buckets = HD_REF(HD_VIEW(a->label, a->n)),
                                                      .ways = ways}));
    }
    compare(a, "partition", type);
}

static void test_sums(const arrays *a, hd_type type)
{
    const int64_t half = a->n / 2; // which is enough where it is given up for something
    const hd_view in = hd_view_of(type, a->in, half), index = HD_VIEW(a->index, half);
    clear(a);
    for (int k = 0; k < 3; k++)
        CHECK_OK(contexts[k], hd_scatter(contexts[k], in, index, out_of(a, k, type, half),
                                         &(hd_scatter_options){.combine = HD_SUM}));
    compare(a, "scatter by sums", type);
}

int main(void)
{
    for (int k = 0; k < 3; k++)
        if (hd_open(&contexts[k], &(hd_context_options){.backend = k == SERIAL ? HD_SERIAL : HD_CPU,
                                                        .threads = threads[k]}) != HD_OK)
            return 1;
    const int64_t n = check_small() ? 50021 : (1 << 22) + 77, ways = 61;
    arrays a = new_arrays(n, ways);
    test_sums(&a, HD_I32);
    test_type(&a, HD_I32, ways);
    test_type(&a, HD_U64, ways);
    drop_arrays(&a);
    for (int k = 0; k < 3; k++) hd_close(contexts[k]);
    return check_finish();
}
