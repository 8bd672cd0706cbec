// SPDX-License-Identifier: Apache-2.0
// What the calculators of heddle calc share: the options, and one function each. A calculator
// prints its table as text, or, where json is set, as one document.
#ifndef HEDDLE_CLI_CALC_CALC_H
#define HEDDLE_CLI_CALC_CALC_H

#include "cli/args/args.h"
#include "io/json.h"

#define CALC_MAX 64 // numbers in a list

typedef struct calc_args {
    const char *tiles, *masks, *words, *flops, *bytes;
    arg_int dimensions, banks, bank_bytes, stride, lanes, element, burst, n, threads, bins;
    arg_int arch, block, registers, shared;
    bool json;
} calc_args;

typedef struct calc_list {
    int32_t count;
    int64_t value[CALC_MAX];
} calc_list;

// The whole numbers of "16,32,64", each from least to most. Returns 0, or an exit code, having
// printed why. text NULL: the list as it is.
int calc_read_list(const char *option, const char *text, int64_t least, int64_t most,
                   calc_list *list);

int calc_tiling(const calc_args *args);
int calc_conflicts(const calc_args *args);
int calc_bursts(const calc_args *args);
int calc_work(const calc_args *args);
int calc_atomics(const calc_args *args);
int calc_occupancy(const calc_args *args);
int calc_roofline(const calc_args *args);

#endif
