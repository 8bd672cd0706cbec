// SPDX-License-Identifier: Apache-2.0
// The parser of HEDDLE_TUNE: "name=number,name=number", separated by commas or spaces.
#include "tuning.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATORS ", "

typedef struct setting {
    const char *name;
    int name_length;
    int64_t value;
    bool is_number; // false: no '=', or no number behind it
} setting;

// Reads the setting at *at and moves *at behind it; false at the end of the text.
static bool next_setting(const char **at, setting *s)
{
    *at += strspn(*at, SEPARATORS);
    if (**at == 0) return false;
    const size_t length = strcspn(*at, SEPARATORS), name = strcspn(*at, "=" SEPARATORS);
    char *end = NULL;
    *s = (setting){.name = *at, .name_length = (int)name};
    if (name + 1 < length) {
        errno = 0;
        s->value = strtoll(*at + name + 1, &end, 10);
        s->is_number = end == *at + length && errno == 0;
    }
    *at += length;
    return true;
}

static const hd__tunable *find_row(const hd__tuning_table *table, const setting *s)
{
    for (int32_t k = 0; k < table->count; k++) {
        const char *name = table->row[k].name;
        if (strlen(name) == (size_t)s->name_length &&
            memcmp(name, s->name, (size_t)s->name_length) == 0)
            return &table->row[k];
    }
    return NULL;
}

static bool allows(const hd__tunable *row, const setting *s)
{
    const int64_t v = s->value;
    if (!s->is_number || v < row->min || v > row->max) return false;
    return row->multiple > 0 ? v % row->multiple == 0 : (v & (v - 1)) == 0;
}

void hd__tuning_read(const hd__tuning_table *table, int64_t *values)
{
    const char *at = getenv("HEDDLE_TUNE");
    setting s;
    for (int32_t k = 0; k < table->count; k++) values[k] = table->row[k].value;
    while (at != NULL && next_setting(&at, &s)) {
        const hd__tunable *row = find_row(table, &s);
        if (row != NULL && allows(row, &s)) values[row - table->row] = s.value;
    }
}

static void explain_range(const hd__tunable *row, char *why, size_t size)
{
    char kind[48] = "a number";
    if (row->multiple == 0) snprintf(kind, sizeof kind, "a power of two");
    if (row->multiple > 1)
        snprintf(kind, sizeof kind, "a multiple of %lld", (long long)row->multiple);
    snprintf(why, size, "%s: expected %s from %lld to %lld", row->name, kind, (long long)row->min,
             (long long)row->max);
}

bool hd__tuning_check(const hd__tuning_table *const *tables, int32_t count, char *why, size_t size)
{
    const char *at = getenv("HEDDLE_TUNE");
    setting s;
    while (at != NULL && next_setting(&at, &s)) {
        const hd__tunable *row = NULL;
        for (int32_t k = 0; k < count && row == NULL; k++) row = find_row(tables[k], &s);
        if (row == NULL) {
            snprintf(why, size, "there is no tuning value '%.*s'",
                     s.name_length < 60 ? s.name_length : 60, s.name);
            return false;
        }
        if (!allows(row, &s)) {
            explain_range(row, why, size);
            return false;
        }
    }
    return true;
}
