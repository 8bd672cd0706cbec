// SPDX-License-Identifier: Apache-2.0
//
// Bad arguments: each gives its status, a text that names the thing, and writes nothing. Every
// backend must say the same.
#define _GNU_SOURCE
#include <inttypes.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

HD_OPERATOR(no_identity, float, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a < b ? a : b; })
HD_OPERATOR(either, bool, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a || b; })
HD_FUNCTION(two, float, HD_NO_SOURCE, (float, x, float, y), { return x + y; })
HD_FUNCTION(whole, int32_t, HD_NO_SOURCE, (int32_t, x), { return -x; })

static hd_context *ctx;
static const char *where;
static float x[100], y[100], guard[100];

static void prepare(void)
{
    for (int i = 0; i < 100; i++) x[i] = (float)i, y[i] = guard[i] = -7;
}

// The call has failed as expected, its text has the word, and y is untouched.
static void expect(int line, hd_status expected, hd_status got, const char *word)
{
    if (got != expected)
        check_failed(__FILE__, line, "status", "%s instead of %s on %s: %s", hd_status_name(got),
                     hd_status_name(expected), where, hd_error(ctx));
    if (got != HD_OK && !strstr(hd_error(ctx), word))
        check_failed(__FILE__, line, "text", "no '%s' in '%s' on %s", word, hd_error(ctx), where);
    if (memcmp(y, guard, sizeof y) != 0)
        check_failed(__FILE__, line, "written", "a failed call wrote on %s (%s)", where,
                     hd_error(ctx));
    prepare();
}

#define REDUCE(status, word, in, op, out, ...)                                                     \
    expect(__LINE__, status, hd_reduce(ctx, in, op, out, &(hd_reduce_options){__VA_ARGS__}), word)
#define SCAN(status, word, in, op, out, ...)                                                       \
    expect(__LINE__, status, hd_scan(ctx, in, op, out, &(hd_scan_options){__VA_ARGS__}), word)

static hd_view one(void)
{
    return HD_VIEW(y, 1);
}

static hd_view line(int64_t n)
{
    return HD_VIEW(x, n);
}

static void test_pointers_and_sizes(void)
{
    REDUCE(HD_ERROR_ARGUMENT, "in", HD_VIEW((float *)NULL, 3), HD_SUM, one(), .ddof = 0);
    REDUCE(HD_ERROR_ARGUMENT, "out", line(3), HD_SUM, HD_VIEW((float *)NULL, 1), .ddof = 0);
    REDUCE(HD_ERROR_ARGUMENT, "operator", line(3), NULL, one(), .ddof = 0);
    REDUCE(HD_ERROR_SHAPE, "in", line(-1), HD_SUM, one(), .ddof = 0);
    REDUCE(HD_ERROR_SHAPE, "out", line(3), HD_SUM, HD_VIEW(y, -1), .ddof = 0);
    REDUCE(HD_ERROR_SHAPE, "out", line(3), HD_SUM, HD_VIEW(y, 2), .ddof = 0);
    REDUCE(HD_ERROR_SHAPE, "out", line(3), HD_SUM, HD_VIEW(y, 0), .ddof = 0);
    SCAN(HD_ERROR_ARGUMENT, "in", HD_VIEW((float *)NULL, 3), HD_SUM, HD_VIEW(y, 3), .ddof = 0);
    SCAN(HD_ERROR_ARGUMENT, "out", line(3), HD_SUM, HD_VIEW((float *)NULL, 3), .ddof = 0);
    SCAN(HD_ERROR_ARGUMENT, "operator", line(3), NULL, HD_VIEW(y, 3), .ddof = 0);
    SCAN(HD_ERROR_SHAPE, "out", line(3), HD_SUM, HD_VIEW(y, 4), .ddof = 0);
    SCAN(HD_ERROR_SHAPE, "in", line(-5), HD_SUM, HD_VIEW(y, 4), .ddof = 0);
    hd_view bent = line(4);
    bent.ndim = 9;
    REDUCE(HD_ERROR_ARGUMENT, "dimensions", bent, HD_SUM, one(), .ddof = 0);
    bent.ndim = -1;
    REDUCE(HD_ERROR_ARGUMENT, "dimensions", bent, HD_SUM, one(), .ddof = 0);
    bent = line(4), bent.space = (hd_memory_space)17;
    REDUCE(HD_ERROR_ARGUMENT, "memory space", bent, HD_SUM, one(), .ddof = 0);
    bent = line(4), bent.stride[0] = INT64_MAX / 2;
    REDUCE(HD_ERROR_SHAPE, "strides", bent, HD_SUM, one(), .ddof = 0);
    bent.stride[0] = INT64_MIN;
    REDUCE(HD_ERROR_SHAPE, "strides", bent, HD_SUM, one(), .ddof = 0);
    bent = line((int64_t)1 << 61);
    REDUCE(HD_ERROR_SHAPE, "in", bent, HD_SUM, one(), .ddof = 0);
}

