// SPDX-License-Identifier: Apache-2.0
// Argument checks that several patterns share: inputs with their function, keys, offsets, carry.
#ifndef HEDDLE_CORE_ARGUMENTS_H
#define HEDDLE_CORE_ARGUMENTS_H

#include "backend.h"
#include "options.h"

// Checks `in` and the views of a fused function, and fills a reader (all but fold and direct).
// *element receives the type the operator will see. with may be NULL where there is no function.
hd_status hd__check_inputs(hd_context *ctx, const char *call, const hd_view *in,
                           const hd_function *map, const hd_views *with, hd__reader *reader,
                           hd_type *element);

// The same where these views may be indexed (hd_indexed): hd__report_indexed then ends the call.
hd_status hd__check_indexed_inputs(hd_context *ctx, const char *call, const hd_view *in,
                                   const hd_function *map, const hd_views *with, hd__reader *reader,
                                   hd_type *element);

// Once the fold is known: collapses the views where rows do not matter, and sees whether nodes
// can be read in place.
void hd__finish_reader(hd__reader *reader, const hd__fold *fold, bool keep_axes);

// Turns HD_AXIS(k) into an axis of a view, 0 first.
hd_status hd__check_axis(hd_context *ctx, const char *call, int32_t option, int32_t ndim,
                         int32_t *axis);

// Refuses a view that has not the shape of another, which the error calls other_name: "hd_scan: out
// has shape (3, 4); expected (4, 3), that of in".
hd_status hd__check_shape_of(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                             const char *other_name, const hd_view *other);

typedef enum hd__slices {
    HD__EVERYTHING, // one row: in row-major order
    HD__ROWS,       // along an axis
    HD__SEGMENTS,   // between offsets
    HD__RUNS        // of equal keys
} hd__slices;

// Which slices the options ask for: an axis, segments (at least `least` offsets), keys, or none of
// them. They exclude each other and a carry; segments and keys need one dimension.
typedef struct hd__slice_options {
    int32_t axis;
    const hd_view *segments, *keys;
    const hd_carry *carry;
    int64_t least;
} hd__slice_options;
hd_status hd__select_slices(hd_context *ctx, const char *call, const hd__slice_options *o,
                            const hd__reader *in, hd__slices *slices, int32_t *axis);

// The view that receives second outputs: extremes, residuals or bounds, of which one may be asked
// for. Checks all but its shape, and gives it with the option's name (NULL: none is asked for, and
// *chosen is left alone); `same` as below.
typedef struct hd__values_options {
    const hd_view *values, *residual, *bound;
} hd__values_options;
hd_status hd__check_values(hd_context *ctx, const char *call, const hd__values_options *o,
                           const hd__fold *fold, const hd__reader *reader, const hd_view *out,
                           bool same, hd_view *chosen, const char **name);

// Offsets: one dimension, an integer type, at least `least` of them. Keys: one for each element.
hd_status hd__check_offsets(hd_context *ctx, const char *call, const hd_view *offsets,
                            int64_t least);
hd_status hd__check_keys(hd_context *ctx, const char *call, const hd_view *keys, int64_t n);

// Refuses an output that overlaps an input of the reader; `same` allows it to be one of them.
hd_status hd__check_apart(hd_context *ctx, const char *call, const char *name, const hd_view *out,
                          const hd__reader *reader, bool same);
hd_status hd__check_apart_of(hd_context *ctx, const char *call, const char *name,
                             const hd_view *out, const char *other_name, const hd_view *other);

// Numbers that a call gives: each is one i64, in host memory unless the call takes views of the
// device, apart from the views of the call and
// from the numbers before it. Empty views are passed over.
typedef struct hd__named_view {
    const char *name;
    const hd_view *view;
} hd__named_view;
hd_status hd__check_numbers(hd_context *ctx, const char *call, const hd__named_view *numbers,
                            int count, const hd__named_view *views, int view_count);
hd_status hd__check_number(hd_context *ctx, const char *call, const char *name,
                           const hd_view *number, const hd__named_view *views, int view_count);

// The same of one number and the inputs of a reader.
hd_status hd__check_number_apart(hd_context *ctx, const char *call, const char *name,
                                 const hd_view *number, const hd__reader *reader);

// Whether such a number goes to the device, where the backend writes it.
static inline bool hd__is_device_number(const hd_view *number)
{
    return !hd__is_empty(number) && number->space == HD_DEVICE;
}

// Writes such a number, where it is wanted in host memory.
void hd__give_number(const hd_view *number, int64_t value);

// Readies a carry for this fold (its first call decides), and gives its tree.
hd_status hd__enter_carry(hd_context *ctx, const char *call, hd_carry *carry, const hd__fold *fold,
                          hd__tree **tree);

#endif
