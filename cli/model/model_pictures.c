// SPDX-License-Identifier: Apache-2.0
//
// Lanes by banks, where a mark is coloured by the wavefront that serves it, and lanes by sectors,
// where it is coloured by how little of its sector the warp uses.
#include "model_pictures.h"

#include <stdlib.h>
#include <string.h>

#include "chart/marks.h"

#define LANES       32
#define MAX_BYTES   32                      // that a lane asks for at once
#define MAX_MARKS   (2 * LANES * MAX_BYTES) // two a byte
#define MAX_COLUMNS (2 * LANES)             // sectors that are drawn

static int32_t or_else(int32_t value, int32_t otherwise)
{
    return value > 0 ? value : otherwise;
}

static int32_t bytes_of(const hd_model_sample *s)
{
    return s->bytes < MAX_BYTES ? s->bytes : MAX_BYTES;
}

// ---- Banks --------------------------------------------------------------------------------------

// The place of a word among the words of its bank, from 1, in the order of lanes: the wavefront.
static int32_t wavefront_of(uint64_t (*words)[LANES], int32_t *count, int bank, uint64_t word)
{
    for (int32_t k = 0; k < count[bank]; k++)
        if (words[bank][k] == word) return k + 1;
    if (count[bank] < LANES) words[bank][count[bank]++] = word;
    return count[bank];
}

static int32_t mark_lane(chart_mark *m, const hd_model_sample *s, int lane, int32_t width,
                         int32_t banks, uint64_t (*words)[LANES], int32_t *count)
{
    const uint64_t first = s->address[lane] / (uint64_t)width;
    const uint64_t last = (s->address[lane] + (uint64_t)bytes_of(s) - 1) / (uint64_t)width;
    int32_t n = 0;
    for (uint64_t word = first; word <= last && n < MAX_BYTES; word++) {
        const int bank = (int)(word % (uint64_t)banks);
        const int32_t turn = wavefront_of(words, count, bank, word);
        m[n] = (chart_mark){.row = lane, .from = bank, .to = bank + 1, .level = marks_level(turn)};
        snprintf(m[n++].tip, sizeof m->tip, "lane %d, bank %d, word %llu: wavefront %d", lane, bank,
                 (unsigned long long)word, (int)turn);
    }
    return n;
}

void picture_banks(FILE *out, const hd_model_sample *s, const hd_model_options *o)
{
    static chart_mark marks[MAX_MARKS];
    static uint64_t words[64][LANES];
    int32_t counts[64] = {0}, n = 0;
    const int32_t banks = or_else(o->banks, 32), width = or_else(o->bank_bytes, 4);
    int32_t part = or_else(o->warp_lanes, LANES); // wide accesses go by parts of a warp
    while (part > 1 && part > banks * width / bytes_of(s)) part /= 2;
    for (int lane = 0; lane < LANES; lane++) {
        if (lane % part == 0) memset(counts, 0, sizeof counts);
        if (s->mask >> lane & 1) n += mark_lane(marks + n, s, lane, width, banks, words, counts);
    }
    const marks_chart chart = {.title = "lanes by banks of shared memory",
                               .rows = LANES,
                               .columns = banks,
                               .row_name = "lane",
                               .column_name = "bank",
                               .row_step = 4,
                               .column_step = banks > 16 ? 4 : 1,
                               .marks = marks,
                               .count = n};
    marks_draw(out, &chart);
}

// ---- Sectors ------------------------------------------------------------------------------------

typedef struct sectors {
    uint64_t at[LANES * MAX_BYTES]; // numbers, ascending
    int32_t used[LANES * MAX_BYTES];
    int32_t count, size;
} sectors;

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static int32_t column_of(const sectors *t, uint64_t sector)
{
    const uint64_t *found = bsearch(&sector, t->at, (size_t)t->count, sizeof *t->at, compare);
    return found != NULL ? (int32_t)(found - t->at) : -1;
}

