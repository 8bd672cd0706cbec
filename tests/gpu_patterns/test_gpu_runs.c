// SPDX-License-Identifier: Apache-2.0
//
// Runs by a comparison on the model machine, and on a card where there is one, against the serial
// backend: hd_unique, hd_run_lengths, reductions and scans by key, of numbers and of structures,
// forwards and backwards, in place, with too little room; host and device memory.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

HD_SOURCE(
    records, typedef struct { int32_t key, rest, more; } record;)
HD_COMPARISON(by_key, record, records, { return a.key < b.key; })
HD_COMPARISON(by_tens, int32_t, HD_NO_SOURCE, { return a / 10 < b / 10; })

enum { MOST = 2000 };
typedef struct results {
    int64_t runs[4];
    int32_t at[MOST], lengths[MOST];
    float sums[MOST], scanned[MOST], back[MOST];
    record unique[MOST], values[MOST], keys[MOST];
} results;
static results want, got;
static record x[MOST];
static int32_t numbers[MOST];
static float weights[MOST];

static void ask(hd_context *c, const hd_comparison *order, hd_view in, results *r)
{
    const int64_t n = in.shape[0];
    const hd_view indices = HD_VIEW(r->at, n), runs = HD_VIEW(&r->runs[2], 1);
    const hd_view keys_out = HD_VIEW_OF(in.type, r->keys, n);
    memset(r, 0, sizeof *r);
    CHECK_OK(c, hd_unique(c, in, HD_VIEW_OF(in.type, r->unique, n), HD_VIEW(&r->runs[0], 1),
                          &(hd_unique_options){.indices = &indices, .comparison = order}));
    CHECK_OK(c, hd_run_lengths(c, in, HD_VIEW_OF(in.type, r->values, n), HD_VIEW(r->lengths, n),
                               HD_VIEW(&r->runs[1], 1),
                               &(hd_run_lengths_options){.comparison = order}));
    CHECK_OK(
        c, hd_reduce(c, HD_VIEW(weights, n), HD_SUM, HD_VIEW(r->sums, n),
                     &(hd_reduce_options){
                         .keys = &in, .keys_out = &keys_out, .runs = &runs, .comparison = order}));
    CHECK_OK(c, hd_scan(c, HD_VIEW(weights, n), HD_SUM, HD_VIEW(r->scanned, n),
                        &(hd_scan_options){.keys = &in, .comparison = order}));
    CHECK_OK(c, hd_scan(c, HD_VIEW(weights, n), HD_SUM, HD_VIEW(r->back, n),
                        &(hd_scan_options){.keys = &in, .comparison = order, .backward = true}));
}

static void compare(const char *what, int64_t n)
{
    CHECK(memcmp(want.runs, got.runs, sizeof want.runs) == 0,
          "%s of %" PRId64 " on %s: %" PRId64 " runs, expected %" PRId64, what, n, backend,
          got.runs[0], want.runs[0]);
    CHECK(memcmp(&want, &got, sizeof want) == 0, "%s of %" PRId64 " on %s", what, n, backend);
}

static void test_size(int64_t n)
{
    const hd_view records_in = HD_VIEW_OF(HD_TYPE(record), x, n), ints = HD_VIEW(numbers, n);
    hd_view there;
    ask(serial, by_key, records_in, &want);
    ask(ctx, by_key, records_in, &got);
    compare("records", n);
    ask(serial, by_tens, ints, &want);
    ask(ctx, by_tens, ints, &got);
    compare("numbers", n);
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_I32, 1, &n, &there));
    CHECK_OK(ctx, hd_map(ctx, ints, NULL, there, NULL));
    ask(ctx, by_tens, there, &got);
    compare("numbers there", n);
    int64_t count = -1; // in place
    CHECK_OK(ctx, hd_unique(ctx, there, there, HD_VIEW(&count, 1),
                            &(hd_unique_options){.comparison = by_tens}));
    memset(got.unique, 0, sizeof got.unique);
    CHECK_OK(ctx, hd_map(ctx, hd_slice(there, 0, 0, count, 1), NULL,
                         HD_VIEW((int32_t *)got.unique, count), NULL));
    compare("in place", n);
    CHECK_OK(ctx, hd_free(ctx, &there));
}

static void test_room(void)
{
    float sums[3];
    const hd_view keys = HD_VIEW(numbers, 500);
    const hd_reduce_options o = {.keys = &keys, .comparison = by_tens};
    const hd_status status = hd_reduce(serial, HD_VIEW(weights, 500), HD_SUM, HD_VIEW(sums, 3), &o);
    CHECK(status == HD_ERROR_SHAPE &&
              hd_reduce(ctx, HD_VIEW(weights, 500), HD_SUM, HD_VIEW(sums, 3), &o) == status &&
              strcmp(hd_error(ctx), hd_error(serial)) == 0,
          "'%s', expected '%s'", hd_error(ctx), hd_error(serial));
}

static void test_backend(hd_backend which)
{
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    ctx = check_open(which, 1, NULL);
    check_fill(HD_F32, weights, MOST, CHECK_ORDINARY, 5);
    for (int i = 0, key = 0; i < MOST; i++) {
        if (check_below(&r, 6) == 0) key += (int)check_below(&r, 5) - 2;
        x[i] = (record){key, i, -i};
        numbers[i] = 1000 + 10 * key + (int)check_below(&r, 10);
    }
    test_size(1);
    test_size(33);
    test_size(MOST);
    test_room();
    hd_close(ctx);
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
