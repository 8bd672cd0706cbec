// SPDX-License-Identifier: Apache-2.0
//
// hd_compact and hd_partition: every backend, thread count and instruction set, every type, sizes,
// layouts, flags of every type, predicates, in place, buckets; against plain loops over bytes that
// are written here. Errors: each with its status and a text that names the thing.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

typedef struct triple {
    uint8_t v[12];
} triple;
typedef struct page {
    uint8_t v[200];
} page;

HD_FUNCTION(is_negative, bool, HD_NO_SOURCE, (int32_t, x), { return x < 0; })
HD_FUNCTION(is_below, uint16_t, HD_NO_SOURCE, (float, x, float, y),
            { return (uint16_t)(x < y ? 256 : 0); })
HD_FUNCTION(low_bits, uint8_t, HD_NO_SOURCE, (int32_t, x), { return (uint8_t)(x & 7); })
HD_FUNCTION(not_a_label, float, HD_NO_SOURCE, (float, x), { return x; })

static const check_target *targets;
static int target_count;

// ---- The reference ------------------------------------------------------------------------------

// Whether an element (of a number type) is not zero.
static bool is_set(hd_type type, const unsigned char *x)
{
    const size_t size = hd_type_size(type);
    unsigned any = 0;
    for (size_t k = 0; k < size; k++)
        any |= check_is_float(type) && k == size - 1 ? x[k] & 0x7f : x[k];
    return any != 0;
}

// Moves the elements with keep[i] == wanted to out in order; returns how many.
static int64_t collect(const unsigned char *x, size_t size, const uint8_t *keep, int64_t n,
                       int wanted, unsigned char *out, int64_t *indices)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        if (keep[i] != wanted) continue;
        memcpy(out + (size_t)count * size, x + (size_t)i * size, size);
        indices[count++] = i;
    }
    return count;
}

// ---- One question -------------------------------------------------------------------------------

typedef struct question {
    hd_type type;
    int64_t n;
    int percent;   // of elements kept
    bool by_flags; // else by the elements themselves
    hd_type flag_type;
    bool invert, in_place, partition;
    check_layout in_layout, out_layout, flag_layout;
    hd_type index_type;
} question;

typedef struct arrays {
    check_array in, flags, out, indices, counts, offsets;
    unsigned char *x, *f, *want, *got;
    int64_t *want_indices, kept;
    uint8_t *keep;
} arrays;

static void check_index_view(const check_array *a, const int64_t *want, int64_t n, const char *what,
                             const char *where)
{
    for (int64_t k = 0; k < n; k++) {
        const void *at = check_element(a->view, k);
        int64_t got = 0;
        if (a->view.type == HD_I64 || a->view.type == HD_U64)
            memcpy(&got, at, 8);
        else if (a->view.type == HD_I32)
            got = *(const int32_t *)at;
        else
            got = *(const uint32_t *)at;
        if (got == want[k]) continue;
        CHECK(false, "%s %" PRId64 " is %" PRId64 ", not %" PRId64 " on %s", what, k, got, want[k],
              where);
        return;
    }
}

