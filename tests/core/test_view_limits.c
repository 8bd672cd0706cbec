// SPDX-License-Identifier: Apache-2.0
//
// Shapes, strides and slices at the ends of int64_t: every view of every call. What cannot be is
// refused; axes of one element may have any stride; nothing overflows on the way, which UBSan looks
// for.
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/every_call/every_call.h"

static hd_context *ctx;

#define LARGE (((int64_t)1 << 52) + 1) // more elements than a call counts
static const int64_t shapes[] = {-1,
                                 INT64_MIN,
                                 INT64_MIN + 1,
                                 LARGE,
                                 INT64_MAX,
                                 INT64_MAX - 1,
                                 (int64_t)1 << 62,
                                 INT64_MAX / 2,
                                 INT32_MIN,
                                 ((int64_t)1 << 62) + 1};
static const int64_t strides[] = {INT64_MIN,     INT64_MIN + 1,     INT64_MAX,
                                  INT64_MAX - 1, (int64_t)1 << 62,  -((int64_t)1 << 62),
                                  INT64_MAX / 2, INT64_MIN / 2 - 1, INT64_MAX / 3};
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static void refused(const every_call *call, int slot, const hd_view *v)
{
    int64_t number = 0;
    const hd_status status = call->run(ctx, v, &number);
    CHECK(status != HD_OK && hd_error(ctx)[0] != 0, "%s: %s of shape %lld, stride %lld: status %d",
          call->name, call->slot[slot].name, (long long)v[slot].shape[0],
          (long long)v[slot].stride[0], (int)status);
}

// Shapes and strides that no memory has, in one view of a call.
static void try_bad(const every_call *call, int k)
{
    hd_view v[EVERY_SLOTS];
    for (int s = 0; s < COUNT(shapes); s++)
        for (int axis = 0; axis < call->slot[k].ndim; axis++) {
            every_views(call, v);
            v[k].shape[axis] = shapes[s];
            refused(call, k, v);
        }
    for (int s = 0; s < COUNT(strides); s++)
        for (int axis = 0; axis < call->slot[k].ndim; axis++) {
            every_views(call, v);
            if (v[k].shape[axis] < 2) continue;
            v[k].stride[axis] = strides[s];
            refused(call, k, v);
        }
    static const int32_t dims[] = {-1, INT32_MIN, INT32_MAX, HD_MAX_DIMS + 1};
    for (int s = 0; s < COUNT(dims); s++) {
        every_views(call, v);
        v[k].ndim = dims[s];
        refused(call, k, v);
    }
}

// Products of several axes that overflow, some of them over nothing.
static void try_products(const every_call *call, int k)
{
    hd_view v[EVERY_SLOTS];
    int64_t number = 0;
    for (int a = 3; a < 8; a++)
        for (int b = 0; b < 4; b++) {
            every_views(call, v);
            v[k].ndim = 3;
            for (int axis = 0; axis < 3; axis++) v[k].shape[axis] = shapes[a];
            v[k].stride[0] = v[k].stride[1] = v[k].stride[2] = b < 2 ? b : strides[b];
            refused(call, k, v);
            v[k].shape[b % 3] = 0; // nothing, with axes of any length
            call->run(ctx, v, &number);
        }
}

// One more axis, of one element and of any stride.
static void put_axis(hd_view *v, int64_t stride)
{
    memmove(v->shape + 1, v->shape, 2 * sizeof *v->shape);
    memmove(v->stride + 1, v->stride, 2 * sizeof *v->stride);
    v->shape[0] = 1;
    v->stride[0] = stride;
    v->ndim++;
}

static void try_axes_of_one(const every_call *call, int count)
{
    hd_view v[EVERY_SLOTS];
    int64_t number = 0;
    for (int s = 0; s < COUNT(strides); s++)
        for (int k = -1; k < count; k++) {
            every_views(call, v);
            for (int j = 0; j < count; j++)
                if (k < 0 || j == k) put_axis(&v[j], strides[s]);
            call->run(ctx, v, &number);
        }
}

static void test_one_element(void)
{
    for (int s = 0; s < COUNT(strides); s++) {
        int32_t x[4] = {1, 2, 3, 4}, sum = 0, scanned[4];
        const int64_t shape[] = {1, 4, 1}, stride[] = {strides[s], 1, strides[s]};
        const hd_view in = hd_view_nd(HD_I32, x, 3, shape, stride);
        CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM, HD_VIEW(&sum, 1), NULL));
        CHECK(sum == 10, "%d", (int)sum);
        CHECK_OK(ctx,
                 hd_scan(ctx, in, HD_SUM, hd_view_nd(HD_I32, scanned, 3, shape, stride), NULL));
        CHECK(scanned[3] == 10, "%d", (int)scanned[3]);
    }
}

