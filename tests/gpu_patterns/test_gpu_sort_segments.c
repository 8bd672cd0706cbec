// SPDX-License-Identifier: Apache-2.0
//
// Sorts of segments and rows by the GPU's kernels, against the serial backend, bit for bit: lengths
// of every class and around each class's bounds, none, one huge among thousands of tiny ones, after
// a power law; every number type, up and down; values, indices, in place and apart, without keys,
// offsets of several types on the host and the device, and such as fall or leave the array.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

enum { MOST = 30000, MOST_SEGMENTS = 8000, WIDEST = 8 };

static hd_context *ctx, *serial;
static const char *backend;

static const hd_type types[] = {HD_U8,  HD_I8,  HD_U16, HD_I16,  HD_U32, HD_I32,
                                HD_U64, HD_I64, HD_F16, HD_BF16, HD_F32, HD_F64};
enum { TYPES = sizeof types / sizeof *types };

// ---- Lengths ------------------------------------------------------------------------------------

typedef enum shape { EMPTY, TINY, CLASSES, MEDIUM, HUGE, POWER_LAW, ONE, NONE, SHAPES } shape;

// Around the bounds of lanes, warps and blocks: 8 keys a lane, 256 a warp, then 512, 1024, ...
static const int32_t bounds[] = {1,   2,   7,   8,   9,   16,  17,  31,  32,   33,   63,  64,
                                 65,  127, 128, 129, 255, 256, 257, 511, 512,  513,  3,   1000,
                                 300, 0,   0,   5,   700, 90,  200, 1,   1023, 1024, 1025};
static const int32_t medium[] = {2047, 2048, 2049, 300, 4096, 4097, 1500, 1, 2048, 5000};

static int64_t length_of(shape how, int64_t j, uint64_t *r)
{
    switch (how) {
    case EMPTY: return j % 50 == 7;
    case TINY: return check_below(r, 9);
    case CLASSES: return bounds[j % (int64_t)(sizeof bounds / sizeof *bounds)];
    case MEDIUM: return medium[j % (int64_t)(sizeof medium / sizeof *medium)];
    case HUGE: return j == 700 ? 20000 : check_below(r, 5);
    case POWER_LAW: return 1 + 12000 / (1 + check_below(r, 6000));
    default: return MOST;
    }
}

// Offsets from `first` on, of which there are *count; the last is the sum.
static int64_t make_offsets(shape how, int64_t first, int64_t *offsets, int64_t *count, uint64_t *r)
{
    static const int64_t most[] = {3000, 3000, 60, 12, 2000, 150, 1, 0};
    int64_t at = offsets[0] = first;
    *count = 1;
    for (int64_t j = 0; j < most[how] && at < MOST; j++) {
        at += length_of(how, j, r);
        offsets[(*count)++] = at = at < MOST ? at : MOST;
    }
    return at;
}

// ---- Calls --------------------------------------------------------------------------------------

// What goes with the keys.
typedef struct load {
    int values; // arrays: the first of records, the second of u16
    bool indices, no_keys, in_place;
} load;

static const load loads[] = {{0, false, false, false}, {0, false, false, true},
                             {2, true, false, false},  {1, false, false, true},
                             {0, true, true, false},   {1, true, false, true}};
enum { LOADS = sizeof loads / sizeof *loads };

typedef struct record {
    int32_t a, b, c;
} record;

typedef struct arrays {
    unsigned char keys[MOST * WIDEST], out[MOST * WIDEST];
    record values[MOST], values_out[MOST];
    uint16_t more[MOST], more_out[MOST];
    int64_t indices[MOST];
} arrays;

typedef struct call {
    hd_type type;
    int64_t n, rows; // rows > 0: along the last axis, without offsets
    hd_view offsets;
    const load *load;
    bool descending;
} call;

static hd_status sort(hd_context *c, const call *k, arrays *a)
{
    const load *l = k->load;
    const int64_t shape[] = {k->rows, k->rows > 0 ? k->n / k->rows : 0};
    const int64_t *of = k->rows > 0 ? shape : &k->n;
    const int dims = k->rows > 0 ? 2 : 1;
    const hd_view keys = hd_view_nd(k->type, a->keys, dims, of, NULL);
    const hd_view out = hd_view_nd(k->type, a->out, dims, of, NULL);
    const hd_view record_in = hd_view_nd(HD_TYPE(record), a->values, dims, of, NULL);
    const hd_view record_out = hd_view_nd(HD_TYPE(record), a->values_out, dims, of, NULL);
    const hd_view more_in = hd_view_nd(HD_U16, a->more, dims, of, NULL);
    const hd_view more_out = hd_view_nd(HD_U16, a->more_out, dims, of, NULL);
    const hd_view indices = hd_view_nd(HD_I64, a->indices, dims, of, NULL);
    hd_view v[4] = {record_in, l->in_place ? record_in : record_out, more_in,
                    l->in_place ? more_in : more_out};
    return hd_sort(c, keys,
                   l->no_keys    ? HD_EMPTY
                   : l->in_place ? keys
                                 : out,
                   (hd_views){v, 2 * l->values},
                   &(hd_sort_options){.segments = k->rows > 0 ? NULL : &k->offsets,
                                      .axis = k->rows > 0 ? HD_AXIS(1) : 0,
                                      .indices = l->indices ? &indices : NULL,
                                      .descending = k->descending});
}