static void ask(const question *q, const check_target *target, arrays *a)
{
    const check_array *out = q->in_place ? &a->in : &a->out;
    const size_t size = hd_type_size(q->type);
    int64_t count = -1;
    check_put(&a->in, a->x);
    memset(a->out.storage, CHECK_FILLER, a->out.storage_bytes);
    memset(a->indices.storage, CHECK_FILLER, a->indices.storage_bytes);
    if (q->partition) {
        const hd_partition_options o = {.flags = HD_REF(q->by_flags ? a->flags.view : HD_EMPTY),
                                        .invert = q->invert,
                                        .offsets = HD_REF(a->offsets.view),
                                        .indices = HD_REF(a->indices.view)};
        CHECK_OK(target->ctx, hd_partition(target->ctx, a->in.view, out->view, a->counts.view, &o));
        const int64_t counts[] = {a->kept, q->n - a->kept}, offsets[] = {0, a->kept, q->n};
        check_index_view(&a->counts, counts, 2, "count", target->name);
        check_index_view(&a->offsets, offsets, 3, "offset", target->name);
    } else {
        const hd_compact_options o = {.flags = HD_REF(q->by_flags ? a->flags.view : HD_EMPTY),
                                      .invert = q->invert,
                                      .indices = HD_REF(a->indices.view)};
        CHECK_OK(target->ctx,
                 hd_compact(target->ctx, a->in.view, out->view, HD_VIEW(&count, 1), &o));
        CHECK(count == a->kept, "%" PRId64 " kept of %" PRId64 " %s, not %" PRId64 " on %s", count,
              q->n, hd_type_name(q->type), a->kept, target->name);
    }
    const int64_t written = q->partition ? q->n : a->kept;
    check_get(out, a->got);
    CHECK(memcmp(a->got, a->want, (size_t)written * size) == 0,
          "%s of %" PRId64 " %s, %d%% kept, %s%s%s, %s to %s on %s",
          q->partition ? "partition" : "compact", q->n, hd_type_name(q->type), q->percent,
          q->by_flags ? hd_type_name(q->flag_type) : "values", q->invert ? " inverted" : "",
          q->in_place ? " in place" : "", check_layout_name(q->in_layout),
          check_layout_name(q->out_layout), target->name);
    for (size_t b = (size_t)written * size; !q->in_place && b < (size_t)q->n * size; b++)
        if (a->got[b] != CHECK_FILLER) {
            CHECK(false, "compact of %" PRId64 " %s wrote more than %" PRId64 " on %s", q->n,
                  hd_type_name(q->type), written, target->name);
            break;
        }
    CHECK(check_gaps(out), "wrote between elements (%s) on %s", check_layout_name(q->out_layout),
          target->name);
    check_index_view(&a->indices, a->want_indices, written, "index", target->name);
}

// Elements: anything; zeros where they are their own labels and are not kept.
static void fill(const question *q, arrays *a, uint64_t *state)
{
    const size_t size = hd_type_size(q->type), fsize = hd_type_size(q->flag_type);
    for (size_t b = 0; b < (size_t)q->n * size; b++) a->x[b] = (unsigned char)check_next(state);
    memset(a->f, 0, (size_t)q->n * fsize);
    for (int64_t i = 0; i < q->n; i++) {
        const bool set = check_below(state, 100) < q->percent;
        if (q->by_flags) {
            if (set)
                a->f[(size_t)i * fsize + (size_t)check_below(state, (int64_t)fsize)] =
                    (uint8_t)(1 + check_below(state, 255));
        } else if (!set) {
            memset(a->x + (size_t)i * size, 0, size);
            if (check_is_float(q->type) && check_below(state, 2))
                a->x[(size_t)i * size + size - 1] = 0x80; // -0
        }
        const bool label = q->by_flags ? set : is_set(q->type, a->x + (size_t)i * size);
        a->keep[i] = label != q->invert;
    }
}

static void try(question q, uint64_t seed, int one_target)
{
    const size_t n = (size_t)q.n, size = hd_type_size(q.type);
    uint64_t state = seed;
    if (q.partition) q.in_place = false;
    if (q.in_place) q.out_layout = q.in_layout;
    if (q.in_layout >= CHECK_ROWS) q.flag_layout = q.in_layout; // flags have the shape of in
    if (q.in_layout < CHECK_ROWS && q.flag_layout >= CHECK_ROWS) q.flag_layout = CHECK_STRIDED;
    arrays a = {.in = check_new(q.type, q.n, q.in_layout, seed & 1),
                .flags = check_new(q.flag_type, q.n, q.flag_layout, seed & 2),
                .out = check_new(q.type, q.n, q.out_layout, seed & 4),
                .indices = check_new(q.index_type, q.n, q.out_layout, seed & 8),
                .counts = check_new(q.index_type, 2, CHECK_STRIDED, false),
                .offsets = check_new(q.index_type, 3, CHECK_DENSE, false),
                .x = check_memory(n * size),
                .f = check_memory(n * hd_type_size(q.flag_type)),
                .want = check_memory(n * size),
                .got = check_memory(n * size),
                .want_indices = check_memory(n * sizeof(int64_t)),
                .keep = check_memory(n)};
    fill(&q, &a, &state);
    check_put(&a.flags, a.f);
    a.kept = collect(a.x, size, a.keep, q.n, 1, a.want, a.want_indices);
    if (q.partition)
        collect(a.x, size, a.keep, q.n, 0, a.want + (size_t)a.kept * size, a.want_indices + a.kept);
    for (int t = 0; t < target_count; t++)
        if (one_target < 0 || t == 0 || t == 1 + one_target % (target_count - 1))
            ask(&q, &targets[t], &a);
    check_array *const made[] = {&a.in, &a.flags, &a.out, &a.indices, &a.counts, &a.offsets};
    for (int k = 0; k < 6; k++) check_drop(made[k]);
    free(a.x), free(a.f), free(a.want), free(a.got), free(a.want_indices), free(a.keep);
}

