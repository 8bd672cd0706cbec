// SPDX-License-Identifier: Apache-2.0
//
// The rows of arrays of n strings of 3 to 22 letters: compared with others of which half differ
// somewhere, searched for a pattern, sorted. Peers: offsets, bytes, the others' bytes, the pattern;
// of a search the places, of a sort the sorted bytes. GB/s counts bytes of the strings, once.
#include "algorithm_row.h"

#include <heddle_algorithms.h>
#include <stdlib.h>
#include <string.h>

static const bench_case cases[] = {
    {"compare", "u8", "", PEER_OTHER_OP, PEER_U8, PEER_I32, NULL, NULL},
    {"find", "u8", "of 2", PEER_OTHER_OP, PEER_U8, PEER_I64, NULL, "qu"},
    {"find", "u8", "of 4", PEER_OTHER_OP, PEER_U8, PEER_I64, NULL, "abcd"},
    {"sort", "u8", "", PEER_OTHER_OP, PEER_U8, PEER_U8, NULL, NULL},
};

typedef struct state {
    algorithm_row row;
    int64_t *offset, *offset_out, n, all, count;
    uint8_t *bytes, *other;
    hd_view offsets, of, others, pattern, out;
} state;

static void call(bench_row *row)
{
    state *s = row->state;
    const char op = row->what->op[0];
    hd_status status;
    if (op == 'c')
        status =
            hd_strings_compare(row->ctx, s->offsets, s->of, s->offsets, s->others, s->out, NULL);
    else if (op == 'f')
        status = hd_strings_find(row->ctx, s->of, s->pattern, s->out, HD_VIEW(&s->count, 1), NULL);
    else
        status = hd_strings_sort(row->ctx, s->offsets, s->of, HD_VIEW(s->offset_out, s->n + 1),
                                 s->out, NULL);
    if (status) row->status = status;
}

static bool fill(state *s)
{
    s->offset = algorithm_array(&s->row, s->n + 1, 8);
    s->offset_out = algorithm_array(&s->row, s->n + 1, 8);
    if (s->row.no_memory) return false;
    for (int64_t i = 0; i < s->n; i++)
        s->offset[i + 1] = s->offset[i] + 3 + (int64_t)(data_mix((uint64_t)i) % 20);
    s->all = s->offset[s->n];
    s->bytes = algorithm_array(&s->row, s->all, 1), s->other = algorithm_array(&s->row, s->all, 1);
    if (s->row.no_memory) return false;
    for (int64_t i = 0; i < s->all; i++)
        s->bytes[i] = s->other[i] = (uint8_t)('a' + data_mix((uint64_t)(i + (1 << 30))) % 26);
    for (int64_t i = 0; i < s->n; i += 2)
        s->other[s->offset[i] + (int64_t)(data_mix((uint64_t)i) % 3)] = 'z';
    return true;
}

// ---- Definitions ----------------------------------------------------------------------------

static void define_compare(const state *s)
{
    int32_t *want = s->row.want;
    for (int64_t i = 0; i < s->n; i++) {
        int64_t k = s->offset[i];
        while (k < s->offset[i + 1] && s->bytes[k] == s->other[k]) k++;
        want[i] = k == s->offset[i + 1] ? 0 : s->bytes[k] < s->other[k] ? -1 : 1;
    }
}

static int64_t define_find(const state *s, const char *pattern, int64_t *want)
{
    const int64_t m = (int64_t)strlen(pattern);
    int64_t count = 0;
    for (int64_t i = 0; i + m <= s->all; i++)
        if (s->bytes[i] == (uint8_t)pattern[0] && memcmp(s->bytes + i, pattern, (size_t)m) == 0)
            want[count++] = i;
    return count;
}

typedef struct word {
    const uint8_t *bytes;
    size_t length;
} word;

static int compare_words(const void *a, const void *b)
{
    const word *x = a, *y = b;
    const int order = memcmp(x->bytes, y->bytes, x->length < y->length ? x->length : y->length);
    return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

static bool define_sort(state *s)
{
    word *words = algorithm_array(&s->row, s->n, sizeof *words);
    if (words == NULL) return false;
    for (int64_t i = 0; i < s->n; i++)
        words[i] = (word){s->bytes + s->offset[i], (size_t)(s->offset[i + 1] - s->offset[i])};
    qsort(words, (size_t)s->n, sizeof *words, compare_words);
    uint8_t *to = s->row.want;
    for (int64_t i = 0; i < s->n; i++) {
        memcpy(to, words[i].bytes, words[i].length);
        to += words[i].length;
    }
    return true;
}

static bool define(const bench_row *row, const int64_t *places)
{
    state *s = row->state;
    if (row->what->op[0] == 'c') define_compare(s);
    if (row->what->op[0] == 'f') memcpy(s->row.want, places, (size_t)s->row.want_n * 8);
    return row->what->op[0] != 's' || define_sort(s);
}

static bool prepare(data *d, bench_row *row)
{
    static const char *const works[] = {"strings-compare", "strings-find", "strings-sort"};
    const char op = row->what->op[0], *pattern = row->what->detail;
    state *s = algorithm_begin(row, d, works[op == 'c' ? 0 : op == 'f' ? 1 : 2], sizeof *s);
    if (!s) return false;
    s->n = row->job.n;
    if (!fill(s)) return false;
    int64_t found = 0, *places = op == 'f' ? algorithm_array(&s->row, s->all, 8) : NULL;
    if (s->row.no_memory) return false;
    if (op == 'f') found = define_find(s, pattern, places);
    algorithm_output(row, d, op == 'c' ? s->n : op == 'f' ? found : s->all);
    if (s->row.no_memory) return false;
    s->offsets = HD_VIEW(s->offset, s->n + 1), s->of = HD_VIEW(s->bytes, s->all);
    s->others = HD_VIEW(s->other, s->all);
    s->out = hd_view_of(op == 'c' ? HD_I32 : op == 'f' ? HD_I64 : HD_U8, d->out, s->row.want_n);
    algorithm_input(&s->row, 0, s->offset, PEER_I64, s->n + 1);
    algorithm_input(&s->row, 1, s->bytes, PEER_U8, s->all);
    algorithm_input(&s->row, 2, s->other, PEER_U8, s->all);
    if (op == 'f') {
        s->pattern = HD_VIEW((const uint8_t *)pattern, (int64_t)strlen(pattern));
        algorithm_input(&s->row, 3, pattern, PEER_U8, (int64_t)strlen(pattern));
    }
    algorithm_peak(row, PEAK_READ, s->all, s->all);
    row->heddle = call;
    return define(row, places);
}

static const int64_t sizes[] = {1 << 12, 1000003, 1 << 22, 0};

const bench_pattern pattern_strings = {
    .name = "strings",
    .formula = "bytes of the strings, once",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 24,
    .prepare = prepare,
    .finish = algorithm_finish,
};
