// SPDX-License-Identifier: Apache-2.0
//
// Rows, segments and keys on a GPU and on the model machine against the serial backend, bit for
// bit: lengths of every kind, few kernels. HEDDLE_TEST_BACKEND names one backend.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;
static bool card;

// ---- Data ---------------------------------------------------------------------------------------

HD_SOURCE(
    pair_text, typedef struct { float scale, shift; } affine;)
HD_OPERATOR(chained, affine, pair_text, HD_ASSOCIATIVE, {
    affine r;
    r.scale = a.scale * b.scale;
    r.shift = b.scale * a.shift + b.shift;
    return r;
})

typedef struct row {
    const hd_operator *op;
    hd_type type, out;
} row;

static row rows[4];
enum { ROWS = sizeof rows / sizeof *rows };

static void fill(row r, void *x, int64_t n, uint64_t seed)
{
    if (r.op == chained)
        check_fill(HD_F32, x, 2 * n, CHECK_UNITS, seed);
    else
        check_fill(r.type, x, n, CHECK_ORDINARY, seed);
}

typedef enum lengths {
    FOUR,
    MANY_EMPTY,
    ABOUT_50,
    ONE_LONG,
    POWER_LAW,
    ONES,
    EVEN_300,
    EVEN_512,
    KINDS
} lengths;
static const char *const kind_name[] = {"of 4",      "mostly empty",    "about 50", "one long",
                                        "power law", "ones, then 4096", "of 300",   "of 512"};

static int64_t ones; // of ONES, so far

static int64_t length_of(lengths kind, uint64_t *r, int64_t n)
{
    switch (kind) {
    case FOUR: return 4;
    case MANY_EMPTY: return check_below(r, 9) ? 0 : check_below(r, 200);
    case ABOUT_50: return check_below(r, 100);
    case ONE_LONG: return check_below(r, 40) ? 1 + check_below(r, 20) : n / 2;
    case POWER_LAW: {
        int64_t most = 2;
        while (check_below(r, 2)) most *= 3;
        return check_below(r, most);
    }
    case ONES: return ++ones % 4096 ? 1 : 4096; // as many as a tile has elements, the last as long
    case EVEN_300: return 300;
    default: return 512;
    }
}

// Segments over 0 .. n with gaps before the first and after the last, sometimes.
static int64_t make_offsets(lengths kind, int64_t n, uint64_t *r, int64_t *offsets, int64_t room)
{
    int64_t at = check_below(r, 3) ? 0 : check_below(r, 1 + n / 3), j = 0;
    const int64_t end = check_below(r, 3) ? n : n - check_below(r, 1 + n / 3);
    offsets[0] = at < end ? at : end;
    ones = 0;
    at = offsets[0];
    while (at < end && j + 1 < room) {
        at += length_of(kind, r, n);
        if (at > end) at = end;
        offsets[++j] = at;
    }
    return j;
}

static hd_view on_device(hd_view v)
{
    hd_view d;
    CHECK_OK(ctx, hd_alloc_device(ctx, v.type, v.ndim, v.shape, &d));
    CHECK_OK(ctx, hd_map(ctx, v, NULL, d, NULL));
    return d;
}

typedef struct arrays {
    int64_t n;
    char *x, *want, *got, *keys;
    int64_t *offsets;
} arrays;

static arrays make(int64_t n)
{
    const size_t m = (size_t)n + 64;
    return (arrays){n,
                    check_memory(8 * m),
                    check_memory(8 * m),
                    check_memory(8 * m),
                    check_memory(8 * m),
                    check_memory(8 * (4 * m))};
}

static void drop(arrays *a)
{
    free(a->x), free(a->want), free(a->got), free(a->keys), free(a->offsets);
}

static bool same(row r, const arrays *a, int64_t n)
{
    return memcmp(a->got, a->want, hd_type_size(r.out) * (size_t)n) == 0;
}

// ---- Segments -----------------------------------------------------------------------------------

static void ask_segments(row r, lengths kind, int64_t n, uint64_t *state)
{
    arrays a = make(n);
    fill(r, a.x, n, check_next(state));
    // An empty segment has no value under an operator without an identity.
    if (r.op == chained && kind != FOUR && kind != EVEN_300) kind = FOUR;
    const int64_t m = make_offsets(kind, n, state, a.offsets, 4 * n + 64);
    const bool device = check_next(state) % 2;
    const hd_view in = HD_VIEW_OF(r.type, a.x, n), want = HD_VIEW_OF(r.out, a.want, m);
    hd_reduce_options o = {.segments = HD_REF(HD_VIEW(a.offsets, m + 1))};
    CHECK_OK(serial, hd_reduce(serial, in, r.op, want, &o));
    hd_view moved = HD_EMPTY;
    if (device) moved = on_device(*o.segments), o.segments = &moved;
    CHECK_OK(ctx, hd_reduce(ctx, in, r.op, HD_VIEW_OF(r.out, a.got, m), &o));
    CHECK(same(r, &a, m), "%s of %" PRId64 " in %" PRId64 " segments, %s, on %s",
          hd_operator_name(r.op), n, m, kind_name[kind], backend);
    hd_free(ctx, &moved);
    drop(&a);
}