static void test_types(void)
{
    typedef struct {
        float v[3];
    } triple;
    const hd_type bad[] = {HD_NONE, HD_STRUCTURE, 200, HD_F32 | 8u << 8, HD_STRUCTURE | 2000u << 8};
    for (int k = 0; k < 5; k++) {
        REDUCE(HD_ERROR_TYPE, "in", HD_VIEW_OF(bad[k], x, 3), HD_SUM, one(), .ddof = 0);
        REDUCE(HD_ERROR_TYPE, "out", line(3), HD_SUM, HD_VIEW_OF(bad[k], y, 1), .ddof = 0);
        SCAN(HD_ERROR_TYPE, "in", HD_VIEW_OF(bad[k], x, 3), HD_SUM, HD_VIEW(y, 3), .ddof = 0);
    }
    REDUCE(HD_ERROR_TYPE, "xor", line(3), HD_XOR, one(), .ddof = 0);
    REDUCE(HD_ERROR_TYPE, "sum", HD_VIEW_OF(HD_STRUCT(triple), x, 3), HD_SUM, one(), .ddof = 0);
    REDUCE(HD_ERROR_TYPE, "no_identity", HD_VIEW_OF(HD_F64, x, 3), no_identity, one(), .ddof = 0);
    REDUCE(HD_ERROR_TYPE, "no_identity", line(3), no_identity, HD_VIEW_OF(HD_F64, y, 1), .ddof = 0);
    SCAN(HD_ERROR_TYPE, "argmax", line(3), HD_ARGMAX, HD_VIEW(y, 3), .ddof = 0);
}

// Every triple of operator, element and output: accepted as the manual says, refused otherwise.
static void test_every_pair(void)
{
    _Alignas(8) unsigned char in[16] = {0}, out[16] = {0};
    for (int32_t o = 0; hd_operator_at(o); o++)
        for (int t = 0; check_type(t); t++)
            for (int u = 0; check_type(u); u++) {
                const hd_operator *op = hd_operator_at(o);
                if (op == HD_DOT) continue; // needs more than that: test_dot_norm.c
                const bool fits = ref_accepts(op, check_type(t), check_type(u));
                const hd_view v = HD_VIEW_OF(check_type(t), in, 2),
                              w = HD_VIEW_OF(check_type(u), out, 1);
                CHECK(hd_reduce(ctx, v, op, w, NULL) == (fits ? HD_OK : HD_ERROR_TYPE),
                      "%s of %s as %s on %s: %s", hd_operator_name(op), hd_type_name(check_type(t)),
                      hd_type_name(check_type(u)), where, hd_error(ctx));
                CHECK(fits || strstr(hd_error(ctx), hd_operator_name(op)), "'%s'", hd_error(ctx));
            }
}

// Elements behind a pointer to const are not written, by the short way or the long one.
static void test_read_only(void)
{
    static const float constant[3] = {1, 2, 3};
    float sum = -1;
    const hd_view in = HD_VIEW(constant, 3), out = hd_read_only(HD_VIEW(&sum, 1));
    expect(__LINE__, HD_ERROR_ARGUMENT, hd_reduce(ctx, in, HD_SUM, out, NULL), "read-only");
    expect(__LINE__, HD_ERROR_ARGUMENT, hd_scan(ctx, in, HD_SUM, in, NULL), "read-only");
    expect(__LINE__, HD_ERROR_ARGUMENT, hd_sort(ctx, in, in, HD_NO_VALUES, NULL), "read-only");
    REDUCE(HD_ERROR_ARGUMENT, "read-only", in, HD_SUM, out, .ddof = 0);
    SCAN(HD_ERROR_ARGUMENT, "read-only", line(3), HD_SUM, in, .ddof = 0);
    SCAN(HD_ERROR_ARGUMENT, "read-only", line(3), HD_SUM_COMPENSATED, HD_VIEW(y, 3),
         .residual = HD_REF(in));
    CHECK(sum == -1, "%g", (double)sum);
    CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(sum == 6, "%g", (double)sum);
}

