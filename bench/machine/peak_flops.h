// SPDX-License-Identifier: Apache-2.0
//
// The machine's peak of arithmetic: fused multiplications and additions in registers, of the
// widest vectors there are, on some threads.
#ifndef HEDDLE_BENCH_MACHINE_PEAK_FLOPS_H
#define HEDDLE_BENCH_MACHINE_PEAK_FLOPS_H

#include <stdbool.h>

// Does about so many operations (a fused one counts as two) in f64 or f32.
void peak_flops_run(bool wide, double flops, int threads);

#endif
