// SPDX-License-Identifier: Apache-2.0
//
// Compaction, partition, unique and run lengths by the GPU's kernels, on the model machine and on a
// card where there is one, against the serial backend, bit for bit: every type, flags and
// predicates, layouts, places, too little room, in place. Each row of a table is a few kernels,
// which many sizes use.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

HD_SOURCE(
    triples, typedef struct triple { uint8_t v[12]; } triple;)
typedef struct page {
    uint8_t v[200];
} page;

HD_FUNCTION(is_negative, bool, HD_NO_SOURCE, (int32_t, x), { return x < 0; })
HD_FUNCTION(is_below, uint16_t, HD_NO_SOURCE, (float, x, float, y),
            { return (uint16_t)(x < y ? 256 : 0); })
HD_FUNCTION(low_bits, int64_t, HD_NO_SOURCE, (int32_t, x), { return x & 7; })

HD_FUNCTION(is_odd, bool, triples, (triple, x), { return (x.v[11] & 1) != 0; })

HD_FUNCTION(wide_bucket, int64_t, HD_NO_SOURCE, (int32_t, x), { return x % 999; })

static hd_context *ctx, *serial;
static const char *backend;
static bool card;

// ---- Questions ----------------------------------------------------------------------------------

typedef enum what { COMPACT, PARTITION, UNIQUE, RUNS, BUCKETS } what;
static const char *const names[] = {"compact", "partition", "unique", "run lengths", "buckets"};

typedef struct way {
    what what;
    hd_type type, flags; // flags 0: the elements themselves, or keep
    const hd_function *keep;
    check_layout in, out;
    hd_type index; // of indices, counts and so on; 0: none
    bool device, in_place, invert, no_out;
    int64_t ways;
} way;

#define DENSE CHECK_DENSE, CHECK_DENSE

static const way ways[] = {
    {COMPACT, HD_I32, HD_U8, NULL, DENSE, HD_U32, true, false, false, false, 0},
    {COMPACT, HD_I32, 0, is_negative, DENSE, 0, true, false, false, false, 0},
    {COMPACT, HD_F32, 0, is_below, CHECK_STRIDED, CHECK_REVERSED, 0, false, false, false, false, 0},
    {COMPACT, HD_F16, 0, NULL, DENSE, 0, true, true, false, false, 0},
    {COMPACT, HD_U8, HD_U8, NULL, DENSE, HD_I64, false, false, true, false, 0},
    {COMPACT, HD_F64, HD_BOOL, NULL, DENSE, 0, true, true, false, false, 0},
    {COMPACT, HD_I16, HD_I64, NULL, DENSE, HD_I64, true, false, false, true, 0},
    {COMPACT, HD_STRUCT(triple), HD_I8, NULL, DENSE, 0, false, false, false, false, 0},
    {COMPACT, HD_STRUCT(page), HD_U16, NULL, DENSE, HD_U64, false, false, false, false, 0},
    {COMPACT, HD_STRUCT(triple), 0, is_odd, DENSE, HD_I32, true, false, false, true, 0},
    {COMPACT, HD_STRUCT(triple), 0, is_odd, DENSE, 0, false, false, false, false, 0},
    {PARTITION, HD_STRUCT(triple), 0, is_odd, DENSE, HD_U32, true, false, false, false, 0},
    {PARTITION, HD_U32, HD_BOOL, NULL, DENSE, HD_I64, true, false, false, false, 0},
    {PARTITION, HD_I8, 0, NULL, DENSE, HD_U32, false, false, true, false, 0},
    {PARTITION, HD_I32, 0, is_negative, CHECK_DENSE, CHECK_ROWS, HD_I32, false, false, false, false,
     0},
    {UNIQUE, HD_I64, 0, NULL, DENSE, HD_I32, true, true, false, false, 0},
    {UNIQUE, HD_BF16, 0, NULL, DENSE, 0, false, false, false, false, 0},
    {UNIQUE, HD_BOOL, 0, NULL, DENSE, 0, false, false, false, false, 0},
    {UNIQUE, HD_STRUCT(triple), 0, NULL, CHECK_STRIDED, CHECK_DENSE, HD_I64, false, false, false,
     false, 0},
    {RUNS, HD_F32, 0, NULL, DENSE, HD_I64, true, false, false, false, 0},
    {RUNS, HD_U8, 0, NULL, DENSE, HD_U32, true, true, false, false, 0},
    {RUNS, HD_U64, 0, NULL, CHECK_REVERSED, CHECK_DENSE, HD_I32, false, false, false, true, 0},
    {BUCKETS, HD_F32, HD_U8, NULL, DENSE, HD_U32, true, false, false, false, 200},
    {BUCKETS, HD_I32, 0, low_bits, DENSE, HD_I64, false, false, false, false, 8},
    {BUCKETS, HD_U16, HD_I32, NULL, DENSE, HD_I64, true, false, false, false, 3000},
    {BUCKETS, HD_STRUCT(triple), HD_I64, NULL, CHECK_STRIDED, CHECK_DENSE, HD_I32, false, false,
     false, false, 1},
};

