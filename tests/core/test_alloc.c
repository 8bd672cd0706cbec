// SPDX-License-Identifier: Apache-2.0
//
// Memory: owned arrays, allocator hooks, and a failing allocator at every allocation of every call:
// the call must say HD_ERROR_MEMORY, lose nothing, and work when asked again.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

// ---- An allocator that counts, checks and fails ---------------------------------------------

typedef struct ledger {
    atomic_llong calls, alive, bytes; // allocations so far; blocks and bytes not yet released
    atomic_llong fail_at;             // the allocation that fails, from 0; negative: none
    atomic_bool bad; // a release of another size, an odd alignment, a write behind a block
} ledger;

typedef struct block {
    size_t bytes, offset; // of the caller's memory after the start of ours
    uint64_t mark;
} block;

enum { MARK = 0x5EED, TAIL = 64, TAIL_BYTE = 0xEE }; // nobody writes behind a block
static const size_t more_than_any = (size_t)1 << 40;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    ledger *l = user;
    if (alignment < 64 || (alignment & (alignment - 1)) || bytes == 0) l->bad = true;
    if (l->calls++ == l->fail_at || bytes > more_than_any) return NULL;
    char *base = malloc(bytes + alignment + sizeof(block) + TAIL);
    if (!base) return NULL;
    char *memory =
        (char *)(((uintptr_t)base + sizeof(block) + alignment - 1) & ~(uintptr_t)(alignment - 1));
    const block b = {bytes, (size_t)(memory - base), MARK};
    memcpy(memory - sizeof b, &b, sizeof b);
    memset(memory, 0xCD, bytes); // nobody may count on zeros
    memset(memory + bytes, TAIL_BYTE, TAIL);
    l->alive++;
    l->bytes += (long long)bytes;
    return memory;
}

static void release(void *user, void *memory, size_t bytes)
{
    ledger *l = user;
    block b;
    memcpy(&b, (char *)memory - sizeof b, sizeof b);
    if (b.mark != MARK || b.bytes != bytes) l->bad = true;
    for (size_t k = 0; k < TAIL; k++)
        if (((unsigned char *)memory)[b.bytes + k] != TAIL_BYTE) l->bad = true;
    l->alive--;
    l->bytes -= (long long)bytes;
    free((char *)memory - b.offset);
}

static hd_context *open_with(ledger *l, hd_backend backend, int32_t threads)
{
    hd_context *ctx = NULL;
    const hd_context_options options = {
        .backend = backend, .threads = threads, .allocator = {allocate, release, l}};
    CHECK_OK(ctx, hd_open(&ctx, &options));
    return ctx;
}

// ---- Owned arrays ---------------------------------------------------------------------------

static void test_owned(void)
{
    ledger l = {.fail_at = -1};
    hd_context *ctx = open_with(&l, HD_AUTO, 0);
    const long long before = l.alive;
    const int64_t shape[] = {3, 4, 5};
    hd_view v, none;
    CHECK_OK(ctx, hd_alloc(ctx, HD_F32, 3, shape, &v));
    CHECK(v.type == HD_F32 && v.ndim == 3 && hd_count(v) == 60 && v.stride[0] == 20, "the view");
    CHECK((uintptr_t)v.data % 64 == 0, "aligned to 64 bytes");
    memset(v.data, 0, 240);
    CHECK_OK(ctx, hd_alloc(ctx, HD_I8, 2, (int64_t[]){7, 0}, &none));
    CHECK(hd_count(none) == 0, "no elements");
    CHECK_OK(ctx, hd_free(ctx, &none));
    CHECK_OK(ctx, hd_free(ctx, &v));
    CHECK(v.type == HD_NONE && v.data == NULL && v.ndim == 0, "the view is unset");
    CHECK_OK(ctx, hd_free(ctx, &v)); // an unset view is allowed
    CHECK(l.alive == before && !l.bad, "%lld blocks alive", (long long)l.alive);
    hd_close(ctx);
    CHECK(l.alive == 0 && l.bytes == 0 && !l.bad, "%lld blocks left", (long long)l.alive);
}