// Options that would change nothing are refused, not ignored.
static void test_idle_options(void)
{
    int64_t runs;
    const hd_views with = HD_VIEWS(line(3));
    REDUCE(HD_ERROR_ARGUMENT, "no function", line(3), HD_SUM, one(), .with = with);
    SCAN(HD_ERROR_ARGUMENT, "no function", line(3), HD_SUM, HD_VIEW(y, 3), .with = with);
    REDUCE(HD_ERROR_ARGUMENT, "ddof", line(3), HD_SUM, one(), .ddof = 1);
    SCAN(HD_ERROR_ARGUMENT, "ddof", line(3), HD_MEAN, HD_VIEW(y, 3), .ddof = 1);
    REDUCE(HD_ERROR_ARGUMENT, "runs", line(3), HD_SUM, one(), .runs = HD_REF(HD_VIEW(&runs, 1)));
    REDUCE(HD_ERROR_ARGUMENT, "keys_out", line(3), HD_SUM, one(),
           .keys_out = HD_REF(HD_VIEW(y, 3)));
}

// The same of calls that share options, or have rules that exclude each other.
static void test_more_idle_options(void)
{
    static const int32_t next[] = {1, 2, 2};
    static const float begin = 1, mask[] = {1, 2, 1};
    const hd_view links = HD_VIEW(next, 3), in = line(3), out = HD_VIEW(y, 3);
    int64_t to[3] = {0, 0, 0};
    const hd_view counts = HD_VIEW(to, 3), whole = HD_VIEW(next, 3);
#define IDLE(text, call, type, ...)                                                                \
    expect(__LINE__, HD_ERROR_ARGUMENT, call(&(type){__VA_ARGS__}), text)
#define RANK(...)    hd_list_rank(ctx, links, counts, __VA_ARGS__)
#define ORDER(...)   hd_list_scan(ctx, links, in, HD_SUM, out, __VA_ARGS__)
#define BINS(...)    hd_histogram(ctx, whole, counts, __VA_ARGS__)
#define SCATTER(...) hd_scatter(ctx, in, whole, out, __VA_ARGS__)
#define MASK(...)    hd_convolve(ctx, in, HD_VIEW(mask, 3), out, __VA_ARGS__)
#define STENCIL(...) hd_stencil(ctx, in, HD_EMPTY, HD_VIEW(mask, 3), out, __VA_ARGS__)
    IDLE("exclusive", RANK, hd_list_options, .exclusive = true);
    IDLE("backward", RANK, hd_list_options, .backward = true);
    IDLE("init", RANK, hd_list_options, .init = &begin);
    IDLE("from_head", ORDER, hd_list_options, .from_head = true);
    IDLE("first", BINS, hd_histogram_options, .even = true, .upper = 3, .first = 1);
    IDLE("order", BINS, hd_histogram_options, .order = HD_ANY_ORDER);
    IDLE("second", BINS, hd_histogram_options, .second_even = true);
    IDLE("second", BINS, hd_histogram_options, .second_first = 2);
    IDLE("second", BINS, hd_histogram_options, .second_lower = -1);
    IDLE("order", SCATTER, hd_scatter_options, .order = HD_ANY_ORDER);
    IDLE("constant", MASK, hd_convolve_options, .constant = 2);
    IDLE("constant", STENCIL, hd_stencil_options, .border = HD_BORDER_REPLICATE, .constant = 2);
#undef IDLE
#undef RANK
#undef ORDER
#undef BINS
#undef SCATTER
#undef MASK
#undef STENCIL
}

