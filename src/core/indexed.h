// SPDX-License-Identifier: Apache-2.0
// Indexed views from inside: element i is base[index[i]]. They have one dimension, so that the
// lengths and strides of the axes beyond the first have room for the base's.
#ifndef HEDDLE_CORE_INDEXED_H
#define HEDDLE_CORE_INDEXED_H

#include "view.h"

// Where a view keeps the length and stride of the base, and the address of the flag that reads set,
// with a stride of 1 where both arrays are on a device.
enum { HD__BASE_AXIS = HD_MAX_DIMS - 1, HD__FLAG_AXIS = HD_MAX_DIMS - 2 };

static inline bool hd__is_indexed(const hd_view *v)
{
    return v->space == HD_INDEXED;
}

static inline bool hd__is_indexed_there(const hd_view *v)
{
    return v->stride[HD__FLAG_AXIS] != 0;
}

// What an indexed view is made of.
static inline void hd__place_part(const hd_view *v, hd_view *part)
{
    if (!hd__is_indexed_there(v)) return;
    part->space = HD_DEVICE;
    part->device = v->device;
}

static inline hd_view hd__base_of(const hd_view *v)
{
    hd_view base = hd_view_of(v->type, v->data, v->shape[HD__BASE_AXIS]);
    hd__place_part(v, &base);
    base.stride[0] = v->stride[HD__BASE_AXIS];
    return base;
}

static inline hd_view hd__index_of(const hd_view *v)
{
    hd_view index = hd_view_of(v->scalar.index.type, v->scalar.index.data, v->shape[0]);
    hd__place_part(v, &index);
    index.stride[0] = v->stride[0];
    return index;
}

// What is wrong with the arguments of hd_indexed, "base is not ...", or NULL.
const char *hd__indexed_fault(const hd_view *v);

// Copies elements start .. start + n - 1; zero where the index is out of range, which is noted with
// the flag. Any thread.
void hd__gather_indexed(const hd_view *v, int64_t start, int64_t n, void *to);

// Has reads of the view note bad indices with the context.
static inline void hd__watch(hd_context *ctx, hd_view *v)
{
    if (hd__is_indexed(v)) v->shape[HD__FLAG_AXIS] = (int64_t)(uintptr_t)&ctx->bad_index;
}

#endif