static void ask_segmented_scan(row r, lengths kind, int64_t n, uint64_t *state)
{
    if (r.out != r.type) return;
    arrays a = make(n);
    fill(r, a.x, n, check_next(state));
    const int64_t m = make_offsets(kind, n, state, a.offsets, 4 * n + 64);
    const hd_view in = HD_VIEW_OF(r.type, a.x, n);
    // One kernel a row: backward inputs are read by another.
    const hd_scan_options o = {.segments = HD_REF(HD_VIEW(a.offsets, m + 1)),
                               .exclusive = r.op == HD_SUM && r.type == HD_F64};
    CHECK_OK(serial, hd_scan(serial, in, r.op, HD_VIEW_OF(r.out, a.want, n), &o));
    CHECK_OK(ctx, hd_scan(ctx, in, r.op, HD_VIEW_OF(r.out, a.got, n), &o));
    CHECK(same(r, &a, n), "scan %s of %" PRId64 " in %" PRId64 " segments, %s, on %s",
          hd_operator_name(r.op), n, m, kind_name[kind], backend);
    drop(&a);
}

// ---- Keys ---------------------------------------------------------------------------------------

static int64_t make_keys(lengths kind, int64_t n, uint64_t *r, int32_t *keys)
{
    int64_t runs = 0;
    ones = 0;
    for (int64_t at = 0; at < n; runs++) {
        int64_t length = length_of(kind, r, n) + (kind == ONES ? 0 : 1);
        for (; length > 0 && at < n; length--) keys[at++] = (int32_t)(runs * 7 % 1000);
    }
    return runs;
}

static void ask_runs(row r, lengths kind, int64_t n, uint64_t *state)
{
    arrays a = make(n);
    fill(r, a.x, n, check_next(state));
    const int64_t m = make_keys(kind, n, state, (int32_t *)a.keys), spare = check_below(state, 3);
    int32_t *want_keys = check_memory(4 * (size_t)n + 16), *got_keys = (int32_t *)a.offsets;
    int64_t runs = -1, want_runs = -1;
    memset(got_keys, 0x5a, 4 * (size_t)n + 16), memset(a.got, 0x5a, 8 * (size_t)n + 64);
    memset(want_keys, 0x5a, 4 * (size_t)n + 16), memset(a.want, 0x5a, 8 * (size_t)n + 64);
    const hd_view in = HD_VIEW_OF(r.type, a.x, n);
    hd_reduce_options o = {.keys = HD_REF(HD_VIEW((int32_t *)a.keys, n))};
    o.runs = HD_REF(HD_VIEW(&want_runs, 1)), o.keys_out = HD_REF(HD_VIEW(want_keys, m + spare));
    CHECK_OK(serial, hd_reduce(serial, in, r.op, HD_VIEW_OF(r.out, a.want, m + spare), &o));
    o.runs = HD_REF(HD_VIEW(&runs, 1)), o.keys_out = HD_REF(HD_VIEW(got_keys, m + spare));
    CHECK_OK(ctx, hd_reduce(ctx, in, r.op, HD_VIEW_OF(r.out, a.got, m + spare), &o));
    CHECK(runs == want_runs && runs == m, "%" PRId64 " runs of %" PRId64 ", expected %" PRId64,
          runs, n, want_runs);
    CHECK(same(r, &a, m + spare), "%s of %" PRId64 " by %" PRId64 " keys, %s, on %s",
          hd_operator_name(r.op), n, m, kind_name[kind], backend);
    CHECK(memcmp(got_keys, want_keys, 4 * (size_t)(m + spare)) == 0,
          "keys of %" PRId64 " runs of %" PRId64 ", %s", m, n, kind_name[kind]);
    if (m > 1) {
        o.keys_out = NULL;
        CHECK(hd_reduce(ctx, in, r.op, HD_VIEW_OF(r.out, a.got, m - 1), &o) == HD_ERROR_SHAPE &&
                  strstr(hd_error(ctx), "runs of keys"),
              "%s", hd_error(ctx));
        CHECK_OK(ctx, hd_sync(ctx));
    }
    drop(&a);
    free(want_keys);
}

