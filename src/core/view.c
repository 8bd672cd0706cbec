// SPDX-License-Identifier: Apache-2.0
// Views: making, slicing, counting, checking, collapsing dimensions, finding overlaps.
#include "indexed.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COUNT ((int64_t)1 << 62)
#define NAME_MAX  96

hd_view hd_view_nd(hd_type type, const void *data, int32_t ndim, const int64_t *shape,
                   const int64_t *stride)
{
    hd_view v = {.data = (void *)(uintptr_t)data, .type = type, .ndim = ndim};
    if (ndim < 0 || ndim > HD_MAX_DIMS || (shape == NULL && ndim > 0)) {
        v.ndim = -1;
        return v;
    }
    uint64_t step = 1; // wraps where the shape is hopeless: hd_count finds that out
    for (int k = ndim - 1; k >= 0; k--) {
        v.shape[k] = shape[k];
        v.stride[k] = stride != NULL ? stride[k] : (int64_t)step;
        step *= (uint64_t)shape[k];
    }
    return v;
}

// Progressions wrap around, as their elements do.
static void slice_progression(hd_view *v, int32_t axis, int64_t begin, int64_t step)
{
    if (v->stride[axis] == 0) return; // a constant
    const uint64_t each = (uint64_t)v->scalar.i.step;
    v->scalar.i.start = (int64_t)((uint64_t)v->scalar.i.start + (uint64_t)begin * each);
    v->scalar.i.step = (int64_t)(each * (uint64_t)step);
}

// False: the slice begins, or its stride reaches, further than memory does.
static bool slice_memory(hd_view *v, int32_t axis, int64_t begin, int64_t step)
{
    const bool indexed = hd__is_indexed(v);
    const int64_t size = (int64_t)hd__size_of(indexed ? v->scalar.index.type : v->type);
    int64_t offset, stride;
    if (__builtin_mul_overflow(begin, v->stride[axis], &offset) ||
        __builtin_mul_overflow(offset, size, &offset))
        return false;
    if (__builtin_mul_overflow(v->stride[axis], step, &stride)) {
        if (v->shape[axis] > 1) return false;
        stride = 1; // that of one element is never used
    }
    void **data = indexed ? &v->scalar.index.data : &v->data;
    *data = (void *)((uintptr_t)*data + (uintptr_t)offset);
    v->stride[axis] = stride;
    return true;
}

hd_view hd_slice(hd_view v, int32_t axis, int64_t begin, int64_t count, int64_t step)
{
    const bool inside = axis >= 0 && axis < v.ndim && v.ndim <= HD_MAX_DIMS && count >= 0 &&
                        (count == 0 || (begin >= 0 && begin < v.shape[axis]));
    int64_t last = 0;
    if (!inside || __builtin_mul_overflow(count > 0 ? count - 1 : 0, step, &last) ||
        __builtin_add_overflow(last, begin, &last) ||
        (count > 0 && (last < 0 || last >= v.shape[axis]))) {
        v.ndim = -1; // every call refuses it
        return v;
    }
    v.shape[axis] = count;
    if (v.space == HD_IMPLICIT)
        slice_progression(&v, axis, count > 0 ? begin : 0, step);
    else if (!slice_memory(&v, axis, count > 0 ? begin : 0, step))
        v.ndim = -1;
    return v;
}

int64_t hd_count(hd_view v)
{
    if (v.ndim < 0 || v.ndim > HD_MAX_DIMS || (v.ndim == 0 && v.type == HD_NONE)) return -1;
    int64_t count = 1;
    bool empty = false;
    for (int k = 0; k < v.ndim; k++) {
        if (v.shape[k] < 0) return -1;
        if (v.shape[k] == 0)
            empty = true;
        else if (__builtin_mul_overflow(count, v.shape[k], &count) || count > MAX_COUNT)
            return -1;
    }
    return empty ? 0 : count;
}

const char *hd__shape_text(const hd_view *v, char text[HD__SHAPE_TEXT])
{
    size_t used = 0;
    for (int k = 0; k < v->ndim && k < HD_MAX_DIMS; k++)
        used += (size_t)snprintf(text + used, HD__SHAPE_TEXT - used, "%s%lld", k > 0 ? ", " : "(",
                                 (long long)v->shape[k]);
    snprintf(text + used, HD__SHAPE_TEXT - used, "%s", used > 0 ? ")" : "()");
    return text;
}

