// SPDX-License-Identifier: Apache-2.0
//
// Sorts by the GPU's kernels, on the model machine and on a card where there is one, against the
// serial backend, bit for bit: every number type, up and down, random bits (every NaN, both zeros),
// few values, equal, sorted and reversed keys, keys that
// are equal in their top bytes; values of several sizes, indices, in place and
// apart, without keys, host and device, with gaps, rows, segments; sizes around those of tiles.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

typedef struct record {
    int32_t a, b, c;
} record;

typedef struct wide {
    uint64_t a, b;
} wide;

static hd_context *ctx, *serial;
static const char *backend;

static const hd_type types[] = {HD_U8,  HD_I8,  HD_U16,  HD_I16, HD_U32, HD_I32, HD_U64,
                                HD_I64, HD_F16, HD_BF16, HD_F32, HD_F64, HD_BOOL};
enum { TYPES = sizeof types / sizeof *types };

typedef enum input { RANDOM, FEW, EQUAL, SORTED, REVERSED, NARROW, ALIKE, INPUTS } input;

// What goes with the keys.
typedef struct load {
    int values;      // arrays, of the types below
    hd_type of[2];   // HD_NONE stands for a record, -1 for one of 16 bytes
    hd_type indices; // HD_NONE: none
    bool no_keys;    // keys_out is empty
    bool in_place, gaps;
} load;

static const load loads[] = {
    {0, {0, 0}, HD_NONE, false, false, false},
    {0, {0, 0}, HD_NONE, false, true, false},
    {1, {HD_U32, 0}, HD_NONE, false, false, false},
    {1, {HD_F64, 0}, HD_NONE, false, true, false},
    {1, {HD_U8, 0}, HD_NONE, true, false, false},
    {1, {HD_I16, 0}, HD_NONE, false, false, true},
    {0, {0, 0}, HD_I32, true, false, false},
    {0, {0, 0}, HD_U64, false, true, false},
    {2, {HD_F32, HD_BOOL}, HD_U32, false, true, false},
    {2, {HD_F64, HD_U8}, HD_NONE, true, false, true},
    {1, {HD_NONE, 0}, HD_NONE, false, false, false},
    {1, {HD_NONE, 1}, HD_I64, false, true, false},
};
enum { LOADS = sizeof loads / sizeof *loads };

static void fill(hd_type type, char *x, int64_t n, input how, uint64_t *r)
{
    const size_t size = hd_type_size(type), bytes = (size_t)n * size;
    for (size_t k = 0; k < bytes; k++) x[k] = (char)check_next(r);
    for (int64_t k = 0; k < n && how == RANDOM; k += 7)
        memset(x + (size_t)k * size, k % 3 == 0 ? 0 : k % 3 == 1 ? 0xff : 0x7f, size);
    if (how == FEW)
        for (int64_t k = 3; k < n; k++)
            memcpy(x + (size_t)k * size, x + (size_t)check_below(r, 3) * size, size);
    if (how == EQUAL)
        for (int64_t k = 1; k < n; k++) memcpy(x + (size_t)k * size, x, size);
    if (how == NARROW) // one digit differs
        for (int64_t k = 0; k < n; k++)
            for (size_t j = 0; j < size; j++)
                if (j != size / 2) x[(size_t)k * size + j] = 5;
    if (how == ALIKE) // many are equal but for the lowest byte, though each byte has several values
        for (int64_t k = 0; k < n; k++) {
            char *const key = x + (size_t)k * size;
            const char low = key[0];
            memset(key, 0x11 * (1 + (int)check_below(r, 4)), size);
            key[0] = low;
        }
    if (how != SORTED && how != REVERSED) return;
    const hd_view v = hd_view_of(type, x, n);
    CHECK_OK(serial, hd_sort(serial, v, v, HD_NO_VALUES,
                             &(hd_sort_options){.descending = how == REVERSED}));
}

// A view of the host or, of the same elements, of the device: every second one where there are
// gaps, off by one element otherwise.
typedef struct side {
    hd_view view, memory;
} side;

// A bool is copied as the byte that it is.
static hd_view as_bytes(hd_view v)
{
    if (v.type == HD_BOOL) v.type = HD_U8;
    return v;
}

static side send(hd_view v, bool gaps)
{
    const int64_t n = hd_count(v), room = gaps ? 2 * n + 1 : n + 1;
    side s = {.view = v};
    CHECK_OK(ctx, hd_alloc_device(ctx, v.type, 1, &room, &s.memory));
    s.view = gaps ? hd_slice(s.memory, 0, 1, n, 2) : hd_slice(s.memory, 0, 1, n, 1);
    if (n > 0) CHECK_OK(ctx, hd_map(ctx, as_bytes(v), NULL, as_bytes(s.view), NULL));
    return s;
}

static hd_type type_of(hd_type t)
{
    return t == HD_NONE ? HD_TYPE(record) : t;
}

