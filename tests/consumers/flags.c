// SPDX-License-Identifier: Apache-2.0
// Holds the texts of flags_texts.c, compiled with many sets of flags, against the same arithmetic
// in volatile variables. Each row of rows.inc (flags.sh writes it) says what is to come of one set:
// "ok", the promised bits on every backend; else a flag that every refusal has to name.
#include <stdio.h>
#include <string.h>

#include "flags_exactly.h"

static int failures;

typedef struct {
    const char *flags, *expected;
    const texts *set;
} row;

// ---- Checks -----------------------------------------------------------------------------------

static void complain(const row *r, const char *what, const char *got)
{
    printf("%s: %s: expected %s, got %s\n", r->flags, what, r->expected, got);
    failures++;
}

static void expect(const row *r, hd_context *ctx, const char *what, hd_status status,
                   const void *got, const void *want, size_t bytes)
{
    if (strcmp(r->expected, "ok") != 0) {
        const bool named = status == HD_ERROR_OPERATOR && strstr(hd_error(ctx), r->expected);
        if (!named || strstr(hd_error(ctx), what) == NULL)
            complain(r, what, status == HD_OK ? "HD_OK" : hd_error(ctx));
    } else if (status != HD_OK) {
        complain(r, what, hd_error(ctx));
    } else if (got != NULL && memcmp(got, want, bytes) != 0) {
        complain(r, what, "other bits");
    }
}

static void expect_operator(const row *r, hd_context *serial, hd_context *ctx,
                            const hd_operator *op, const hd_operator *exact, const void *in,
                            void *got, void *want)
{
    const size_t size = hd_type_size(op->type);
    hd_scan(serial, HD_VIEW_OF(op->type, in, COUNT), exact, HD_VIEW_OF(op->type, want, COUNT),
            NULL);
    hd_status s =
        hd_scan(ctx, HD_VIEW_OF(op->type, in, COUNT), op, HD_VIEW_OF(op->type, got, COUNT), NULL);
    expect(r, ctx, op->name, s, got, want, COUNT * size);
    s = hd_reduce(ctx, HD_VIEW_OF(op->type, in, COUNT), op, HD_VIEW_OF(op->type, got, 1), NULL);
    expect(r, ctx, op->name, s, got, (char *)want + (COUNT - 1) * size, size);
}

static void expect_function(const row *r, hd_context *ctx, const hd_function *f)
{
    const hd_view x = HD_VIEW(numbers, COUNT - 2);
    for (int i = 0; i < COUNT - 2; i++) {
        volatile float sum = by_f(numbers[i], numbers[i + 1]) + numbers[i + 2];
        volatile float quotient = (float)((double)sum / 3), rest = quotient - numbers[i + 2];
        number_want[i] = rest;
    }
    const hd_map_options options = {
        .with = HD_VIEWS(HD_VIEW(numbers + 1, COUNT - 2), HD_VIEW(numbers + 2, COUNT - 2))};
    const hd_status s = hd_map(ctx, x, f, HD_VIEW(number_got, COUNT - 2), &options);
    expect(r, ctx, f->name, s, number_got, number_want, sizeof(float) * (COUNT - 2));
}

static void expect_comparison(const row *r, hd_context *ctx, const hd_comparison *c)
{
    if (c == NULL) return;
    const hd_view x = HD_VIEW_OF(c->type, complexes, COUNT);
    const hd_view sorted = HD_VIEW_OF(c->type, complex_got, COUNT);
    expect(r, ctx, c->name,
           hd_sort(ctx, x, sorted, HD_NO_VALUES, &(hd_sort_options){.comparison = c}), NULL, NULL,
           0);
}

static void expect_row(const row *r, hd_context *serial, hd_context *ctx)
{
    expect_operator(r, serial, ctx, r->set->times, &exactly[0], complexes, complex_got,
                    complex_want);
    expect_operator(r, serial, ctx, r->set->turn, &exactly[1], turns, turn_got, turn_want);
    expect_operator(r, serial, ctx, r->set->rows, &exactly[2], lines, line_got, line_want);
    expect_operator(r, serial, ctx, r->set->either, &exactly[3], numbers, number_got, number_want);
    expect_function(r, ctx, r->set->shift);
    expect_comparison(r, ctx, r->set->nearer);
}

#define ROW(flags, expected, set) extern const texts set;
#include "rows.inc"
#undef ROW

int main(void)
{
    static const row rows[] = {
#define ROW(flags, expected, set) {flags, expected, &set},
#include "rows.inc"
    };
    hd_context *serial, *cpu;
    if (hd_open(&serial, &(hd_context_options){.backend = HD_SERIAL}) ||
        hd_open(&cpu, &(hd_context_options){.backend = HD_CPU, .threads = 2}))
        return 2;
    fill();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        expect_row(&rows[k], serial, serial);
        expect_row(&rows[k], serial, cpu);
    }
    printf("%zu sets of flags, %d failures\n", sizeof rows / sizeof *rows, failures);
    hd_close(serial);
    hd_close(cpu);
    return failures != 0;
}