// Bits of every kind: NaN of several, both zeros, equal keys.
static void fill(arrays *a, hd_type type, uint64_t *r)
{
    const size_t size = hd_type_size(type);
    for (size_t k = 0; k < sizeof a->keys; k++) a->keys[k] = (unsigned char)check_next(r);
    for (int64_t k = 0; k < MOST; k++) {
        unsigned char *const x = a->keys + (size_t)k * size;
        const int64_t kind = check_below(r, 8);
        if (kind == 0) memset(x, 0, size);
        if (kind == 1) memset(x, 0xff, size);
        if (kind == 2) memset(x, 0x7f, size);
        if (kind == 3 && k > 0) memcpy(x, x - size, size);
        a->values[k] = (record){(int32_t)k, 1, 2};
        a->more[k] = (uint16_t)(3 * k);
    }
}

// Keys without NaN, all in one order of magnitude where they are floats.
static void fill_plain(arrays *a, hd_type type, uint64_t *r)
{
    const size_t size = hd_type_size(type);
    fill(a, type, r);
    for (int64_t k = 0; k < MOST; k++) a->keys[(size_t)k * size + size - 1] &= 0xbf;
}

static void ask(const call *k, bool plain, uint64_t *r)
{
    static arrays want, got;
    memset(&want, 0, sizeof want);
    if (plain)
        fill_plain(&want, k->type, r);
    else
        fill(&want, k->type, r);
    got = want;
    CHECK_OK(serial, sort(serial, k, &want));
    CHECK_OK(ctx, sort(ctx, k, &got));
    CHECK(memcmp(&want, &got, sizeof want) == 0,
          "%s: %" PRId64 " %s, %" PRId64 " offsets, %" PRId64 " rows, load %d, %s", backend, k->n,
          hd_type_name(k->type), k->rows > 0 ? 0 : hd_count(k->offsets), k->rows,
          (int)(k->load - loads), k->descending ? "down" : "up");
}

// Keys before the first offset and behind the last stay.
static void ask_shape(hd_type type, shape how, const load *l, bool descending, bool plain,
                      uint64_t *r)
{
    static int64_t offsets[MOST_SEGMENTS];
    int64_t count;
    const int64_t first = how == ONE ? 0 : check_below(r, 40);
    const int64_t end = make_offsets(how, first, offsets, &count, r);
    const int64_t n = end + 33 < MOST ? end + 33 : MOST;
    ask(&(call){.type = type,
                .n = n,
                .offsets = HD_VIEW(offsets, count),
                .load = l,
                .descending = descending},
        plain, r);
}

// ---- Hostile offsets ----------------------------------------------------------------------------

// Offsets on the device: the next wait reports them.
static void ask_bad(const int64_t *offsets, int64_t count, int64_t n, const load *l)
{
    static arrays a;
    memset(&a, 0, sizeof a);
    hd_view there;
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_I64, 1, &count, &there));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW((int64_t *)offsets, count), NULL, there, NULL));
    hd_status status = sort(ctx, &(call){.type = HD_U32, .n = n, .offsets = there, .load = l}, &a);
    if (status == HD_OK) status = hd_sync(ctx);
    CHECK(status == HD_ERROR_VALUE, "%s: %" PRId64 " bad offsets, load %d: %s", backend, count,
          (int)(l - loads), hd_error(ctx));
    hd_free(ctx, &there);
}

static void test_bad_offsets(void)
{
    enum { N = 9000, MANY = 4000 };
    static int64_t swings[MANY], high[MANY];
    static const int64_t falls[] = {0, 500, 400, 9000}, low[] = {-5, 20}, far[] = {0, N + 1};
    static const int64_t alone[] = {N + 1}, wraps[] = {INT64_MIN, INT64_MAX};
    for (int j = 0; j < MANY; j++) {
        swings[j] = j % 2 ? 300 : 0;
        high[j] = j % 2 ? N : j;
    }
    for (int l = 0; l < 3; l += 2) {
        ask_bad(falls, 4, N, &loads[l]);
        ask_bad(low, 2, N, &loads[l]);
        ask_bad(far, 2, N, &loads[l]);
        ask_bad(alone, 1, N, &loads[l]);
        ask_bad(wraps, 2, N, &loads[l]);
        ask_bad(swings, MANY, N, &loads[l]);
        ask_bad(high, MANY, N, &loads[l]);
    }
}

// ---- All of it ----------------------------------------------------------------------------------

static void test_backend(hd_backend which)
{
    static const char *const tunes[] = {"", "sort_segment_items=512 sort_segment_medium=2048"};
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    for (int t = 0; t < 2; t++) {
        setenv("HEDDLE_TUNE", tunes[t], 1);
        ctx = check_open(which, 1, NULL);
        for (int how = 0; how < SHAPES; how++) {
            ask_shape(HD_U32, (shape)how, &loads[0], false, false, &r);
            ask_shape(HD_F32, (shape)how, &loads[2], false, false, &r);
            ask_shape(HD_F32, (shape)how, &loads[how % 2], true, how % 3 != 0, &r);
        }
        for (int k = t; k < TYPES; k += 2) { // a type has one direction and one load a way
            ask_shape(types[k], CLASSES, &loads[k % 2], k % 4 > 1, k % 3 == 0, &r);
            ask_shape(types[k], MEDIUM, &loads[k % 2], k % 4 > 1, k % 3 != 0, &r);
            ask_shape(types[k], CLASSES, &loads[2 + k % 4], k % 4 > 1, false, &r);
            ask_shape(types[k], POWER_LAW, &loads[2 + k % 4], k % 4 > 1, false, &r);
        }
        for (int k = 0; k < LOADS; k++) {
            const int64_t rows[] = {3000, 700, 100, 9, 3, 1};
            ask(&(call){.type = HD_F32,
                        .n = k == 0 ? 9000 : 9 * 700,
                        .rows = rows[k],
                        .load = &loads[k]},
                false, &r);
        }
        if (t == 1) test_bad_offsets();
        hd_close(ctx);
    }
    unsetenv("HEDDLE_TUNE");
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
