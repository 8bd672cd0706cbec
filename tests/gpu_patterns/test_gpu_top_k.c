// SPDX-License-Identifier: Apache-2.0
//
// hd_top_k by the GPU's kernels, on the model machine and on a card where there is one, against the
// serial backend, bit for bit: every number type, the greatest and the smallest, random bits (every
// NaN, both zeros), few values, equal, sorted and reversed keys, keys that the sample does not
// show; values, indices, without keys; host and device, with gaps, rows along both axes; rows that
// one block sorts, rows that are selected from, rows that are sorted.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

typedef struct record {
    int32_t a, b, c;
} record;

static hd_context *ctx, *serial;
static const char *backend;

static const hd_type types[] = {HD_U8,  HD_I8,  HD_U16,  HD_I16, HD_U32, HD_I32, HD_U64,
                                HD_I64, HD_F16, HD_BF16, HD_F32, HD_F64, HD_BOOL};
enum { TYPES = sizeof types / sizeof *types };

typedef enum input { RANDOM, FEW, EQUAL, SORTED, REVERSED, BURIED, INPUTS } input;

// BURIED: two values, of which the one that is wanted comes in one range of the keys alone.
static void fill(hd_type type, char *x, int64_t n, input how, bool ascending, uint64_t *r)
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
    if (how == BURIED)
        for (int64_t k = 0; k < n; k++)
            memset(x + (size_t)k * size, (k / 64 == n / 100) == ascending ? 0 : 1, size);
    if (how != SORTED && how != REVERSED) return;
    const hd_view v = hd_view_of(type, x, n);
    CHECK_OK(serial, hd_sort(serial, v, v, HD_NO_VALUES,
                             &(hd_sort_options){.descending = how == REVERSED}));
}

typedef struct question {
    hd_type type, indices; // HD_NONE: no indices
    int64_t n, k;
    input how;
    int values; // arrays: of f64, of records
    bool ascending, no_keys, device, gaps;
} question;

static hd_view as_bytes(hd_view v)
{
    if (v.type == HD_BOOL) v.type = HD_U8;
    return v;
}

// The elements of a view of the host in a new one of the device, off by one element, every second
// one where there are gaps.
static hd_view send(hd_view v, bool gaps, hd_view *memory)
{
    const int64_t n = hd_count(v), room = gaps ? 2 * n + 1 : n + 1;
    CHECK_OK(ctx, hd_alloc_device(ctx, v.type, 1, &room, memory));
    const hd_view to = hd_slice(*memory, 0, 1, n, gaps ? 2 : 1);
    if (n > 0) CHECK_OK(ctx, hd_map(ctx, as_bytes(v), NULL, as_bytes(to), NULL));
    return to;
}

typedef struct arrays {
    hd_view view[7]; // keys, out, indices, values in and out
} arrays;
enum { KEYS, OUT, INDICES, VALUES };

static hd_type type_of(const question *q, int k)
{
    return k < INDICES ? q->type : k == INDICES ? q->indices : k < 5 ? HD_F64 : HD_TYPE(record);
}

static bool is_used(const question *q, int k)
{
    if (k == OUT) return !q->no_keys;
    if (k == INDICES) return q->indices != HD_NONE;
    return k < VALUES || (k - VALUES) / 2 < q->values;
}

static bool is_output(int k)
{
    return k == OUT || k == INDICES || k == 4 || k == 6;
}

static hd_status call(hd_context *c, const question *q, const arrays *a)
{
    return hd_top_k(
        c, a->view[KEYS], q->k, q->no_keys ? HD_EMPTY : a->view[OUT],
        (hd_views){&a->view[VALUES], 2 * q->values},
        &(hd_top_k_options){.ascending = q->ascending,
                            .indices = q->indices != HD_NONE ? &a->view[INDICES] : NULL});
}

static void ask(const question *q, uint64_t *r)
{
    arrays want, got;
    hd_view memory[7];
    char *bytes[7], *back[7];
    memset(&want, 0, sizeof want);
    for (int k = 0; k < 7; k++) {
        const int64_t n = is_output(k) ? q->k : q->n;
        const size_t size = is_used(q, k) ? hd_type_size(type_of(q, k)) : 1;
        bytes[k] = check_memory((size_t)n * size + 16);
        back[k] = check_memory((size_t)n * size + 16);
        if (!is_used(q, k)) continue;
        if (k == KEYS)
            fill(q->type, bytes[k], n, q->how, q->ascending, r);
        else
            for (size_t b = 0; b < (size_t)n * size; b++) bytes[k][b] = (char)check_next(r);
        memcpy(back[k], bytes[k], (size_t)n * size);
        want.view[k] = hd_view_of(type_of(q, k), bytes[k], n);
        got.view[k] = hd_view_of(type_of(q, k), back[k], n);
        if (q->device) got.view[k] = send(got.view[k], q->gaps, &memory[k]);
    }
    CHECK_OK(serial, call(serial, q, &want));
    CHECK_OK(ctx, call(ctx, q, &got));
    for (int k = 0; k < 7; k++) {
        const int64_t n = is_output(k) ? q->k : q->n;
        if (is_used(q, k) && q->device) {
            if (n > 0)
                CHECK_OK(ctx, hd_map(ctx, as_bytes(got.view[k]), NULL,
                                     as_bytes(hd_view_of(type_of(q, k), back[k], n)), NULL));
            CHECK_OK(ctx, hd_free(ctx, &memory[k]));
        }
        if (is_used(q, k))
            CHECK(memcmp(bytes[k], back[k], (size_t)n * hd_type_size(type_of(q, k))) == 0,
                  "%s: top %" PRId64 " of %" PRId64 " %s, input %d, %s, %s, %d arrays: array %d",
                  backend, q->k, q->n, hd_type_name(q->type), (int)q->how,
                  q->ascending ? "up" : "down", q->device ? "device" : "host", q->values, k);
        free(bytes[k]), free(back[k]);
    }
}

