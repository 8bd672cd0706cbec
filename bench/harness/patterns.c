// SPDX-License-Identifier: Apache-2.0
//
// The tables of patterns, and of algorithms built on them.
#include "pattern.h"

#define BENCH(name) extern const bench_pattern pattern_##name;
#include "patterns.def"
#include "algorithms.def"
#undef BENCH

const bench_pattern *const bench_patterns[] = {
#define BENCH(name) &pattern_##name,
#include "patterns.def"
#undef BENCH
    NULL,
};

const bench_pattern *const bench_algorithms[] = {
#define BENCH(name) &pattern_##name,
#include "algorithms.def"
#undef BENCH
    NULL,
};
