// SPDX-License-Identifier: Apache-2.0
//
// hd_mismatch and hd_is_sorted on the model machine, and on a card where there is one, against the
// serial backend: types and structures, floats by value and by bits, NaN and zeros, both
// directions, strictly, comparisons with and without a state; host and device memory, with gaps and
// of several dimensions, implicit views; the position in host memory and on the device.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

HD_SOURCE(
    records, typedef struct {
        int32_t key;
        float weight;
    } record;)
HD_COMPARISON(by_key, record, records, { return a.key < b.key; })
HD_COMPARISON_STATE(by_digit, int32_t, HD_NO_SOURCE, int32_t, { return a % *state < b % *state; })

enum { MOST = 3000 };

// The same bytes on the device, `skip` elements from an address that is a multiple of 256.
static hd_view copy_of(hd_view in, int64_t skip, hd_view *memory)
{
    const int64_t size = (int64_t)hd_type_size(in.type), bytes = (hd_count(in) + skip) * size;
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_U8, 1, &bytes, memory));
    hd_view to = *memory, there = in;
    if (skip > 0) to.data = (char *)to.data + skip * size;
    to.shape[0] = bytes - skip * size;
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW_OF(HD_U8, in.data, to.shape[0]), NULL, to, NULL));
    there.space = HD_DEVICE;
    there.data = to.data;
    return there;
}

// A call into the host and into the device, against the serial one.
typedef hd_status ask(hd_context *c, const hd_view *in, hd_view position, const void *options);

static void compare(ask *call, const hd_view *host, const hd_view *there, const void *options,
                    const char *what)
{
    hd_view number;
    int64_t want = -7, got[3] = {-7, -7, -7};
    CHECK_OK(serial, call(serial, host, HD_VIEW(&want, 1), options));
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_I64, 1, (int64_t[]){1}, &number));
    CHECK_OK(ctx, call(ctx, host, HD_VIEW(&got[0], 1), options));
    CHECK_OK(ctx, call(ctx, there, HD_VIEW(&got[1], 1), options));
    CHECK_OK(ctx, call(ctx, there, number, options));
    CHECK_OK(ctx, hd_map(ctx, number, NULL, HD_VIEW(&got[2], 1), NULL));
    for (int k = 0; k < 3; k++)
        CHECK(got[k] == want, "%s: %s of %" PRId64 " %s, way %d: %" PRId64 ", expected %" PRId64,
              backend, what, hd_count(*host), hd_type_name(host->type), k, got[k], want);
    CHECK_OK(ctx, hd_free(ctx, &number));
}

static hd_status mismatch(hd_context *c, const hd_view *in, hd_view position, const void *options)
{
    return hd_mismatch(c, in[0], in[1], position, options);
}

static hd_status is_sorted(hd_context *c, const hd_view *in, hd_view position, const void *options)
{
    return hd_is_sorted(c, in[0], position, options);
}

// ---- Mismatch -----------------------------------------------------------------------------------

static void test_mismatch(hd_type type, int64_t n, int64_t at, bool bits)
{
    const size_t size = hd_type_size(type);
    unsigned char *x = check_memory(size * MOST), *y = check_memory(size * MOST);
    check_fill(hd_type_size(type) == 8 && type > HD_F64 ? HD_U64 : type, x, n, CHECK_ORDINARY, 3);
    memcpy(y, x, size * (size_t)n);
    if (at < n) y[size * (size_t)at + size - 1] ^= 0x40;
    if (type == HD_F32 && n > 5) {
        ((float *)x)[3] = 0, ((float *)y)[3] = -0.0f;
        ((uint32_t *)x)[5] = ((uint32_t *)y)[5] = 0x7fc00000;
    }
    const hd_view in[2] = {HD_VIEW_OF(type, x, n), HD_VIEW_OF(type, y, n)};
    hd_view memory[2];
    const hd_view there[2] = {copy_of(in[0], 0, &memory[0]), copy_of(in[1], 1, &memory[1])};
    compare(mismatch, in, there, &(hd_mismatch_options){.bits = bits}, "mismatch");
    CHECK_OK(ctx, hd_free(ctx, &memory[0]));
    CHECK_OK(ctx, hd_free(ctx, &memory[1]));
    free(x), free(y);
}

static void test_mismatches(void)
{
    static const hd_type types[] = {HD_I32, HD_U8, HD_F32, HD_F16, HD_BOOL};
    for (int t = 0; t < 5; t++) {
        test_mismatch(types[t], MOST, 1777, false);
        test_mismatch(types[t], 1025, MOST, false);
    }
    test_mismatch(HD_F32, 2000, 1999, true);
    test_mismatch(HD_STRUCT(record), 2000, 1500, false);
    test_mismatch(HD_I32, 0, 0, false);
    const hd_view same[2] = {hd_iota(50), hd_iota(50)};
    compare(mismatch, same, same, NULL, "mismatch");
}

