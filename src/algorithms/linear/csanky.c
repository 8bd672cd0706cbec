// SPDX-License-Identifier: Apache-2.0
// Csanky 1976, "Fast parallel matrix inversion algorithms": with y the solution of Newton's
// identities for the traces of the powers of A, Cayley and Hamilton give
//     inverse = (A^(n-1) - y[1] A^(n-2) - ... - y[n-1]) / y[n]
#include "csanky.h"

#include <math.h>

#include "core/system/float_state.h"

HD_FUNCTION(negative_f32, float, HD_NO_SOURCE, (float, x), { return -x; })
HD_FUNCTION(negative_f64, double, HD_NO_SOURCE, (double, x), { return -x; })
HD_FUNCTION(sum_f32, float, HD_NO_SOURCE, (float, x, float, y), { return x + y; })
HD_FUNCTION(sum_f64, double, HD_NO_SOURCE, (double, x, double, y), { return x + y; })
HD_FUNCTION(scaled_f32, float, HD_NO_SOURCE, (float, x, float, y), { return x / y; })
HD_FUNCTION(scaled_f64, double, HD_NO_SOURCE, (double, x, double, y), { return x / y; })
// Which trace stands in row i, column j of Newton's identities; none above the diagonal.
HD_FUNCTION_STATE(trace_at, int64_t, HD_NO_SOURCE, (int64_t, t), int64_t,
                  { return t / *state - t % *state - 1; })

typedef struct csanky {
    int64_t n, steps;
    bool wide;
    hd_view powers; // n matrices: A, A^2, ..., A^n
    hd_view trace;  // of them
    hd_view y;
} csanky;

#define OF(c, name) ((c)->wide ? name##_f64 : name##_f32)

static int64_t digits(int64_t n) // ceil(log2 n)
{
    int64_t k = 0;
    while (((int64_t)1 << k) < n) k++;
    return k;
}

static hd_view shaped(hd_view row, int64_t rows, int64_t columns)
{
    const int64_t shape[2] = {rows, columns};
    hd_view v = hd_view_nd(row.type, row.data, 2, shape, NULL);
    v.space = row.space, v.device = row.device;
    return v;
}

// Matrices from .. from + count - 1, one below the other.
static hd_view powers_of(const csanky *c, int64_t from, int64_t count)
{
    const int64_t area = c->n * c->n;
    return shaped(hd__frame_part(c->powers, from * area, count * area), count * c->n, c->n);
}

// All powers that are there times the highest are as many more.
static hd_status make_powers(hd__frame *f, csanky *c, hd_view in)
{
    hd_status status = hd__frame_row(f, in.type, c->n * c->n * c->n, &c->powers);
    if (!status) status = hd_map(f->ctx, in, NULL, powers_of(c, 0, 1), NULL);
    for (int64_t have = 1; have < c->n && !status; have *= 2) {
        const int64_t more = c->n - have < have ? c->n - have : have;
        status = hd__product_tree(f, powers_of(c, 0, more), powers_of(c, have - 1, 1),
                                  powers_of(c, have, more));
        c->steps += 1 + digits(c->n);
    }
    return status;
}

static hd_status add_diagonals(hd__frame *f, csanky *c)
{
    hd_view diagonals = shaped(c->powers, c->n, c->n);
    diagonals.stride[0] = c->n * c->n, diagonals.stride[1] = c->n + 1;
    hd_status status = hd__frame_row(f, c->powers.type, c->n, &c->trace);
    c->steps += digits(c->n);
    return status ? status
                  : hd_reduce(f->ctx, diagonals, HD_SUM, c->trace,
                              &(hd_reduce_options){.axis = HD_AXIS(1)});
}