static const hd_type index_types[] = {HD_I64, HD_U32, HD_I32, HD_U64};
static const hd_type flag_types[] = {HD_BOOL, HD_U8, HD_I32, HD_U16, HD_I64, HD_I8};
static const int percents[] = {50, 1, 99, 0, 100, 50, 10, 90};

static void test_type(hd_type type)
{
    static int turn;
    const int64_t limit = check_small() ? 1025 : 4097;
    for (int k = 0; check_size(k, limit) >= 0; k++, turn++) {
        question q = {.type = type, .n = check_size(k, limit), .percent = percents[turn % 8]};
        q.by_flags = turn % 3 != 0 || type >> 8 != 0;
        q.flag_type = flag_types[turn % 6];
        q.invert = turn % 7 == 3;
        q.in_place = turn % 4 == 1;
        q.partition = turn % 5 == 2;
        q.in_layout = (check_layout)(turn % CHECK_LAYOUTS);
        q.out_layout = (check_layout)(turn / 3 % CHECK_LAYOUTS);
        q.flag_layout = (check_layout)(turn / 2 % CHECK_LAYOUTS);
        q.index_type = index_types[turn % 4];
        try(q, check_seed() + (uint64_t)turn, q.n <= 257 ? -1 : turn);
        q.in_layout = q.out_layout = q.flag_layout = CHECK_DENSE;
        q.partition = !q.partition;
        try(q, check_seed() + (uint64_t)turn, turn + 5);
    }
}

// Sizes where several threads take several chunks, on every target.
static void test_threads(hd_type type, int64_t n, int way)
{
    question q = {.type = type,
                  .n = n,
                  .percent = percents[way % 8],
                  .by_flags = way % 3 != 0 || type >> 8 != 0};
    q.flag_type = flag_types[way % 2];
    q.in_place = way % 4 == 1;
    q.partition = way % 4 == 2;
    q.index_type = HD_U32;
    q.in_layout = way % 5 == 4 ? CHECK_STRIDED : CHECK_DENSE;
    try(q, check_seed() + (uint64_t)way, -1);
}

// ---- Predicates and what may be left out --------------------------------------------------------

