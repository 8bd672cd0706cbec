// SPDX-License-Identifier: Apache-2.0
//
// The rows of expressions of n numbers: in one row, and in parentheses. Peers: the text, which ends
// with a byte 0. GB/s counts its bytes.
#include "algorithm_row.h"

#include <heddle_algorithms.h>
#include <stdio.h>
#include <stdlib.h>

static const bench_case cases[] = {
    {"row", "u8", "", PEER_OTHER_OP, PEER_U8, PEER_F64, NULL, NULL},
    {"nested", "u8", "", PEER_OTHER_OP, PEER_U8, PEER_F64, NULL, NULL},
};

typedef struct state {
    algorithm_row row;
    hd_view text, value;
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_status status = hd_evaluate(row->ctx, s->text, s->value, NULL);
    if (status) row->status = status;
}

// Each number, and a "(" before it or a ")" behind it where that keeps less than 60 open.
static int64_t write_text(char *text, int64_t n, bool nested)
{
    static const char ops[] = "+-*/";
    int64_t at = 0, depth = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t r = data_mix((uint64_t)i);
        if (i > 0) text[at++] = nested ? ops[r % 2] : ops[r % 4];
        if (nested && depth < 60 && r >> 8 & 1) text[at++] = '(', depth++;
        at += sprintf(text + at, "%d.%d", (int)(r >> 16 & 255), (int)(r >> 24 & 7) + 1);
        if (nested && depth > 0 && r >> 9 & 1) text[at++] = ')', depth--;
    }
    while (depth-- > 0) text[at++] = ')';
    text[at] = 0;
    return at;
}

// The definition: a recursive descent, sum and product.
static double sum_of(const char **at);
static double factor_of(const char **at)
{
    if (**at != '(') return strtod(*at, (char **)at);
    ++*at;
    const double value = sum_of(at);
    ++*at;
    return value;
}

static double product_of(const char **at)
{
    double value = factor_of(at);
    while (**at == '*' || **at == '/') {
        const char op = *(*at)++;
        const double other = factor_of(at);
        value = op == '*' ? value * other : value / other;
    }
    return value;
}

static double sum_of(const char **at)
{
    double value = product_of(at);
    while (**at == '+' || **at == '-') {
        const char op = *(*at)++;
        const double other = product_of(at);
        value = op == '+' ? value + other : value - other;
    }
    return value;
}

static bool prepare(data *d, bench_row *row)
{
    state *s = algorithm_begin(row, d, "evaluate", sizeof *s);
    if (!s) return false;
    char *text = algorithm_array(&s->row, 9 * row->job.n + 64, 1);
    algorithm_output(row, d, 1);
    if (s->row.no_memory) return false;
    const int64_t bytes = write_text(text, row->job.n, row->what->op[0] == 'n');
    const char *at = text;
    *(double *)s->row.want = sum_of(&at);
    s->text = HD_VIEW((uint8_t *)text, bytes);
    s->value = HD_VIEW((double *)d->out, 1);
    algorithm_input(&s->row, 0, text, PEER_U8, bytes);
    algorithm_peak(row, PEAK_READ, bytes, bytes);
    row->heddle = call;
    return true;
}

static const int64_t sizes[] = {1 << 12, 1000003, 1 << 22, 0};

const bench_pattern pattern_evaluate = {
    .name = "evaluate",
    .formula = "bytes of text",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 16,
    .prepare = prepare,
    .finish = algorithm_finish,
};
