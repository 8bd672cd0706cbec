// SPDX-License-Identifier: Apache-2.0
//
// The rows of latency: the time of one call on a few elements, where the call itself is the cost.
#include "bench/harness/pattern.h"

#include <string.h>

static const bench_case cases[] = {
    {"sum", "i32", "reduce", PEER_SUM, PEER_I32, PEER_I32, NULL, NULL},
    {"sum", "f32", "reduce", PEER_SUM, PEER_F32, PEER_F32, NULL, NULL},
    {"sum", "i32", "scan", PEER_SUM, PEER_I32, PEER_I32, NULL, NULL},
    {"sum", "f32", "scan", PEER_SUM, PEER_F32, PEER_F32, NULL, NULL},
};

// The other patterns' rows do the work; this one only names them.
extern const bench_pattern pattern_reduce, pattern_scan;

static bool prepare(data *d, bench_row *row)
{
    const bool scan = strcmp(row->what->variant, "scan") == 0;
    if (!(scan ? &pattern_scan : &pattern_reduce)->prepare(d, row)) return false;
    row->peak_bytes = 0;
    return true;
}

static const int64_t sizes[] = {64, 1000, 0};

const bench_pattern pattern_latency = {
    .name = "latency",
    .formula = "as the pattern's",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
};