static void test_overlaps(void)
{
    REDUCE(HD_ERROR_ALIAS, "out", HD_VIEW(y, 10), HD_SUM, HD_VIEW(y + 9, 1), .ddof = 0);
    REDUCE(HD_ERROR_ALIAS, "out", HD_VIEW(y, 10), HD_SUM, HD_VIEW(y, 1), .ddof = 0);
    SCAN(HD_ERROR_ALIAS, "out", HD_VIEW(y, 10), HD_SUM, HD_VIEW(y + 1, 10), .ddof = 0);
    SCAN(HD_ERROR_ALIAS, "out", HD_VIEW(y + 1, 10), HD_SUM, HD_VIEW(y, 10), .ddof = 0);
    SCAN(HD_ERROR_ALIAS, "out", HD_VIEW(y, 10), HD_SUM, hd_slice(HD_VIEW(y, 10), 0, 9, 10, -1),
         .ddof = 0);
    SCAN(HD_ERROR_ALIAS, "out", hd_slice(HD_VIEW(y, 20), 0, 0, 10, 1), HD_SUM,
         hd_slice(HD_VIEW(y, 20), 0, 0, 10, 2), .ddof = 0);
    SCAN(HD_ERROR_ALIAS, "out", HD_VIEW_OF(HD_I32, y, 10), HD_SUM, HD_VIEW_OF(HD_U32, y, 10),
         .ddof = 0);
    SCAN(HD_ERROR_ALIAS, "out", HD_VIEW(x, 10), HD_SUM, HD_VIEW(y + 3, 10), .map = two,
         .with = HD_VIEWS(HD_VIEW(y, 10)));
    SCAN(HD_ERROR_ALIAS, "out", HD_VIEW(x, 10), HD_SUM, HD_VIEW(y, 10),
         .keys = HD_REF(HD_VIEW_OF(HD_U32, y, 10)));
    REDUCE(HD_ERROR_ALIAS, "values", line(10), HD_ARGMAX, HD_VIEW_OF(HD_I64, y, 1),
           .values = HD_REF(HD_VIEW(y + 1, 1)));
    REDUCE(HD_ERROR_ALIAS, "keys_out", line(10), HD_SUM, HD_VIEW(y, 10),
           .keys = HD_REF(HD_VIEW(x + 50, 10)), .keys_out = HD_REF(HD_VIEW(y + 5, 10)));
    // visiting an address twice
    const int64_t shape[] = {3, 4}, folded[] = {1, 1}, still[] = {0, 1};
    const hd_view in = hd_view_nd(HD_F32, x, 2, shape, NULL);
    SCAN(HD_ERROR_ALIAS, "out", in, HD_SUM, hd_view_nd(HD_F32, y, 2, shape, folded), .ddof = 0);
    SCAN(HD_ERROR_ALIAS, "out", in, HD_SUM, hd_view_nd(HD_F32, y, 2, shape, still), .ddof = 0);
    SCAN(HD_ERROR_ALIAS, "out", line(5), HD_SUM,
         hd_view_nd(HD_F32, y, 1, (int64_t[]){5}, (int64_t[]){0}), .ddof = 0);
    // side by side is not an overlap: the even and the odd elements of one array
    float z[20] = {1, 0, 2, 0, 3};
    CHECK_OK(ctx, hd_scan(ctx, hd_slice(HD_VIEW(z, 20), 0, 0, 10, 2), HD_SUM,
                          hd_slice(HD_VIEW(z, 20), 0, 1, 10, 2), NULL));
    CHECK(z[0] == 1 && z[1] == 1 && z[3] == 3 && z[5] == 6 && z[19] == 6, "interleaved on %s",
          where);
}

