// SPDX-License-Identifier: Apache-2.0
//
// The table of patterns.
#include "pattern.h"

#define BENCH(name) extern const bench_pattern pattern_##name;
#include "patterns.def"
#undef BENCH

const bench_pattern *const bench_patterns[] = {
#define BENCH(name) &pattern_##name,
#include "patterns.def"
#undef BENCH
    NULL,
};
