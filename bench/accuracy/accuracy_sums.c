// SPDX-License-Identifier: Apache-2.0
// Methods of summation that others use, written from their descriptions; the exact one from
// src/bits/exact.h.
#include <math.h>

#include "accuracy.h"
#include "bits/exact.h"

// ---- Both types ---------------------------------------------------------------------------------

#define REAL        float
#define OF(name)    name##_f32
#define BIN_BITS    13
#define GREATEST_AT 128 // an exponent above the greatest number's
#define FORMAT                                                                                     \
    (exact_format)                                                                                 \
    {                                                                                              \
        24, -149                                                                                   \
    }
#include "accuracy_sums_body.h"

#define REAL        double
#define OF(name)    name##_f64
#define BIN_BITS    40
#define GREATEST_AT 1024
#define FORMAT                                                                                     \
    (exact_format)                                                                                 \
    {                                                                                              \
        53, -1074                                                                                  \
    }
#include "accuracy_sums_body.h"

const accuracy_method accuracy_methods[] = {
    {"plain loop", loop_f32, loop_f64},
    {"NumPy, pairwise", pairwise_f32, pairwise_f64},
    {"Kahan", kahan_f32, kahan_f64},
    {"Neumaier", neumaier_f32, neumaier_f64},
    {"ReproBLAS, CCCL: 3 bins", binned_f32, binned_f64},
    {"exact, rounded (fsum)", rounded_f32, rounded_f64},
    {NULL, NULL, NULL},
};