hd_view hd_progression(int64_t start, int64_t step, int64_t n)
{
    hd_view v = {.type = HD_I64, .ndim = 1, .space = HD_IMPLICIT};
    v.shape[0] = n;
    v.stride[0] = 1;
    v.scalar.i.start = start;
    v.scalar.i.step = step;
    return v;
}

hd_view hd_iota(int64_t n)
{
    return hd_progression(0, 1, n);
}

// A constant is an implicit view of stride 0: that tells it from a progression.
hd_view hd_constant_of(hd_type type, const void *element, int64_t n)
{
    hd_view v = {.type = type, .ndim = 1, .space = HD_IMPLICIT};
    v.shape[0] = n;
    const size_t size = hd__size_of(type);
    if (size == 0 || size > sizeof v.scalar.bytes || element == NULL)
        v.ndim = -1;
    else
        memcpy(v.scalar.bytes, element, size);
    return v;
}

// Whether every offset of the view fits in 62 bits, so that no later arithmetic overflows.
static bool reaches(const hd_view *v)
{
    const int64_t size = (int64_t)hd__size_of(v->type);
    int64_t total = 0, reach;
    for (int k = 0; k < v->ndim; k++) {
        if (v->shape[k] <= 1 || v->stride[k] == 1) continue;
        if (v->stride[k] == INT64_MIN ||
            __builtin_mul_overflow(v->shape[k] - 1, llabs(v->stride[k]), &reach) ||
            __builtin_mul_overflow(reach, size, &reach) ||
            __builtin_add_overflow(total, reach, &total) || total > MAX_COUNT)
            return false;
    }
    return true;
}

static hd_status check(hd_context *ctx, const char *what, const hd_view *v);

// An indexed view: both arrays are checked as views of their own.
static hd_status check_indexed(hd_context *ctx, const char *what, const hd_view *v)
{
    char part[NAME_MAX];
    if (!ctx->takes_indexed)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: an indexed view (hd_indexed) does not go here; hd_gather makes a copy "
                        "of its elements",
                        what);
    const char *fault = hd__indexed_fault(v);
    if (fault != NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: hd_indexed: %s", what, fault);
    const hd_view base = hd__base_of(v), index = hd__index_of(v);
    snprintf(part, sizeof part, "%s: base", what);
    HD_TRY(hd__check_input(ctx, part, &base));
    snprintf(part, sizeof part, "%s: index", what);
    HD_TRY(hd__check_input(ctx, part, &index));
    if (!hd__is_integer(index.type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s is %s; expected an integer type", part,
                        hd_type_name(index.type));
    ctx->has_indexed = true;
    return HD_OK;
}

// Refuses device memory that a view says is the host's, and remembers what is.
static hd_status check_owner(hd_context *ctx, const char *what, const hd_view *v)
{
    int32_t device = 0;
    if (hd__is_seen(ctx, v)) return HD_OK;
    if (ctx->owner(v->data, &device))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: address %p is memory of device %d, in a view of the host; "
                        "HD_DEVICE_VIEW makes views of a device",
                        what, v->data, (int)device);
    const uintptr_t page = (uintptr_t)v->data >> HD__SEEN_BITS;
    ctx->seen[page % HD__SEEN_PAGES] = page;
    return HD_OK;
}