static void test_predicate(const check_target *t, int64_t n)
{
    int32_t *x = check_memory((size_t)(n + 1) * 4), *y = check_memory((size_t)(n + 1) * 4);
    float *f = check_memory((size_t)(n + 1) * 4), *g = check_memory((size_t)(n + 1) * 4);
    float *h = check_memory((size_t)(n + 1) * 4);
    int64_t count = 0, other = 0, wanted = 0, *at = check_memory((size_t)(n + 1) * 8);
    check_fill(HD_I32, x, n, CHECK_ORDINARY, check_seed() + 5);
    check_fill(HD_F32, f, n, CHECK_SPECIAL, check_seed() + 6);
    CHECK_OK(t->ctx, hd_compact(t->ctx, HD_VIEW(x, n), HD_VIEW(y, n), HD_VIEW(&count, 1),
                                &(hd_compact_options){.keep = is_negative}));
    for (int64_t i = 0; i < n; i++)
        if (x[i] < 0) {
            CHECK(wanted < count && y[wanted] == x[i], "element %" PRId64 " on %s", i, t->name);
            wanted++;
        }
    CHECK(count == wanted, "%" PRId64 " negative, not %" PRId64 " on %s", count, wanted, t->name);
    // with a further input; only the count; only the indices; in place
    const hd_compact_options below = {.keep = is_below, .with = HD_VIEWS(hd_constant(0.25f, n))};
    CHECK_OK(t->ctx, hd_compact(t->ctx, HD_VIEW(f, n), HD_VIEW(g, n), HD_VIEW(&count, 1), &below));
    CHECK_OK(t->ctx, hd_compact(t->ctx, HD_VIEW(f, n), HD_EMPTY, HD_VIEW(&other, 1), &below));
    CHECK(count == other, "only counted: %" PRId64 ", not %" PRId64 " on %s", other, count,
          t->name);
    hd_compact_options places = below;
    places.indices = HD_REF(HD_VIEW(at, n));
    CHECK_OK(t->ctx, hd_compact(t->ctx, HD_VIEW(f, n), HD_EMPTY, HD_VIEW(&other, 1), &places));
    memcpy(h, f, (size_t)n * sizeof *h);
    CHECK_OK(t->ctx, hd_compact(t->ctx, HD_VIEW(h, n), HD_VIEW(h, n), HD_VIEW(&other, 1), &below));
    wanted = 0;
    for (int64_t i = 0; i < n; i++) {
        if (!(f[i] < 0.25f)) continue;
        CHECK(g[wanted] == f[i] && h[wanted] == f[i] && at[wanted] == i,
              "element %" PRId64 " on %s", i, t->name);
        wanted++;
    }
    CHECK(count == wanted, "%" PRId64 " below, not %" PRId64 " on %s", count, wanted, t->name);
    // the places of what is chosen, from a sequence that lives nowhere
    CHECK_OK(t->ctx,
             hd_compact(t->ctx, hd_iota(n), HD_VIEW(at, n), HD_VIEW(&count, 1),
                        &(hd_compact_options){.flags = HD_REF(HD_VIEW(x, n)), .invert = true}));
    wanted = 0;
    for (int64_t i = 0; i < n; i++)
        if (x[i] == 0) wanted++;
    CHECK(count == wanted, "zeros on %s", t->name);
    free(x), free(y), free(f), free(g), free(h), free(at);
}

// ---- Buckets ------------------------------------------------------------------------------------

static void test_buckets(const check_target *t, hd_type type, int64_t n, int64_t ways, int way)
{
    const size_t size = hd_type_size(type);
    const check_layout layouts[] = {CHECK_DENSE, CHECK_STRIDED, CHECK_REVERSED};
    check_array in = check_new(type, n, layouts[way % 3], false);
    check_array out = check_new(type, n, layouts[way / 3 % 3], true);
    check_array offsets = check_new(HD_I64, ways + 1, CHECK_DENSE, false);
    check_array counts = check_new(HD_U32, ways, CHECK_DENSE, false);
    int64_t *at = check_memory((size_t)n * 8), *want_at = check_memory((size_t)n * 8), done = 0;
    unsigned char *x = check_memory((size_t)n * size), *want = check_memory((size_t)n * size);
    uint16_t *buckets = check_memory((size_t)n * 2);
    uint64_t state = check_seed() + (uint64_t)way;
    for (size_t b = 0; b < (size_t)n * size; b++) x[b] = (unsigned char)check_next(&state);
    for (int64_t i = 0; i < n; i++) buckets[i] = (uint16_t)check_below(&state, ways);
    check_put(&in, x);
    const hd_partition_options o = {.buckets = HD_REF(HD_VIEW(buckets, n)),
                                    .ways = ways,
                                    .offsets = HD_REF(offsets.view),
                                    .indices = HD_REF(way % 2 ? HD_VIEW(at, n) : HD_EMPTY)};
    CHECK_OK(t->ctx, hd_partition(t->ctx, in.view, out.view, counts.view, &o));
    for (int64_t b = 0; b < ways; b++) {
        CHECK(((int64_t *)offsets.view.data)[b] == done, "offset %" PRId64 " on %s", b, t->name);
        const int64_t before = done;
        for (int64_t i = 0; i < n; i++)
            if (buckets[i] == b) {
                memcpy(want + (size_t)done * size, x + (size_t)i * size, size);
                want_at[done++] = i;
            }
        CHECK(((uint32_t *)counts.view.data)[b] == done - before, "count %" PRId64 " on %s", b,
              t->name);
    }
    CHECK(((int64_t *)offsets.view.data)[ways] == n, "the last offset on %s", t->name);
    check_get(&out, x);
    CHECK(memcmp(x, want, (size_t)n * size) == 0, "%" PRId64 " buckets of %" PRId64 " %s on %s",
          ways, n, hd_type_name(type), t->name);
    CHECK(way % 2 == 0 || memcmp(at, want_at, (size_t)n * 8) == 0, "indices of %" PRId64 " on %s",
          n, t->name);
    check_drop(&in), check_drop(&out), check_drop(&offsets), check_drop(&counts);
    free(at), free(want_at), free(x), free(want), free(buckets);
}