// ---- Arrays on either side ----------------------------------------------------------------------

typedef struct side {
    hd_view in, flags, out, indices, lengths, counts, offsets, with;
} side;

// Elements go to the device and come back as bytes: one kernel for all types.
static void copy(hd_view device, hd_view host, bool up)
{
    const int64_t n = hd_count(host), size = (int64_t)hd_type_size(host.type);
    char *dense = check_memory((size_t)(n * size + 1));
    hd_view bytes = HD_VIEW_OF(HD_U8, device.data, n * size);
    bytes.space = HD_DEVICE;
    for (int64_t k = 0; up && k < n; k++)
        memcpy(dense + k * size, check_element(host, k), (size_t)size);
    const hd_view packed = HD_VIEW_OF(HD_U8, dense, n * size);
    CHECK_OK(ctx, hd_map(ctx, up ? packed : bytes, NULL, up ? bytes : packed, NULL));
    for (int64_t k = 0; !up && k < n; k++)
        memcpy(check_element(host, k), dense + k * size, (size_t)size);
    free(dense);
}

static hd_view moved(hd_view v, bool up)
{
    if (v.ndim == 0 || !up) return v;
    hd_view d;
    CHECK_OK(ctx, hd_alloc_device(ctx, v.type, v.ndim, v.shape, &d));
    copy(d, v, true);
    return d;
}

static void back(hd_view *d, hd_view v)
{
    if (d->space != HD_DEVICE) return;
    copy(*d, v, false);
    CHECK_OK(ctx, hd_free(ctx, d));
}

static hd_status call(hd_context *c, const way *w, const side *s, int64_t *count)
{
    const hd_views with = w->keep == is_below ? HD_VIEWS(s->with) : (hd_views){0};
    const hd_compact_options compact = {.flags = HD_REF(s->flags),
                                        .keep = w->keep,
                                        .with = with,
                                        .indices = HD_REF(s->indices),
                                        .invert = w->invert};
    const hd_partition_options two = {.flags = HD_REF(s->flags),
                                      .keep = w->keep,
                                      .with = with,
                                      .offsets = HD_REF(s->offsets),
                                      .indices = HD_REF(s->indices),
                                      .invert = w->invert};
    const hd_partition_options many = {.buckets = HD_REF(s->flags),
                                       .bucket = w->keep,
                                       .offsets = HD_REF(s->offsets),
                                       .indices = HD_REF(s->indices),
                                       .ways = w->ways};
    switch (w->what) {
    case COMPACT: return hd_compact(c, s->in, s->out, HD_VIEW(count, 1), &compact);
    case PARTITION: return hd_partition(c, s->in, s->out, s->counts, &two);
    case BUCKETS: return hd_partition(c, s->in, s->out, s->counts, &many);
    case UNIQUE:
        return hd_unique(c, s->in, s->out, HD_VIEW(count, 1),
                         &(hd_unique_options){.indices = HD_REF(s->indices)});
    default:
        return hd_run_lengths(c, s->in, s->out, s->lengths, HD_VIEW(count, 1),
                              &(hd_run_lengths_options){.indices = HD_REF(s->indices)});
    }
}

