// SPDX-License-Identifier: Apache-2.0
//
// Arrays between guard pages, in the layouts of check.h.
#define _GNU_SOURCE
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *check_layout_name(check_layout layout)
{
    static const char *names[] = {"dense", "strided", "reversed", "rows", "turned"};
    return names[layout];
}

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

// Lowest and highest element, relative to the view's pointer.
static void extent(int32_t ndim, const int64_t *shape, const int64_t *stride, int64_t *low,
                   int64_t *high)
{
    *low = *high = 0;
    for (int32_t d = 0; d < ndim; d++) {
        const int64_t reach = (shape[d] - 1) * stride[d];
        if (shape[d] > 0) *(reach < 0 ? low : high) += reach;
    }
}

static void map_storage(check_array *array, bool at_front)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t inside = round_up(array->storage_bytes ? array->storage_bytes : 1, page);
    array->map_bytes = inside + 2 * page;
    array->map = mmap(NULL, array->map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (array->map == MAP_FAILED || mprotect(array->map + page, inside, PROT_READ | PROT_WRITE)) {
        printf("cannot map %zu bytes\n", array->map_bytes);
        exit(1);
    }
    array->storage = array->map + page + (at_front ? 0 : inside - array->storage_bytes);
    memset(array->map + page, CHECK_FILLER, inside);
}

check_array check_new_nd(hd_type type, int32_t ndim, const int64_t *shape, const int64_t *stride,
                         bool at_front)
{
    check_array array = {.view = hd_view_nd(type, NULL, ndim, shape, stride)};
    int64_t low, high;
    extent(ndim, shape, array.view.stride, &low, &high);
    array.storage_bytes =
        hd_count(array.view) > 0 ? hd_type_size(type) * (size_t)(high - low + 1) : 0;
    map_storage(&array, at_front);
    array.view.data = array.storage - (int64_t)hd_type_size(type) * low;
    return array;
}

// The largest divisor of n that is not above its root, and not above 64.
static int64_t divisor(int64_t n)
{
    for (int64_t d = 64; d > 1; d--)
        if (n % d == 0 && d * d <= n) return d;
    return 1;
}

check_array check_new(hd_type type, int64_t n, check_layout layout, bool at_front)
{
    const int64_t rows = divisor(n), columns = n / rows, outer = divisor(columns);
    const int64_t inner = columns / outer;
    switch (layout) {
    case CHECK_STRIDED: return check_new_nd(type, 1, &n, (int64_t[]){3}, at_front);
    case CHECK_REVERSED: return check_new_nd(type, 1, &n, (int64_t[]){-1}, at_front);
    case CHECK_ROWS:
        return check_new_nd(type, 2, (int64_t[]){rows, columns}, (int64_t[]){columns + 5, 1},
                            at_front);
    case CHECK_TURNED:
        return check_new_nd(type, 3, (int64_t[]){rows, outer, inner},
                            (int64_t[]){2, -2 * rows, 2 * rows * outer + 1}, at_front);
    default: return check_new_nd(type, 1, &n, NULL, at_front);
    }
}

void check_strides(int32_t ndim, const int64_t *shape, uint64_t *state, int64_t *stride)
{
    bool taken[HD_MAX_DIMS] = {false};
    int64_t step = 1 + check_below(state, 2);
    for (int32_t left = ndim; left > 0; left--) {
        int32_t d = (int32_t)check_below(state, left);
        for (int32_t k = 0; k <= d; k++) d += taken[k];
        taken[d] = true;
        stride[d] = check_below(state, 3) ? step : -step;
        step *= shape[d] > 0 ? shape[d] : 1;
        step += check_below(state, 3);
    }
}

void check_drop(check_array *array)
{
    if (array->map) munmap(array->map, array->map_bytes);
    memset(array, 0, sizeof *array);
}

void *check_element(hd_view view, int64_t k)
{
    int64_t offset = 0;
    for (int32_t d = view.ndim - 1; d >= 0; d--) {
        offset += k % view.shape[d] * view.stride[d];
        k /= view.shape[d];
    }
    return (unsigned char *)view.data + offset * (int64_t)hd_type_size(view.type);
}

// Elements k, k + 1, ... of a row along the last axis, `step` bytes apart, `count` to its end.
typedef struct row {
    unsigned char *first;
    int64_t step, count;
} row;