typedef struct arrays {
    hd_view keys, out, in[2], to[2], indices;
} arrays;

static hd_status call(hd_context *c, const load *l, const arrays *a, bool descending)
{
    hd_view views[4];
    for (int k = 0; k < l->values; k++) {
        views[2 * k] = a->in[k];
        views[2 * k + 1] = l->in_place ? a->in[k] : a->to[k];
    }
    return hd_sort(c, a->keys,
                   l->no_keys    ? HD_EMPTY
                   : l->in_place ? a->keys
                                 : a->out,
                   (hd_views){views, 2 * l->values},
                   &(hd_sort_options){.descending = descending,
                                      .indices = l->indices != HD_NONE ? &a->indices : NULL});
}

static hd_view host(hd_type type, int64_t n, uint64_t seed)
{
    char *x = check_memory((size_t)n * hd_type_size(type) + 16);
    for (size_t k = 0; k < (size_t)n * hd_type_size(type); k++) x[k] = (char)check_next(&seed);
    return hd_view_of(type, x, n);
}

static hd_view copy_of(hd_view v)
{
    const size_t bytes = (size_t)hd_count(v) * hd_type_size(v.type);
    char *x = check_memory(bytes + 16);
    memcpy(x, v.data, bytes);
    v.data = x;
    return v;
}

static hd_view *member(arrays *a, int k)
{
    hd_view *const all[] = {&a->keys,  &a->out,   &a->in[0],  &a->in[1],
                            &a->to[0], &a->to[1], &a->indices};
    return all[k];
}
enum { MEMBERS = 7 };

static bool is_used(const load *l, int k)
{
    switch (k) {
    case 0: return true;
    case 1: return !l->no_keys && !l->in_place;
    case 2:
    case 3: return k - 2 < l->values;
    case 4:
    case 5: return k - 4 < l->values && !l->in_place;
    default: return l->indices != HD_NONE;
    }
}

static void ask(hd_type type, int64_t n, input how, const load *l, bool descending, bool device,
                uint64_t *r)
{
    arrays want, got;
    side there[MEMBERS];
    memset(&want, 0, sizeof want);
    for (int k = 0; k < MEMBERS; k++) {
        const hd_type of = k < 2 ? type : k < 6 ? type_of(l->of[k % 2]) : l->indices;
        if (!is_used(l, k)) continue;
        *member(&want, k) = host(of, n, check_next(r));
        if (k == 0) fill(type, want.keys.data, n, how, r);
    }
    got = want;
    for (int k = 0; k < MEMBERS; k++)
        if (is_used(l, k)) *member(&got, k) = copy_of(*member(&want, k));
    CHECK_OK(serial, call(serial, l, &want, descending));
    arrays kept = got;
    for (int k = 0; k < MEMBERS && device; k++)
        if (is_used(l, k)) {
            there[k] = send(*member(&got, k), l->gaps);
            *member(&got, k) = there[k].view;
        }
    CHECK_OK(ctx, call(ctx, l, &got, descending));
    for (int k = 0; k < MEMBERS && device; k++)
        if (is_used(l, k)) {
            if (n > 0)
                CHECK_OK(ctx, hd_map(ctx, as_bytes(there[k].view), NULL,
                                     as_bytes(*member(&kept, k)), NULL));
            CHECK_OK(ctx, hd_free(ctx, &there[k].memory));
        }
    for (int k = 0; k < MEMBERS; k++) {
        if (!is_used(l, k)) continue;
        const hd_view *a = member(&kept, k), *b = member(&want, k);
        const size_t bytes = (size_t)n * hd_type_size(a->type);
        CHECK(memcmp(a->data, b->data, bytes) == 0,
              "%s: sort of %" PRId64 " %s, input %d, load %d, %s, %s: array %d differs", backend, n,
              hd_type_name(type), (int)how, (int)(l - loads), descending ? "down" : "up",
              device ? "device" : "host", k);
        free(a->data), free(b->data);
    }
}

// ---- Rows and segments --------------------------------------------------------------------------

enum { ROWS = 37, COLUMNS = 41, ALL = ROWS * COLUMNS };

typedef struct sliced {
    float keys[ALL], out[ALL];
    int64_t values[ALL];
    int32_t indices[ALL];
} sliced;

static hd_status sort_sliced(hd_context *c, sliced *s, int axis, const hd_view *offsets, bool down)
{
    const int64_t shape[] = {ROWS, COLUMNS};
    const int32_t dims = offsets != NULL ? 1 : 2;
    const int64_t *of = offsets != NULL ? (const int64_t[]){ALL} : shape;
    const hd_view values = hd_view_nd(HD_I64, s->values, dims, of, NULL);
    return hd_sort(
        c, hd_view_nd(HD_F32, s->keys, dims, of, NULL), hd_view_nd(HD_F32, s->out, dims, of, NULL),
        HD_VALUES(values, values),
        &(hd_sort_options){.axis = axis,
                           .segments = offsets,
                           .descending = down,
                           .indices = HD_REF(hd_view_nd(HD_I32, s->indices, dims, of, NULL))});
}