static void test_segments(void)
{
    const int64_t falling[] = {0, 5, 4, 10}, low[] = {-1, 5, 10}, high[] = {0, 5, 11},
                  good[] = {0, 5, 10};
    const int64_t wild[] = {0, INT64_MAX, INT64_MIN}, lone[] = {INT64_MIN, INT64_MIN};
    const uint64_t wrapped[] = {0, UINT64_MAX - 2};
    const float real[] = {0, 5, 10};
    REDUCE(HD_ERROR_VALUE, "segments", line(10), HD_SUM, HD_VIEW(y, 3),
           .segments = HD_REF(HD_VIEW(falling, 4)));
    REDUCE(HD_ERROR_VALUE, "segments", line(10), HD_SUM, HD_VIEW(y, 2),
           .segments = HD_REF(HD_VIEW(low, 3)));
    REDUCE(HD_ERROR_VALUE, "segments", line(10), HD_SUM, HD_VIEW(y, 2),
           .segments = HD_REF(HD_VIEW(high, 3)));
    REDUCE(HD_ERROR_VALUE, "segments", line(10), HD_SUM, HD_VIEW(y, 1),
           .segments = HD_REF(HD_VIEW(wrapped, 2)));
    REDUCE(HD_ERROR_VALUE, "segments", line(10), HD_SUM, HD_VIEW(y, 2),
           .segments = HD_REF(HD_VIEW(wild, 3)));
    REDUCE(HD_ERROR_VALUE, "segments", line(10), HD_SUM, HD_VIEW(y, 1),
           .segments = HD_REF(HD_VIEW(lone, 2)));
    SCAN(HD_ERROR_VALUE, "segments", line(10), HD_SUM, HD_VIEW(y, 10),
         .segments = HD_REF(HD_VIEW(wild, 3)));
    REDUCE(HD_ERROR_SHAPE, "out", line(10), HD_SUM, HD_VIEW(y, 3),
           .segments = HD_REF(HD_VIEW(good, 3)));
    REDUCE(HD_ERROR_SHAPE, "out", line(10), HD_SUM, HD_VIEW(y, 1),
           .segments = HD_REF(HD_VIEW(good, 3)));
    REDUCE(HD_ERROR_SHAPE, "segments", line(10), HD_SUM, HD_VIEW(y, 0),
           .segments = HD_REF(HD_VIEW(good, 0)));
    REDUCE(HD_ERROR_TYPE, "segments", line(10), HD_SUM, HD_VIEW(y, 2),
           .segments = HD_REF(HD_VIEW(real, 3)));
    SCAN(HD_ERROR_VALUE, "segments", line(10), HD_SUM, HD_VIEW(y, 10),
         .segments = HD_REF(HD_VIEW(falling, 4)));
    SCAN(HD_ERROR_VALUE, "segments", line(10), HD_SUM, HD_VIEW(y, 10),
         .segments = HD_REF(HD_VIEW(low, 3)));
    SCAN(HD_ERROR_VALUE, "segments", line(10), HD_SUM, HD_VIEW(y, 10),
         .segments = HD_REF(HD_VIEW(high, 3)));
    SCAN(HD_ERROR_VALUE, "segments", line(10), HD_SUM, HD_VIEW(y, 10),
         .segments = HD_REF(HD_VIEW(falling, 4)), .backward = true);
    const hd_view square = hd_view_nd(HD_F32, x, 2, (int64_t[]){2, 5}, NULL);
    REDUCE(HD_ERROR_SHAPE, "dimension", square, HD_SUM, HD_VIEW(y, 2),
           .segments = HD_REF(HD_VIEW(good, 3)));
}

static void test_long_segments(void)
{
    // A fault far from the start, in an array that threads share.
    enum { N = 200000 };
    static int64_t offsets[N + 1];
    static float in[N], out[N];
    for (int64_t i = 0; i <= N; i++) offsets[i] = i;
    offsets[150001] = 7;
    const hd_reduce_options options = {.segments = HD_REF(HD_VIEW(offsets, N + 1))};
    expect(__LINE__, HD_ERROR_VALUE,
           hd_reduce(ctx, HD_VIEW(in, N), HD_MEAN, HD_VIEW(out, N), &options), "150001");
    expect(__LINE__, HD_ERROR_VALUE,
           hd_reduce(ctx, HD_VIEW(in, N), HD_SUM, HD_VIEW(out, N), &options), "150001");
    offsets[150001] = 150001;
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(in, N), HD_SUM, HD_VIEW(out, N), &options));
}

static void test_keys(void)
{
    const int32_t keys[] = {1, 1, 2, 2, 2, 3, 3, 1, 4, 4};
    int64_t runs = 0;
    REDUCE(HD_ERROR_SHAPE, "keys", line(10), HD_SUM, HD_VIEW(y, 10),
           .keys = HD_REF(HD_VIEW(keys, 9)));
    REDUCE(HD_ERROR_SHAPE, "5", line(10), HD_SUM, HD_VIEW(y, 4), .keys = HD_REF(HD_VIEW(keys, 10)),
           .runs = HD_REF(HD_VIEW(&runs, 1)));
    float few[4] = {0};
    int32_t kept[4];
    REDUCE(HD_ERROR_SHAPE, "5", line(10), HD_SUM, HD_VIEW(y, 10), .keys = HD_REF(HD_VIEW(keys, 10)),
           .keys_out = HD_REF(HD_VIEW(kept, 4)));
    REDUCE(HD_ERROR_TYPE, "keys_out", line(10), HD_SUM, HD_VIEW(y, 10),
           .keys = HD_REF(HD_VIEW(keys, 10)), .keys_out = HD_REF(HD_VIEW(few, 4)));
    SCAN(HD_ERROR_SHAPE, "keys", line(10), HD_SUM, HD_VIEW(y, 10),
         .keys = HD_REF(HD_VIEW(keys, 9)));
}

