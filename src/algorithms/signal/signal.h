// SPDX-License-Identifier: Apache-2.0
// Rows along an axis, in the type of the computation and fit to be read as blocks: where in and out
// are such, those themselves, else a copy. Every state of a row is a row of `order` numbers.
#ifndef HEDDLE_ALGORITHMS_SIGNAL_SIGNAL_H
#define HEDDLE_ALGORITHMS_SIGNAL_SIGNAL_H

#include "algorithms/simd/filter_kernels.h"
#include "algorithms/support/frame.h"

typedef struct hd__signal {
    hd__frame f;
    hd_view in, out; // the axis last, in the order of the recurrence
    hd_type real;
    hd_backend ran; // what computes
    int64_t m, n;   // rows, and elements of one, with what pads it
    int64_t pad;    // at each end
    int64_t pitch;  // from row to row
    hd_view from;   // element (i, j) is at i * pitch + j
    hd_view to;     // the same of the result; may be from
} hd__signal;

typedef struct hd__signal_call {
    const char *name;
    hd_view in, out;
    int32_t axis; // as options have it
    bool backward;
    hd_type accumulate;
    int64_t pad;
} hd__signal_call;

// Checks the arguments; close is due in any case.
hd_status hd__signal_open(hd__signal *s, hd_context *ctx, const hd__signal_call *call);
hd_status hd__signal_close(hd__signal *s, hd_status status);

// Fills from, whose rows are multiples of the block apart where there are several.
hd_status hd__signal_load(hd__signal *s, int64_t block);
// Turns every row of `to` around, into another one.
hd_status hd__signal_turn(hd__signal *s);
// out = to, without what pads it; turned: the rows run the other way.
hd_status hd__signal_store(hd__signal *s, bool turned);

// Blocks first .. first + count - 1 of every row of storage: (m, count), or (count) of one row.
hd_view hd__signal_blocks(const hd__signal *s, hd_view storage, hd_type block, int64_t first,
                          int64_t count);
// The same of an array of P elements a row; and one element of every row for each of count.
hd_view hd__signal_columns(const hd__signal *s, hd_view array, int64_t p, int64_t first,
                           int64_t count);
hd_view hd__signal_spread(const hd__signal *s, hd_view one, int64_t count);

// What is left of every row after its last whole block, in blocks of scratch that zeros fill; and
// `rest` elements of each back to `to`.
hd_status hd__signal_rest(hd__signal *s, hd_view storage, hd_type block, int64_t length,
                          hd_view *rest);
hd_status hd__signal_put_rest(hd__signal *s, hd_view rest, int64_t length);

// m states of `order` numbers, `used` of them from the user's view (at `middle`, an index of an
// axis between, if not negative), else zeros; and back.
hd_status hd__signal_state(hd__signal *s, const hd_view *user, int order, int used, int64_t middle,
                           hd_view *state);
hd_status hd__signal_put_state(hd__signal *s, hd_view state, int order, int used, int64_t middle,
                               const hd_view *user);
// Whether the user's view has the shape of a state: middles < 0: no axis between.
hd_status hd__signal_check_state(hd__signal *s, const char *what, const hd_view *user, int used,
                                 int64_t middles);
// The same elements as structures of the type.
hd_view hd__signal_as(hd_view row, hd_type type);

// The filter: to = from through the section; first and last are m states (last may be no view).
hd_status hd__signal_filter(hd__signal *s, const hd__section *section, hd_view from, hd_view first,
                            hd_view last);
// The state of a constant input of 1, where there is one; false: none.
bool hd__section_steady(const hd__section *section, double *unit);
// m states: unit times the first element of each row; and those that last outputs leave.
hd_status hd__signal_steady(hd__signal *s, const hd__section *section, hd_view from,
                            hd_view *state);
hd_status hd__signal_history(hd__signal *s, const hd__section *section, hd_view last,
                             hd_view *state);

// k numbers of the user's as f64 on the host, all finite.
hd_status hd__signal_numbers(hd__signal *s, const char *what, hd_view v, double *numbers);

#endif