static void ask_keyed_scan(row r, lengths kind, int64_t n, uint64_t *state)
{
    if (r.out != r.type) return;
    arrays a = make(n);
    fill(r, a.x, n, check_next(state));
    make_keys(kind, n, state, (int32_t *)a.keys);
    const hd_view in = HD_VIEW_OF(r.type, a.x, n);
    const hd_scan_options o = {.keys = HD_REF(HD_VIEW((int32_t *)a.keys, n))};
    CHECK_OK(serial, hd_scan(serial, in, r.op, HD_VIEW_OF(r.out, a.want, n), &o));
    CHECK_OK(ctx, hd_scan(ctx, in, r.op, HD_VIEW_OF(r.out, a.got, n), &o));
    CHECK(same(r, &a, n), "scan %s of %" PRId64 " by keys, %s, on %s", hd_operator_name(r.op), n,
          kind_name[kind], backend);
    drop(&a);
}

// ---- Pieces -------------------------------------------------------------------------------------

// Pieces of any length after a carry have the bits of one call; on a device or from the host.
static void ask_pieces(row r, int64_t n, bool device, uint64_t *state)
{
    if (r.out != r.type) return;
    arrays a = make(n);
    const size_t size = hd_type_size(r.type);
    _Alignas(8) unsigned char sum[8], want[8];
    hd_carry *reduces = NULL, *scans = NULL;
    fill(r, a.x, n, check_next(state));
    const hd_view in = HD_VIEW_OF(r.type, a.x, n);
    CHECK_OK(serial, hd_scan(serial, in, r.op, HD_VIEW_OF(r.out, a.want, n), NULL));
    CHECK_OK(serial, hd_reduce(serial, in, r.op, HD_VIEW_OF(r.out, want, 1), NULL));
    CHECK_OK(ctx, hd_carry_open(ctx, &reduces));
    CHECK_OK(ctx, hd_carry_open(ctx, &scans));
    for (int64_t at = 0, m; at < n; at += m) {
        m = check_below(state, 3) ? 1 + check_below(state, n) : (int64_t)4096;
        if (m > n - at) m = n - at;
        hd_view v = HD_VIEW_OF(r.type, a.x + (size_t)at * size, m), moved = HD_EMPTY;
        const hd_view out = HD_VIEW_OF(r.out, a.got + (size_t)at * size, m);
        if (device) v = moved = on_device(v);
        CHECK_OK(ctx, hd_reduce(ctx, v, r.op, HD_VIEW_OF(r.out, sum, 1),
                                &(hd_reduce_options){.carry = reduces}));
        // In place on the device, out of place from the host.
        CHECK_OK(ctx, hd_scan(ctx, v, r.op, device ? v : out, &(hd_scan_options){.carry = scans}));
        if (device) CHECK_OK(ctx, hd_map(ctx, v, NULL, out, NULL));
        hd_free(ctx, &moved);
    }
    CHECK(memcmp(sum, want, size) == 0, "%s of %" PRId64 " in pieces on %s", hd_operator_name(r.op),
          n, backend);
    CHECK(same(r, &a, n), "scan %s of %" PRId64 " in pieces on %s", hd_operator_name(r.op), n,
          backend);
    hd_carry_close(ctx, reduces), hd_carry_close(ctx, scans);
    drop(&a);
}

// Host views of more bytes than are to be on the device at once.
static void ask_large(row r, int64_t n, uint64_t *state)
{
    if (r.out != r.type) return;
    arrays a = make(n);
    _Alignas(8) unsigned char sum[8], want[8];
    fill(r, a.x, n, check_next(state));
    const hd_view in = HD_VIEW_OF(r.type, a.x, n);
    const hd_scan_options o = {.exclusive = r.op == HD_SUM && r.type == HD_F64};
    CHECK_OK(serial, hd_scan(serial, in, r.op, HD_VIEW_OF(r.out, a.want, n), &o));
    CHECK_OK(ctx, hd_scan(ctx, in, r.op, HD_VIEW_OF(r.out, a.got, n), &o));
    CHECK(same(r, &a, n), "scan %s of %" PRId64 ", little by little, on %s", hd_operator_name(r.op),
          n, backend);
    CHECK_OK(serial, hd_reduce(serial, in, r.op, HD_VIEW_OF(r.out, want, 1), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, in, r.op, HD_VIEW_OF(r.out, sum, 1), NULL));
    CHECK(memcmp(sum, want, hd_type_size(r.out)) == 0, "%s of %" PRId64 ", little by little, on %s",
          hd_operator_name(r.op), n, backend);
    if (r.op == HD_SUM) {
        CHECK_OK(ctx, hd_map(ctx, in, NULL, HD_VIEW_OF(r.out, a.got, n), NULL));
        CHECK(memcmp(a.got, a.x, hd_type_size(r.out) * (size_t)n) == 0, "a copy of %" PRId64, n);
    }
    drop(&a);
}

// ---- Offsets that only the device sees, and that are wrong --------------------------------------