// Every type, or some, and every input; one direction a type, so that there are few kernels to
// compile.
static void test_types(int64_t n, int step, uint64_t *r)
{
    int turn = step;
    for (int t = step / 2; t < TYPES; t += step)
        for (int j = 0; j < 2; j++, turn++) {
            const int64_t ks[] = {1, 10, n / 7, n / 40, n};
            const question q = {.type = types[t],
                                .n = n - turn % 3,
                                .k = ks[turn % 5] - (turn % 5 == 4 ? 2 : 0),
                                .how = (input)(turn % INPUTS),
                                .indices = turn % 3 == 0 ? HD_I32 : HD_NONE,
                                .ascending = t % 2,
                                .device = turn % 2,
                                .gaps = turn % 4 == 1};
            ask(&q, r);
        }
}

static void test_inputs(int64_t n, bool ascending, uint64_t *r)
{
    for (int how = 0; how < INPUTS; how++)
        for (int k = 0; k < 2; k++)
            ask(&(question){.type = HD_F32,
                            .n = n + how,
                            .k = k ? 9 : n / 30,
                            .how = (input)how,
                            .indices = k ? HD_U64 : HD_NONE,
                            .values = how % 3,
                            .no_keys = k && how % 2,
                            .ascending = ascending,
                            .device = true},
                r);
}

// ---- Rows ---------------------------------------------------------------------------------------

enum { ROWS = 5, COLUMNS = 143, ALL = ROWS * COLUMNS };

typedef struct rows {
    float keys[ALL], out[ALL];
    uint16_t values[ALL], moved[ALL];
    int64_t indices[ALL];
} rows;

static hd_status top_of_rows(hd_context *c, rows *x, int axis, int64_t k, bool ascending)
{
    const int64_t shape[] = {ROWS, COLUMNS};
    int64_t of_out[] = {ROWS, COLUMNS};
    of_out[axis] = k;
    const hd_view values = hd_view_nd(HD_U16, x->values, 2, shape, NULL),
                  moved = hd_view_nd(HD_U16, x->moved, 2, of_out, NULL);
    return hd_top_k(
        c, hd_view_nd(HD_F32, x->keys, 2, shape, NULL), k,
        hd_view_nd(HD_F32, x->out, 2, of_out, NULL), HD_VALUES(values, moved),
        &(hd_top_k_options){.axis = HD_AXIS(axis),
                            .ascending = ascending,
                            .indices = HD_REF(hd_view_nd(HD_I64, x->indices, 2, of_out, NULL))});
}

static void test_rows(uint64_t *r)
{
    static rows want, got;
    for (int turn = 0; turn < 4; turn++) {
        fill(HD_F32, (char *)want.keys, ALL, turn % 2 ? RANDOM : FEW, false, r);
        for (int i = 0; i < ALL; i++) want.values[i] = (uint16_t)check_next(r);
        got = want;
        CHECK_OK(serial, top_of_rows(serial, &want, turn % 2, turn < 2 ? 3 : 5, turn == 3));
        CHECK_OK(ctx, top_of_rows(ctx, &got, turn % 2, turn < 2 ? 3 : 5, turn == 3));
        CHECK(memcmp(&want, &got, sizeof want) == 0, "%s: rows %d", backend, turn);
    }
    // Of bytes that stand for truth, the ones that are there.
    uint8_t truth[40], some[2][8];
    const int64_t shape[] = {4, 10}, of_out[] = {4, 2};
    for (int k = 0; k < 40; k++) truth[k] = (uint8_t)(k % 7 == 0 ? k : 0);
    for (int k = 0; k < 2; k++)
        CHECK_OK(k ? ctx : serial,
                 hd_top_k(k ? ctx : serial, hd_view_nd(HD_BOOL, truth, 2, shape, NULL), 2,
                          hd_view_nd(HD_BOOL, some[k], 2, of_out, NULL), HD_NO_VALUES,
                          &(hd_top_k_options){.axis = HD_AXIS(1)}));
    CHECK(memcmp(some[0], some[1], 8) == 0, "%s: rows of bool", backend);
}

static void test_implicit(void)
{
    int64_t out[2][7];
    for (int k = 0; k < 2; k++)
        CHECK_OK(k ? ctx : serial, hd_top_k(k ? ctx : serial, hd_progression(5, -3, 900), 7,
                                            HD_VIEW(out[k], 7), HD_NO_VALUES, NULL));
    CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0, "%s: a progression", backend);
}

static void test_backend(hd_backend which)
{
    // One block; everything is sorted; selected from: with a sample, and without one.
    static const char *const tunes[] = {
        "", "top_row=1 sort_small=1", "top_row=1 top_from=1 top_threads=256 top_sample=64",
        "top_row=1 top_from=1 top_slices=1 top_rows=1 top_threads=256"};
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    for (int t = 0; t < 4; t++) {
        setenv("HEDDLE_TUNE", tunes[t], 1);
        ctx = check_open(which, 1, NULL);
        if (t != 1) test_types(t == 0 ? 800 : 5000, t == 3 ? 4 : 1, &r);
        if (t != 2) test_rows(&r);
        if (t == 0) test_implicit();
        if (t == 2) test_inputs(which == HD_CUDA ? 3000017 : 20011, false, &r);
        if (t == 3 && which == HD_CUDA) test_inputs(5000011, true, &r);
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
