// SPDX-License-Identifier: Apache-2.0
// Stencils, convolutions, blurs and differences of arrays cut along their first axis: any border,
// halos wider than other ranks' shares and than the array, many steps.
#include <stdlib.h>
#include <string.h>

#include "mpi_test.h"

// An array of up to three axes: all of it, and this rank's rows of in and out.
typedef struct array {
    hd_view in, out, mine, got;
    part p;
    int64_t row; // bytes a row of out
} array;

static hd_view whole(hd_type type, int32_t ndim, const int64_t *shape, void **memory)
{
    const hd_view v = hd_view_nd(type, NULL, ndim, shape, NULL);
    *memory = check_memory((size_t)hd_count(v) * hd_type_size(type) + 8);
    return hd_view_nd(type, *memory, ndim, shape, NULL);
}

static array make_array(ranks *r, hd_type in, hd_type out, int32_t ndim, const int64_t *shape)
{
    array a;
    void *memory;
    a.in = whole(in, ndim, shape, &memory);
    check_fill(in, memory, hd_count(a.in), CHECK_ORDINARY, (uint64_t)check_next(&r->state));
    a.out = whole(out, ndim, shape, &memory);
    a.p = draw_part(r, shape[0]);
    a.mine = hd_slice(a.in, 0, a.p.begin, a.p.n, 1);
    int64_t own[HD_MAX_DIMS];
    memcpy(own, shape, sizeof(int64_t) * (size_t)ndim);
    own[0] = a.p.n;
    a.got = whole(out, ndim, own, &memory);
    a.row = (int64_t)hd_type_size(out);
    for (int k = 1; k < ndim; k++) a.row *= shape[k];
    return a;
}

static void compare(ranks *r, array *a, const char *what, int32_t border)
{
    const int64_t rows = a->in.shape[0];
    CHECK_SAME(
        a->out.type, a->got.data, (char *)a->out.data + a->p.begin * a->row, hd_count(a->got),
        "%s of %lld rows of %lld bytes, border %d, %lld here, rank %d of %d", what, (long long)rows,
        (long long)a->row, (int)border, (long long)a->p.n, r->rank, r->ranks);
    free(a->in.data), free(a->out.data), free(a->got.data);
}

// Sizes of an array: the first axis has most.
static void draw_shape(ranks *r, int32_t ndim, int64_t *shape)
{
    const int64_t most[] = {ndim == 1 ? 400 : 60, 9, 7};
    shape[0] = check_below(&r->state, check_below(&r->state, 3) ? most[0] : 6);
    for (int k = 1; k < ndim; k++) shape[k] = 1 + check_below(&r->state, most[k]);
}

typedef struct types {
    hd_type in, out;
} types;

static types draw_types(ranks *r, bool same)
{
    static const types all[] = {{HD_F32, HD_F32}, {HD_F64, HD_F64}, {HD_U8, HD_U8},
                                {HD_F16, HD_F16}, {HD_U8, HD_F32},  {HD_I32, HD_F64}};
    return all[check_below(&r->state, same ? 4 : 6)];
}

// ---- Stencils -----------------------------------------------------------------------------------

HD_FUNCTION(spread, float, HD_NO_SOURCE, (float, a, float, b, float, c),
            { return a > b ? a - 0.5f * c : b + c; })

static void try_stencil(ranks *r, int64_t farthest)
{
    const int32_t axes = 1 + (int32_t)check_below(&r->state, 3),
                  border = (int32_t)check_below(&r->state, 8);
    const bool more = axes < 3 && check_below(&r->state, 3) == 0; // channels, or batches
    const bool function = check_below(&r->state, 4) == 0, box = !function && axes == 2;
    const int64_t steps = check_below(&r->state, 3) ? 1 : 1 + check_below(&r->state, 9);
    const int64_t taps = function ? 3 : 1 + check_below(&r->state, 5);
    types t = draw_types(r, steps > 1 || border == HD_BORDER_KEEP);
    if (function) t = (types){HD_F32, HD_F32};
    int64_t shape[3], offset[15];
    double weight[15];
    draw_shape(r, axes + more, shape);
    for (int64_t k = 0; k < taps * axes; k++) {
        const int64_t reach = k % axes == 0 ? farthest : 3;
        offset[k] = check_below(&r->state, 2 * reach + 1) - reach;
    }
    check_fill(HD_F64, weight, 15, CHECK_ORDINARY, (uint64_t)check_next(&r->state));
    const hd_stencil_options o = {.border = border,
                                  .constant = border == HD_BORDER_CONSTANT ? 0.5 : 0,
                                  .iterations = steps,
                                  .function = function ? spread : NULL,
                                  .channels = !more                       ? 0
                                              : check_below(&r->state, 3) ? HD_CHANNELS_LAST
                                                                          : HD_CHANNELS_NONE};
    const hd_view offsets = box ? HD_EMPTY
                            : axes == 1
                                ? HD_VIEW(offset, taps)
                                : hd_view_nd(HD_I64, offset, 2, (int64_t[]){taps, axes}, NULL);
    const hd_view weights = function ? HD_EMPTY
                            : box    ? hd_view_nd(HD_F64, weight, 2, (int64_t[]){3, taps}, NULL)
                                     : HD_VIEW(weight, taps);
    array a = make_array(r, t.in, t.out, axes + more, shape);
    CHECK_OK(r->serial, hd_stencil(r->serial, a.in, offsets, weights, a.out, &o));
    CHECK_MPI(r, hd_mpi_stencil(r->mpi, a.mine, offsets, weights, a.got, &o));
    compare(r, &a, function ? "a function" : box ? "a box" : "a stencil", border);
}

