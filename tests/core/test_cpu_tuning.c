// SPDX-License-Identifier: Apache-2.0
//
// HEDDLE_TUNE: an unknown name, a value out of range and a text that is no number are errors of
// hd_open; any values within their ranges keep every bit. Values are read once a process, so each
// random draw runs in a process of its own, against the archive of bits and the serial backend.
// link: heddle_bits
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bits/bits.h"
#include "cpu/runtime/tuning.h"
#include "tests/support/apart.h"
#include "tests/support/check.h"

static const hd__tunable rows[] = {
#define TUNE(name, value, min, max, multiple) {"cpu." #name, value, min, max, multiple},
#include "cpu/tuning.def"
#undef TUNE
};

enum { ROWS = sizeof rows / sizeof *rows, TEXT = ROWS * 64 };

// ---- What is no setting -------------------------------------------------------------------------

static void check_settings(void)
{
    static const struct {
        const char *tune, *error; // NULL: it is good
    } cases[] = {
        {"", NULL},
        {"cpu.sort_tile=128", NULL},
        {"cpu.sort_tile=128,cpu.grain_bytes=4096", NULL},
        {" cpu.sort_tile=128  scan_rows=4", NULL},
        {"cpu.sort_tiles=128", "there is no tuning value 'cpu.sort_tiles'"},
        {"sort_tile=128", "there is no tuning value 'sort_tile'"},
        {"cpu.grain_bytes=4096,nonsense", "there is no tuning value 'nonsense'"},
        {"cpu.sort_tile", "cpu.sort_tile: expected a multiple of 64 from 64 to 16384"},
        {"cpu.sort_tile=", "cpu.sort_tile: expected a multiple of 64 from 64 to 16384"},
        {"cpu.sort_tile=many", "cpu.sort_tile: expected a multiple of 64 from 64 to 16384"},
        {"cpu.sort_tile=64x", "cpu.sort_tile: expected a multiple of 64 from 64 to 16384"},
        {"cpu.sort_tile=100", "cpu.sort_tile: expected a multiple of 64 from 64 to 16384"},
        {"cpu.sort_tile=16448", "cpu.sort_tile: expected a multiple of 64 from 64 to 16384"},
        {"cpu.merge_chunk=48", "cpu.merge_chunk: expected a power of two from 16 to 16777216"},
        {"cpu.grain_bytes=3", "cpu.grain_bytes: expected a number from 4 to 1073741824"},
        {"cpu.grain_bytes=99999999999999999999", "cpu.grain_bytes: expected a number from 4 to"},
        {"scan_rows=9", "scan_rows: expected a power of two from 1 to 8"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        hd_context *ctx = NULL;
        setenv("HEDDLE_TUNE", cases[k].tune, 1);
        const hd_status status = hd_open(&ctx, &(hd_context_options){.backend = HD_SERIAL});
        CHECK(status == (cases[k].error ? HD_ERROR_ARGUMENT : HD_OK), "'%s': status %d, %s",
              cases[k].tune, (int)status, hd_error(ctx));
        if (cases[k].error != NULL)
            CHECK(strstr(hd_error(ctx), "HEDDLE_TUNE") != NULL &&
                      strstr(hd_error(ctx), cases[k].error) != NULL,
                  "'%s': %s", cases[k].tune, hd_error(ctx));
        hd_close(ctx);
    }
    unsetenv("HEDDLE_TUNE");
}

static void check_table(void)
{
    for (int k = 0; k < ROWS; k++) {
        const hd__tunable *r = &rows[k];
        const bool fits = r->multiple > 0 ? r->value % r->multiple == 0
                                          : r->value > 0 && (r->value & (r->value - 1)) == 0;
        CHECK(fits && r->min <= r->value && r->value <= r->max, "%s", r->name);
        for (int j = 0; j < k; j++)
            CHECK(strcmp(r->name, rows[j].name) != 0, "two rows %s", r->name);
    }
}

// ---- Any setting keeps the bits -----------------------------------------------------------------

// One of a row's values, of every order of magnitude as often.
static int64_t draw(const hd__tunable *r, uint64_t *state)
{
    int low = 0, high = 0;
    while ((int64_t)2 << low <= r->min) low++;
    while ((int64_t)2 << high <= r->max) high++;
    const int log = low + (int)check_below(state, high - low + 1);
    int64_t value = (int64_t)1 << log;
    if (r->multiple > 0) {
        value += check_below(state, value);
        value -= value % r->multiple;
    }
    if (value < r->min) value = r->min;
    if (value > r->max) value = r->max;
    return value;
}

// The values of a draw: draw 0 has every least value, draw 1 every greatest, others are random.
// Small inputs are worth threads.
static void draw_all(int number, int64_t *values)
{
    uint64_t state = check_seed() + (uint64_t)number;
    for (int k = 0; k < ROWS; k++) {
        const hd__tunable *r = &rows[k];
        values[k] = number == 0 ? r->min : number == 1 ? r->max : draw(r, &state);
        if (strcmp(r->name, "cpu.grain_bytes") == 0) values[k] = 64;
    }
}

static void set_draw(int number)
{
    static char text[TEXT];
    int64_t values[ROWS];
    size_t at = 0;
    draw_all(number, values);
    for (int k = 0; k < ROWS; k++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s=%" PRId64 ",", rows[k].name,
                               values[k]);
    apart_set("HEDDLE_TUNE", text);
}

// The backend works with the values of the draw.
static void check_values(int number)
{
    int64_t values[ROWS];
    int k = 0;
    draw_all(number, values);
#define TUNE(row, value, least, most, multiple)                                                    \
    CHECK(hd__cpu_tune.row == values[k], "%s", rows[k].name), k++;
#include "cpu/tuning.def"
#undef TUNE
}

static void differs(void *user, const bits_difference *d)
{
    (void)user;
    CHECK(false, "%s, size %" PRId64 ": expected %s, got %s with HEDDLE_TUNE=%s", d->what->name,
          d->n, d->expected ? d->expected : "nothing", d->got, getenv("HEDDLE_TUNE"));
}

static void check_archive(hd_context *ctx, int64_t part)
{
    const int64_t parts = check_small() ? 61 : 11;
    bits_list list;
    bits_archive archive;
    CHECK(bits_make(&list) && bits_read(&archive, NULL), "no memory");
    bits_check check = {.ctx = ctx, .parts = parts, .part = part % parts, .differs = differs};
    bits_compare(&check, &list, &archive);
    CHECK(check.same > 0, "nothing was compared");
    bits_close(&archive);
    bits_drop(&list);
}

// ---- Larger inputs, for what the archive's sizes do not reach -----------------------------------

// The images are of fewer elements than the arrays they are made of.
enum { N = 200003, ROWS_2D = 401, COLUMNS = 497, BINS = 70001 };

HD_COMPARISON(above, int32_t, HD_NO_SOURCE, { return a > b; })

typedef struct data {
    int32_t *key, *index, *next;
    float *x;
    uint16_t *word;
} data;

typedef struct results {
    unsigned char *at;
    size_t used;
} results;

enum { ROOM = 64 << 20 };

// So many elements of the results, in memory of their own.
static hd_view out_of(results *r, hd_type type, int64_t n)
{
    void *memory = r->at + r->used;
    r->used += ((size_t)n * 8 + 63) / 64 * 64;
    CHECK(r->used <= ROOM, "no room");
    return HD_VIEW_OF(type, memory, n);
}

static void check_orders(hd_context *ctx, const data *d, results *r)
{
    int64_t count;
    const hd_view key = HD_VIEW(d->key, N), x = HD_VIEW(d->x, N);
    CHECK_OK(ctx, hd_sort(ctx, key, out_of(r, HD_I32, N), HD_NO_VALUES, NULL));
    CHECK_OK(ctx, hd_sort(ctx, x, out_of(r, HD_F32, N), HD_VIEWS(key, out_of(r, HD_I32, N)), NULL));
    CHECK_OK(ctx, hd_sort(ctx, key, out_of(r, HD_I32, N), HD_NO_VALUES,
                          &(hd_sort_options){.comparison = above}));
    CHECK_OK(ctx, hd_top_k(ctx, x, 700, out_of(r, HD_F32, 700), HD_NO_VALUES,
                           &(hd_top_k_options){.indices = HD_REF(out_of(r, HD_I64, 700))}));
    CHECK_OK(ctx, hd_compact(ctx, key, out_of(r, HD_I32, N), HD_VIEW(&count, 1),
                             &(hd_compact_options){.flags = HD_REF(HD_VIEW(d->word, N))}));
    CHECK_OK(ctx,
             hd_unique(ctx, HD_VIEW(d->word, N), out_of(r, HD_U16, N), HD_VIEW(&count, 1), NULL));
    CHECK_OK(ctx, hd_shuffle(ctx, key, out_of(r, HD_I32, N), NULL));
    CHECK_OK(ctx, hd_list_rank(ctx, HD_VIEW(d->next, N), out_of(r, HD_I32, N), NULL));
}

static void check_moves(hd_context *ctx, const data *d, results *r)
{
    const hd_view index = HD_VIEW(d->index, N), x = HD_VIEW(d->x, N);
    CHECK_OK(ctx, hd_gather(ctx, x, index, out_of(r, HD_F32, N), NULL));
    CHECK_OK(ctx, hd_scatter(ctx, x, index, out_of(r, HD_F32, N), NULL));
    CHECK_OK(ctx, hd_scatter(ctx, x, index, out_of(r, HD_F32, N),
                             &(hd_scatter_options){.combine = HD_SUM}));
    CHECK_OK(ctx, hd_histogram(ctx, HD_VIEW(d->index, N), out_of(r, HD_U32, N), NULL));
    CHECK_OK(ctx, hd_histogram(ctx, HD_VIEW(d->word, N), out_of(r, HD_U32, 65536), NULL));
    CHECK_OK(ctx, hd_histogram(ctx, HD_VIEW(d->index, N), out_of(r, HD_F32, BINS),
                               &(hd_histogram_options){.weights = HD_REF(x)}));
    CHECK_OK(ctx, hd_reduce(ctx, x, HD_SUM, out_of(r, HD_F32, 1), NULL));
    CHECK_OK(ctx, hd_scan(ctx, x, HD_SUM, out_of(r, HD_F32, N), NULL));
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(d->key, N), HD_MAX, out_of(r, HD_I32, N), NULL));
}

