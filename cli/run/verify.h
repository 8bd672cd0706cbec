// SPDX-License-Identifier: Apache-2.0
//
// The check of a scan that needs no second scan: every element against its predecessor and the
// input, out[i] = out[i - 1] op in[i]. Integers, min, max and logic must agree exactly. Float sums
// and products are trees, not chains, so two neighbours may differ from the chain by rounding: the
// difference allowed is (4 log2(i + 2) + 4) u m, with u half the gap after 1 in the output's type
// and m the sum of the magnitudes so far (of a product: its own magnitude). Where those magnitudes
// leave the range of the type, nothing is promised and nothing is checked.
#ifndef HEDDLE_CLI_RUN_VERIFY_H
#define HEDDLE_CLI_RUN_VERIFY_H

#include "heddle.h"

typedef union verify_number {
    uint64_t bits; // integers and bool, sign-extended
    double real;
} verify_number;

typedef struct verifier {
    int kind; // of operator, see verify.c
    hd_type element, type;
    bool exclusive;
    verify_number start;            // what an empty prefix gives
    verify_number previous, waited; // the last output; the last input, for an exclusive scan
    double magnitude, start_magnitude, unit, greatest;
    int64_t index;  // of the next element, for the text: the caller may set it
    int64_t length; // elements since the last head
    char text[256]; // after a failure: where, expected, got
} verifier;

// Whether the operator's scan can be checked so: all but mean and variance.
bool verify_takes(const hd_operator *op);

// init: one element of type, or NULL. For argmin and argmax the outputs to check are the values.
void verify_begin(verifier *v, const hd_operator *op, hd_type element, hd_type type, bool exclusive,
                  const void *init);

// The next element begins a new row or segment.
void verify_restart(verifier *v);

// The next element is not checked: an arg scan over nothing yet has no value.
void verify_skip(verifier *v, const void *in);

// Checks the next element; false if it is wrong.
bool verify_next(verifier *v, const void *in, const void *out);

#endif
