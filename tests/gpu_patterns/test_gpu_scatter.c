// SPDX-License-Identifier: Apache-2.0
//
// Which way a scatter into a large output takes, as the device decides by the order of the indices:
// at once, or bucketed by destination. On the model machine and on a card where there is one;
// whatever was decided, the bits are those of the serial backend. Small inputs take the ways of
// large ones by HEDDLE_TUNE.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "gpu/move/scatter.h"

enum { N = 1 << 16, MOST = 8 * N, RUN = 64, COLUMN = 256 };

static hd_context *ctx, *serial;
static int32_t in[N], at[N], spare[MOST], got[MOST], want[MOST];

// ---- Orders -------------------------------------------------------------------------------------

// Fills at[] and says how many places there are.
typedef int64_t filler(uint64_t *r);

static void shuffle(int32_t *x, int64_t n, uint64_t *r)
{
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t j = check_below(r, i + 1);
        const int32_t swapped = x[i];
        x[i] = x[j], x[j] = swapped;
    }
}

static int64_t in_order(uint64_t *r)
{
    (void)r;
    for (int32_t i = 0; i < N; i++) at[i] = i + 1001;
    return 2 * N;
}

static int64_t rising(uint64_t *r)
{
    for (int32_t i = 0; i < N; i++) at[i] = 2 * i + (int32_t)check_below(r, 2);
    return 2 * N;
}

static int64_t nearly(uint64_t *r)
{
    in_order(r);
    for (int64_t i = 0; i < N; i += 100) shuffle(at + i, N - i < 100 ? N - i : 100, r);
    return 2 * N;
}

static int64_t reversed(uint64_t *r)
{
    (void)r;
    for (int32_t i = 0; i < N; i++) at[i] = 2 * N - 1 - i;
    return 2 * N;
}

static int64_t strided(uint64_t *r)
{
    (void)r;
    for (int32_t i = 0; i < N; i++) at[i] = 8 * i + 3;
    return 8 * N;
}

static int64_t runs_shuffled(uint64_t *r)
{
    for (int32_t k = 0; k < 2 * N / RUN; k++) spare[k] = k;
    shuffle(spare, 2 * N / RUN, r);
    for (int32_t i = 0; i < N; i++) at[i] = spare[i / RUN] * RUN + i % RUN;
    return 2 * N;
}

static int64_t transposed(uint64_t *r)
{
    (void)r;
    for (int32_t i = 0; i < N; i++) at[i] = i % COLUMN * (N / COLUMN) + i / COLUMN;
    return 2 * N;
}

static int64_t random_once(uint64_t *r)
{
    for (int32_t k = 0; k < 4 * N; k++) spare[k] = k;
    shuffle(spare, 4 * N, r);
    memcpy(at, spare, sizeof at);
    return 4 * N;
}

static int64_t anywhere(uint64_t *r)
{
    for (int32_t i = 0; i < N; i++) at[i] = (int32_t)check_below(r, 2 * N);
    return 2 * N;
}

static int64_t rising_by_threes(uint64_t *r)
{
    (void)r;
    for (int32_t i = 0; i < N; i++) at[i] = i / 3;
    return 2 * N;
}

static int64_t few_twice(uint64_t *r)
{
    nearly(r);
    for (int32_t k = 0; k < 50; k++) at[check_below(r, N)] = at[check_below(r, N)];
    return 2 * N;
}

static int64_t one_place(uint64_t *r)
{
    (void)r;
    for (int32_t i = 0; i < N; i++) at[i] = i % 2 ? 77 : 2 * N - 5;
    return 2 * N;
}

static int64_t some_bad(uint64_t *r)
{
    nearly(r);
    for (int32_t k = 0; k < 50; k++)
        at[check_below(r, N)] = k % 2 ? -1 - k : 2 * N + (int32_t)check_below(r, 1 << 20);
    return 2 * N;
}

static int64_t random_bad(uint64_t *r)
{
    random_once(r);
    for (int32_t k = 0; k < 50; k++) at[check_below(r, N)] = k % 2 ? INT32_MIN : INT32_MAX;
    return 4 * N;
}

static int64_t half_random(uint64_t *r)
{
    random_once(r);
    for (int32_t i = 0; i < N / 2; i++) at[i] = i;
    return 4 * N;
}

// A fifth of the sources go to a few places: one part would have them all.
static int64_t crowded(uint64_t *r)
{
    anywhere(r);
    for (int32_t i = 0; i < N; i += 5) at[i] = N / 2 + (int32_t)check_below(r, 40);
    return 2 * N;
}

static const struct {
    const char *name;
    filler *fill;
    bool unique;
    int32_t at_once; // -1: either will do
} orders[] = {
    {"in order", in_order, true, 1},
    {"rising", rising, true, 1},
    {"nearly in order", nearly, true, 1},
    {"reversed", reversed, true, 1},
    {"strided", strided, true, 1},
    {"runs shuffled", runs_shuffled, true, 1},
    {"transposed", transposed, true, 1},
    {"random, once each", random_once, true, 0},
    {"random, anywhere", anywhere, false, 0},
    {"rising, three of each", rising_by_threes, false, 1},
    {"two places", one_place, false, 1},
    {"crowded", crowded, false, 1},
    {"nearly in order, a few twice", few_twice, false, 1},
    {"nearly in order, some bad", some_bad, true, 1},
    {"random, some bad", random_bad, true, 0},
    {"half in order, half random", half_random, false, -1},
};

// ---- A call -------------------------------------------------------------------------------------

static hd_view on_device(hd_view v)
{
    hd_view d;
    CHECK_OK(ctx, hd_alloc_device(ctx, v.type, 1, v.shape, &d));
    CHECK_OK(ctx, hd_map(ctx, v, NULL, d, NULL));
    return d;
}

