// SPDX-License-Identifier: Apache-2.0
// One section over all rows: parts of blocks from zeros, the scan of what blocks do to a state, and
// parts again from their states (filter.h has the method). What is left of rows after their last
// whole block is a loop each.
#include <string.h>

#include "core/system/float_state.h"
#include "signal.h"

typedef struct run {
    hd__signal *s;
    const hd__filter_kernels *k;
    int64_t blocks; // whole ones of a row
    unsigned char coefficients[HD_MAX_STATE], matrices[HD_MAX_STATE];
    hd_view parts, before; // of blocks
} run;

static hd_function with(const run *r, const hd_function *f)
{
    hd_function with_state = hd_with_state(f, r->coefficients, r->k->coefficient_bytes);
    // The cores have loops of their own; every other backend, also the serial one, takes the texts.
    if (r->s->ran == HD_CPU && f == r->k->ends) with_state.apply = r->k->ends_lanes;
    if (r->s->ran == HD_CPU && f == r->k->outputs) with_state.apply = r->k->outputs_lanes;
    return with_state;
}

static void prepare(run *r, hd__signal *s, const hd__section *section, const double *unit)
{
    static const double none[HD__FILTER_ORDER];
    r->s = s;
    r->k = hd__filter_kernels_of(s->f.ctx, s->real, section->order);
    r->blocks = s->n / HD__FILTER_BLOCK;
    r->k->fill(section, s->n % HD__FILTER_BLOCK, unit != NULL ? unit : none, r->coefficients,
               r->matrices);
}

// The maps of states before every block, and the states of its parts.
static hd_status scan_blocks(run *r, hd_view from)
{
    hd__signal *s = r->s;
    const int64_t p = r->blocks;
    const hd_function ends = with(r, r->k->ends),
                      joined = hd_with_state(r->k->joined, r->matrices, r->k->matrix_bytes);
    hd_status status = hd__frame_row(&s->f, r->k->parts, s->m * p, &r->parts);
    if (status == HD_OK) status = hd__frame_row(&s->f, r->k->node, s->m * p, &r->before);
    if (status != HD_OK) return status;
    const hd_view parts = hd__signal_columns(s, r->parts, p, 0, p),
                  before = hd__signal_columns(s, r->before, p, 0, p);
    status = hd_map(s->f.ctx, hd__signal_blocks(s, from, r->k->block, 0, p), &ends, parts, NULL);
    if (status != HD_OK) return status;
    return hd_scan(
        s->f.ctx, parts, r->k->compose, before,
        &(hd_scan_options){.axis = s->m == 1 ? 0 : HD_AXIS(1), .exclusive = true, .map = &joined});
}

static hd_status whole_blocks(run *r, hd_view from, hd_view first, hd_view after)
{
    hd__signal *s = r->s;
    const int64_t p = r->blocks;
    hd_status status = scan_blocks(r, from);
    if (status != HD_OK) return status;
    const hd_function outputs = with(r, r->k->outputs), state = with(r, r->k->after);
    if (after.type != HD_NONE) {
        const hd_view last = hd__signal_columns(s, r->parts, p, p - 1, 1),
                      before = hd__signal_columns(s, r->before, p, p - 1, 1);
        status =
            hd_map(s->f.ctx, last, &state, hd__signal_columns(s, after, 1, 0, 1),
                   &(hd_map_options){.with = HD_VIEWS(before, hd__signal_spread(s, first, 1))});
        if (status != HD_OK) return status;
    }
    status = hd_map(s->f.ctx, hd__signal_blocks(s, from, r->k->block, 0, p), &outputs,
                    hd__signal_blocks(s, s->to, r->k->block, 0, p),
                    &(hd_map_options){.with = HD_VIEWS(hd__signal_columns(s, r->parts, p, 0, p),
                                                       hd__signal_columns(s, r->before, p, 0, p),
                                                       hd__signal_spread(s, first, p))});
    if (status == HD_OK) status = hd__frame_drop(&s->f, &r->before);
    if (status == HD_OK) status = hd__frame_drop(&s->f, &r->parts);
    return status;
}

