// SPDX-License-Identifier: Apache-2.0
// Reading elements from any layout, through a function, into nodes; writing outputs to any layout.
#include "reader.h"
#include "core/operators/state.h"
#include "convert.h"
#include "indexed.h"
#include "core/system/reverse_copy.h"
#include "tree.h"
#include "core/system/unaligned.h"

#include <string.h>

// ---- Copies along one axis --------------------------------------------------------------------

#define MOVE(T)                                                                                    \
    for (int64_t i = 0; i < n; i++) ((T *)to)[i * to_step] = ((const T *)from)[i * from_step]

#define FILL(T)                                                                                    \
    do {                                                                                           \
        const T x = *(const T *)from;                                                              \
        for (int64_t i = 0; i < n; i++) ((T *)to)[i] = x;                                          \
    } while (0)

// One element n times.
static void fill(void *restrict to, const void *restrict from, int64_t n, size_t size)
{
    switch (size) {
    case 1: FILL(uint8_t); break;
    case 2: FILL(hd__unaligned16); break;
    case 4: FILL(hd__unaligned32); break;
    case 8: FILL(hd__unaligned64); break;
    default:
        for (int64_t i = 0; i < n; i++) memcpy((char *)to + (size_t)i * size, from, size);
    }
}

// Strides in elements of `size` bytes.
static void move(void *to, int64_t to_step, const void *from, int64_t from_step, int64_t n,
                 size_t size)
{
    if (n == 1) {
        hd__copy_node(to, from, size);
        return;
    }
    if (to_step == 1 && from_step == 1) {
        memcpy(to, from, (size_t)n * size);
        return;
    }
    if (to_step == 1 && from_step == 0) {
        fill(to, from, n, size);
        return;
    }
    if (to_step * from_step == -1) { // one of them backwards: the last address is the first
        const int64_t back = (n - 1) * (int64_t)size;
        hd__reverse_copy(to_step < 0 ? (char *)to - back : to,
                         from_step < 0 ? (const char *)from - back : from, n, size);
        return;
    }
    switch (size) {
    case 1: MOVE(uint8_t); break;
    case 2: MOVE(hd__unaligned16); break;
    case 4: MOVE(hd__unaligned32); break;
    case 8: MOVE(hd__unaligned64); break;
    default:
        for (int64_t i = 0; i < n; i++)
            memcpy((char *)to + i * to_step * (int64_t)size,
                   (const char *)from + i * from_step * (int64_t)size, size);
    }
}

// ---- Runs of a view of many axes --------------------------------------------------------------

// Walks elements start .. start + n - 1 as runs along the last axis.
typedef struct walk {
    const hd_view *v;
    int64_t index[HD_MAX_DIMS];
    uint64_t
        offset; // of the element at index, in elements; it wraps on the way: axes of one element
                // may have any stride
} walk;

static void walk_to(walk *w, const hd_view *v, int64_t start)
{
    w->v = v;
    w->offset = 0;
    for (int k = v->ndim - 1; k >= 0; k--) {
        w->index[k] = k > 0 ? start % v->shape[k] : start;
        start = k > 0 ? start / v->shape[k] : 0;
        w->offset += (uint64_t)w->index[k] * (uint64_t)v->stride[k];
    }
}

// Steps over m elements that end at or before the end of the last axis.
static void walk_on(walk *w, int64_t m)
{
    const hd_view *v = w->v;
    int k = v->ndim - 1;
    w->index[k] += m;
    w->offset += (uint64_t)m * (uint64_t)v->stride[k];
    for (; k > 0 && w->index[k] == v->shape[k]; k--) {
        w->offset += (uint64_t)v->stride[k - 1] - (uint64_t)w->index[k] * (uint64_t)v->stride[k];
        w->index[k] = 0;
        w->index[k - 1]++;
    }
}

static int64_t run_length(const walk *w, int64_t wanted)
{
    const int last = w->v->ndim - 1;
    const int64_t left = w->v->shape[last] - w->index[last];
    return left < wanted ? left : wanted;
}

static void gather_implicit(const hd_view *v, int64_t start, int64_t n, void *to)
{
    const size_t size = hd__size_of(v->type);
    if (hd__is_constant(v)) {
        move(to, 1, v->scalar.bytes, 0, n, size);
        return;
    }
    const uint64_t step = (uint64_t)v->scalar.i.step; // wraps as i64 does everywhere here
    const uint64_t first = (uint64_t)v->scalar.i.start + (uint64_t)start * step;
    for (int64_t i = 0; i < n; i++) ((uint64_t *)to)[i] = first + (uint64_t)i * step;
}

void hd__gather(const hd_view *v, int64_t start, int64_t n, void *to)
{
    if (v->space == HD_IMPLICIT) {
        gather_implicit(v, start, n, to);
        return;
    }
    if (v->space == HD_INDEXED) {
        hd__gather_indexed(v, start, n, to);
        return;
    }
    const size_t size = hd__size_of(v->type);
    const int last = v->ndim - 1;
    walk w;
    walk_to(&w, v, start);
    for (int64_t done = 0; done < n;) {
        const int64_t m = run_length(&w, n - done);
        move((char *)to + (size_t)done * size, 1, hd__at(v, (int64_t)w.offset), v->stride[last], m,
             size);
        walk_on(&w, m);
        done += m;
    }
}

