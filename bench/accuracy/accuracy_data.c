// SPDX-License-Identifier: Apache-2.0
// The data of heddle bench --accuracy, by formula.
#include <float.h>

#include "accuracy.h"

const char *const accuracy_names[ACCURACY_SETS] = {
    "uniform", "0.1", "alternating", "cancelling", "falling", "harmonic", "overflow"};

// splitmix64
static uint64_t number(int64_t i)
{
    uint64_t x = ((uint64_t)i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

#define REAL     float
#define FILL     accuracy_fill_f32
#define VALUE    value_f32
#define FRACTION 24
#define GREATEST FLT_MAX
#include "accuracy_data_body.h"

#define REAL     double
#define FILL     accuracy_fill_f64
#define VALUE    value_f64
#define FRACTION 53
#define GREATEST DBL_MAX
#include "accuracy_data_body.h"