static hd_status last_elements(run *r, hd_view from, hd_view state, hd_view last)
{
    hd__signal *s = r->s;
    hd_view rest;
    const hd_function out = with(r, r->k->tail), after = with(r, r->k->tail_after);
    hd_status status = hd__signal_rest(s, from, r->k->block, HD__FILTER_BLOCK, &rest);
    if (status == HD_OK && last.type != HD_NONE)
        status = hd_map(s->f.ctx, rest, &after, last, &(hd_map_options){.with = HD_VIEWS(state)});
    if (status == HD_OK)
        status = hd_map(s->f.ctx, rest, &out, rest, &(hd_map_options){.with = HD_VIEWS(state)});
    if (status == HD_OK) status = hd__signal_put_rest(s, rest, HD__FILTER_BLOCK);
    return status == HD_OK ? hd__frame_drop(&s->f, &rest) : status;
}

// Structures of a state, whatever is in the row.
static hd_view states(const run *r, hd_view row)
{
    return row.type == HD_NONE ? row : hd__signal_as(row, r->k->state);
}

hd_status hd__signal_filter(hd__signal *s, const hd__section *section, hd_view from, hd_view first,
                            hd_view last)
{
    run r;
    prepare(&r, s, section, NULL);
    hd_view state = states(&r, first), end = states(&r, last), middle = end;
    const bool more = s->n % HD__FILTER_BLOCK != 0;
    hd_status status = HD_OK;
    if (s->m == 0 || s->n == 0)
        return last.type != HD_NONE && s->m > 0 ? hd__frame_copy(&s->f, first, last) : HD_OK;
    if (r.blocks > 0) {
        if (more) status = hd__frame_row(&s->f, r.k->state, s->m, &middle);
        if (status == HD_OK) status = whole_blocks(&r, from, state, middle);
        state = middle;
    }
    if (status == HD_OK && more) status = last_elements(&r, from, state, end);
    if (status == HD_OK && r.blocks > 0 && more) status = hd__frame_drop(&s->f, &middle);
    return status;
}

// ---- First states ---------------------------------------------------------------------------

bool hd__section_steady(const hd__section *section, double *unit)
{
    HD__FLOAT_STATE;
    double b = 0, a = 0;
    memset(unit, 0, sizeof *unit * HD__FILTER_ORDER);
    for (int j = 0; j <= section->order; j++) b += section->b[j], a += section->a[j];
    if (a == 0) return false;
    for (int j = section->order - 1; j >= 0; j--)
        unit[j] = section->b[j + 1] - section->a[j + 1] * (b / a) +
                  (j + 1 < section->order ? unit[j + 1] : 0);
    return true;
}

hd_status hd__signal_steady(hd__signal *s, const hd__section *section, hd_view from, hd_view *state)
{
    run r;
    double unit[HD__FILTER_ORDER];
    if (!hd__section_steady(section, unit))
        return hd__frame_fail(&s->f, HD_ERROR_VALUE,
                              "steady: the answer to a constant has no end: the sum of a is 0");
    prepare(&r, s, section, unit);
    hd_status status = hd__frame_row(&s->f, s->real, s->m * r.k->order, state);
    if (status != HD_OK || s->m == 0 || s->n == 0) return status;
    hd_view first = from;
    first.shape[0] = s->m, first.stride[0] = s->pitch;
    const hd_function scaled = with(&r, r.k->scaled);
    return hd_map(s->f.ctx, first, &scaled, states(&r, *state), NULL);
}

hd_status hd__signal_history(hd__signal *s, const hd__section *section, hd_view last,
                             hd_view *state)
{
    run r;
    prepare(&r, s, section, NULL);
    const hd_status status = hd__frame_row(&s->f, s->real, s->m * r.k->order, state);
    if (status != HD_OK || s->m == 0) return status;
    const hd_function history = with(&r, r.k->history);
    return hd_map(s->f.ctx, states(&r, last), &history, states(&r, *state), NULL);
}