static void test_axes_and_mixtures(void)
{
    const hd_view square = hd_view_nd(HD_F32, x, 2, (int64_t[]){4, 5}, NULL);
    const int64_t offsets[] = {0, 5};
    REDUCE(HD_ERROR_ARGUMENT, "bare number 1; expected HD_AXIS(1)", square, HD_SUM, HD_VIEW(y, 5),
           .axis = 1);
    SCAN(HD_ERROR_ARGUMENT, "bare number -1", square, HD_SUM, square, .axis = -1);
    REDUCE(HD_ERROR_ARGUMENT, "axis", square, HD_SUM, HD_VIEW(y, 5), .axis = HD_AXIS(2));
    REDUCE(HD_ERROR_ARGUMENT, "axis", square, HD_SUM, HD_VIEW(y, 5), .axis = HD_AXIS(-3));
    REDUCE(HD_ERROR_SHAPE, "out", square, HD_SUM, HD_VIEW(y, 4), .axis = HD_AXIS(0));
    REDUCE(HD_ERROR_SHAPE, "out", square, HD_SUM, square, .axis = HD_AXIS(0));
    SCAN(HD_ERROR_ARGUMENT, "axis", line(5), HD_SUM, HD_VIEW(y, 5), .axis = HD_AXIS(1));
    SCAN(HD_ERROR_SHAPE, "out", square, HD_SUM, HD_VIEW(y, 20), .axis = HD_AXIS(1));
    REDUCE(HD_ERROR_ARGUMENT, "axis", line(5), HD_SUM, one(), .axis = HD_AXIS(0),
           .segments = HD_REF(HD_VIEW(offsets, 2)));
    SCAN(HD_ERROR_ARGUMENT, "segments", line(5), HD_SUM, HD_VIEW(y, 5),
         .segments = HD_REF(HD_VIEW(offsets, 2)), .keys = HD_REF(HD_VIEW(x + 50, 5)));
}

static void test_options(void)
{
    const float init = 1;
    const int64_t index = 0;
    REDUCE(HD_ERROR_ARGUMENT, "init", line(5), HD_MEAN, one(), .init = &init);
    REDUCE(HD_ERROR_ARGUMENT, "init", line(5), HD_VARIANCE, one(), .init = &init);
    REDUCE(HD_ERROR_ARGUMENT, "init", line(5), HD_ARGMAX, HD_VIEW_OF(HD_I64, y, 1), .init = &index);
    REDUCE(HD_ERROR_ARGUMENT, "values", line(5), HD_SUM, one(),
           .values = HD_REF(HD_VIEW(y + 1, 1)));
    REDUCE(HD_ERROR_TYPE, "values", line(5), HD_ARGMAX, HD_VIEW_OF(HD_I64, y, 1),
           .values = HD_REF(HD_VIEW_OF(HD_F64, y + 4, 1)));
    REDUCE(HD_ERROR_SHAPE, "values", line(5), HD_ARGMAX, HD_VIEW_OF(HD_I64, y, 1),
           .values = HD_REF(HD_VIEW(y + 4, 2)));
    SCAN(HD_ERROR_OPERATOR, "no_identity", line(5), no_identity, HD_VIEW(y, 5), .exclusive = true);
    REDUCE(HD_ERROR_VALUE, "no_identity", line(0), no_identity, one(), .ddof = 0);
    REDUCE(HD_ERROR_VALUE, "either", HD_VIEW_OF(HD_BOOL, x, 0), either, HD_VIEW_OF(HD_BOOL, y, 1),
           .ddof = 0);
    const int64_t offsets[] = {0, 2, 2, 5};
    REDUCE(HD_ERROR_VALUE, "no_identity", line(5), no_identity, HD_VIEW(y, 3),
           .segments = HD_REF(HD_VIEW(offsets, 4)));
}

static void test_functions(void)
{
    REDUCE(HD_ERROR_ARGUMENT, "two", line(5), HD_SUM, one(), .map = two);
    REDUCE(HD_ERROR_ARGUMENT, "two", line(5), HD_SUM, one(), .map = two,
           .with = HD_VIEWS(line(5), line(5)));
    REDUCE(HD_ERROR_SHAPE, "with", line(5), HD_SUM, one(), .map = two, .with = HD_VIEWS(line(4)));
    REDUCE(HD_ERROR_TYPE, "two", line(5), HD_SUM, one(), .map = two,
           .with = HD_VIEWS(HD_VIEW_OF(HD_I32, x, 5)));
    REDUCE(HD_ERROR_TYPE, "whole", line(5), HD_SUM, HD_VIEW_OF(HD_I32, y, 1), .map = whole);
    REDUCE(HD_ERROR_ARGUMENT, "with", line(5), HD_SUM, one(), .map = two, .with = {NULL, 1});
    REDUCE(HD_ERROR_ARGUMENT, "with", line(5), HD_SUM, one(), .map = two, .with = {NULL, -1});
    hd_operator hollow = *no_identity;
    hollow.combine = NULL;
    REDUCE(HD_ERROR_OPERATOR, "no_identity", line(5), &hollow, one(), .ddof = 0);
    hollow = *no_identity, hollow.builtin = 1;
    REDUCE(HD_ERROR_OPERATOR, "not an operator", line(5), &hollow, one(), .ddof = 0);
    REDUCE(HD_ERROR_ARGUMENT, "number 4095", line(5), HD__BUILT_IN(4095), one(), .ddof = 0);
    SCAN(HD_ERROR_ARGUMENT, "number 99", line(5), HD__BUILT_IN(99), HD_VIEW(y, 5), .ddof = 0);
}