static hd_view image(hd_view v, int64_t rows, int64_t columns)
{
    v.ndim = 2;
    v.shape[0] = rows, v.shape[1] = columns;
    v.stride[0] = columns, v.stride[1] = 1;
    return v;
}

static void check_neighbours(hd_context *ctx, const data *d, results *r)
{
    static const float mask[5] = {1, -2, 3, 0.5f, 7};
    static const int64_t offsets[] = {-1, 0, 0, -1, 0, 0, 0, 1, 1, 0};
    static const double weights[] = {0.25, 0.25, -1.5, 0.25, 0.125};
    const hd_view in = image(HD_VIEW(d->x, ROWS_2D * COLUMNS), ROWS_2D, COLUMNS);
    const hd_view line = HD_VIEW(d->x, N), row = HD_VIEW(mask, 5);
    const int64_t all = ROWS_2D * COLUMNS;
    CHECK_OK(ctx, hd_transpose(ctx, in, image(out_of(r, HD_F32, all), COLUMNS, ROWS_2D), NULL));
    CHECK_OK(ctx, hd_convolve(ctx, line, row, out_of(r, HD_F32, N), NULL));
    CHECK_OK(ctx, hd_stencil(ctx, in, image(HD_VIEW(offsets, 10), 5, 2), HD_VIEW(weights, 5),
                             image(out_of(r, HD_F32, all), ROWS_2D, COLUMNS),
                             &(hd_stencil_options){.iterations = 7}));
    CHECK_OK(ctx, hd_blur(ctx, image(HD_VIEW((uint8_t *)d->word, all), ROWS_2D, COLUMNS), 3,
                          image(out_of(r, HD_U8, all), ROWS_2D, COLUMNS), NULL));
}

