// SPDX-License-Identifier: Apache-2.0
// The counters of all threads: where they lie, how they are cleared, and their sums.
#include "histogram.h"

#define LINE 64 // tables have a multiple of so many counters

size_t hd__cpu_counters_bytes(hd__cpu_counters *s, int64_t bins, int threads)
{
    s->threads = threads;
    s->bins = bins;
    s->words = bins <= hd__cpu_tune.histogram_word_counters_max;
    s->table = ((size_t)bins + LINE) / LINE * LINE; // one more than bins at least
    s->tables = bins <= hd__cpu_tune.histogram_spread_max ? HD__CPU_COUNTER_TABLES : 1;
    s->wide = (s->words ? (size_t)s->tables : 1) * s->table * sizeof(uint32_t);
    s->bytes = hd__padded(s->wide + (s->words ? 0 : (size_t)s->tables * s->table));
    return hd__padded((size_t)threads * sizeof *s->of_thread) + (size_t)threads * s->bytes;
}

void hd__cpu_counters_init(hd__cpu_counters *s, void *memory)
{
    s->of_thread = memory;
    s->memory = (unsigned char *)memory + hd__padded((size_t)s->threads * sizeof *s->of_thread);
}

void hd__cpu_counters_clear(const hd__cpu_counters *s, int t)
{
    unsigned char *own = s->memory + (size_t)t * s->bytes;
    s->of_thread[t] = (hd__cpu_counter_tables){.most = (uint32_t)s->bins,
                                               .step = s->tables > 1 ? s->table : 0,
                                               .wide = (uint32_t *)own,
                                               .many = s->words ? NULL : own + s->wide};
    memset(own, 0, s->wide + (s->words ? 0 : s->table));
}

static void add_words(uint32_t *restrict sums, const uint32_t *restrict x, int64_t n)
{
    for (int64_t k = 0; k < n; k++) sums[k] += x[k];
}

static void add_bytes(uint32_t *restrict sums, const uint8_t *restrict x, int64_t n)
{
    for (int64_t k = 0; k < n; k++) sums[k] += x[k];
}

void hd__cpu_counters_sum(const hd__cpu_counters *s, int64_t first, int64_t n, uint32_t *sums)
{
    memset(sums, 0, (size_t)n * sizeof *sums);
    for (int t = 0; t < s->threads; t++) {
        const hd__cpu_counter_tables *own = &s->of_thread[t];
        const size_t wide = s->words ? (size_t)s->tables : 1;
        const size_t narrow = s->words ? 0 : own->spread_once ? (size_t)s->tables : 1;
        for (size_t c = 0; c < wide; c++) add_words(sums, own->wide + c * s->table + first, n);
        for (size_t c = 0; c < narrow; c++) add_bytes(sums, own->many + c * s->table + first, n);
    }
}