typedef struct near_point {
    float x, y;
} near_point;
typedef struct whole_pair {
    int32_t x, y;
} whole_pair;
HD_OPERATOR(nearer, near_point, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a.x < b.x ? a : b; })
HD_FUNCTION(first_of, float, HD_NO_SOURCE, (near_point, p), { return p.x; })
HD_COMPARISON(before, near_point, HD_NO_SOURCE, { return a.x < b.x; })

// Structures of one size and another name are of another type; one without a name goes with any.
static void test_structures(void)
{
    whole_pair pairs[4] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}}, out[4];
    const hd_type point = HD_TYPE(near_point), pair = HD_TYPE(whole_pair);
    const hd_type any = HD_STRUCT_OF(sizeof(near_point));
    const hd_view in = HD_VIEW_OF(pair, pairs, 4), to = HD_VIEW_OF(pair, out, 4);
    CHECK(point != pair && point == HD_TYPE(struct near_point) && hd_type_size(point) == 8 &&
              hd_type_size(any) == 8 && hd_type_size(HD_STRUCT_OF(1025)) == 0,
          "%s, %s", hd_type_name(point), hd_type_name(any));
    REDUCE(HD_ERROR_TYPE, "(near_point)", in, nearer, HD_VIEW_OF(pair, out, 1), .ddof = 0);
    REDUCE(HD_ERROR_TYPE, "(near_point)", HD_VIEW_OF(point, pairs, 4), nearer,
           HD_VIEW_OF(pair, out, 1), .ddof = 0);
    REDUCE(HD_ERROR_TYPE, "tag", in, HD_SUM, HD_VIEW_OF(HD_F32, y, 1), .map = first_of);
    REDUCE(HD_OK, "", HD_VIEW_OF(any, pairs, 4), nearer, HD_VIEW_OF(point, out, 1), .ddof = 0);
    SCAN(HD_OK, "", HD_VIEW_OF(point, pairs, 4), nearer, HD_VIEW_OF(any, pairs, 4), .ddof = 0);
    expect(__LINE__, HD_ERROR_TYPE,
           hd_sort(ctx, in, to, HD_NO_VALUES, &(hd_sort_options){.comparison = before}), "tag");
    expect(__LINE__, HD_ERROR_TYPE, hd_map(ctx, in, NULL, HD_VIEW_OF(point, out, 4), NULL), "tag");
    expect(__LINE__, HD_OK, hd_map(ctx, in, NULL, HD_VIEW_OF(any, out, 4), NULL), "");
    CHECK(memcmp(out, pairs, sizeof out) == 0, "moved as they are");
}

