// SPDX-License-Identifier: Apache-2.0
// Indexed views: making them, and reading through the index, which is checked on the way.
#include "indexed.h"
#include "convert.h"
#include "reader.h"
#include "core/system/unaligned.h"

#include <stdatomic.h>
#include <string.h>

#define GROUP 32  // indices tested at once, as in gather.c of the cores
#define BLOCK 256 // indices converted at once

// ---- Making -----------------------------------------------------------------------------------

enum { FAULT_NONE, FAULT_BASE, FAULT_INDEX };

const char *hd__indexed_fault(const hd_view *v)
{
    switch (v->scalar.index.fault) {
    case FAULT_NONE: return NULL;
    case FAULT_INDEX: return "the index is not one dimension of memory where the base is";
    default: return "the base is not host memory, or a device's, that can be read as one dimension";
    }
}

hd_view hd_indexed(hd_view base, hd_view index)
{
    hd__at_least_1d(&base);
    hd__at_least_1d(&index);
    const bool there = base.space == HD_DEVICE;
    const bool is_base = (there || base.space == HD_HOST) && hd_count(base) >= 0;
    const bool is_index =
        index.space == base.space && index.ndim == 1 && (!there || index.device == base.device);
    hd_view v = {.data = base.data, .type = base.type, .ndim = 1, .space = HD_INDEXED};
    if (is_base) hd__collapse(&base);
    v.scalar.index.fault = !is_base || base.ndim != 1 ? FAULT_BASE
                           : !is_index                ? FAULT_INDEX
                                                      : FAULT_NONE;
    if (v.scalar.index.fault != FAULT_NONE) return v;
    v.shape[0] = index.shape[0];
    v.stride[0] = index.stride[0];
    v.shape[HD__BASE_AXIS] = base.shape[0];
    v.stride[HD__BASE_AXIS] = base.stride[0];
    v.stride[HD__FLAG_AXIS] = there;
    if (there) v.device = base.device;
    v.scalar.index.data = index.data;
    v.scalar.index.type = index.type;
    return v;
}

// ---- Reading ----------------------------------------------------------------------------------

typedef bool fetch_elements(const void *index, int64_t n, const void *base, int64_t stride,
                            uint64_t length, void *to);

#define I    int32_t
#define U    uint32_t
#define TOP  UINT64_C(0x80000000)
#define T    uint8_t
#define NAME i32_1
#include "indexed.inc"
#define I    int32_t
#define U    uint32_t
#define TOP  UINT64_C(0x80000000)
#define T    hd__unaligned16
#define NAME i32_2
#include "indexed.inc"
#define I    int32_t
#define U    uint32_t
#define TOP  UINT64_C(0x80000000)
#define T    hd__unaligned32
#define NAME i32_4
#include "indexed.inc"
#define I    int32_t
#define U    uint32_t
#define TOP  UINT64_C(0x80000000)
#define T    hd__unaligned64
#define NAME i32_8
#include "indexed.inc"
#define I    int64_t
#define U    uint64_t
#define TOP  UINT64_C(0)
#define T    uint8_t
#define NAME i64_1
#include "indexed.inc"
#define I    int64_t
#define U    uint64_t
#define TOP  UINT64_C(0)
#define T    hd__unaligned16
#define NAME i64_2
#include "indexed.inc"
#define I    int64_t
#define U    uint64_t
#define TOP  UINT64_C(0)
#define T    hd__unaligned32
#define NAME i64_4
#include "indexed.inc"
#define I    int64_t
#define U    uint64_t
#define TOP  UINT64_C(0)
#define T    hd__unaligned64
#define NAME i64_8
#include "indexed.inc"

static fetch_elements *find_fetch(bool narrow, size_t size)
{
    switch (size) {
    case 1: return narrow ? fetch_i32_1 : fetch_i64_1;
    case 2: return narrow ? fetch_i32_2 : fetch_i64_2;
    case 4: return narrow ? fetch_i32_4 : fetch_i64_4;
    case 8: return narrow ? fetch_i32_8 : fetch_i64_8;
    default: return NULL;
    }
}

// Elements of any size.
static bool fetch_any(const int64_t *index, int64_t n, const hd_view *base, char *to)
{
    const size_t size = hd__size_of(base->type);
    bool good = true;
    for (int64_t i = 0; i < n; i++, to += size) {
        const bool within = (uint64_t)index[i] < (uint64_t)base->shape[0];
        if (within)
            memcpy(to, hd__at(base, index[i] * base->stride[0]), size);
        else
            memset(to, 0, size);
        good &= within;
    }
    return good;
}

// Indices of another type, or with gaps, are made i64 a block at a time. What u64 has beyond is
// negative then, so out of range as well.
static bool fetch_converted(const hd_view *index, int64_t start, int64_t n, const hd_view *base,
                            char *to)
{
    const size_t size = hd__size_of(base->type);
    fetch_elements *fetch = find_fetch(false, size);
    uint64_t raw[BLOCK];
    int64_t wide[BLOCK];
    bool good = true;
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t m = n - at < BLOCK ? n - at : BLOCK;
        hd__gather(index, start + at, m, raw);
        hd__convert(HD_I64, wide, index->type, raw, m);
        char *tile = to + (size_t)at * size;
        good &= fetch != NULL
                    ? fetch(wide, m, base->data, base->stride[0], (uint64_t)base->shape[0], tile)
                    : fetch_any(wide, m, base, tile);
    }
    return good;
}

void hd__gather_indexed(const hd_view *v, int64_t start, int64_t n, void *to)
{
    if (n == 0) return; // of an index without elements the address may be NULL
    const hd_view base = hd__base_of(v), index = hd__index_of(v);
    const bool narrow = index.type == HD_I32;
    const bool ready =
        hd__is_contiguous(&index) && (narrow || index.type == HD_I64 || index.type == HD_U64);
    fetch_elements *fetch = ready ? find_fetch(narrow, hd__size_of(base.type)) : NULL;
    const bool good = fetch != NULL ? fetch(hd__at(&index, start), n, base.data, base.stride[0],
                                            (uint64_t)base.shape[0], to)
                                    : fetch_converted(&index, start, n, &base, to);
    if (good) return;
    atomic_int *flag = (atomic_int *)(uintptr_t)v->shape[HD__FLAG_AXIS];
    atomic_store_explicit(flag, 1, memory_order_relaxed);
}