static void fill(const way *w, int64_t n, int percent, uint64_t *r, unsigned char *x,
                 unsigned char *f)
{
    const size_t size = hd_type_size(w->type), fsize = w->flags ? hd_type_size(w->flags) : 0;
    const bool runs = w->what == UNIQUE || w->what == RUNS;
    for (int64_t i = 0; i < n; i++) {
        const bool yes = check_below(r, 100) < percent;
        unsigned char *to = x + (size_t)i * size;
        if (runs && i > 0 && !yes) {
            memcpy(to, to - size, size);
            continue;
        }
        for (size_t b = 0; b < size; b++) to[b] = (unsigned char)check_next(r);
        if (!runs && !w->flags && !w->keep && !yes) memset(to, 0, size);
        memset(f + (size_t)i * fsize, 0, fsize);
        if (w->what == BUCKETS && fsize) {
            const uint64_t bucket = (uint64_t)check_below(r, w->ways);
            memcpy(f + (size_t)i * fsize, &bucket, fsize); // little endian
        } else if (yes && fsize) {
            f[(size_t)i * fsize + (size_t)check_below(r, (int64_t)fsize)] = 1 + i % 200;
        }
    }
}

typedef struct arrays {
    check_array in, flags, out, indices, lengths, counts, offsets;
} arrays;

static arrays made(const way *w, int64_t n, int64_t room, bool guard)
{
    const int64_t parts = w->what == BUCKETS ? w->ways : 2;
    const hd_type index = w->index ? w->index : HD_I64;
    const check_layout out = w->in_place ? w->in : w->out;
    return (arrays){check_new(w->type, n, w->in, guard),
                    check_new(w->flags ? w->flags : HD_U8, n, w->in, guard),
                    check_new(w->type, w->in_place ? n : room, out, guard),
                    check_new(index, room, CHECK_DENSE, guard),
                    check_new(index, room, CHECK_DENSE, false),
                    check_new(index, parts, CHECK_STRIDED, false),
                    check_new(index, parts + 1, CHECK_DENSE, false)};
}

static void drop(arrays *a)
{
    check_array *const all[] = {&a->in,      &a->flags,  &a->out,    &a->indices,
                                &a->lengths, &a->counts, &a->offsets};
    for (int k = 0; k < 7; k++) check_drop(all[k]);
}

static side sides(const way *w, const arrays *a, hd_view with, bool up)
{
    const bool parts = w->what == PARTITION || w->what == BUCKETS;
    side s = {.in = moved(a->in.view, up)};
    s.flags = w->flags ? moved(a->flags.view, up) : HD_EMPTY;
    s.out = w->no_out ? HD_EMPTY : w->in_place ? s.in : moved(a->out.view, up);
    s.indices = w->index ? moved(a->indices.view, up) : HD_EMPTY;
    s.lengths = moved(a->lengths.view, up);
    s.counts = parts ? moved(a->counts.view, up) : HD_EMPTY;
    s.offsets = parts && w->index ? moved(a->offsets.view, up) : HD_EMPTY;
    s.with = moved(with, up);
    return s;
}

// The first byte that is not the same, or -1.
static int64_t differs(const check_array *a, const check_array *b)
{
    for (size_t k = 0; k < a->storage_bytes; k++)
        if (((const char *)a->storage)[k] != ((const char *)b->storage)[k]) return (int64_t)k;
    return -1;
}

// The name of the first array that is not the same, and where.
static const char *wrong(const arrays *a, const arrays *b, int64_t *at)
{
    if ((*at = differs(&a->in, &b->in)) >= 0) return "the input";
    if ((*at = differs(&a->out, &b->out)) >= 0) return "the output";
    if ((*at = differs(&a->indices, &b->indices)) >= 0) return "indices";
    if ((*at = differs(&a->lengths, &b->lengths)) >= 0) return "lengths";
    if ((*at = differs(&a->counts, &b->counts)) >= 0) return "counts";
    return (*at = differs(&a->offsets, &b->offsets)) >= 0 ? "offsets" : NULL;
}