static void test_refused(void)
{
    ledger l = {.fail_at = -1};
    hd_context *ctx = open_with(&l, HD_AUTO, 0);
    hd_view v;
    const int64_t good[] = {3}, negative[] = {-3}, huge[] = {(int64_t)1 << 40, (int64_t)1 << 40};
    CHECK(hd_alloc(ctx, HD_F32, 1, NULL, &v) == HD_ERROR_ARGUMENT, "no shape");
    CHECK(hd_alloc(ctx, HD_F32, 1, good, NULL) == HD_ERROR_ARGUMENT, "no view");
    CHECK(hd_alloc(ctx, HD_NONE, 1, good, &v) == HD_ERROR_TYPE, "no type");
    CHECK(hd_alloc(ctx, HD_STRUCTURE, 1, good, &v) == HD_ERROR_TYPE, "a bare structure");
    CHECK(hd_alloc(ctx, HD_F32, 1, negative, &v) != HD_OK && hd_error(ctx)[0], "negative");
    CHECK(hd_alloc(ctx, HD_F32, 9, good, &v) != HD_OK && hd_error(ctx)[0], "nine dimensions");
    CHECK(hd_alloc(ctx, HD_F32, -1, good, &v) != HD_OK && hd_error(ctx)[0], "-1 dimensions");
    CHECK_OK(ctx, hd_alloc(ctx, HD_F32, 0, NULL, &v)); // one element
    CHECK(v.ndim == 0 && hd_count(v) == 1 && v.data != NULL, "no dimensions");
    CHECK_OK(ctx, hd_free(ctx, &v));
    CHECK(hd_alloc(ctx, HD_F32, 2, huge, &v) != HD_OK && hd_error(ctx)[0], "2^80");
    CHECK(hd_alloc(ctx, HD_F64, 1, (int64_t[]){(int64_t)1 << 58}, &v) == HD_ERROR_MEMORY,
          "2^61 bytes");
    CHECK(hd_error(ctx)[0] != 0, "no text");
    CHECK(hd_free(ctx, NULL) == HD_ERROR_ARGUMENT, "free of nothing");
    hd_close(ctx);
}

// ---- Every call, every allocation -----------------------------------------------------------

typedef struct point {
    float x, y, z;
} point;
HD_OPERATOR(larger, point, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a.x >= b.x ? a : b; })
HD_FUNCTION(times, float, HD_NO_SOURCE, (float, x, float, y), { return x * y; })

enum { MOST = 70000 };
static float x[MOST], out[MOST], y[MOST];
static int64_t offsets[MOST], indices[MOST];
static int32_t keys[MOST];
static uint16_t halves[MOST], halves_out[MOST];
static int64_t n; // of the present round