static void test_bucket_function(const check_target *t)
{
    enum { N = 70000 };
    static int32_t x[N], y[N];
    int64_t counts[8], at = 0;
    check_fill(HD_I32, x, N, CHECK_ORDINARY, check_seed());
    CHECK_OK(t->ctx, hd_partition(t->ctx, HD_VIEW(x, N), HD_VIEW(y, N), HD_VIEW(counts, 8),
                                  &(hd_partition_options){.bucket = low_bits, .ways = 8}));
    for (int b = 0; b < 8; b++) {
        int64_t begin = at;
        for (int i = 0; i < N; i++)
            if ((x[i] & 7) == b && y[at++] != x[i]) CHECK(false, "element %d on %s", i, t->name);
        CHECK(counts[b] == at - begin, "count of %d on %s", b, t->name);
    }
}

// ---- Errors -------------------------------------------------------------------------------------

static hd_context *ctx;
static const char *where;

static void expect(int line, hd_status expected, hd_status got, const char *word)
{
    if (got != expected)
        check_failed(__FILE__, line, "status", "%s instead of %s on %s: %s", hd_status_name(got),
                     hd_status_name(expected), where, hd_error(ctx));
    if (got != HD_OK && !strstr(hd_error(ctx), word))
        check_failed(__FILE__, line, "text", "no '%s' in '%s' on %s", word, hd_error(ctx), where);
}

#define COMPACT(status, word, in, out, count, ...)                                                 \
    expect(__LINE__, status,                                                                       \
           hd_compact(ctx, in, out, hd_view_of(HD_I64, count, 1),                                  \
                      &(hd_compact_options){__VA_ARGS__}),                                         \
           word)
#define PARTITION(status, word, in, out, counts, ...)                                              \
    expect(__LINE__, status,                                                                       \
           hd_partition(ctx, in, out, counts, &(hd_partition_options){__VA_ARGS__}), word)