static void ask(const way *w, int64_t n, int percent, int64_t room, uint64_t *r)
{
    const bool whole = w->what == PARTITION || w->what == BUCKETS || w->in_place;
    if (whole || room > n) room = n;
    const bool guard = check_next(r) % 2;
    arrays got = made(w, n, room, guard), want = made(w, n, room, guard);
    unsigned char *x = check_memory((size_t)n * hd_type_size(w->type) + 1);
    unsigned char *f = check_memory((size_t)n * 8 + 1);
    float *limits = check_memory((size_t)n * 4 + 4);
    fill(w, n, percent, r, x, f);
    for (int64_t i = 0; i < n; i++) limits[i] = (float)percent - 50;
    check_put(&got.in, x), check_put(&want.in, x);
    if (w->flags) check_put(&got.flags, f), check_put(&want.flags, f);
    check_array with = check_new(HD_F32, n, w->in, false);
    check_put(&with, limits);
    int64_t count = -1, wanted = -1;
    const side host = sides(w, &want, with.view, false);
    const hd_status expected = call(serial, w, &host, &wanted);
    side s = sides(w, &got, with.view, w->device);
    const hd_status status = call(ctx, w, &s, &count);
    CHECK(status == expected, "%s of %" PRId64 ": %s, not %s: %s", names[w->what], n,
          hd_status_name(status), hd_status_name(expected), hd_error(ctx));
    CHECK(count == wanted, "%s of %" PRId64 ": %" PRId64 ", not %" PRId64, names[w->what], n, count,
          wanted);
    if (status != HD_OK)
        CHECK(strcmp(hd_error(ctx), hd_error(serial)) == 0, "%s instead of %s", hd_error(ctx),
              hd_error(serial));
    if (!w->in_place) back(&s.out, got.out.view);
    back(&s.in, got.in.view), back(&s.flags, got.flags.view), back(&s.indices, got.indices.view);
    back(&s.lengths, got.lengths.view), back(&s.counts, got.counts.view);
    back(&s.offsets, got.offsets.view), back(&s.with, with.view);
    int64_t at = 0;
    const char *array = wrong(&got, &want, &at);
    CHECK(array == NULL,
          "%s of %" PRId64 " %s, %d%%, room %" PRId64 "%s%s on %s: row %d: %s, byte %" PRId64,
          names[w->what], n, hd_type_name(w->type), percent, room, w->in_place ? ", in place" : "",
          w->device ? ", on the device" : "", backend, (int)(w - ways), array, at);
    check_drop(&with), drop(&got), drop(&want);
    free(x), free(f), free(limits);
}

// ---- Many runs of the same kernels --------------------------------------------------------------

static int64_t some_size(uint64_t *r)
{
    static const int64_t edges[] = {0,   1,    2,    31,   32,   33,   127,  128,  129,
                                    511, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4097};
    switch (check_below(r, 3)) {
    case 0: return edges[check_below(r, 18)];
    case 1: return check_below(r, 3000);
    default: return check_below(r, card ? 1 << 21 : 7000);
    }
}

static void test_ways(uint64_t *r, int times)
{
    static const int percents[] = {50, 1, 99, 0, 100, 10, 90};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        for (int t = 0; t < times; t++) {
            int64_t n = t == 0 ? 0 : some_size(r);
            if (ways[k].type == HD_STRUCT(page)) n %= 3000;
            const int64_t room = check_next(r) % 4 ? n : check_below(r, n + 1);
            ask(&ways[k], n, percents[check_below(r, 7)], room, r);
        }
}

static void expect(hd_status status, hd_status want, const char *part)
{
    CHECK(status == want && strstr(hd_error(ctx), part), "status %s, expected %s with '%s': %s",
          hd_status_name(status), hd_status_name(want), part, hd_error(ctx));
}