static hd_status everything(hd_context *ctx)
{
    return hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, 1), NULL);
}
static hd_status strided(hd_context *ctx)
{
    return hd_reduce(ctx, hd_slice(HD_VIEW(x, n), 0, n - 1, n / 2, -2), HD_VARIANCE,
                     HD_VIEW(out, 1), NULL);
}
static hd_status half(hd_context *ctx)
{
    return hd_reduce(ctx, HD_VIEW_OF(HD_F16, halves, n), HD_MEAN, HD_VIEW_OF(HD_F16, halves_out, 1),
                     NULL);
}
static hd_status mapped(hd_context *ctx)
{
    return hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, 1),
                     &(hd_reduce_options){.map = times, .with = HD_VIEWS(HD_VIEW(y, n))});
}
static hd_status rows(hd_context *ctx)
{
    const hd_view v = hd_view_nd(HD_F32, x, 2, (int64_t[]){n / 100, 100}, NULL);
    return hd_reduce(ctx, v, HD_SUM, HD_VIEW(out, 100), &(hd_reduce_options){.axis = HD_AXIS(0)});
}
static hd_status columns(hd_context *ctx)
{
    const hd_view v = hd_view_nd(HD_F32, x, 2, (int64_t[]){n / 100, 100}, NULL);
    return hd_reduce(ctx, v, HD_ARGMAX, HD_VIEW(indices, n / 100),
                     &(hd_reduce_options){.axis = HD_AXIS(1)});
}
static hd_status segments(hd_context *ctx)
{
    return hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, n / 10),
                     &(hd_reduce_options){.segments = HD_REF(HD_VIEW(offsets, n / 10 + 1))});
}
static hd_status long_segments(hd_context *ctx)
{
    static const int64_t ends[] = {0, 300000, 600000, 600000};
    return hd_reduce(ctx, hd_constant(0.5f, 600000), HD_SUM, HD_VIEW(out, 3),
                     &(hd_reduce_options){.segments = HD_REF(HD_VIEW(ends, 4))});
}
static hd_status by_key(hd_context *ctx)
{
    int64_t runs;
    return hd_reduce(
        ctx, HD_VIEW(x, n), HD_MAX, HD_VIEW(out, n),
        &(hd_reduce_options){.keys = HD_REF(HD_VIEW(keys, n)), .runs = HD_REF(HD_VIEW(&runs, 1))});
}
static hd_status users(hd_context *ctx)
{
    const hd_type type = HD_TYPE(point);
    return hd_reduce(ctx, HD_VIEW_OF(type, x, n / 3), larger, HD_VIEW_OF(type, out, 1), NULL);
}
static hd_status scan(hd_context *ctx)
{
    return hd_scan(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, n), NULL);
}
static hd_status scan_backward(hd_context *ctx)
{
    return hd_scan(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, n),
                   &(hd_scan_options){.backward = true, .exclusive = true});
}
static hd_status scan_half(hd_context *ctx)
{
    return hd_scan(ctx, HD_VIEW_OF(HD_F16, halves, n), HD_SUM, HD_VIEW_OF(HD_F16, halves_out, n),
                   NULL);
}
static hd_status scan_arg(hd_context *ctx)
{
    return hd_scan(ctx, HD_VIEW(x, n), HD_ARGMIN, HD_VIEW(indices, n),
                   &(hd_scan_options){.values = HD_REF(HD_VIEW(out, n))});
}
static hd_status scan_rows(hd_context *ctx)
{
    const hd_view v = hd_view_nd(HD_F32, x, 2, (int64_t[]){n / 100, 100}, NULL);
    const hd_view o = hd_view_nd(HD_F32, out, 2, (int64_t[]){n / 100, 100}, NULL);
    return hd_scan(ctx, v, HD_SUM, o, &(hd_scan_options){.axis = HD_AXIS(0)});
}
static hd_status scan_segments(hd_context *ctx)
{
    return hd_scan(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, n),
                   &(hd_scan_options){.segments = HD_REF(HD_VIEW(offsets, n / 10 + 1))});
}
static hd_status scan_by_key(hd_context *ctx)
{
    return hd_scan(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, n),
                   &(hd_scan_options){.keys = HD_REF(HD_VIEW(keys, n)),
                                      .map = times,
                                      .with = HD_VIEWS(hd_constant(0.5f, n))});
}
static hd_status scan_users(hd_context *ctx)
{
    const hd_type type = HD_TYPE(point);
    return hd_scan(ctx, HD_VIEW_OF(type, x, n / 3), larger, HD_VIEW_OF(type, out, n / 3), NULL);
}
static hd_status in_pieces(hd_context *ctx, bool monotone)
{
    hd_carry *carry = NULL;
    hd_status status = hd_carry_open(ctx, &carry);
    if (status != HD_OK) return status;
    const hd_scan_options options = {.carry = carry, .monotone = monotone};
    status = hd_scan(ctx, HD_VIEW(x, n / 2), HD_SUM, HD_VIEW(out, n / 2), &options);
    if (status == HD_OK)
        status =
            hd_scan(ctx, HD_VIEW(x + n / 2, n / 2), HD_SUM, HD_VIEW(out + n / 2, n / 2), &options);
    hd_carry_close(ctx, carry);
    return status;
}
static hd_status pieces(hd_context *ctx)
{
    return in_pieces(ctx, false);
}
static hd_status monotone_pieces(hd_context *ctx)
{
    return in_pieces(ctx, true);
}
HD_COMPARISON(by_x, point, HD_NO_SOURCE, { return a.x < b.x; })
static hd_status sort_by(hd_context *ctx)
{
    const hd_type type = HD_TYPE(point);
    return hd_sort(ctx, HD_VIEW_OF(type, x, n / 3), HD_VIEW_OF(type, out, n / 3), HD_NO_VALUES,
                   &(hd_sort_options){.comparison = by_x});
}
static hd_status sort_by_indices(hd_context *ctx)
{
    const hd_type type = HD_TYPE(point);
    return hd_sort(
        ctx, HD_VIEW_OF(type, x, n / 3), HD_VIEW_OF(type, out, n / 3),
        HD_VALUES(HD_VIEW(halves, n / 3), HD_VIEW(halves_out, n / 3)),
        &(hd_sort_options){.comparison = by_x, .indices = HD_REF(HD_VIEW(indices, n / 3))});
}
static hd_status merge(hd_context *ctx)
{
    return hd_merge(ctx, HD_VIEW(x, n / 2), hd_slice(HD_VIEW(y, n), 0, 0, n / 3, 2),
                    HD_VIEW(out, n / 2 + n / 3), HD_NO_VALUES, NULL);
}
static hd_status merge_values(hd_context *ctx)
{
    const int64_t m = n / 4;
    return hd_merge(
        ctx, HD_VIEW(x, m), HD_VIEW(y, m), HD_VIEW(out, 2 * m),
        HD_VALUES(HD_VIEW(keys, m), HD_VIEW(keys, m), HD_VIEW((int32_t *)(void *)indices, 2 * m)),
        NULL);
}
// Rows, descending by a comparison, with indices.
static hd_status merge_rows(hd_context *ctx)
{
    const hd_type type = HD_TYPE(point);
    const int64_t m = n / 12, one[] = {2, m}, both[] = {2, 2 * m};
    const hd_view at = hd_view_nd(HD_I64, indices, 2, both, NULL);
    return hd_merge(
        ctx, hd_view_nd(type, x, 2, one, NULL), hd_view_nd(type, y, 2, one, NULL),
        hd_view_nd(type, out, 2, both, NULL), HD_NO_VALUES,
        &(hd_merge_options){
            .comparison = by_x, .indices = &at, .axis = HD_AXIS(1), .descending = true});
}
static hd_status top_rows(hd_context *ctx)
{
    const int64_t in[] = {n / 10, 10}, few[] = {n / 10, 5};
    return hd_top_k(ctx, hd_view_nd(HD_F32, x, 2, in, NULL), 5,
                    hd_view_nd(HD_F32, out, 2, few, NULL),
                    HD_VALUES(hd_view_nd(HD_F32, y, 2, in, NULL),
                              hd_view_nd(HD_F32, out + n / 2, 2, few, NULL)),
                    &(hd_top_k_options){.axis = HD_AXIS(1)});
}
static hd_status search(hd_context *ctx)
{
    return hd_search(ctx, hd_slice(HD_VIEW(x, n), 0, n - 1, n, -1), HD_VIEW(y, n),
                     HD_VIEW(indices, n), &(hd_search_options){.right = true});
}
static hd_status top(hd_context *ctx)
{
    return hd_top_k(ctx, HD_VIEW(x, n), 10, HD_VIEW(out, 10), HD_NO_VALUES,
                    &(hd_top_k_options){.indices = HD_REF(HD_VIEW(indices, 10))});
}
static hd_status top_many(hd_context *ctx)
{
    return hd_top_k(ctx, HD_VIEW(x, n), n / 2, HD_VIEW(out, n / 2), HD_NO_VALUES,
                    &(hd_top_k_options){.indices = HD_REF(HD_VIEW(indices, n / 2))});
}
static hd_status ranks_of(hd_context *ctx, int64_t m)
{
    for (int64_t k = 0; k < m; k++) indices[k] = k * (n - 1) / m;
    return hd_nth(ctx, HD_VIEW(x, n), HD_VIEW(indices, m), HD_VIEW(out, m), NULL);
}
static hd_status nth(hd_context *ctx)
{
    indices[0] = n / 2;
    return hd_nth(ctx, HD_VIEW(x, n), HD_VIEW(indices, 1), HD_VIEW(out, 1), NULL);
}
static hd_status nth_few(hd_context *ctx)
{
    return ranks_of(ctx, 5);
}
static hd_status nth_many(hd_context *ctx)
{
    return ranks_of(ctx, n < 600 ? n : 600);
}
static hd_status quantiles_of_rows(hd_context *ctx)
{
    static const double p[2] = {0.5, 0.9};
    const int64_t in[] = {n / 30, 30}, two[] = {n / 30, 2};
    return hd_quantiles(ctx, hd_view_nd(HD_F32, x, 2, in, NULL), HD_VIEW(p, 2),
                        hd_view_nd(HD_F32, out, 2, two, NULL),
                        &(hd_quantiles_options){.axis = HD_AXIS(1)});
}
static hd_status set_union(hd_context *ctx) // keys fall from their end on
{
    const hd_view a = hd_slice(HD_VIEW(keys, n), 0, n - 1, n / 2, -1), b = HD_VIEW(keys, n / 2);
    int64_t count;
    return hd_set_union(ctx, a, hd_slice(b, 0, n / 2 - 1, n / 2, -1),
                        HD_VIEW((int32_t *)(void *)out, n), HD_VIEW(&count, 1),
                        &(hd_set_options){.descending = true});
}
static hd_status set_values(hd_context *ctx) // of every second element
{
    const hd_view a = HD_VIEW(keys, n / 2), b = HD_VIEW(keys, n / 4);
    const hd_view va = hd_slice(HD_VIEW(x, n), 0, 0, n / 2, 2);
    const hd_view vb = hd_slice(HD_VIEW(x, n), 0, 0, n / 4, 2);
    int64_t count;
    return hd_set_union(ctx, a, b, HD_EMPTY, HD_VIEW(&count, 1),
                        &(hd_set_options){.value_views = HD_VALUES(va, vb, HD_VIEW(out, n))});
}
static hd_status histogram_rows(hd_context *ctx)
{
    const int64_t in[] = {n / 30, 30}, bins[] = {n / 30, 10};
    return hd_histogram(
        ctx, hd_view_nd(HD_F32, x, 2, in, NULL), hd_view_nd(HD_F32, out, 2, bins, NULL),
        &(hd_histogram_options){.axis = HD_AXIS(1),
                                .even = true,
                                .upper = 10,
                                .weights = HD_REF(hd_view_nd(HD_F32, y, 2, in, NULL))});
}
static hd_status many_of_segments(hd_context *ctx)
{
    static int64_t bounds[101];
    for (int64_t j = 0; j <= 100; j++) bounds[j] = n / 100 * j;
    return hd_reduce_many(ctx, HD_VIEW(x, n), HD_OPERATORS(HD_SUM, HD_MAX),
                          HD_VIEWS(HD_VIEW(out, 100), HD_VIEW(out + 100, 100)),
                          &(hd_reduce_many_options){.segments = HD_REF(HD_VIEW(bounds, 101)),
                                                    .map = times,
                                                    .with = HD_VIEWS(HD_VIEW(y, n))});
}
static hd_status slide(hd_context *ctx)
{
    return hd_slide(ctx, HD_VIEW(x, n), HD_MEAN, 5, HD_VIEW(out, n - 4), NULL);
}
static hd_status convolve(hd_context *ctx)
{
    const int64_t shape[] = {n / 100, 100};
    static const float mask[] = {1, 2, 3, 4, 5, 7};
    return hd_convolve(ctx, hd_view_nd(HD_F32, x, 2, shape, NULL),
                       hd_view_nd(HD_F32, mask, 2, (int64_t[]){2, 3}, NULL),
                       hd_view_nd(HD_F32, out, 2, shape, NULL), NULL);
}
static hd_status convolve_separable(hd_context *ctx)
{
    const int64_t shape[] = {n / 100, 100};
    static const int8_t mask[] = {1, 2, 2, 4};
    return hd_convolve(ctx, hd_view_nd(HD_I32, keys, 2, shape, NULL),
                       hd_view_nd(HD_I8, mask, 2, (int64_t[]){2, 2}, NULL),
                       hd_view_nd(HD_F32, out, 2, shape, NULL), NULL);
}
// Two passes that are infinite, into another type than that of the sums: both ways are computed
// again.
static hd_status convolve_overflowing(hd_context *ctx)
{
    const int64_t shape[] = {n / 100, 100};
    static const float mask[] = {3e38f, 3e38f, 3e38f, 3e38f};
    return hd_convolve(ctx, hd_view_nd(HD_F32, x, 2, shape, NULL),
                       hd_view_nd(HD_F32, mask, 2, (int64_t[]){2, 2}, NULL),
                       hd_view_nd(HD_U8, out, 2, shape, NULL), NULL);
}
static hd_status convolve_whole(hd_context *ctx)
{
    static const int8_t mask[] = {1, 2, 1};
    return hd_convolve(ctx, HD_VIEW(keys, n), HD_VIEW(mask, 3), HD_VIEW((int32_t *)(void *)out, n),
                       NULL);
}
static hd_status blur_bytes(hd_context *ctx, hd_blur_method method)
{
    const int64_t shape[] = {n / 100, 100};
    return hd_blur(ctx, hd_view_nd(HD_U8, x, 2, shape, NULL), 3,
                   hd_view_nd(HD_U8, out, 2, shape, NULL), &(hd_blur_options){.method = method});
}
static hd_status blur(hd_context *ctx)
{
    return blur_bytes(ctx, HD_BLUR_GAUSSIAN);
}
static hd_status blur_boxes(hd_context *ctx)
{
    return blur_bytes(ctx, HD_BLUR_BOX);
}
static hd_status blur_words(hd_context *ctx)
{
    const int64_t shape[] = {n / 100, 100};
    return hd_blur(ctx, hd_view_nd(HD_U16, x, 2, shape, NULL), 1,
                   hd_view_nd(HD_U16, out, 2, shape, NULL), NULL);
}
static hd_status blur_floats(hd_context *ctx)
{
    const int64_t shape[] = {n / 100, 100};
    return hd_blur(ctx, hd_view_nd(HD_F32, x, 2, shape, NULL), 1,
                   hd_view_nd(HD_F32, out, 2, shape, NULL), NULL);
}
static hd_status stencil(hd_context *ctx)
{
    static const float weights[] = {0.25f, 0.5f, 0.25f};
    return hd_stencil(ctx, HD_VIEW(x, n), HD_EMPTY, HD_VIEW(weights, 3), HD_VIEW(out, n),
                      &(hd_stencil_options){.iterations = 6});
}
static hd_status stencil_half(hd_context *ctx)
{
    static const float weights[] = {0.25f, 0.5f, 0.25f};
    return hd_stencil(ctx, HD_VIEW_OF(HD_F16, halves, n), HD_EMPTY, HD_VIEW(weights, 3),
                      HD_VIEW_OF(HD_F16, halves_out, n), &(hd_stencil_options){.iterations = 3});
}
static hd_status stencil_function(hd_context *ctx)
{
    static const int32_t two[] = {-1, 1};
    return hd_stencil(ctx, HD_VIEW(x, n), HD_VIEW(two, 2), HD_EMPTY, HD_VIEW(out, n),
                      &(hd_stencil_options){.function = times});
}
static hd_status check(hd_context *ctx)
{
    return hd_check_operator(ctx, HD_SUM, HD_VIEW(x, 100), NULL);
}
static hd_status owned(hd_context *ctx)
{
    hd_view v = {0};
    const hd_status status = hd_alloc(ctx, HD_F64, 1, &n, &v);
    if (status == HD_OK) return hd_free(ctx, &v);
    return status;
}

