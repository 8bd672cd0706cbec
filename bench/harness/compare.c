// SPDX-License-Identifier: Apache-2.0
//
// Collects the times of a results file.
#include "compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double unit_ns(const char *unit)
{
    if (strcmp(unit, "us") == 0) return 1e3;
    if (strcmp(unit, "ms") == 0) return 1e6;
    if (strcmp(unit, "s") == 0) return 1e9;
    return 1;
}

static bool add_sample(timed_row *row, double ns)
{
    // Room doubles at powers of two.
    if ((row->count & (row->count - 1)) == 0) {
        const size_t room = row->count ? 2 * (size_t)row->count : 1;
        double *grown = realloc(row->samples, room * sizeof *grown);
        if (!grown) return false;
        row->samples = grown;
    }
    row->samples[row->count++] = ns;
    return true;
}

static timed_row *row_named(timed_rows *rows, const char *name)
{
    for (int64_t i = rows->count; i-- > 0;)
        if (strcmp(rows->row[i].name, name) == 0) return &rows->row[i];
    timed_row *grown = realloc(rows->row, (size_t)(rows->count + 1) * sizeof *grown);
    if (!grown) return NULL;
    rows->row = grown;
    timed_row *row = &grown[rows->count];
    memset(row, 0, sizeof *row);
    row->name = malloc(strlen(name) + 1);
    if (!row->name) return NULL;
    strcpy(row->name, name);
    rows->count++;
    return row;
}

static bool read_benchmark(timed_rows *rows, const json_value *b)
{
    const char *name = json_get_text(b, "run_name", json_get_text(b, "name", NULL));
    const double real = json_get_number(b, "real_time", 0);
    const char *type = json_get_text(b, "run_type", "iteration");
    if (!name || real <= 0 || strcmp(type, "iteration") != 0) return true;
    timed_row *row = row_named(rows, name);
    if (!row) return false;
    const json_value *samples = json_get(b, "samples");
    if (!samples || samples->kind != JSON_ARRAY || !samples->first)
        return add_sample(row, real * unit_ns(json_get_text(b, "time_unit", "ns")));
    for (const json_value *s = samples->first; s; s = s->next)
        if (s->kind == JSON_NUMBER && s->number > 0 && !add_sample(row, s->number)) return false;
    return true;
}

bool timed_rows_read(timed_rows *rows, const json_value *document, char *error, size_t error_size)
{
    *rows = (timed_rows){NULL, 0};
    const json_value *list = json_get(document, "benchmarks");
    if (!list || list->kind != JSON_ARRAY) {
        snprintf(error, error_size,
                 "expected a list \"benchmarks\", as heddle bench --json writes");
        return false;
    }
    for (const json_value *b = list->first; b; b = b->next) {
        if (read_benchmark(rows, b)) continue;
        timed_rows_free(rows);
        snprintf(error, error_size, "not enough memory");
        return false;
    }
    for (int64_t i = 0; i < rows->count; i++)
        rows->row[i].time = statistics_of(rows->row[i].samples, rows->row[i].count);
    return true;
}

void timed_rows_free(timed_rows *rows)
{
    for (int64_t i = 0; i < rows->count; i++) free(rows->row[i].name), free(rows->row[i].samples);
    free(rows->row);
    *rows = (timed_rows){NULL, 0};
}

const timed_row *timed_rows_find(const timed_rows *rows, const char *name)
{
    for (int64_t i = 0; i < rows->count; i++)
        if (strcmp(rows->row[i].name, name) == 0) return &rows->row[i];
    return NULL;
}