void hd__scatter(const hd_view *v, int64_t start, int64_t n, const void *from)
{
    const size_t size = hd__size_of(v->type);
    const int last = v->ndim - 1;
    walk w;
    walk_to(&w, v, start);
    for (int64_t done = 0; done < n;) {
        const int64_t m = run_length(&w, n - done);
        move((void *)(uintptr_t)hd__at(v, (int64_t)w.offset), v->stride[last],
             (const char *)from + (size_t)done * size, 1, m, size);
        walk_on(&w, m);
        done += m;
    }
}

// ---- Elements into nodes ----------------------------------------------------------------------

size_t hd__elements_bytes(const hd__reader *r, int64_t tile)
{
    size_t bytes = 0;
    if (r->map != NULL) bytes += hd__padded((size_t)tile * hd__size_of(r->map->result));
    for (int k = 0; k < r->inputs; k++)
        bytes += hd__padded((size_t)tile * hd__size_of(r->view[k].type));
    return bytes;
}

size_t hd__reader_bytes(const hd__reader *r, int64_t tile)
{
    if (r->direct) return 0;
    return hd__padded((size_t)tile * r->fold->node_size) + hd__elements_bytes(r, tile);
}

// Input k where it lies, or gathered into *scratch, which moves on.
static const void *fetch(const hd__reader *r, int k, int64_t start, int64_t n, char **scratch)
{
    const hd_view *v = &r->view[k];
    if (hd__is_contiguous(v)) return hd__at(v, start);
    void *to = *scratch;
    hd__gather(v, start, n, to);
    *scratch += hd__padded((size_t)n * hd__size_of(v->type));
    return to;
}

// The elements, in place or in *scratch, which moves on.
static const void *fetch_elements(const hd__reader *r, int64_t start, int64_t n, char **scratch)
{
    if (r->map == NULL) return fetch(r, 0, start, n, scratch);
    const void *in[HD_MAX_INPUTS];
    for (int k = 0; k < r->inputs; k++) in[k] = fetch(r, k, start, n, scratch);
    void *elements = *scratch;
    hd__apply(r->map, elements, in, n);
    *scratch += hd__padded((size_t)n * hd__size_of(r->map->result));
    return elements;
}

const void *hd__read_elements(const hd__reader *r, int64_t start, int64_t n, void *scratch)
{
    char *at = scratch;
    return fetch_elements(r, start, n, &at);
}

int64_t hd__sum_elements(const hd__reader *r, int64_t start, int64_t n, void *scratch)
{
    const void *in[HD_MAX_INPUTS];
    char *at = scratch;
    for (int k = 0; k < r->inputs; k++) in[k] = fetch(r, k, start, n, &at);
    return hd__sum(r->map, in, n);
}

const void *hd__read(const hd__reader *r, int64_t start, int64_t n, void *scratch)
{
    if (r->direct) return hd__at(&r->view[0], start);
    char *at = scratch;
    const void *elements = fetch_elements(r, start, n, &at);
    if (r->fold->direct_in) return elements;
    hd__load_nodes(r->fold, elements, n, r->first + start, at);
    return at;
}

const void *hd__read_numbers(const hd__reader *r, int64_t start, int64_t n, void *scratch)
{
    const hd__fold *f = r->fold;
    char *at = scratch;
    const void *elements = fetch_elements(r, start, n, &at);
    if (f->element == f->number) return elements;
    hd__convert(f->number, at, f->element, elements, n);
    return at;
}

hd_view hd__row_of(const hd_view *v, int32_t axis, int64_t row)
{
    if (hd__is_indexed(v)) return *v; // of one dimension
    hd_view line = hd_view_of(v->type, v->data, v->shape[axis]);
    line.space = v->space;
    line.scalar = v->scalar;
    line.stride[0] = v->stride[axis];
    int64_t offset = 0;
    for (int k = v->ndim - 1; k >= 0; k--) {
        if (k == axis) continue;
        offset += row % v->shape[k] * v->stride[k];
        row /= v->shape[k];
    }
    if (v->space != HD_IMPLICIT) line.data = (void *)(uintptr_t)hd__at(v, offset);
    return line;
}

void hd__row_reader(const hd__reader *r, int32_t axis, int64_t row, hd__reader *out)
{
    out->fold = r->fold;
    out->map = r->map;
    out->first = r->first;
    out->inputs = r->inputs;
    for (int k = 0; k < r->inputs; k++) out->view[k] = hd__row_of(&r->view[k], axis, row);
    out->n = out->view[0].shape[0];
    out->direct = r->map == NULL && r->fold->direct_in && hd__is_contiguous(&out->view[0]);
}