static const struct {
    const char *name;
    hd_status (*call)(hd_context *ctx);
} calls[] = {{"reduce", everything},
             {"reduce, strided", strided},
             {"reduce f16", half},
             {"reduce, mapped", mapped},
             {"reduce axis 0", rows},
             {"reduce axis 1", columns},
             {"reduce segments", segments},
             {"reduce keys", by_key},
             {"reduce long segments", long_segments},
             {"reduce, user's", users},
             {"scan", scan},
             {"scan backward", scan_backward},
             {"scan f16", scan_half},
             {"scan argmin", scan_arg},
             {"scan axis", scan_rows},
             {"scan segments", scan_segments},
             {"scan keys", scan_by_key},
             {"scan, user's", scan_users},
             {"pieces", pieces},
             {"monotone pieces", monotone_pieces},
             {"sort_by", sort_by},
             {"sort_by, indices", sort_by_indices},
             {"merge, strided", merge},
             {"merge, values", merge_values},
             {"search, strided", search},
             {"top 10", top},
             {"top half", top_many},
             {"merge, rows", merge_rows},
             {"top, rows", top_rows},
             {"nth, the median", nth},
             {"nth, few", nth_few},
             {"nth, many", nth_many},
             {"quantiles of rows", quantiles_of_rows},
             {"set union, strided", set_union},
             {"set union with values, strided", set_values},
             {"histograms of rows", histogram_rows},
             {"several reductions of segments", many_of_segments},
             {"slide", slide},
             {"convolve", convolve},
             {"convolve, separable", convolve_separable},
             {"convolve, overflowing", convolve_overflowing},
             {"convolve integers", convolve_whole},
             {"blur", blur},
             {"blur by boxes", blur_boxes},
             {"blur u16", blur_words},
             {"blur f32", blur_floats},
             {"stencil", stencil},
             {"stencil f16", stencil_half},
             {"stencil, user's", stencil_function},
             {"check operator", check},
             {"alloc", owned}};
