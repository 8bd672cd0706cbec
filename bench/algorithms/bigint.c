// SPDX-License-Identifier: Apache-2.0
//
// The rows of big numbers of n limbs of 64 bits: sums and differences of random ones, a sum whose
// carry runs through all limbs, and comparisons of numbers that differ in their lowest limb. Peers:
// a, b. GB/s counts bytes of a and b read and of out written; the peak is the fastest triad or
// read.
#include "algorithm_row.h"

#include <heddle_algorithms.h>
#include <string.h>

static const bench_case cases[] = {
    {"add", "u64", "", PEER_OTHER_OP, PEER_U64, PEER_U64, HD_SUM, NULL},
    {"add", "u64", "one long carry", PEER_OTHER_OP, PEER_U64, PEER_U64, HD_SUM, NULL},
    {"subtract", "u64", "", PEER_OTHER_OP, PEER_U64, PEER_U64, HD_SUM, NULL},
    {"compare", "u64", "", PEER_OTHER_OP, PEER_U64, PEER_I64, HD_SUM, NULL},
};

typedef struct state {
    algorithm_row row;
    hd_view b;
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const char op = row->what->op[0];
    const hd_status status = op == 'a' ? hd_bigint_add(row->ctx, row->in, s->b, row->out, NULL)
                             : op == 's'
                                 ? hd_bigint_subtract(row->ctx, row->in, s->b, row->out, NULL)
                                 : hd_bigint_compare(row->ctx, row->in, s->b, row->out, NULL);
    if (status) row->status = status;
}

// The definition: limb after limb.
static void define(const bench_row *row, const uint64_t *a, const uint64_t *b)
{
    const state *s = row->state;
    uint64_t *want = s->row.want, carry = 0;
    const char op = row->what->op[0];
    for (int64_t i = 0; i < row->job.n; i++) {
        if (op == 'a') {
            const uint64_t sum = a[i] + b[i], all = sum + carry;
            carry = sum < a[i] || all < sum;
            want[i] = all;
        } else if (op == 's') {
            want[i] = a[i] - b[i] - carry;
            carry = a[i] < b[i] || (a[i] == b[i] && carry);
        } else if (a[i] != b[i])
            want[0] = a[i] > b[i] ? 1 : UINT64_MAX;
    }
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n, size = (int64_t)sizeof(uint64_t);
    const char op = row->what->op[0];
    state *s = algorithm_begin(row, d,
                               op == 'a'   ? "bigint-add"
                               : op == 's' ? "bigint-subtract"
                                           : "bigint-compare",
                               sizeof *s);
    if (!s) return false;
    uint64_t *a = d->in, *b = algorithm_array(&s->row, n, sizeof *b);
    algorithm_output(row, d, op == 'c' ? 1 : n);
    if (s->row.no_memory) return false;
    for (int64_t i = 0; i < n; i++) {
        a[i] = data_mix((uint64_t)i), b[i] = data_mix((uint64_t)(i + n));
        if (op == 'c') b[i] = a[i];
        if (row->what->variant[0]) b[i] = ~a[i]; // every limb hands the carry on
    }
    if (op == 'c') b[0] = ~a[0];
    if (row->what->variant[0]) a[0] |= 1, b[0] |= 1;
    s->b = HD_VIEW(b, n);
    algorithm_input(&s->row, 0, a, PEER_U64, n);
    algorithm_input(&s->row, 1, b, PEER_U64, n);
    if (op == 'c')
        algorithm_peak(row, PEAK_READ, 2 * n * size, 2 * n * size);
    else
        algorithm_peak(row, PEAK_TRIAD, 3 * n * size, n * size);
    algorithm_on_device(row, 1, &s->b);
    row->peak_other = b;
    row->heddle = call;
    define(row, a, b);
    return true;
}

static const int64_t sizes[] = {1 << 16, 3000001, 1 << 22, 0};

const bench_pattern pattern_bigint = {
    .name = "bigint",
    .formula = "bytes of both numbers read and of the result written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 16,
    .prepare = prepare,
    .finish = algorithm_finish,
};