static void test_slices(uint64_t *r)
{
    static sliced want, got;
    static const uint32_t offsets[] = {3, 3, 50, 51, 700, ALL - 9};
    static const uint32_t bad[] = {3, 2, 50};
    for (int k = 0; k < 6; k++) {
        fill(HD_F32, (char *)want.keys, ALL, k % 2 ? RANDOM : FEW, r);
        for (int i = 0; i < ALL; i++) want.values[i] = i;
        got = want;
        const hd_view view = HD_VIEW((uint32_t *)offsets, k < 5 ? 6 : 1);
        const int axis = k < 2 ? HD_AXIS(k) : 0;
        CHECK_OK(serial, sort_sliced(serial, &want, axis, k < 2 ? NULL : &view, k == 3));
        CHECK_OK(ctx, sort_sliced(ctx, &got, axis, k < 2 ? NULL : &view, k == 3));
        CHECK(memcmp(&want, &got, sizeof want) == 0, "%s: slices %d", backend, k);
    }
    const hd_view wrong = HD_VIEW((uint32_t *)bad, 3);
    CHECK(sort_sliced(ctx, &got, 0, &wrong, false) == HD_ERROR_VALUE, "offsets that fall: %s",
          hd_error(ctx));
}

// Keys alone of every type, then what goes with keys of some. A type has one direction, so that
// there are few kernels to compile.
static void test_keys(bool down, int64_t most, uint64_t *r)
{
    const int64_t sizes[] = {0, 1, 33, 767, most};
    int turn = 0;
    for (int k = 0; k < TYPES; k++)
        for (int s = k % 2; s < 5; s += 2, turn++)
            ask(types[k], sizes[s], (input)(turn % INPUTS), &loads[turn % 2], k % 2 == down,
                turn / 4 % 2, r);
    for (int j = 0; j < LOADS; j++)
        for (int k = 0; k < 2; k++, turn++)
            ask(types[j * 5 % TYPES], k == 0 ? 40 : most - 99, (input)(turn % INPUTS), &loads[j],
                j * 5 % TYPES % 2 == down, turn % 2, r);
    for (int how = 0; how < INPUTS; how++) ask(HD_F32, most, (input)how, &loads[2], false, true, r);
}

static void test_backend(hd_backend which)
{
    static const char *const tunes[] = {"",
                                        "sort_small=1 sort_fill=1 sort_few=2",
                                        "sort_small=1 sort_fill=1",
                                        "sort_small=1 sort_few=2 sort_early=0",
                                        "sort_small=1 sort_few=2 sort_rest=1",
                                        "sort_small=1 sort_rest=1 sort_together=64"};
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    for (int t = 0; t < 6; t++) {
        setenv("HEDDLE_TUNE", tunes[t], 1);
        ctx = check_open(which, 1, NULL);
        if (t < 2) test_keys(t == 1, t == 0 ? 1000 : 1999, &r);
        if (t == 1) test_slices(&r);
        if (t == 2) { // counters that overflow, several stretches of the output, large tiles
            ask(HD_U16, 40007, EQUAL, &loads[1], false, true, &r);
            ask(HD_I16, 20011, FEW, &loads[0], true, true, &r);
            ask(HD_U8, 40007, RANDOM, &loads[0], false, true, &r);
            ask(HD_I32, 3001, RANDOM, &loads[0], true, true, &r);
        }
        if (t == 3)
            for (int how = 0; how < INPUTS; how++) {
                ask(HD_F32, 1999, (input)how, &loads[2], false, true, &r);
                ask(HD_U32, 3001, (input)how, &loads[how % 2], true, true, &r);
                ask(HD_I64, 1500, (input)how, &loads[6], false, true, &r);
            }
        if (t >= 4) // runs within and across tiles of sort_rest, longer ones
            for (int how = 0; how < INPUTS; how++) {
                ask(HD_U64, 5003, (input)how, &loads[how % 2], t == 5, true, &r);
                ask(HD_F64, 4099, (input)how, &loads[2], false, true, &r);
                ask(HD_I64, 2999, (input)how, &loads[how % 2 ? 6 : 3], true, true, &r);
            }
        if (t >= 2 && which == HD_CUDA) {
            ask(HD_U32, 300007, RANDOM, &loads[2], false, true, &r);
            ask(HD_F64, 300007, FEW, &loads[0], true, true, &r);
            ask(HD_U16, 300007, RANDOM, &loads[0], true, true, &r);
        }
        hd_close(ctx);
    }
    unsetenv("HEDDLE_TUNE");
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