// Row i of Newton's identities: (i + 1) y[i] + the sum over j < i of trace[i - j - 1] y[j].
static hd_status solve_newton(hd__frame *f, csanky *c)
{
    const int64_t n = c->n;
    hd_view at, row, inverse;
    hd_status status = hd__frame_row(f, HD_I64, n * n, &at);
    if (!status) status = hd_map(f->ctx, hd_iota(n * n), HD_WITH_STATE(trace_at, &n), at, NULL);
    if (!status) status = hd__frame_row(f, c->trace.type, n * n, &row);
    if (!status) status = hd_gather(f->ctx, c->trace, at, row, NULL); // 0 where there is none
    if (!status)
        status =
            hd_map(f->ctx, hd_progression(1, 1, n), NULL, hd__diagonal(shaped(row, n, n)), NULL);
    if (!status)
        status = hd__triangle_invert(f, shaped(row, n, n), false, true, &inverse, &c->steps);
    if (!status) status = hd__frame_row(f, c->trace.type, n, &c->y);
    c->steps += 1 + digits(n);
    return status ? status
                  : hd__product_tree(f, inverse, shaped(c->trace, n, 1), shaped(c->y, n, 1));
}

static hd_status read_number(hd__frame *f, hd_view row, int64_t i, double *value)
{
    float narrow = 0;
    if (row.type == HD_F64) return hd__frame_read(f, row, i, value);
    const hd_status status = hd__frame_read(f, row, i, &narrow);
    HD__FLOAT_STATE;
    *value = (double)narrow;
    return status;
}

static bool is_zero(double x)
{
    HD__FLOAT_STATE; // in which a subnormal number is none
    return x == 0;
}

// The sum of the powers, each with its weight.
static hd_status combine(hd__frame *f, csanky *c, hd_view out)
{
    const int64_t n = c->n;
    const hd_view last = hd__frame_part(c->y, n - 1, 1);
    hd_view weight, x;
    double determinant = 0;
    hd_status status = read_number(f, c->y, n - 1, &determinant);
    if (!status && is_zero(determinant))
        return hd__frame_fail(f, HD_ERROR_VALUE,
                              "the determinant is 0 as it was computed: the matrix is singular, or "
                              "has more rows than this method has digits for");
    if (!status && !isfinite(determinant))
        return hd__frame_fail(f, HD_ERROR_VALUE, "the determinant is not finite");
    if (!status) status = hd__frame_row(f, out.type, n, &weight);
    if (!status) status = hd__frame_row(f, out.type, n * n, &x);
    if (status) return status;
    // weight[j] goes with A^j: 1 for j = n - 1, else -y[n - 1 - j].
    status = hd__fill(f, weight, 1);
    if (!status && n > 1)
        status = hd_map(f->ctx, hd_slice(c->y, 0, n - 2, n - 1, -1), OF(c, negative),
                        hd__frame_part(weight, 0, n - 1), NULL);
    if (!status)
        status = hd__product_tree(f, shaped(hd__frame_part(weight, 1, n - 1), 1, n - 1),
                                  shaped(c->powers, n - 1, n * n), shaped(x, 1, n * n));
    c->steps += 3 + digits(n);
    const hd_view diagonal = hd__diagonal(shaped(x, n, n));
    if (!status)
        status = hd_map(f->ctx, diagonal, OF(c, sum), diagonal,
                        &(hd_map_options){.with = HD_VIEWS(hd__frame_part(weight, 0, 1))});
    if (status) return status;
    return hd_map(f->ctx, shaped(x, n, n), OF(c, scaled), out,
                  &(hd_map_options){.with = HD_VIEWS(last)});
}

hd_status hd__csanky(hd__frame *f, hd_view in, hd_view out, int64_t *steps)
{
    csanky c = {.n = in.shape[0], .wide = in.type == HD_F64};
    if (c.n == 0) return HD_OK;
    hd_status status = make_powers(f, &c, in);
    if (!status) status = add_diagonals(f, &c);
    if (!status) status = solve_newton(f, &c);
    if (!status) status = combine(f, &c, out);
    *steps = c.steps;
    return status;
}