static void find_sectors(const hd_model_sample *s, sectors *t)
{
    uint64_t bytes[LANES * MAX_BYTES];
    int32_t n = 0;
    for (int lane = 0; lane < LANES; lane++)
        for (int32_t b = 0; s->mask >> lane & 1 && b < bytes_of(s); b++)
            bytes[n++] = s->address[lane] + (uint64_t)b;
    qsort(bytes, (size_t)n, sizeof *bytes, compare);
    t->count = 0;
    for (int32_t k = 0; k < n; k++) {
        if (k > 0 && bytes[k] == bytes[k - 1]) continue;
        const uint64_t sector = bytes[k] / (uint64_t)t->size;
        if (t->count == 0 || t->at[t->count - 1] != sector) {
            t->at[t->count] = sector;
            t->used[t->count++] = 0;
        }
        t->used[t->count - 1]++;
    }
}

static int32_t mark_sectors(chart_mark *m, const hd_model_sample *s, int lane, const sectors *t)
{
    const uint64_t size = (uint64_t)t->size, begin = s->address[lane];
    const uint64_t end = begin + (uint64_t)bytes_of(s);
    int32_t n = 0;
    for (uint64_t at = begin; at < end;) {
        const uint64_t sector = at / size;
        const uint64_t stop = (sector + 1) * size < end ? (sector + 1) * size : end;
        const int32_t k = column_of(t, sector);
        if (k < 0 || k >= MAX_COLUMNS) return n;
        const int32_t level = marks_level(t->size / t->used[k]);
        // The sector that travels, and in it the bytes that were asked for.
        m[n++] = (chart_mark){.row = lane, .from = k, .to = k + 1, .level = level, .faint = true};
        m[n] = (chart_mark){.row = lane,
                            .from = k + (double)(at % size) / (double)size,
                            .to = k + (double)(at % size + stop - at) / (double)size,
                            .level = level};
        snprintf(m[n++].tip, sizeof m->tip, "lane %d, byte %llu of a sector: %d of %d bytes used",
                 lane, (unsigned long long)(at % size), (int)t->used[k], (int)t->size);
        at = stop;
    }
    return n;
}

// How far a column's sector lies behind the first one.
static void label(void *user, int32_t column, char text[32])
{
    const sectors *t = user;
    const uint64_t bytes = (t->at[column] - t->at[0]) * (uint64_t)t->size;
    if (bytes < 10000)
        snprintf(text, 32, "+%llu", (unsigned long long)bytes);
    else if (bytes < 10000000)
        snprintf(text, 32, "+%lluK", (unsigned long long)(bytes >> 10));
    else
        snprintf(text, 32, "+%lluM", (unsigned long long)(bytes >> 20));
}

static bool is_gap(void *user, int32_t column)
{
    const sectors *t = user;
    return t->at[column] != t->at[column - 1] + 1;
}

void picture_sectors(FILE *out, const hd_model_sample *s, const hd_model_options *o)
{
    static chart_mark marks[MAX_MARKS];
    static sectors t;
    int32_t n = 0;
    t.size = or_else(o->sector_bytes, 32);
    find_sectors(s, &t);
    for (int lane = 0; lane < LANES; lane++)
        if (s->mask >> lane & 1) n += mark_sectors(marks + n, s, lane, &t);
    const int32_t columns = t.count < MAX_COLUMNS ? t.count : MAX_COLUMNS;
    const marks_chart chart = {.title = "lanes by sectors of global memory",
                               .rows = LANES,
                               .columns = columns,
                               .row_name = "lane",
                               .column_name = columns < t.count
                                                  ? "sector, bytes from the first (not all drawn)"
                                                  : "sector, bytes from the first",
                               .row_step = 4,
                               .column_step = columns > 32   ? 8
                                              : columns > 10 ? 4
                                                             : 1,
                               .column_label = label,
                               .gap = is_gap,
                               .user = &t,
                               .marks = marks,
                               .count = n};
    marks_draw(out, &chart);
}