// Slices: in range, or a view that every call refuses.
static void test_slices(void)
{
    float x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, y = 0;
    for (int a = 0; a < COUNT(shapes); a++)
        for (int b = 0; b < COUNT(strides); b++) {
            const int64_t wild[] = {shapes[a], strides[b], 0, 1, 7, -1};
            for (int w = 0; w < 6 * 6 * 6; w++) {
                const int64_t begin = wild[w % 6], count = wild[w / 6 % 6], step = wild[w / 36];
                const hd_view v = hd_slice(HD_VIEW(x, 8), 0, begin, count, step);
                if (v.ndim == 1 && v.shape[0] == 1) {
                    CHECK_OK(ctx, hd_reduce(ctx, v, HD_SUM, HD_VIEW(&y, 1), NULL));
                    CHECK(begin >= 0 && begin < 8 && y == (float)begin, "[%lld] is %g",
                          (long long)begin, (double)y);
                }
                // Of a view that is bad itself, and of one that lives nowhere.
                const int64_t shape[] = {INT64_MAX, 2}, stride[] = {strides[b], strides[a % 9]};
                const hd_view bad = hd_view_nd(HD_F64, x, 2, shape, stride);
                hd_count(hd_slice(bad, 0, begin, count, step));
                hd_count(hd_slice(bad, 1, begin, count, step));
                hd_count(hd_slice(hd_progression(begin, step, INT64_MAX), 0, begin, count, step));
            }
        }
    CHECK(hd_slice(HD_VIEW(x, 8), 1, 0, 1, 1).ndim == -1, "an axis that is not there");
    CHECK(hd_slice(HD_VIEW(x, 8), INT32_MIN, 0, 1, 1).ndim == -1, "an axis that is not there");
    // A stride that overflows: refused, unless there is but one element.
    const int64_t n = 4, far = INT64_MAX / 2;
    const hd_view wide = hd_view_nd(HD_F32, x, 1, &n, &far);
    CHECK(hd_slice(wide, 0, 0, 2, 3).ndim == -1, "a stride beyond memory");
    CHECK(hd_slice(wide, 0, 3, 1, 1).ndim == -1, "an offset beyond memory");
    CHECK(hd_slice(wide, 0, 0, 1, 3).ndim == 1, "one element");
}

// Progressions wrap, in slices as in their elements.
static void test_progressions(void)
{
    int64_t got[3];
    const hd_view v = hd_slice(hd_progression(INT64_MAX, INT64_MAX, 10), 0, 9, 3, -4);
    CHECK_OK(ctx, hd_map(ctx, v, NULL, HD_VIEW(got, 3), NULL));
    for (int k = 0; k < 3; k++) {
        const uint64_t i = (uint64_t)(9 - 4 * k), all = (uint64_t)INT64_MAX * (i + 1);
        CHECK(got[k] == (int64_t)all, "element %d is %lld", k, (long long)got[k]);
    }
}

static void test_memory(void)
{
    hd_view v;
    for (int a = 0; a < COUNT(shapes); a++)
        for (int b = 0; b < COUNT(shapes); b++) {
            const int64_t shape[] = {shapes[a], shapes[b]};
            CHECK(hd_alloc(ctx, HD_F64, 2, shape, &v) == HD_ERROR_SHAPE, "%s", hd_error(ctx));
            CHECK(hd_count(hd_view_nd(HD_F64, NULL, 2, shape, NULL)) == -1, "%lld x %lld",
                  (long long)shape[0], (long long)shape[1]);
        }
}

int main(void)
{
    static const hd_backend backends[] = {HD_SERIAL, HD_CPU};
    for (int b = 0; b < 2; b++) {
        CHECK(hd_open(&ctx, &(hd_context_options){.backend = backends[b], .threads = 2}) == HD_OK,
              "%s", hd_error(ctx));
        for (int c = 0; every_call_at(c) != NULL; c++) {
            hd_view v[EVERY_SLOTS];
            const int count = every_views(every_call_at(c), v);
            for (int k = 0; k < count; k++) {
                try_bad(every_call_at(c), k);
                try_products(every_call_at(c), k);
            }
            try_axes_of_one(every_call_at(c), count);
        }
        test_one_element();
        test_slices();
        test_progressions();
        test_memory();
        hd_close(ctx);
    }
    return check_finish();
}