// ---- Sorted -------------------------------------------------------------------------------------

// Rising or falling numbers with one out of order at `at`, of n.
static void test_sorted(hd_type type, int64_t n, int64_t at, const hd_is_sorted_options *o)
{
    const size_t size = hd_type_size(type);
    unsigned char *x = check_memory(size * MOST);
    double *numbers = check_memory(8 * MOST);
    for (int64_t i = 0; i < n; i++) {
        const double rise = (double)(o->strict ? i : i / 3);
        numbers[i] = (o->descending ? -rise : rise) - (type == HD_F32 ? 700 : 0);
    }
    if (at < n) numbers[at] = o->descending ? 1e4 : -1e4;
    hd_context *c = serial;
    if (hd_type_size(type) == 8 && type > HD_F64) // records
        for (int64_t i = 0; i < n; i++) ((record *)x)[i] = (record){(int32_t)numbers[i], (float)i};
    else
        CHECK_OK(c, hd_map(c, HD_VIEW(numbers, n), NULL, HD_VIEW_OF(type, x, n), NULL));
    if (type == HD_F32 && n > 9 && !o->strict)
        ((uint32_t *)x)[o->descending ? 0 : n - 1] = 0x7fc00000; // NaN comes last, or first
    const hd_view in = HD_VIEW_OF(type, x, n);
    hd_view memory;
    const hd_view there = copy_of(in, 1, &memory);
    compare(is_sorted, &in, &there, o, o->comparison != NULL ? o->comparison->name : "is_sorted");
    CHECK_OK(ctx, hd_free(ctx, &memory));
    free(x), free(numbers);
}

static void test_dimensions(void)
{
    int16_t x[40 * 30];
    for (int k = 0; k < 40 * 30; k++) x[k] = (int16_t)(k / 30 * 20 + k % 30 % 20);
    const int64_t shape[2] = {40, 20}, stride[2] = {30, 1};
    hd_view memory, in = HD_VIEW(x, 1200), there = copy_of(in, 0, &memory), both[2];
    both[0] = hd_view_nd(HD_I16, x, 2, shape, stride);
    both[1] = hd_view_nd(HD_I16, there.data, 2, shape, stride);
    both[1].space = HD_DEVICE;
    compare(is_sorted, &both[0], &both[1], NULL, "rows with gaps");
    compare(is_sorted, &both[0], &both[1], &(hd_is_sorted_options){.descending = true}, "rows");
    CHECK_OK(ctx, hd_free(ctx, &memory));
}

static void test_orders(void)
{
    static const hd_type types[] = {HD_I32, HD_F32, HD_F16};
    for (int t = 0; t < 3; t++)
        for (int k = 0; k < 4; k++) {
            const hd_is_sorted_options o = {.descending = k % 2, .strict = k / 2};
            test_sorted(types[t], 1026, k == 1 ? 777 : MOST, &o);
        }
    test_sorted(HD_I32, 1, MOST, &(hd_is_sorted_options){.strict = true});
    test_sorted(HD_I32, 0, MOST, &(hd_is_sorted_options){.strict = true});
    test_sorted(HD_BOOL, 4, MOST, &(hd_is_sorted_options){.strict = false});
    for (int k = 0; k < 4; k++)
        test_sorted(
            HD_STRUCT(record), 900, 600,
            &(hd_is_sorted_options){.comparison = by_key, .descending = k % 2, .strict = k / 2});
    const int32_t ten = 10, million = 1000000;
    test_sorted(HD_I32, 900, MOST,
                &(hd_is_sorted_options){.comparison = HD_WITH_STATE(by_digit, &ten)});
    test_sorted(HD_I32, 900, MOST,
                &(hd_is_sorted_options){.comparison = HD_WITH_STATE(by_digit, &million)});
    const hd_view counters = hd_iota(70), constant = hd_constant_of(HD_F64, &(double){1}, 70);
    compare(is_sorted, &counters, &counters, &(hd_is_sorted_options){.strict = true}, "iota");
    compare(is_sorted, &constant, &constant, &(hd_is_sorted_options){.strict = true}, "constant");
}

static void test_backend(hd_backend which)
{
    backend = hd_backend_name(which);
    setenv("HEDDLE_TUNE", "find_threads=64 find_chunks=2", 1);
    ctx = check_open(which, 1, NULL);
    test_mismatches();
    test_orders();
    test_dimensions();
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
