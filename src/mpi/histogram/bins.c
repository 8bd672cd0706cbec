// SPDX-License-Identifier: Apache-2.0
// The bin of each element, by maps and searches: hd_histogram itself tells none.
#include "bins.h"

#include "core/system/float_state.h"

// What a number of a bin is to be made of it.
HD_SOURCE(
    bin_ranges, typedef struct { int64_t first, bins, letters, is_unsigned, clamp; } bin_range;
    // below: 1 for a value below all bins, 0 for one above.
    static inline int64_t bin_outside(int64_t clamp, int64_t below, int64_t bins) {
        return clamp == 0 ? -1 : below != 0 ? 0 : bins - 1;
    })
HD_FUNCTION_STATE(bin_of_integer, int64_t, bin_ranges, (int64_t, v), bin_range, {
    const int64_t large = state->is_unsigned != 0 && v < 0;
    if (large == 0 && v < state->first) return bin_outside(state->clamp, 1, state->bins);
    const uint64_t bin = (uint64_t)v - (uint64_t)state->first;
    if (bin >= (uint64_t)state->bins) return bin_outside(state->clamp, 0, state->bins);
    return (int64_t)bin;
})
// found: how many edges are not above the value. The last bin has its upper edge, too.
HD_FUNCTION_STATE(bin_between, int64_t, bin_ranges, (int64_t, found, bool, last, bool, none),
                  bin_range, {
                      if (none) return -1;
                      if (last) return state->bins - 1;
                      if (found == 0) return bin_outside(state->clamp, 1, state->bins);
                      if (found > state->bins) return bin_outside(state->clamp, 0, state->bins);
                      return found - 1;
                  })
HD_FUNCTION_STATE(bin_of_letter, int64_t, bin_ranges, (uint8_t, c), bin_range, {
    const int64_t letter = c >= 97 && c <= 122 ? c - 97 : c >= 65 && c <= 90 ? c - 65 : -1;
    const int64_t bin = letter < 0 ? -1 : letter / state->letters;
    return bin < state->bins ? bin : -1;
})
// -0 is not below an edge of 0.
HD_FUNCTION(without_sign_of_zero, double, HD_NO_SOURCE, (double, v), { return v + 0.0; })
HD_FUNCTION(is_nan, bool, HD_NO_SOURCE, (double, v), { return v != v; })
HD_FUNCTION_STATE(is_upper_f64, bool, HD_NO_SOURCE, (double, v), double, { return v == *state; })
HD_FUNCTION_STATE(is_upper_i64, bool, HD_NO_SOURCE, (int64_t, v), int64_t, { return v == *state; })

static bin_range range_of(const hd__mpi_bins *b, hd_type type)
{
    return (bin_range){.first = b->first,
                       .bins = b->bins,
                       .letters = b->letters,
                       .is_unsigned = type == HD_U64,
                       .clamp = b->clamp};
}

// v as elements of type, with what function makes of them.
static hd_status mapped(hd_mpi *m, hd_view v, const hd_function *f, hd_views with, hd_type type,
                        hd_view *row)
{
    const hd_status status = hd__mpi_row(m, type, v.shape[0], row);
    if (status != HD_OK) return status;
    return hd__mpi_failed(m, hd_map(m->ctx, v, f, *row, &(hd_map_options){.with = with}));
}

// ---- Edges --------------------------------------------------------------------------------------

// Those of numpy.linspace, each step rounded once.
static hd_status even_edges(hd_mpi *m, const hd__mpi_bins *b, hd_view *edges)
{
    const hd_status status = hd__mpi_row(m, HD_F64, b->bins + 1, edges);
    if (status != HD_OK) return status;
    double *edge = edges->data;
    HD__FLOAT_STATE;
    const double width = (b->upper - b->lower) / (double)b->bins;
    for (int64_t k = 0; k < b->bins; k++) {
        const double step = (double)k * width;
        edge[k] = step + b->lower;
    }
    edge[b->bins] = b->upper;
    return HD_OK;
}