// A bad bucket on the device is found at hd_sync; nothing is written, and the next call is as ever.
static void test_bad_bucket(void)
{
    float x[4] = {1, 2, 3, 4}, y[4] = {-1, -1, -1, -1};
    int32_t b[4] = {1, 0, 9, -1};
    hd_view in = moved(HD_VIEW(x, 4), true), buckets = moved(HD_VIEW(b, 4), true);
    hd_view out = moved(HD_VIEW(y, 4), true);
    hd_partition_options o = {.buckets = HD_REF(HD_VIEW(b, 4)), .ways = 2};
    expect(hd_partition(ctx, in, HD_VIEW(y, 4), HD_EMPTY, &o), HD_ERROR_VALUE,
           "element 2 is of bucket 9; expected 0 to 1");
    o.buckets = HD_REF(buckets);
    for (int ways = 2; ways <= 2000; ways *= 1000) {
        o.ways = ways;
        b[2] = ways, b[3] = -1;
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW(b, 4), NULL, buckets, NULL));
        CHECK_OK(ctx, hd_partition(ctx, in, out, HD_EMPTY, &o));
        expect(hd_sync(ctx), HD_ERROR_VALUE, "element 2 is of bucket");
        CHECK_OK(ctx, hd_map(ctx, out, NULL, HD_VIEW(y, 4), NULL));
        CHECK(y[0] == -1 && y[3] == -1, "written after a bad bucket: %g %g", (double)y[0],
              (double)y[3]);
        b[2] = 1, b[3] = 0;
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW(b, 4), NULL, buckets, NULL));
        CHECK_OK(ctx, hd_partition(ctx, in, out, HD_EMPTY, &o));
        CHECK_OK(ctx, hd_sync(ctx));
        CHECK_OK(ctx, hd_map(ctx, out, NULL, HD_VIEW(y, 4), NULL));
        CHECK(y[0] == 2 && y[1] == 4 && y[2] == 1 && y[3] == 3, "parts: %g %g %g %g", (double)y[0],
              (double)y[1], (double)y[2], (double)y[3]);
        for (int k = 0; k < 4; k++) y[k] = -1;
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW(y, 4), NULL, out, NULL));
    }
    back(&in, HD_VIEW(x, 4)), back(&buckets, HD_VIEW(b, 4)), back(&out, HD_VIEW(y, 4));
}

// Keys of 32 bits are made of buckets of 64: each is written as what it becomes.
static void test_wide_bucket(void)
{
    enum { N = 3001, WAYS = 999 };
    static int32_t x[N], y[N], want[N];
    static int64_t counts[WAYS], want_counts[WAYS];
    for (int i = 0; i < N; i++) x[i] = (int32_t)((uint32_t)i * 2654435761u >> 1);
    const hd_partition_options o = {.bucket = wide_bucket, .ways = WAYS};
    CHECK_OK(serial,
             hd_partition(serial, HD_VIEW(x, N), HD_VIEW(want, N), HD_VIEW(want_counts, WAYS), &o));
    CHECK_OK(ctx, hd_partition(ctx, HD_VIEW(x, N), HD_VIEW(y, N), HD_VIEW(counts, WAYS), &o));
    CHECK_SAME(HD_I32, y, want, N, "999 ways by a function, %s", backend);
    CHECK_SAME(HD_I64, counts, want_counts, WAYS, "counts of 999 ways, %s", backend);
}

static void test_backend(hd_backend which)
{
    const char *asked = getenv("HEDDLE_TEST_CASES");
    card = which == HD_CUDA;
    backend = hd_backend_name(which);
    const int times = asked ? atoi(asked) : card ? 40 : check_small() ? 2 : 4;
    uint64_t r = check_seed() + (uint64_t)which;
    // Small tiles, so that small inputs have many, without and with counting first; on a card the
    // usual ones as well.
    static const char *const tunes[] = {
        "", "select_threads=64 select_rows=4 radix_threads=64 radix_rows=4",
        "select_threads=64 select_rows=4 select_tally=1 radix_threads=64 radix_rows=4"};
    for (int k = card ? 0 : 1; k < 3; k++) {
        setenv("HEDDLE_TUNE", tunes[k], 1);
        ctx = check_open(which, 2, NULL);
        test_ways(&r, card ? times : times / 2);
        test_bad_bucket();
        test_wide_bucket();
        hd_close(ctx);
    }
    // Counting asks for more rows than a lane has registers for, of elements of 12 bytes.
    setenv("HEDDLE_TUNE", "select_threads=512 select_small_rows=8 select_tally=1", 1);
    ctx = check_open(which, 2, NULL);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        if (ways[k].type == HD_STRUCT(triple)) ask(&ways[k], 9001, 50, 9001, &r);
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