static void test_errors(void)
{
    float x[20], y[20];
    int32_t flags[20], few[300];
    int64_t count = 0, at[20], counts[3];
    int8_t narrow[300];
    triple s[4];
    for (int i = 0; i < 20; i++) x[i] = (float)i, flags[i] = i % 2, at[i] = 0;
    for (int i = 0; i < 300; i++) few[i] = 1, narrow[i] = 0;
    memset(s, 1, sizeof s);
    const hd_view v = HD_VIEW(x, 20), w = HD_VIEW(y, 20), f = HD_VIEW(flags, 20);
    COMPACT(HD_ERROR_ARGUMENT, "count", v, w, NULL, .invert = false);
    COMPACT(HD_ERROR_ARGUMENT, "in", HD_VIEW((float *)NULL, 20), w, &count, .invert = false);
    COMPACT(HD_ERROR_SHAPE, "flags", v, w, &count, .flags = HD_REF(HD_VIEW(flags, 19)));
    COMPACT(HD_ERROR_SHAPE, "flags", v, w, &count,
            .flags = HD_REF(hd_view_nd(HD_I32, flags, 2, (int64_t[]){4, 5}, NULL)));
    COMPACT(HD_ERROR_TYPE, "flags", v, w, &count, .flags = HD_REF(HD_VIEW(x, 20)));
    COMPACT(HD_ERROR_ARGUMENT, "exclude", v, w, &count, .flags = HD_REF(f), .keep = is_below,
            .with = HD_VIEWS(v));
    COMPACT(HD_ERROR_TYPE, "is_negative", v, w, &count, .keep = is_negative);
    COMPACT(HD_ERROR_ARGUMENT, "is_below", v, w, &count, .keep = is_below);
    COMPACT(HD_ERROR_SHAPE, "with[0]", v, w, &count, .keep = is_below,
            .with = HD_VIEWS(HD_VIEW(y, 19)));
    COMPACT(HD_ERROR_TYPE, "not_a_label", v, w, &count, .keep = not_a_label);
    COMPACT(HD_ERROR_TYPE, "out", v, HD_VIEW(flags, 20), &count, .invert = false);
    COMPACT(HD_ERROR_TYPE, "structure", HD_VIEW_OF(HD_STRUCT(triple), s, 4), HD_EMPTY, &count,
            .invert = false);
    COMPACT(HD_ERROR_TYPE, "indices", v, w, &count, .indices = HD_REF(HD_VIEW(x, 20)));
    COMPACT(HD_ERROR_TYPE, "indices", HD_VIEW(few, 300), HD_EMPTY, &count,
            .indices = HD_REF(HD_VIEW(narrow, 300)));
    COMPACT(HD_ERROR_ALIAS, "out", v, HD_VIEW(x + 1, 19), &count, .invert = false);
    COMPACT(HD_ERROR_ALIAS, "indices", v, w, &count, .indices = HD_REF(HD_VIEW_OF(HD_I32, y, 20)));
    COMPACT(HD_ERROR_ALIAS, "indices", v, w, &count, .indices = HD_REF(HD_VIEW_OF(HD_I32, x, 20)));
    COMPACT(HD_ERROR_ALIAS, "flags", v, HD_VIEW_OF(HD_F32, flags, 20), &count, .flags = HD_REF(f));
    COMPACT(HD_ERROR_ARGUMENT, "implicit", v, hd_constant(1.0f, 20), &count, .invert = false);
    // too little room: the text and the count say how much is needed, the first ones are there
    for (int i = 0; i < 20; i++) y[i] = -7;
    COMPACT(HD_ERROR_SHAPE, "19", v, HD_VIEW(y, 5), &count, .invert = false);
    CHECK(count == 19 && y[0] == 1 && y[4] == 5 && y[5] == -7, "cut off on %s", where);
    COMPACT(HD_ERROR_SHAPE, "indices", v, w, &count, .indices = HD_REF(HD_VIEW(at, 5)));
    CHECK(count == 19 && at[4] == 5 && at[5] == 0, "indices cut off on %s", where);
    COMPACT(HD_OK, "", v, HD_VIEW(y, 19), &count, .invert = false);
    COMPACT(HD_OK, "", HD_VIEW(x, 0), HD_EMPTY, &count, .invert = false);
    CHECK(count == 0, "nothing on %s", where);
    CHECK(hd_compact(NULL, v, w, HD_VIEW(&count, 1), NULL) == HD_ERROR_ARGUMENT, "no context");

    PARTITION(HD_ERROR_SHAPE, "out", v, HD_VIEW(y, 19), HD_EMPTY, .flags = HD_REF(f));
    PARTITION(HD_ERROR_ARGUMENT, "out", v, HD_EMPTY, HD_EMPTY, .flags = HD_REF(f));
    PARTITION(HD_ERROR_SHAPE, "counts", v, w, HD_VIEW(counts, 3), .flags = HD_REF(f));
    PARTITION(HD_ERROR_SHAPE, "offsets", v, w, HD_EMPTY, .flags = HD_REF(f),
              .offsets = HD_REF(HD_VIEW(counts, 2)));
    PARTITION(HD_ERROR_SHAPE, "indices", v, w, HD_EMPTY, .flags = HD_REF(f),
              .indices = HD_REF(HD_VIEW(at, 19)));
    PARTITION(HD_ERROR_TYPE, "counts", v, w, HD_VIEW(x, 2), .flags = HD_REF(f));
    PARTITION(HD_ERROR_ALIAS, "out", v, v, HD_EMPTY, .flags = HD_REF(f));
    PARTITION(HD_ERROR_ALIAS, "counts", v, w, HD_VIEW_OF(HD_I64, y, 2), .flags = HD_REF(f));
    PARTITION(HD_ERROR_ARGUMENT, "ways", v, w, HD_EMPTY, .flags = HD_REF(f), .ways = 3);
    PARTITION(HD_ERROR_ARGUMENT, "ways", v, w, HD_EMPTY, .buckets = HD_REF(f));
    PARTITION(HD_ERROR_ARGUMENT, "ways", v, w, HD_EMPTY, .buckets = HD_REF(f), .ways = -1);
    PARTITION(HD_ERROR_ARGUMENT, "buckets", v, w, HD_EMPTY, .buckets = HD_REF(f),
              .flags = HD_REF(f), .ways = 2);
    PARTITION(HD_ERROR_TYPE, "buckets", v, w, HD_EMPTY, .buckets = HD_REF(v), .ways = 2);
    flags[13] = 9;
    PARTITION(HD_ERROR_VALUE, "element 13 is of bucket 9", v, w, HD_EMPTY, .buckets = HD_REF(f),
              .ways = 4);
    flags[13] = -1;
    PARTITION(HD_ERROR_VALUE, "bucket -1", v, w, HD_EMPTY, .buckets = HD_REF(f), .ways = 4);
}

