// SPDX-License-Identifier: Apache-2.0
// The tables of heddle bench --accuracy.
#include "accuracy.h"

#include <math.h>
#include <stdlib.h>

#include "bits/exact.h"

enum { MAX_ROWS = 16 };

// One sum of one set: what came, how far it is from the exact one.
typedef struct cell {
    double result, in_units, relative;
} cell;

typedef struct accuracy_row {
    const char *name;
    cell cell[ACCURACY_SETS];
} accuracy_row;

typedef struct table {
    hd_type type;
    void *x; // ACCURACY_MAX elements
    int64_t n;
    exact sum, magnitudes; // of the set at hand
    int rows;
    accuracy_row row[MAX_ROWS];
} table;

static double element(const table *t, int64_t i)
{
    return t->type == HD_F32 ? (double)((const float *)t->x)[i] : ((const double *)t->x)[i];
}

static void fill(table *t, accuracy_set set)
{
    t->n = t->type == HD_F32 ? accuracy_fill_f32(set, t->x) : accuracy_fill_f64(set, t->x);
    t->sum = t->magnitudes = (exact){{0}};
    for (int64_t i = 0; i < t->n; i++) {
        exact_add_double(&t->sum, element(t, i));
        exact_add_double(&t->magnitudes, fabs(element(t, i)));
    }
}

// ---- One sum ------------------------------------------------------------------------------------

static double ratio(double a, double b)
{
    return a == 0 ? 0 : a / b;
}

static cell judge(const table *t, double result)
{
    const exact_format f64 = {53, -1074};
    exact error = {{0}}, sum = t->sum;
    cell c = {.result = result};
    if (!isfinite(result)) return c;
    exact_add_double(&error, result);
    exact_subtract(&error, &t->sum);
    exact_absolute(&error);
    exact_absolute(&sum);
    const double off = exact_round(&error, f64), u = ldexp(1, t->type == HD_F32 ? -24 : -53);
    c.in_units = ratio(off, u * exact_round(&t->magnitudes, f64));
    c.relative = ratio(off, exact_round(&sum, f64));
    return c;
}

static hd_status reduce(const table *t, hd_context *ctx, const hd_operator *op, double *result)
{
    double out = 0;
    float single = 0;
    const bool f32 = t->type == HD_F32;
    const hd_status status =
        hd_reduce(ctx, HD_VIEW_OF(t->type, t->x, t->n), op,
                  HD_VIEW_OF(t->type, f32 ? (void *)&single : (void *)&out, 1), NULL);
    *result = f32 ? (double)single : out;
    return status;
}

// The tree of f64 over f32 elements, its result rounded once.
static hd_status reduce_wide(const table *t, hd_context *ctx, double *result)
{
    double out = 0;
    const hd_status status =
        hd_reduce(ctx, HD_VIEW_OF(t->type, t->x, t->n), HD_SUM, HD_VIEW(&out, 1), NULL);
    *result = (double)(float)out;
    return status;
}

// ---- All sums -----------------------------------------------------------------------------------

static accuracy_row *next_row(table *t, int *k, const char *name)
{
    accuracy_row *r = &t->row[(*k)++];
    r->name = name;
    t->rows = *k;
    return r;
}

// Operators of Heddle's that sum floats, where this library has them.
static hd_status add_own(table *t, hd_context *ctx, accuracy_set set, int *k)
{
    static const char *const operators[][2] = {{"sum", "Heddle, HD_SUM"},
                                               {"sum_compensated", "Heddle, HD_SUM_COMPENSATED"},
                                               {"sum_exact", "Heddle, HD_SUM_EXACT"}};
    hd_status status = HD_OK;
    double result = 0;
    for (size_t o = 0; o < sizeof operators / sizeof *operators && status == HD_OK; o++) {
        const hd_operator *op = hd_operator_named(operators[o][0]);
        if (op == NULL || hd_default_output(op, t->type) == HD_NONE) continue;
        status = reduce(t, ctx, op, &result);
        next_row(t, k, operators[o][1])->cell[set] = judge(t, result);
    }
    if (t->type == HD_F32 && status == HD_OK) {
        status = reduce_wide(t, ctx, &result);
        next_row(t, k, "Heddle, HD_SUM in f64")->cell[set] = judge(t, result);
    }
    return status;
}

static hd_status measure(table *t, hd_context *ctx)
{
    hd_status status = HD_OK;
    for (int set = 0; set < ACCURACY_SETS && status == HD_OK; set++) {
        int k = 0;
        fill(t, (accuracy_set)set);
        for (const accuracy_method *m = accuracy_methods; m->name != NULL; m++)
            next_row(t, &k, m->name)->cell[set] =
                judge(t, t->type == HD_F32 ? (double)m->f32(t->x, t->n) : m->f64(t->x, t->n));
        status = add_own(t, ctx, (accuracy_set)set, &k);
    }
    return status;
}

// ---- Printing -----------------------------------------------------------------------------------

static void print_head(FILE *out, const table *t, const char *what)
{
    fprintf(out, "\n%s: %s\n%-26s", hd_type_name(t->type), what, "");
    for (int set = 0; set < ACCURACY_SETS; set++) fprintf(out, " %11s", accuracy_names[set]);
    fputc('\n', out);
}

static void print_rows(FILE *out, const table *t, bool relative)
{
    for (int k = 0; k < t->rows; k++) {
        fprintf(out, "%-26s", t->row[k].name);
        for (int set = 0; set < ACCURACY_SETS; set++) {
            const cell *c = &t->row[k].cell[set];
            const double number = relative ? c->relative : c->in_units;
            if (!isfinite(c->result))
                fprintf(out, " %11s", isnan(c->result) ? "NaN" : "infinite");
            else
                fprintf(out, number == 0 ? " %11.0f" : relative ? " %11.1e" : " %11.2g", number);
        }
        fputc('\n', out);
    }
}

static void print_table(FILE *out, const table *t)
{
    print_head(out, t,
               t->type == HD_F32 ? "error in units of 2^-24 sum |x|"
                                 : "error in units of 2^-53 sum |x|");
    print_rows(out, t, false);
    print_head(out, t, "relative error");
    print_rows(out, t, true);
}

hd_status accuracy_print(FILE *out, hd_context *ctx)
{
    static const hd_type types[] = {HD_F32, HD_F64};
    hd_status status = HD_OK;
    fprintf(out, "Sums of %d numbers (overflow: of 4) against exact ones\n", ACCURACY_MAX);
    for (int k = 0; k < 2 && status == HD_OK; k++) {
        table t = {.type = types[k], .x = malloc(sizeof(double) * ACCURACY_MAX)};
        if (t.x == NULL) return hd_fail(ctx, HD_ERROR_MEMORY, "no memory for the data");
        status = measure(&t, ctx);
        if (status == HD_OK) print_table(out, &t);
        free(t.x);
    }
    return status;
}