static void test_bad_offsets(int64_t n)
{
    static const int64_t part[][4] = {{0, 55, 30, 90},   {0, 20, 40, 101}, {-1, 10, 20, 90},
                                      {50, 49, 49, 100}, {0, 100, 0, 100}, {0, 99, 98, 97}};
    float *x = check_memory(4 * (size_t)n);
    check_fill(HD_F32, x, n, CHECK_UNITS, 3);
    hd_view in = on_device(HD_VIEW(x, n)), out = on_device(HD_VIEW(x, n));
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        int64_t offsets[4];
        for (int j = 0; j < 4; j++) offsets[j] = part[k][j] * n / 100;
        hd_view segments = on_device(HD_VIEW(offsets, 4)), sums = out;
        sums.shape[0] = 3;
        CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM, sums,
                                &(hd_reduce_options){.segments = HD_REF(segments)}));
        CHECK(hd_sync(ctx) == HD_ERROR_VALUE && strstr(hd_error(ctx), "offset"),
              "reduction %zu: %s", k, hd_error(ctx));
        CHECK_OK(ctx,
                 hd_scan(ctx, in, HD_SUM, out, &(hd_scan_options){.segments = HD_REF(segments)}));
        CHECK(hd_sync(ctx) == HD_ERROR_VALUE && strstr(hd_error(ctx), "offset"), "scan %zu: %s", k,
              hd_error(ctx));
        hd_free(ctx, &segments);
    }
    // And all is well after that.
    uint64_t r = 1;
    ask_segments(rows[0], ONE_LONG, n, &r);
    hd_free(ctx, &in), hd_free(ctx, &out);
    free(x);
}

// ---- All of it ----------------------------------------------------------------------------------

static int64_t some_size(uint64_t *r)
{
    static const int64_t edges[] = {1, 31, 64, 127, 511, 512, 513, 2047, 4096, 4097, 8191, 8192};
    const int64_t most = card ? (int64_t)1 << (8 + check_below(r, 15)) : 12000;
    return check_below(r, 3) ? 1 + check_below(r, most) : edges[check_below(r, 12)];
}

static void test_questions(int64_t cases, uint64_t *r)
{
    for (int64_t k = 0; k < cases; k++) {
        const row one = rows[k % ROWS];
        const lengths kind = (lengths)check_below(r, KINDS);
        ask_segments(one, kind, some_size(r), r);
        ask_segmented_scan(one, kind, some_size(r), r);
        ask_runs(one, kind, some_size(r), r);
        ask_keyed_scan(one, kind, some_size(r), r);
    }
}

static void test_backend(hd_backend which)
{
    const char *asked = getenv("HEDDLE_TEST_CASES");
    card = which == HD_CUDA;
    backend = hd_backend_name(which);
    uint64_t r = check_seed() + (uint64_t)which;
    const int64_t cases = asked ? atoll(asked) : card ? 1000 : check_small() ? 4 : 8;
    ctx = check_open(which, 2, NULL);
    test_questions(cases / 2, &r);
    hd_close(ctx);
    // Tiles so small that every level is met.
    setenv("HEDDLE_TUNE", "segment_items=64 scan_threads=64 scan_rows=1", 1);
    ctx = check_open(which, 2, NULL);
    test_questions(cases / 2, &r);
    hd_close(ctx);
    // Chunks of long segments in registers.
    setenv("HEDDLE_TUNE", "segment_items=512 segment_long=1 segment_warps=0", 1);
    ctx = check_open(which, 2, NULL);
    for (int k = 0; k < ROWS; k += 3)
        for (int kind = ONE_LONG; kind < KINDS; kind += EVEN_512 - ONE_LONG)
            ask_segments(rows[k], (lengths)kind, 9000 + check_below(&r, 9000), &r);
    hd_close(ctx);
    // Two KiB at once.
    setenv("HEDDLE_TUNE", "stage_bytes=2048 stage_slot=2048", 1);
    ctx = check_open(which, 2, NULL);
    for (int k = 0; k < 2; k++) ask_large(rows[k], 3000 + check_below(&r, 3000), &r);
    hd_close(ctx);
    unsetenv("HEDDLE_TUNE");
    ctx = check_open(which, 2, NULL);
    for (int k = 0; k < ROWS; k++) ask_pieces(rows[k], 10000 + check_below(&r, 10000), false, &r);
    ask_pieces(rows[1], 10000 + check_below(&r, 10000), true, &r);
    ask_segments(rows[0], ONES, 8300, &r);
    ask_runs(rows[0], ONES, 8300, &r);
    test_bad_offsets(700);
    test_bad_offsets(20000);
    hd_close(ctx);
}

int main(void)
{
    rows[0] = (row){HD_SUM, HD_F32, HD_F32};
    rows[1] = (row){HD_SUM, HD_F64, HD_F64};
    rows[2] = (row){HD_ARGMAX, HD_I32, HD_I64};
    rows[3] = (row){chained, HD_TYPE(affine), HD_TYPE(affine)};
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