// All results of a context, one after another.
static void run_larger(hd_context *ctx, const data *d, results *r)
{
    memset(r->at, 0, ROOM);
    r->used = 0;
    check_orders(ctx, d, r);
    check_moves(ctx, d, r);
    check_neighbours(ctx, d, r);
}

static data make_data(void)
{
    uint64_t state = check_seed();
    data d = {check_memory(N * 4), check_memory(N * 4), check_memory(N * 4), check_memory(N * 4),
              check_memory(N * 2)};
    int32_t *order = check_memory(N * 4);
    check_fill(HD_F32, d.x, N, CHECK_ORDINARY, 5);
    for (int32_t i = 0; i < N; i++) {
        d.key[i] = (int32_t)(check_next(&state) >> 40) - (1 << 22);
        d.index[i] = (int32_t)check_below(&state, N);
        d.word[i] = (uint16_t)(check_next(&state) >> 56);
        order[i] = i;
    }
    for (int32_t i = N - 1; i > 0; i--) {
        const int32_t j = (int32_t)check_below(&state, i + 1), kept = order[i];
        order[i] = order[j], order[j] = kept;
    }
    for (int32_t i = 0; i < N; i++) d.next[order[i]] = order[i + 1 < N ? i + 1 : i];
    free(order);
    return d;
}

static void check_larger(hd_context *ctx, hd_context *serial)
{
    data d = make_data();
    results got = {check_memory(ROOM), 0}, want = {check_memory(ROOM), 0};
    run_larger(ctx, &d, &got);
    run_larger(serial, &d, &want);
    CHECK(got.used == want.used, "%zu, %zu", got.used, want.used);
    for (size_t at = 0; at < got.used; at += 64)
        if (memcmp(got.at + at, want.at + at, 64) != 0) {
            CHECK(false, "results differ from byte %zu on with HEDDLE_TUNE=%s", at,
                  getenv("HEDDLE_TUNE"));
            break;
        }
    free(got.at), free(want.at);
    free(d.key), free(d.index), free(d.next), free(d.x), free(d.word);
}

static void check_draw(int number)
{
    hd_context *serial = check_open(HD_SERIAL, 1, NULL);
    hd_context *ctx = check_open(HD_CPU, number % 2 ? 3 : 6, NULL);
    check_values(number);
    check_larger(ctx, serial);
    check_archive(ctx, number);
    hd_close(ctx);
    hd_close(serial);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        check_draw(atoi(argv[1]));
        return check_finish();
    }
    check_table();
    check_settings();
    const int draws = getenv("HEDDLE_TEST_ALL") != NULL ? 20 : 3; // least, greatest, random
    for (int k = 0; k < draws; k++) {
        char name[16];
        snprintf(name, sizeof name, "%d", k);
        apart_run(argv[0], name, set_draw, k);
    }
    return check_finish();
}