enum { CALLS = sizeof calls / sizeof *calls };

// A fresh context for each k, so that nothing is kept from before.
static void fail_everywhere(int c, hd_backend backend, int32_t threads)
{
    long long points = 1;
    for (long long k = -1; k < points && k < 200; k++) {
        ledger l = {.fail_at = -1};
        hd_context *ctx = open_with(&l, backend, threads);
        const long long opened = l.calls;
        if (k >= 0) l.fail_at = opened + k;
        const hd_status status = calls[c].call(ctx);
        if (k < 0) points = l.calls - opened;
        CHECK(status == (k < 0 ? HD_OK : HD_ERROR_MEMORY),
              "%s on %s, n %" PRId64 ", allocation %lld of %lld: %s: %s", calls[c].name,
              hd_backend_name(backend), n, k, points, hd_status_name(status), hd_error(ctx));
        l.fail_at = -1;
        CHECK_OK(ctx, calls[c].call(ctx)); // and then a good one
        hd_close(ctx);
        CHECK(l.alive == 0 && l.bytes == 0, "%s on %s, allocation %lld: %lld blocks lost",
              calls[c].name, hd_backend_name(backend), k, (long long)l.alive);
        CHECK(!l.bad, "%s on %s: odd requests", calls[c].name, hd_backend_name(backend));
    }
}

