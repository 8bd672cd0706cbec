// SPDX-License-Identifier: Apache-2.0
// Checks on views and simplification of their layout, before a pattern sees them.
#ifndef HEDDLE_CORE_VIEW_H
#define HEDDLE_CORE_VIEW_H

#include "context.h"

// Refuses a view that no call can use: unknown type, bad shape, null pointer with elements, numbers
// that do not lie at a multiple of their size.
// `what` names it in the error ("hd_reduce: in"). An implicit view passes only as an input.
hd_status hd__check_input(hd_context *ctx, const char *what, const hd_view *v);
hd_status hd__check_output(hd_context *ctx, const char *what, const hd_view *v);

// The same of a view whose name has to be put together, by a format and its arguments: that is done
// only where one look does not do.
#define hd__check_input_as(ctx, v, ...)                                                            \
    (hd__is_plain_row(v) && hd__is_seen(ctx, v) ? HD_OK                                            \
                                                : hd__check_input_named((ctx), (v), __VA_ARGS__))
#define hd__check_output_as(ctx, v, ...)                                                           \
    (hd__is_plain_output(v) && hd__is_seen(ctx, v)                                                 \
         ? HD_OK                                                                                   \
         : hd__check_output_named((ctx), (v), __VA_ARGS__))
hd_status hd__check_input_named(hd_context *ctx, const hd_view *v, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
hd_status hd__check_output_named(hd_context *ctx, const hd_view *v, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A view without dimensions is one element: it goes on as a row of one. Calls do this to their
// arguments before they look at them; arguments.c and options.c to what those point to.
static inline void hd__at_least_1d(hd_view *v)
{
    if (v->ndim != 0 || v->type == HD_NONE) return;
    v->ndim = 1;
    v->shape[0] = 1;
    v->stride[0] = v->space != HD_IMPLICIT; // an implicit one is a constant
}

// The same of a view of the caller's, as an element of a list: where it stands, or a copy in room.
static inline const hd_view *hd__view_at_least_1d(const hd_view *v, hd_view *room)
{
    if (v->ndim != 0) return v;
    *room = *v;
    hd__at_least_1d(room);
    return room;
}

// HD__AT_LEAST_1D(&in, &out)
#define HD__AT_LEAST_1D(...) hd__all_at_least_1d((hd_view *[]){__VA_ARGS__, NULL})
static inline void hd__all_at_least_1d(hd_view *const *v)
{
    for (; *v != NULL; v++) hd__at_least_1d(*v);
}

// The same elements in the same row-major order with as few dimensions as can be: at least one.
void hd__collapse(hd_view *v);

// Axes of one element may have any stride, as far as the caller is concerned: one that arithmetic
// could overflow with becomes 1. For backends that keep axes.
void hd__normalize_strides(hd_view *v);

// The number of elements of a view that was checked.
static inline int64_t hd__count(const hd_view *v)
{
    return v->ndim == 1 ? v->shape[0] : hd_count(*v);
}

// One host run of n elements after each other: what the fast paths want.
static inline bool hd__is_contiguous(const hd_view *v)
{
    return v->space == HD_HOST && v->ndim == 1 && (v->stride[0] == 1 || v->shape[0] <= 1);
}

// Whether an implicit view has one element many times, and is no progression.
static inline bool hd__is_constant(const hd_view *v)
{
    return v->stride[0] == 0;
}

// Whether numbers lie at a multiple of their size, as loads and stores of their C types ask for.
static inline bool hd__is_aligned(const hd_view *v)
{
    return (v->type & 0xff) == HD_STRUCTURE ||
           ((uintptr_t)v->data & (hd__size_of(v->type) - 1)) == 0;
}

// A row of host memory without gaps, whose check is this one look.
static inline bool hd__is_plain_row(const hd_view *v)
{
    return v->ndim == 1 && v->space == HD_HOST && v->stride[0] == 1 && v->data != NULL &&
           (uint64_t)v->shape[0] - 1 < (uint64_t)1 << 48 && hd__size_of(v->type) != 0 &&
           hd__is_aligned(v) && v->read_only <= 1;
}

static inline bool hd__is_plain_output(const hd_view *v)
{
    return hd__is_plain_row(v) && v->read_only == 0;
}

// Whether nothing is to be found out of a host view's address: no driver of a device is in the
// process, or memory near it was found to be the host's. The pages of 2 MiB that devices map are of
// one kind each.
enum { HD__SEEN_BITS = 21 };
static inline bool hd__is_seen(const hd_context *ctx, const hd_view *v)
{
    const uintptr_t page = (uintptr_t)v->data >> HD__SEEN_BITS;
    return ctx->owner == NULL || ctx->seen[page % HD__SEEN_PAGES] == page;
}

// Whether two plain rows share no memory.
static inline bool hd__plainly_apart(const hd_view *a, const hd_view *b)
{
    const uintptr_t a_low = (uintptr_t)a->data, b_low = (uintptr_t)b->data;
    return a_low + (uintptr_t)a->shape[0] * hd__size_of(a->type) <= b_low ||
           b_low + (uintptr_t)b->shape[0] * hd__size_of(b->type) <= a_low;
}

// Whether two views are rows of host memory without gaps that share none of it; false: perhaps.
static inline bool hd__rows_apart(const hd_view *a, const hd_view *b)
{
    const uint64_t most = (uint64_t)1 << 48;
    return a->ndim == 1 && b->ndim == 1 && a->space == HD_HOST && b->space == HD_HOST &&
           a->stride[0] == 1 && b->stride[0] == 1 && (uint64_t)a->shape[0] <= most &&
           (uint64_t)b->shape[0] <= most && hd__plainly_apart(a, b);
}

// Whether a view was left empty in an option.
static inline bool hd__is_empty(const hd_view *v)
{
    return v->type == HD_NONE && v->data == NULL && v->ndim == 0;
}

// Whether two views have as many axes as each other, and those the same lengths.
static inline bool hd__same_shape(const hd_view *a, const hd_view *b)
{
    bool same = a->ndim == b->ndim;
    for (int k = 0; same && k < a->ndim; k++) same = a->shape[k] == b->shape[k];
    return same;
}

// The shape as errors print it: "(3, 4)".
enum { HD__SHAPE_TEXT = HD_MAX_DIMS * 22 + 3 };
const char *hd__shape_text(const hd_view *v, char text[HD__SHAPE_TEXT]);

// By way of an integer: an empty view may have no address, to which C adds nothing, not even 0.
static inline const char *hd__at(const hd_view *v, int64_t offset)
{
    const int64_t bytes = offset * (int64_t)hd__size_of(v->type);
    return (const char *)((uintptr_t)v->data + (uintptr_t)bytes);
}

// Element i of a view of device memory, in row-major order: waits for the device.
hd_status hd__fetch(hd_context *ctx, const hd_view *v, int64_t i, void *to);

typedef enum hd__overlap { HD__APART, HD__SAME, HD__CROSSING } hd__overlap;

// How two host views share memory: not at all, element for element, or otherwise. Views that
// interleave without touching (every second element, columns) are found to be apart.
hd__overlap hd__overlaps(const hd_view *a, const hd_view *b);

#endif
