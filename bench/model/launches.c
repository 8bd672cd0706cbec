// SPDX-License-Identifier: Apache-2.0
//
// Reads the table of launches and makes their data.
#include "launches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- The table ----------------------------------------------------------------------------------

static void parse_sizes(const char *text, int sizes[3])
{
    sizes[0] = sizes[1] = sizes[2] = 1;
    sscanf(text, "%d,%d,%d", &sizes[0], &sizes[1], &sizes[2]);
}

// "f32", "u8": a letter and bits.
static bool parse_type(launch_argument *a, const char **text)
{
    char *end;
    a->type = **text;
    a->bytes = (int)(strtol(*text + 1, &end, 10) / 8);
    *text = end;
    return strchr("iuf", a->type) != NULL && a->bytes > 0 && a->bytes <= 8;
}

static void parse_number(launch_argument *a, const char *text)
{
    const double value = strtod(text, NULL);
    const float narrow = (float)value;
    const int64_t whole = strtoll(text, NULL, 10);
    a->number = true;
    if (a->type != 'f')
        memcpy(&a->bits, &whole, 8);
    else if (a->bytes == 4)
        memcpy(&a->bits, &narrow, 4);
    else
        memcpy(&a->bits, &value, 8);
}

static bool parse_argument(launch_argument *a, const char *text)
{
    long long count = 0, limit = 0;
    if (*text == '@') {
        const char *is = strchr(text, '=');
        if (is == NULL || is - text > (int)sizeof a->variable) return false;
        memcpy(a->variable, text + 1, (size_t)(is - text - 1));
        text = is + 1;
    }
    if (!parse_type(a, &text)) return false;
    if (*text == '=') {
        parse_number(a, text + 1);
        return true;
    }
    const int got = sscanf(text, ":%15[a-z]:%lld:%lld", a->contents, &count, &limit);
    a->count = count, a->limit = limit;
    return got >= 2 && count > 0;
}

static bool parse_row(launch_row *r, char *line)
{
    const char *fields[6 + MAX_ARGUMENTS];
    int n = 0;
    for (char *f = strtok(line, " \t\r\n"); f != NULL && n < 6 + MAX_ARGUMENTS;
         f = strtok(NULL, " \t\r\n"))
        fields[n++] = f;
    if (n < 6) return false;
    memset(r, 0, sizeof *r);
    snprintf(r->name, sizeof r->name, "%s", fields[0]);
    snprintf(r->file, sizeof r->file, "%s", fields[1]);
    snprintf(r->kernel, sizeof r->kernel, "%s", fields[2]);
    parse_sizes(fields[3], r->grid);
    parse_sizes(fields[4], r->block);
    r->shared = atoll(fields[5]);
    for (int k = 6; k < n; k++)
        if (!parse_argument(&r->arguments[r->argument_count++], fields[k])) return false;
    return true;
}

int launches_read(const char *path, const char *only, launch_row **rows)
{
    FILE *f = fopen(path, "r");
    char line[1024];
    int count = 0;
    *rows = NULL;
    if (f == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return -1;
    }
    while (fgets(line, sizeof line, f) != NULL) {
        if (line[0] == '#' || line[0] == '\n') continue;
        launch_row *more = realloc(*rows, (size_t)(count + 1) * sizeof *more);
        if (more == NULL) break;
        *rows = more;
        if (!parse_row(&more[count], line)) {
            fprintf(stderr, "%s: row %d is wrong\n", path, count + 1);
            count = -1;
            break;
        }
        if (only == NULL || strcmp(only, more[count].name) == 0) count++;
    }
    fclose(f);
    return count;
}

// ---- Data ---------------------------------------------------------------------------------------

static uint64_t random_at(uint64_t k)
{
    uint64_t x = (k + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static void put(const launch_argument *a, void *data, int64_t k, uint64_t whole)
{
    char *at = (char *)data + k * a->bytes;
    const float narrow = (float)(whole >> 40) * 0x1p-24f;
    const double wide = (double)(whole >> 11) * 0x1p-53;
    if (a->type == 'f' && a->bytes == 4)
        memcpy(at, &narrow, 4);
    else if (a->type == 'f')
        memcpy(at, &wide, 8);
    else
        memcpy(at, &whole, (size_t)a->bytes); // little-endian hosts
}

// A permutation of 0..count-1, count a power of two: an odd factor and shifts keep it one.
static uint64_t mixed(uint64_t k, uint64_t count)
{
    const uint64_t mask = count - 1;
    int bits = 0;
    while (((uint64_t)1 << bits) < count) bits++;
    k = k * 0x9e3779b97f4a7c15u & mask;
    k ^= k >> (bits / 2);
    k = k * 0xbf58476d1ce4e5b9u & mask;
    k ^= k >> (bits / 3 + 1);
    return k;
}

bool argument_is_written(const launch_argument *a)
{
    return strcmp(a->contents, "none") != 0;
}

void argument_fill(const launch_argument *a, void *data)
{
    const bool small = strcmp(a->contents, "small") == 0;
    const bool below = strcmp(a->contents, "below") == 0;
    const bool mix = strcmp(a->contents, "mixed") == 0;
    memset(data, 0, (size_t)(a->count * a->bytes));
    if (strcmp(a->contents, "zeros") == 0 || !argument_is_written(a)) return;
    for (int64_t k = 0; k < a->count; k++) {
        const uint64_t r = random_at((uint64_t)k);
        put(a, data, k,
            small   ? r >> 56
            : below ? (r >> 20) % (uint64_t)a->limit
            : mix   ? mixed((uint64_t)k, (uint64_t)a->count)
                    : r);
    }
}

uint64_t bytes_sum(const void *data, int64_t bytes)
{
    uint64_t h = 0xcbf29ce484222325u, word;
    const char *at = data;
    for (; bytes > 0; at += 8, bytes -= 8) {
        word = 0;
        memcpy(&word, at, (size_t)(bytes < 8 ? bytes : 8));
        h = (h ^ word) * 0x100000001b3u;
        h ^= h >> 29;
    }
    return h;
}
