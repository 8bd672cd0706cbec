// SPDX-License-Identifier: Apache-2.0
// Arrays as patterns of neighbourhoods see them: batches of (z, y, x, channel), with a border that
// goes on for ever, read and written a row at a time in the type of the sums.
#ifndef HEDDLE_PATTERNS_STENCIL_GRID_H
#define HEDDLE_PATTERNS_STENCIL_GRID_H

#include "core/view.h"

enum { HD__Z, HD__Y, HD__X, HD__CHANNEL, HD__GRID_AXES };

typedef struct hd__grid {
    hd_view in, out;
    int32_t batch_axes; // the first axes of both
    int64_t batches;
    int64_t shape[HD__GRID_AXES]; // axes that are not there are 1
    int64_t in_stride[HD__GRID_AXES], out_stride[HD__GRID_AXES];
    int32_t axis[HD__GRID_AXES]; // of in and out, -1: it is not there
    hd_border border;
    hd_type sum;                           // rows are read and written as this: f32, f64, i64, or
                                           // in's own type where a function of the user's runs
    _Alignas(16) unsigned char beyond[16]; // one element of it: what lies outside
} hd__grid;

// Checks in and out for a neighbourhood of `axes` axes, and fills everything but sum and beyond.
hd_status hd__grid_make(hd_context *ctx, const char *call, const hd_view *in, const hd_view *out,
                        int32_t axes, hd_channels channels, hd__grid *g);

// Checks weights and the like, which calls read before they hand the job to a backend: no views of
// a device.
hd_status hd__check_host_input(hd_context *ctx, const char *what, const hd_view *v);

// Replaces in or out by other views of the same shape (row-major, one batch: scratch).
void hd__grid_set_in(hd__grid *g, hd_type type, const void *data);
void hd__grid_set_out(hd__grid *g, hd_type type, void *data);

// The border an option names, checked; keep: whether HD_BORDER_KEEP is among them.
hd_status hd__check_border(hd_context *ctx, const char *call, hd_border requested,
                           hd_border standard, bool keep, hd_border *border);

// Which type sums have, and what of numbers is allowed (numerics.md, "Neighbourhoods").
hd_status hd__select_sum(hd_context *ctx, const char *call, hd__grid *g, hd_type weights);

// Sets `beyond` from the option .constant, or to zero.
hd_status hd__set_beyond(hd_context *ctx, const char *call, hd__grid *g, double constant);

// The index that stands for i, whatever i is: 0 .. n - 1, or -1 where the border has a value of its
// own. n >= 1.
static inline int64_t hd__border_index(hd_border border, int64_t i, int64_t n)
{
    if (i >= 0 && i < n) return i;
    switch (border) {
    case HD_BORDER_REPLICATE: return i < 0 ? 0 : n - 1;
    case HD_BORDER_WRAP: return ((i % n) + n) % n;
    case HD_BORDER_SYMMETRIC: {
        const int64_t r = ((i % (2 * n)) + 2 * n) % (2 * n);
        return r < n ? r : 2 * n - 1 - r;
    }
    case HD_BORDER_REFLECT: {
        if (n == 1) return 0;
        const int64_t period = 2 * (n - 1), r = ((i % period) + period) % period;
        return r < n ? r : period - r;
    }
    case HD_BORDER_DEFAULT: // not after the checks
    case HD_BORDER_ZERO:
    case HD_BORDER_CONSTANT:
    case HD_BORDER_KEEP:
    case HD_BORDER_COUNT: break;
    }
    return -1;
}

// Where element 0 of a batch is in memory, in elements.
int64_t hd__grid_in_offset(const hd__grid *g, int64_t batch);
int64_t hd__grid_out_offset(const hd__grid *g, int64_t batch);

// Pixels x0 .. x0 + n - 1 of row (z, y) with all their channels, as sums. Any of them may lie
// outside when reading.
typedef struct hd__row {
    int64_t batch, z, y, x0, n;
} hd__row;
void hd__grid_read(const hd__grid *g, const hd__row *row, void *to);
// Rounds, clamps and writes; `from` is used up.
void hd__grid_write(const hd__grid *g, const hd__row *row, void *from);

// n sums to a type, as written.
void hd__finalize_sums(hd_type to_type, void *to, hd_type sum, void *from, int64_t n);

static inline int64_t hd__grid_points(const hd__grid *g)
{
    return g->shape[0] * g->shape[1] * g->shape[2] * g->shape[3];
}

#endif