static __attribute__((noinline)) hd_status check(hd_context *ctx, const char *what,
                                                 const hd_view *v)
{
    if (v->ndim < 1 || v->ndim > HD_MAX_DIMS)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: not a view: it has %d dimensions (expected 0 to %d), or was sliced "
                        "out of range",
                        what, (int)v->ndim, HD_MAX_DIMS);
    if (hd__is_indexed(v)) return check_indexed(ctx, what, v);
    const size_t size = hd__size_of(v->type);
    if (size == 0)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: the type is %s", what, hd_type_name(v->type));
    if (v->space == HD_DEVICE) {
        if (!ctx->takes_device)
            return hd__fail(ctx, HD_ERROR_ARGUMENT,
                            "%s: the elements are on a device; this call takes those of the host",
                            what);
        if (ctx->device_backend == NULL)
            return hd__fail(ctx, HD_ERROR_BACKEND,
                            "%s: the elements are on a device, which backend %s cannot reach", what,
                            hd_backend_name(ctx->backend));
        if (v->device != ctx->device)
            return hd__fail(ctx, HD_ERROR_ARGUMENT,
                            "%s: the elements are on device %d; the context works on device %d",
                            what, (int)v->device, (int)ctx->device);
        ctx->on_device = true;
    } else if (v->space != HD_HOST && v->space != HD_IMPLICIT)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: memory space %d is not one this build can reach", what, (int)v->space);
    for (int k = 0; k < v->ndim; k++)
        if (v->shape[k] < 0)
            return hd__fail(ctx, HD_ERROR_SHAPE,
                            "%s: axis %d has %lld elements; expected 0 or more", what, k,
                            (long long)v->shape[k]);
    if (!reaches(v))
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: the strides reach further than memory", what);
    const int64_t count = v->ndim == 1 ? v->shape[0] : hd_count(*v);
    if (count < 0 || count > MAX_COUNT / HD_MAX_ELEMENT)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: the shape has more elements than can be counted",
                        what);
    if (v->data == NULL && count > 0 && v->space != HD_IMPLICIT)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: the pointer is NULL and %lld elements are asked for", what,
                        (long long)count);
    if (count > 0 && v->space == HD_HOST) HD_TRY(check_owner(ctx, what, v));
    if (count > 0 && v->space != HD_IMPLICIT && !hd__is_aligned(v))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: the pointer is %p; expected a multiple of %zu, the size of %s", what,
                        v->data, size, hd_type_name(v->type));
    if (v->read_only > 1)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: hd_view.read_only is %u; expected 0 or 1 (hd_view_of sets it)", what,
                        (unsigned)v->read_only);
    return HD_OK;
}

hd_status hd__check_input(hd_context *ctx, const char *what, const hd_view *v)
{
    return hd__is_plain_row(v) && hd__is_seen(ctx, v) ? HD_OK : check(ctx, what, v);
}

// Of an axis with more than one element, whose stride was found to be in range.
static int64_t length_of(const hd_view *v, int axis)
{
    return v->shape[axis] > 1 ? llabs(v->stride[axis]) : 0;
}

// Whether two index tuples can reach one address. Sorted by stride, each axis must step over
// everything the smaller ones reach; that refuses some odd but legal interleavings, none of use.
static bool visits_twice(const hd_view *v)
{
    int64_t reach = 0; // elements spanned by the axes taken so far
    bool taken[HD_MAX_DIMS] = {false};
    for (int round = 0; round < v->ndim; round++) {
        int best = -1;
        for (int k = 0; k < v->ndim; k++)
            if (!taken[k] && (best < 0 || length_of(v, k) < length_of(v, best))) best = k;
        taken[best] = true;
        if (v->shape[best] <= 1) continue;
        if (length_of(v, best) <= reach) return true;
        reach += length_of(v, best) * (v->shape[best] - 1);
    }
    return false;
}

static __attribute__((noinline)) hd_status check_written(hd_context *ctx, const char *what,
                                                         const hd_view *v)
{
    if (hd__is_indexed(v))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: an indexed view (hd_indexed) cannot be written to", what);
    HD_TRY(check(ctx, what, v));
    if (v->space == HD_IMPLICIT)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: an implicit view cannot be written to", what);
    if (v->read_only != 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: the view is read-only (of a pointer to const, or by hd_read_only)",
                        what);
    const bool plain = v->ndim == 1 && (v->stride[0] != 0 || v->shape[0] <= 1);
    if (!plain && hd_count(*v) > 1 && visits_twice(v))
        return hd__fail(ctx, HD_ERROR_ALIAS, "%s: the strides visit an address twice", what);
    return HD_OK;
}

hd_status hd__check_output(hd_context *ctx, const char *what, const hd_view *v)
{
    return hd__is_plain_output(v) && hd__is_seen(ctx, v) ? HD_OK : check_written(ctx, what, v);
}

hd_status hd__check_input_named(hd_context *ctx, const hd_view *v, const char *format, ...)
{
    char what[NAME_MAX];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    return hd__check_input(ctx, what, v);
}

hd_status hd__check_output_named(hd_context *ctx, const hd_view *v, const char *format, ...)
{
    char what[NAME_MAX];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    return hd__check_output(ctx, what, v);
}

void hd__normalize_strides(hd_view *v)
{
    const int64_t most = MAX_COUNT / HD_MAX_ELEMENT;
    for (int k = 0; k < v->ndim; k++)
        if (v->shape[k] <= 1 && (v->stride[k] > most || v->stride[k] < -most)) v->stride[k] = 1;
}

