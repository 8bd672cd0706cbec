// SPDX-License-Identifier: Apache-2.0
//
// Scans along an axis by the GPU's kernels against the serial backend, bit for bit: rows of every
// short length and some that a warp takes, along the last axis and the first, numbers, extremes
// with their values, structures; exclusive, backward, with init, in place.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

HD_SOURCE(
    pair_text, typedef struct { double at[11]; } pair;)
// Not even associative: every combination of the one tree shows.
HD_MONOID(twisted, pair, pair_text, HD_ASSOCIATIVE, {{0}}, {
    pair r;
    for (int i = 0; i < 11; i++) r.at[i] = a.at[(i + 1) % 11] - b.at[i] / 2;
    return r;
})

typedef struct row {
    const char *name;
    const hd_operator *op;
    hd_type type, out, as; // as: what outputs are compared as
    bool values;
} row;

enum { ROWS = 7 };

static hd_context *ctx, *serial;
static const char *backend;

static void ask(const row *w, int64_t length, int64_t count, int how, uint64_t seed)
{
    const int64_t n = length * count, rows[] = {count, length}, columns[] = {length, count};
    const bool first = (how & 1) != 0, in_place = (how & 2) != 0 && w->type == w->out;
    const bool sum = w->op == HD_SUM && w->type == HD_F32;
    const int64_t *const shape = first ? columns : rows;
    const size_t size = hd_type_size(w->type), out_size = hd_type_size(w->out);
    const hd_type numbers = w->type >> 8 == 0 ? w->type : HD_F64;
    const float init = 0.375f;
    char *memory[6];
    for (int k = 0; k < 6; k++) memory[k] = check_memory((size_t)n * 88 + 8);
    for (int k = 0; k < 6; k++) memset(memory[k], 0, (size_t)n * 88 + 8);
    for (int k = 0; k < 2; k++)
        check_fill(numbers, memory[k], (int64_t)(size * (size_t)n / hd_type_size(numbers)),
                   CHECK_ORDINARY, seed);
    hd_context *const contexts[] = {ctx, serial};
    for (int k = 0; k < 2; k++) {
        const hd_view in = hd_view_nd(w->type, memory[k], 2, shape, NULL),
                      values = hd_view_nd(w->type, memory[4 + k], 2, shape, NULL),
                      out = hd_view_nd(w->out, memory[in_place ? k : 2 + k], 2, shape, NULL);
        const hd_scan_options o = {.axis = HD_AXIS(first ? 0 : 1),
                                   .exclusive = (how & 4) != 0,
                                   .backward = (how & 8) != 0,
                                   .init = sum && (how & 16) ? &init : NULL,
                                   .values = w->values && !(how & 4) ? &values : NULL};
        CHECK_OK(contexts[k], hd_scan(contexts[k], in, w->op, out, &o));
    }
    const int at = in_place ? 0 : 2;
    CHECK_SAME(w->as, memory[at], memory[at + 1],
               (int64_t)(out_size * (size_t)n) / (int64_t)hd_type_size(w->as),
               "%s of %" PRId64 " rows of %" PRId64 ", %d, on %s", w->name, count, length, how,
               backend);
    CHECK_SAME(numbers, memory[4], memory[5], (int64_t)(size * (size_t)n / hd_type_size(numbers)),
               "values of %s of %" PRId64 " rows of %" PRId64 ", %d, on %s", w->name, count, length,
               how, backend);
    for (int k = 0; k < 6; k++) free(memory[k]);
}

static void test_backend(hd_backend which)
{
    const row rows[ROWS] = {{"sum", HD_SUM, HD_F32, HD_F32, HD_F32, false},
                            {"sum", HD_SUM, HD_I8, HD_I64, HD_I64, false},
                            {"sum", HD_SUM, HD_F64, HD_F64, HD_F64, false},
                            {"max", HD_MAX, HD_F64, HD_F64, HD_F64, false},
                            {"argmax", HD_ARGMAX, HD_F32, HD_I64, HD_I64, true},
                            {"mean", HD_MEAN, HD_F32, HD_F64, HD_F64, false},
                            {"twisted", twisted, HD_TYPE(pair), HD_TYPE(pair), HD_F64, false}};
    static const int64_t lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 33, 300, 1000};
    const char *asked = getenv("HEDDLE_TEST_CASES");
    const int64_t cases = asked != NULL ? atoll(asked) : check_small() ? 1 : 3;
    uint64_t r = check_seed() + (uint64_t)which;
    backend = hd_backend_name(which);
    ctx = check_open(which, 2, NULL);
    for (size_t k = 0; k < ROWS; k++)
        for (size_t j = 0; j < sizeof lengths / sizeof *lengths; j++)
            for (int64_t c = 0; c < cases; c++)
                ask(&rows[k], lengths[j],
                    lengths[j] > 100 ? 1 + check_below(&r, 50)
                    : c == 0         ? 300
                                     : 1 + check_below(&r, 150),
                    (int)check_below(&r, 32), check_next(&r));
    hd_close(ctx);
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