static bool fits_i64(hd_type type)
{
    return (type >= HD_I8 && type <= HD_I64) || (type >= HD_U8 && type <= HD_U32) ||
           type == HD_BOOL;
}

// The type in which values and edges are compared.
static hd_type compared(hd_type value, hd_type edge)
{
    if (fits_i64(value) && fits_i64(edge)) return HD_I64;
    return value == HD_U64 && edge == HD_U64 ? HD_U64 : HD_F64;
}

static hd_status mark_last(hd_mpi *m, hd_view values, hd_view edges, hd_view last)
{
    const int64_t bins = edges.shape[0] - 1;
    const hd_function *f = edges.type == HD_F64
                               ? HD_WITH_STATE(is_upper_f64, (const double *)edges.data + bins)
                               : HD_WITH_STATE(is_upper_i64, (const int64_t *)edges.data + bins);
    if (edges.type == HD_U64) values.type = HD_I64; // equal bits are equal
    return hd__mpi_failed(m, hd_map(m->ctx, values, f, last, NULL));
}

// v as elements in which values and edges are compared.
static hd_status comparable(hd_mpi *m, hd_view v, hd_type type, hd_view *row)
{
    const hd_status status = mapped(m, v, NULL, hd_no_values(), type, row);
    if (status != HD_OK || type != HD_F64) return status;
    return hd__mpi_failed(m, hd_map(m->ctx, *row, without_sign_of_zero, *row, NULL));
}

static hd_status search_edges(hd_mpi *m, const hd__mpi_bins *b, hd_view given, hd_view *bin)
{
    const bool no = false;
    const int64_t n = given.shape[0];
    hd_view edges = HD_EMPTY, values = HD_EMPTY, last = HD_EMPTY, nan = HD_EMPTY, from = HD_EMPTY;
    const hd_type type = b->even ? HD_F64 : compared(given.type, b->edges->type);
    const bin_range range = range_of(b, type);
    hd_status status = b->even ? even_edges(m, b, &from) : HD_OK;
    if (status == HD_OK) status = comparable(m, b->even ? from : *b->edges, type, &edges);
    if (status == HD_OK) status = comparable(m, given, type, &values);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, n, bin);
    if (status == HD_OK) status = hd__mpi_row(m, HD_BOOL, n, &last);
    if (status == HD_OK) status = mark_last(m, values, edges, last);
    if (status == HD_OK && type == HD_F64)
        status = mapped(m, values, is_nan, hd_no_values(), HD_BOOL, &nan);
    const hd_view none = type == HD_F64 ? nan : hd_constant_of(HD_BOOL, &no, n);
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_search(m->ctx, edges, values, *bin, &(hd_search_options){.right = true}));
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_map(m->ctx, *bin, HD_WITH_STATE(bin_between, &range), *bin,
                                          &(hd_map_options){.with = HD_VIEWS(last, none)}));
    hd_view *rows[] = {&from, &edges, &values, &last, &nan};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) hd__mpi_drop(m, rows[k]);
    return status;
}

// ---- All rules ----------------------------------------------------------------------------------

hd_status hd__mpi_find_bins(hd_mpi *m, const hd__mpi_bins *b, hd_view *bin)
{
    hd_view values = b->in;
    hd_status status = HD_OK;
    const hd_function *f = b->bin != NULL ? b->bin : b->map;
    if (f != NULL) status = mapped(m, b->in, f, b->with, f->result, &values);
    if (status != HD_OK) return status;
    const bin_range range = range_of(b, values.type);
    if (b->even || (b->edges != NULL && b->edges->type != HD_NONE))
        return search_edges(m, b, values, bin);
    if (b->letters > 0) {
        values.type = HD_U8; // or i8: bytes
        return mapped(m, values, HD_WITH_STATE(bin_of_letter, &range), hd_no_values(), HD_I64, bin);
    }
    status = mapped(m, values, NULL, hd_no_values(), HD_I64, bin);
    if (status != HD_OK) return status;
    return hd__mpi_failed(m,
                          hd_map(m->ctx, *bin, HD_WITH_STATE(bin_of_integer, &range), *bin, NULL));
}