// Many steps over many rows, taken several at a time.
static void try_steps(ranks *r, int32_t border)
{
    double weight[3] = {0.25, 0.5, 0.25};
    int64_t shape[2] = {40 + check_below(&r->state, 400), 3}, offset[6] = {-2, 0, 0, 1, 1, 0};
    const hd_stencil_options o = {
        .border = border, .iterations = 17, .constant = border == HD_BORDER_CONSTANT ? 2 : 0};
    const hd_view offsets = hd_view_nd(HD_I64, offset, 2, (int64_t[]){3, 2}, NULL);
    array a = make_array(r, HD_F32, HD_F32, 2, shape);
    CHECK_OK(r->serial, hd_stencil(r->serial, a.in, offsets, HD_VIEW(weight, 3), a.out, &o));
    CHECK_MPI(r, hd_mpi_stencil(r->mpi, a.mine, offsets, HD_VIEW(weight, 3), a.got, &o));
    compare(r, &a, "17 steps", border);
}

// ---- Convolution and blur -----------------------------------------------------------------------

static void try_convolve(ranks *r)
{
    const int32_t axes = 1 + (int32_t)check_below(&r->state, 2),
                  border = (int32_t)check_below(&r->state, 7);
    const bool channels = check_below(&r->state, 3) == 0, far = check_below(&r->state, 4) == 0;
    const types t = draw_types(r, false);
    int64_t shape[3],
        size[2] = {1 + check_below(&r->state, far ? 90 : 7), 1 + check_below(&r->state, 4)};
    float mask[400];
    check_fill(HD_F32, mask, 400, CHECK_UNITS, (uint64_t)check_next(&r->state));
    for (int k = 0; axes == 2 && k % 2 == 0 && k < size[0] * size[1]; k++) // of rank one
        mask[k] = (float)(k / size[1] % 3) * (float)(1 + k % size[1]);
    draw_shape(r, axes + channels, shape);
    const int64_t anchor[2] = {check_below(&r->state, size[0]), check_below(&r->state, size[1])};
    const hd_convolve_options o = {.border = border,
                                   .constant = border == HD_BORDER_CONSTANT ? 0.25 : 0,
                                   .flip = check_below(&r->state, 2),
                                   .anchor = check_below(&r->state, 2) ? anchor : NULL,
                                   .channels = channels ? HD_CHANNELS_LAST : 0};
    const hd_view m = hd_view_nd(HD_F32, mask, axes, size, NULL);
    array a = make_array(r, t.in, t.out, axes + channels, shape);
    CHECK_OK(r->serial, hd_convolve(r->serial, a.in, m, a.out, &o));
    CHECK_MPI(r, hd_mpi_convolve(r->mpi, a.mine, m, a.got, &o));
    compare(r, &a, "a convolution", border);
}

static void try_blur(ranks *r)
{
    static const hd_type all[] = {HD_U8, HD_U16, HD_F32, HD_F64};
    const hd_type type = all[check_below(&r->state, 4)];
    const int32_t border = (int32_t)check_below(&r->state, 7);
    const double sigma = 0.3 + 0.1 * (double)check_below(&r->state, 60);
    const hd_blur_options o = {.border = border,
                               .constant = border == HD_BORDER_CONSTANT ? 7 : 0,
                               .method =
                                   (type == HD_U8 || type == HD_U16) && check_below(&r->state, 2)
                                       ? HD_BLUR_BOX
                                       : HD_BLUR_GAUSSIAN};
    int64_t shape[2];
    draw_shape(r, 2, shape);
    array a = make_array(r, type, type, 2, shape);
    CHECK_OK(r->serial, hd_blur(r->serial, a.in, sigma, a.out, &o));
    CHECK_MPI(r, hd_mpi_blur(r->mpi, a.mine, sigma, a.got, &o));
    compare(r, &a, "a blur", border);
}

// ---- Differences --------------------------------------------------------------------------------

HD_FUNCTION(ratio, double, HD_NO_SOURCE, (float, x, float, before), { return x / before; })

static void try_difference(ranks *r)
{
    const int32_t ndim = 1 + (int32_t)check_below(&r->state, 3),
                  axis = (int32_t)check_below(&r->state, ndim + 1);
    const bool function = check_below(&r->state, 3) == 0, in_place = check_below(&r->state, 2);
    const hd_type type = function ? HD_F32 : check_type((int)check_below(&r->state, 12));
    const float before = 2;
    int64_t shape[3];
    draw_shape(r, ndim, shape);
    const hd_difference_options o = {.axis = axis > 0 ? HD_AXIS(axis - 1) : 0,
                                     .function = function ? ratio : NULL,
                                     .before = function ? &before : NULL};
    array a = make_array(r, type, function ? HD_F64 : type, ndim, shape);
    CHECK_OK(r->serial, hd_difference(r->serial, a.in, a.out, &o));
    if (in_place && !function) memcpy(a.got.data, a.mine.data, (size_t)(a.p.n * a.row));
    CHECK_MPI(r, hd_mpi_difference(r->mpi, in_place && !function ? a.got : a.mine, a.got, &o));
    compare(r, &a, in_place ? "differences in place" : "differences", axis);
}

static void draw_halos(ranks *r, int k)
{
    try_stencil(r, k % 4 == 3 ? 90 : 3);
    try_convolve(r);
    if (k % 2) try_blur(r);
    try_difference(r);
}

void draw_neighbours(ranks *r)
{
    draw_halos(r, (int)check_below(&r->state, 1000));
}

void test_neighbours(ranks *r)
{
    const int tries = test_all() ? 500 : r->ranks <= 2 ? 60 : r->ranks <= 7 ? 24 : 10;
    for (int k = 0; k < tries; k++) draw_halos(r, k);
    for (int32_t border = 0; border < HD_BORDER_COUNT; border++) try_steps(r, border);
}