// Every allocation fails once.
typedef struct ledger {
    int left, alive;
} ledger;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    ledger *l = user;
    if (l->left-- == 0) return NULL;
    l->alive++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    ((ledger *)user)->alive--;
    free(memory);
}

static void test_memory(hd_backend backend, int32_t threads, int way)
{
    enum { N = 70000 };
    static float x[N], y[N];
    static uint8_t flags[N];
    static int64_t at[N];
    const hd_view v = hd_slice(HD_VIEW(x, N), 0, N - 1, N, -1), f = HD_VIEW(flags, N);
    hd_status status = HD_ERROR_MEMORY;
    for (int k = 0; status != HD_OK && k < 20; k++) {
        ledger l = {1000, 0};
        const hd_context_options o = {
            .backend = backend, .threads = threads, .allocator = {allocate, release, &l}};
        hd_context *c;
        int64_t count;
        CHECK(hd_open(&c, &o) == HD_OK, "open");
        l.left = k;
        if (way == 0)
            status = hd_compact(
                c, v, HD_VIEW(y, N), HD_VIEW(&count, 1),
                &(hd_compact_options){.flags = HD_REF(f), .indices = HD_REF(HD_VIEW(at, N))});
        else if (way == 1)
            status = hd_partition(c, v, HD_VIEW(y, N), HD_EMPTY,
                                  &(hd_partition_options){.flags = HD_REF(f)});
        else
            status = hd_partition(c, v, HD_VIEW(y, N), HD_EMPTY,
                                  &(hd_partition_options){.buckets = HD_REF(f), .ways = 7});
        CHECK(status == HD_OK || status == HD_ERROR_MEMORY, "%s", hd_status_name(status));
        hd_close(c);
        CHECK(l.alive == 0, "%d blocks lost", l.alive);
    }
    CHECK(status == HD_OK, "never succeeded");
}

int main(void)
{
    target_count = check_targets(&targets);
    for (int t = 0; check_type(t); t++) test_type(check_type(t));
    test_type(HD_STRUCT(triple));
    test_type(HD_STRUCT(page));
    static const hd_type types[] = {HD_I32, HD_U8, HD_F64, HD_F16, HD_STRUCT(triple)};
    for (int k = 0; k < 5; k++)
        for (int way = k; way < k + (check_small() ? 1 : 4); way++)
            test_threads(types[k], check_small() ? 33001 : 200003 + k, way);
    if (!check_small()) test_threads(HD_F32, 3000001, 0), test_threads(HD_F32, 3000001, 5);
    for (int k = 0; k < target_count; k++) {
        test_predicate(&targets[k], k % 2 ? 70001 : 20011);
        for (int way = 0; way < 4; way++)
            test_buckets(&targets[k], types[(k + way) % 5], way == 3 ? 40001 : 1000 * way + 7,
                         1 + 37 * way, k + way);
        test_bucket_function(&targets[k]);
    }
    for (int k = 0; k < target_count; k++)
        ctx = targets[k].ctx, where = targets[k].name, test_errors();
    for (int way = 0; way < 3; way++) {
        test_memory(HD_SERIAL, 1, way);
        test_memory(HD_CPU, 1, way);
        test_memory(HD_CPU, 3, way);
    }
    return check_finish();
}