// What locality_probe left.
static uint32_t choice(void)
{
    hd__gpu *gpu;
    uint32_t at_once = 7;
    CHECK_OK(ctx, hd__gpu_of(ctx, &gpu));
    if (gpu->workspace[HD__GPU_LOCALITY].at == 0) return 7;
    CHECK_OK(ctx,
             gpu->driver->download(ctx, gpu->device, &at_once,
                                   gpu->workspace[HD__GPU_LOCALITY].at + HD__GPU_LOCALITY_BUCKETED,
                                   sizeof at_once));
    return at_once;
}

static void compare(const char *name, int64_t n, int64_t places, bool unique, bool checks)
{
    int64_t bad = -7, first = -7;
    memset(want, 0x55, (size_t)places * 4), memset(got, 0x55, (size_t)places * 4);
    const hd_view x = HD_VIEW(in, n), i = HD_VIEW(at, n);
    hd_view d[3] = {on_device(x), on_device(i), on_device(HD_VIEW(got, places))};
    const hd_scatter_options host = {.bad = HD_REF(HD_VIEW(&first, 1)), .unique = unique},
                             device = {.bad = checks ? HD_REF(HD_VIEW(&bad, 1)) : NULL,
                                       .unique = unique};
    CHECK_OK(serial, hd_scatter(serial, x, i, HD_VIEW(want, places), &host));
    CHECK_OK(ctx, hd_scatter(ctx, d[0], d[1], d[2], &device));
    CHECK_OK(ctx, hd_map(ctx, d[2], NULL, HD_VIEW(got, places), NULL));
    CHECK(memcmp(got, want, (size_t)places * 4) == 0, "%s%s", name, unique ? ", promised" : "");
    CHECK(!checks || bad == first, "%s: first bad %" PRId64 ", not %" PRId64, name, bad, first);
    for (int k = 0; k < 3; k++) CHECK_OK(ctx, hd_free(ctx, &d[k]));
}

static void test_orders(uint64_t *r, int32_t forced)
{
    const size_t step = forced >= 0 ? 3 : 1; // the bits of either way for some orders
    for (size_t k = forced >= 0 ? (size_t)forced : 0; k < sizeof orders / sizeof *orders;
         k += step) {
        const int64_t places = orders[k].fill(r);
        const int32_t wanted = forced >= 0 ? forced : orders[k].at_once;
        for (int unique = 0; unique <= (int)orders[k].unique; unique++) {
            if (check_small() && orders[k].unique && (size_t)unique != k % 2) continue;
            compare(orders[k].name, N, places, unique, (k + (size_t)unique) % 2);
            CHECK(wanted < 0 || choice() == (uint32_t)wanted, "%s: %s, expected %s", orders[k].name,
                  choice() ? "at once" : "bucketed", wanted ? "at once" : "bucketed");
        }
    }
}

// ---- Every way ----------------------------------------------------------------------------------

// Calls after each other, with duplicates and without, of places that other calls used before or
// not.
static void test_calls(const char *name, uint64_t *r)
{
    for (int t = 0; t < (check_small() ? 6 : 24); t++) {
        const int64_t n = 1 + check_below(r, t % 4 ? 600 : 9000), places = n + check_below(r, 5000);
        const int64_t spread = t % 3 == 1 ? 1 + n / 20 : places;
        for (int64_t i = 0; i < n; i++)
            at[i] = (int32_t)(t % 3 == 0 ? places - 1 - i : check_below(r, spread));
        compare(name, n, places, false, t % 2);
    }
}

// Parts of few places and of many: digits of few bits and of eight, one sweep and two, sources of a
// part in one turn and in several.
static void test_parts(hd__gpu *gpu, uint64_t *r)
{
    static int64_t (*const fills[])(uint64_t *) = {random_once, anywhere, one_place, random_bad};
    const int32_t usual = gpu->tuning.scatter_bucket, choice_before = gpu->tuning.scatter_locality;
    gpu->tuning.scatter_locality = 0;
    for (int32_t part = 1024; part <= 65536; part *= 64) {
        gpu->tuning.scatter_bucket = part;
        for (int k = 0; k < 4; k++) {
            char name[64];
            const int64_t places = fills[k](r);
            snprintf(name, sizeof name, "order %d, parts of %d bytes", k, (int)part);
            compare(name, N, places, k % 3 == 0, k == 3);
            if (k % 3 == 0 && !check_small()) compare(name, N, places, false, k == 3);
        }
    }
    gpu->tuning.scatter_bucket = usual;
    gpu->tuning.scatter_locality = choice_before;
}

// One context, for its kernels are compiled once.
static void test_backend(hd_backend which)
{
    uint64_t r = check_seed() + (uint64_t)which;
    hd__gpu *gpu;
    for (int32_t i = 0; i < N; i++) in[i] = (int32_t)check_next(&r);
    setenv("HEDDLE_TUNE", "scatter_from=512 scatter_bucket=4096 scatter_window=4096", 1);
    ctx = check_open(which, 2, NULL);
    CHECK_OK(ctx, hd__gpu_of(ctx, &gpu));
    test_orders(&r, -1);
    test_parts(gpu, &r);
    for (int32_t way = 0; way <= 2 && !check_small(); way += 2) {
        gpu->tuning.scatter_locality = way;
        test_orders(&r, way / 2);
    }
    test_calls("words", &r);
    gpu->tuning.scatter_words = 0;
    test_calls("bits", &r);
    hd_close(ctx);
    unsetenv("HEDDLE_TUNE");
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