// One element without dimensions, as an input, an output, in options and in with.
static void test_no_dimensions(void)
{
    float a = 3, b = 0, c = 4;
    int64_t at = -1, zero = 0;
    hd_view in = hd_view_nd(HD_F32, &a, 0, NULL, NULL), out = in, with = in, where = in;
    out.data = &b, with.data = &c, where.data = &at, where.type = HD_I64;
    CHECK(in.ndim == 0 && hd_count(in) == 1 && hd_count(HD_EMPTY) == -1, "%d", (int)in.ndim);
    CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM, out, NULL));
    CHECK(b == 3, "%g", (double)b);
    CHECK_OK(ctx, hd_reduce(ctx, in, HD_ARGMAX, where, &(hd_reduce_options){.values = &out}));
    CHECK(at == 0 && b == 3, "%lld", (long long)at);
    CHECK_OK(ctx, hd_reduce(ctx, line(5), HD_SUM, out,
                            &(hd_reduce_options){.map = two, .with = HD_VIEWS(with)}));
    CHECK_OK(ctx, hd_map(ctx, in, two, out, &(hd_map_options){.with = HD_VIEWS(with)}));
    CHECK_OK(ctx, hd_scan(ctx, in, HD_SUM, HD_VIEW(&b, 1), NULL));
    CHECK(b == 3, "%g", (double)b);
    CHECK_OK(ctx, hd_sort(ctx, in, out, HD_NO_VALUES, NULL));
    float pair[2] = {0};
    const hd_view both = hd_view_nd(HD_STRUCT_OF(8), pair, 0, NULL, NULL);
    CHECK_OK(ctx, hd_zip(ctx, HD_VIEWS(in, with), both, NULL));
    CHECK(pair[0] == 3 && pair[1] == 4, "%g %g", (double)pair[0], (double)pair[1]);
    CHECK_OK(ctx, hd_unzip(ctx, both, HD_VIEWS(with, out), NULL));
    CHECK(c == 3 && b == 4, "%g %g", (double)c, (double)b);
    c = 4;
    where.data = &zero;
    CHECK_OK(ctx, hd_gather(ctx, HD_VIEW(&c, 1), where, out, NULL));
    CHECK(b == 4, "%g", (double)b);
    REDUCE(HD_ERROR_SHAPE, "out has shape (2); expected (5), that of in without axis 0",
           hd_view_nd(HD_F32, x, 2, (int64_t[]){2, 5}, NULL), HD_SUM, HD_VIEW(y, 2),
           .axis = HD_AXIS(0));
}

// What headers of another version made is refused before anything else of it is read.
static void test_abi(void)
{
    static const hd_operator op = {.abi = HD__ABI + 1, .name = (const char *)8};
    static const hd_function function = {.abi = HD__ABI + 1, .name = (const char *)8};
    static const hd_comparison order = {.name = (const char *)8};
    const char *const word = "headers of another version";
    REDUCE(HD_ERROR_OPERATOR, word, line(5), &op, one(), .ddof = 0);
    SCAN(HD_ERROR_OPERATOR, word, line(5), &op, HD_VIEW(y, 5), .ddof = 0);
    REDUCE(HD_ERROR_OPERATOR, word, line(5), HD_SUM, one(), .map = &function);
    expect(__LINE__, HD_ERROR_OPERATOR, hd_map(ctx, line(5), &function, HD_VIEW(y, 5), NULL), word);
    expect(
        __LINE__, HD_ERROR_OPERATOR,
        hd_difference(ctx, line(5), HD_VIEW(y, 5), &(hd_difference_options){.function = &function}),
        word);
    expect(__LINE__, HD_ERROR_OPERATOR,
           hd_stencil(ctx, line(5), HD_VIEW((int64_t[]){0}, 1), HD_EMPTY, HD_VIEW(y, 5),
                      &(hd_stencil_options){.function = &function}),
           word);
    expect(__LINE__, HD_ERROR_OPERATOR,
           hd_sort(ctx, line(5), HD_VIEW(y, 5), HD_NO_VALUES,
                   &(hd_sort_options){.comparison = &order}),
           word);
    // Members that a later version may use.
    static const hd_operator later_op = {.abi = HD__ABI, .name = "later", .reserved = {&op}};
    static const hd_function later = {.abi = HD__ABI, .name = "later", .reserved = {NULL, &op}};
    static const hd_comparison later_order = {.abi = HD__ABI, .name = "later", .reserved = {&op}};
    REDUCE(HD_ERROR_OPERATOR, "reserved[0]", line(5), &later_op, one(), .ddof = 0);
    REDUCE(HD_ERROR_OPERATOR, "reserved[1]", line(5), HD_SUM, one(), .map = &later);
    expect(__LINE__, HD_ERROR_OPERATOR,
           hd_sort(ctx, line(5), HD_VIEW(y, 5), HD_NO_VALUES,
                   &(hd_sort_options){.comparison = &later_order}),
           "reserved[0]");
}

int main(void)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    for (int t = 0; t < count; t++) {
        ctx = targets[t].ctx;
        where = targets[t].name;
        prepare();
        test_pointers_and_sizes();
        test_types();
        test_every_pair();
        test_read_only();
        test_idle_options();
        test_more_idle_options();
        test_overlaps();
        test_segments();
        test_long_segments();
        test_keys();
        test_axes_and_mixtures();
        test_options();
        test_functions();
        test_abi();
        test_no_dimensions();
        test_structures();
    }
    return check_finish();
}