static row row_at(hd_view view, int64_t k)
{
    const int32_t last = view.ndim - 1;
    if (last < 0) return (row){view.data, 0, 1};
    return (row){check_element(view, k), view.stride[last] * (int64_t)hd_type_size(view.type),
                 view.shape[last] - k % view.shape[last]};
}

static void copy_element(void *to, const void *from, size_t size)
{
    switch (size) { // calls of memcpy were a fifth of the time of some tests
    case 1: memcpy(to, from, 1); break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, size);
    }
}

void check_put(const check_array *array, const void *dense)
{
    const size_t size = hd_type_size(array->view.type);
    const unsigned char *from = dense;
    for (int64_t k = 0, n = hd_count(array->view); k < n;) {
        const row r = row_at(array->view, k);
        for (int64_t i = 0; i < r.count; i++, k++, from += size)
            copy_element(r.first + i * r.step, from, size);
    }
}

void check_get(const check_array *array, void *dense)
{
    const size_t size = hd_type_size(array->view.type);
    unsigned char *to = dense;
    for (int64_t k = 0, n = hd_count(array->view); k < n;) {
        const row r = row_at(array->view, k);
        for (int64_t i = 0; i < r.count; i++, k++, to += size)
            copy_element(to, r.first + i * r.step, size);
    }
}

bool check_gaps(const check_array *array)
{
    const size_t size = hd_type_size(array->view.type);
    const int64_t n = hd_count(array->view);
    if ((size_t)n * size == array->storage_bytes) return true;
    unsigned char *copy = check_memory(array->storage_bytes), filler[HD_MAX_ELEMENT];
    memset(filler, CHECK_FILLER, sizeof filler);
    memcpy(copy, array->storage, array->storage_bytes);
    for (int64_t k = 0; k < n;) {
        const row r = row_at(array->view, k);
        unsigned char *first = copy + (r.first - array->storage);
        for (int64_t i = 0; i < r.count; i++, k++) copy_element(first + i * r.step, filler, size);
    }
    unsigned different = 0;
    for (size_t b = 0; b < array->storage_bytes; b++) different |= copy[b] ^ CHECK_FILLER;
    free(copy);
    return different == 0;
}

bool check_slack(const check_array *array)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const unsigned char *begin = array->map + page, *end = array->map + array->map_bytes - page;
    bool intact = true;
    for (const unsigned char *b = begin; b < array->storage; b++) intact &= *b == CHECK_FILLER;
    for (const unsigned char *b = array->storage + array->storage_bytes; b < end; b++)
        intact &= *b == CHECK_FILLER;
    return intact;
}

// ---- Segments and runs ----------------------------------------------------------------------

// A length: often 0 or 1, now and then long.
static int64_t length(uint64_t *state)
{
    switch (check_next(state) % 4) {
    case 0: return check_below(state, 2);
    case 1: return check_below(state, 20);
    case 2: return (int64_t)1 << check_below(state, 12);
    default: return check_below(state, (int64_t)2 << check_below(state, 14));
    }
}

int64_t check_offsets(int64_t n, int64_t room, uint64_t *state, int64_t *offsets)
{
    int64_t count = 1;
    offsets[0] = check_below(state, 2) ? 0 : check_below(state, n < 100 ? n + 1 : 100);
    while (count < room && (count < 2 || offsets[count - 1] < n || check_below(state, 3))) {
        const int64_t next = offsets[count - 1] + length(state);
        offsets[count++] = next < n ? next : n;
        if (next >= n && check_below(state, 2)) offsets[count - 1] = n;
    }
    return count;
}

void check_keys(hd_type type, void *keys, int64_t n, uint64_t *state)
{
    const size_t size = hd_type_size(type);
    unsigned char *k = keys;
    for (int64_t i = 0; i < n;) {
        const int64_t run = 1 + length(state);
        _Alignas(8) unsigned char key[HD_MAX_ELEMENT] = {0};
        if ((type & 0xff) == HD_STRUCTURE)
            memset(key, (int)check_below(state, 3), size);
        else
            check_fill(type, key, 1, check_below(state, 9) ? CHECK_TIES : CHECK_SPECIAL,
                       check_next(state));
        for (int64_t end = i + run; i < end && i < n; i++) memcpy(k + size * (size_t)i, key, size);
    }
}