void hd__collapse(hd_view *v)
{
    if (v->ndim == 1) return;      // also a progression
    if (v->space == HD_IMPLICIT) { // a constant, whose stride says so
        v->shape[0] = hd_count(*v);
        v->stride[0] = 0;
        v->ndim = 1;
        return;
    }
    int kept = 0;            // axes kept so far; the last of them may absorb the next
    if (hd_count(*v) == 0) { // the other axes may be of any length
        v->ndim = 1;
        v->shape[0] = 0;
        v->stride[0] = 1;
        return;
    }
    for (int k = 0; k < v->ndim; k++) {
        if (v->shape[k] == 1) continue;
        if (kept > 0 && v->stride[kept - 1] == v->stride[k] * v->shape[k]) {
            v->shape[kept - 1] *= v->shape[k];
        } else {
            v->shape[kept] = v->shape[k];
            kept++;
        }
        v->stride[kept - 1] = v->stride[k];
    }
    if (kept == 0) {
        v->shape[0] = 1;
        v->stride[0] = 1;
        kept = 1;
    }
    v->ndim = kept;
}

// The lowest and one past the highest byte of a host view that has elements.
static void extent(const hd_view *v, uintptr_t *low, uintptr_t *high)
{
    int64_t below = 0, above = 0;
    for (int k = 0; k < v->ndim; k++) {
        if (v->shape[k] == 1) continue; // its stride may be anything
        const int64_t reach = v->stride[k] * (v->shape[k] - 1);
        if (reach < 0)
            below += reach;
        else
            above += reach;
    }
    const uintptr_t size = hd__size_of(v->type);
    *low = (uintptr_t)v->data + (uintptr_t)below * size;
    *high = (uintptr_t)v->data + (uintptr_t)(above + 1) * size;
}

static bool same(const hd_view *a, const hd_view *b)
{
    if (a->data != b->data || !hd__same_type(a->type, b->type) || a->ndim != b->ndim) return false;
    for (int k = 0; k < a->ndim; k++)
        if (a->shape[k] != b->shape[k] || (a->shape[k] > 1 && a->stride[k] != b->stride[k]))
            return false;
    return true;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// Both views lie on one lattice of bytes: they are apart if their elements fall into different
// parts of its period.
static bool interleave(const hd_view *a, const hd_view *b)
{
    uint64_t period = 0;
    for (int k = 0; k < a->ndim; k++)
        if (a->shape[k] > 1)
            period = common_divisor(period, (uint64_t)llabs(a->stride[k]) * hd__size_of(a->type));
    for (int k = 0; k < b->ndim; k++)
        if (b->shape[k] > 1)
            period = common_divisor(period, (uint64_t)llabs(b->stride[k]) * hd__size_of(b->type));
    if (period == 0) return false;
    const uint64_t ahead = ((uintptr_t)b->data - (uintptr_t)a->data) % period;
    const uint64_t shift =
        (uintptr_t)b->data >= (uintptr_t)a->data
            ? ahead
            : (period - ((uintptr_t)a->data - (uintptr_t)b->data) % period) % period;
    return shift >= hd__size_of(a->type) && period - shift >= hd__size_of(b->type);
}

// Neither array of an indexed view is the same as another view: its elements are elsewhere.
static hd__overlap overlaps_indexed(const hd_view *v, const hd_view *other)
{
    const hd_view base = hd__base_of(v), index = hd__index_of(v);
    const bool apart =
        hd__overlaps(&base, other) == HD__APART && hd__overlaps(&index, other) == HD__APART;
    return apart ? HD__APART : HD__CROSSING;
}

static __attribute__((noinline)) hd__overlap compare_extents(const hd_view *a, const hd_view *b)
{
    if (hd__is_indexed(a)) return overlaps_indexed(a, b);
    if (hd__is_indexed(b)) return overlaps_indexed(b, a);
    if (a->space != b->space || a->space == HD_IMPLICIT) return HD__APART;
    // What is no view is refused by the check that it still has before it.
    if (hd_count(*a) <= 0 || hd_count(*b) <= 0 || !reaches(a) || !reaches(b)) return HD__APART;
    uintptr_t a_low, a_high, b_low, b_high;
    extent(a, &a_low, &a_high);
    extent(b, &b_low, &b_high);
    if (a_high <= b_low || b_high <= a_low) return HD__APART;
    if (same(a, b)) return HD__SAME;
    return interleave(a, b) ? HD__APART : HD__CROSSING;
}

hd__overlap hd__overlaps(const hd_view *a, const hd_view *b)
{
    return hd__rows_apart(a, b) ? HD__APART : compare_extents(a, b);
}