static void test_failing(void)
{
    check_fill(HD_F32, x, MOST, CHECK_ORDINARY, check_seed());
    check_fill(HD_F32, y, MOST, CHECK_ORDINARY, check_seed() + 1);
    for (int64_t i = 0; i < MOST; i++) {
        offsets[i] = 10 * i;
        keys[i] = (int32_t)(i / 7);
        halves[i] = (uint16_t)(0x3000 + i % 512);
    }
    static const int64_t sizes[] = {300, 3000, 70000};
    for (int s = 0; s < 3; s++)
        for (int c = 0; c < CALLS; c++) {
            n = sizes[s];
            fail_everywhere(c, HD_SERIAL, 0);
            fail_everywhere(c, HD_CPU, 1);
            fail_everywhere(c, HD_CPU, 3);
        }
}

// In the steady state nothing is allocated: the scratch is kept.
static void test_steady(void)
{
    ledger l = {.fail_at = -1};
    hd_context *ctx = open_with(&l, HD_CPU, 2);
    n = MOST;
    CHECK_OK(ctx, scan(ctx));
    const long long after_first = l.calls;
    for (int k = 0; k < 10; k++) CHECK_OK(ctx, scan(ctx));
    CHECK(l.calls == after_first, "%lld allocations in ten repeated calls",
          (long long)l.calls - after_first);
    hd_close(ctx);
}

// One context, calls of growing and falling sizes: the scratch is always large enough.
static void test_growing(hd_backend backend, int32_t threads)
{
    ledger l = {.fail_at = -1};
    hd_context *ctx = open_with(&l, backend, threads);
    uint64_t state = check_seed();
    for (int k = 0; k < 400; k++) {
        n = 300 + check_below(&state, k % 10 ? 5000 : MOST - 300);
        const int c = (int)check_below(&state, CALLS);
        const hd_status status = calls[c].call(ctx);
        CHECK(status == HD_OK, "%s of %" PRId64 ": %s", calls[c].name, n, hd_error(ctx));
    }
    hd_close(ctx);
    CHECK(l.alive == 0 && !l.bad, "on %s", hd_backend_name(backend));
}

// hd_open itself.
static void test_opening(void)
{
    for (long long k = 0; k < 4; k++) {
        ledger l = {.fail_at = k};
        hd_context *ctx = (hd_context *)&l;
        const hd_context_options options = {.allocator = {allocate, release, &l}};
        const hd_status status = hd_open(&ctx, &options);
        CHECK(status == HD_OK || (status == HD_ERROR_MEMORY && ctx == NULL), "%s",
              hd_status_name(status));
        hd_close(ctx);
        CHECK(l.alive == 0, "%lld blocks lost", (long long)l.alive);
    }
}

int main(void)
{
    test_owned();
    test_refused();
    test_opening();
    test_failing();
    test_steady();
    test_growing(HD_SERIAL, 0);
    test_growing(HD_CPU, 1);
    test_growing(HD_CPU, 3);
    return check_finish();
}
