// SPDX-License-Identifier: Apache-2.0
//
// What heddle scan and its check share: the options, and the state of one run.
#ifndef HEDDLE_CLI_PATTERNS_SCAN_H
#define HEDDLE_CLI_PATTERNS_SCAN_H

#include "io/array.h"
#include "io/writer.h"
#include "cli/run/result.h"
#include "cli/args/options.h"
#include "cli/run/verify.h"

typedef struct scan_args {
    const char *op, *segments, *keys, *init, *out_type, *output, *values_out, *accumulate;
    arg_int axis, ddof;
    file_options file;
    context_options run;
    bool exclusive, backward, monotone, verify, json, hex, residual, bound;
} scan_args;

typedef struct scan_run {
    scan_args args;
    const char *file;
    hd_context *ctx;
    const hd_operator *op;
    io_read_options read;
    io_reader reader;
    io_array in, segments, keys;
    _Alignas(16) unsigned char init[16]; // an element of any plain type
    hd_scan_options options;
    hd_type element, type;
    verifier verifier;
    int64_t count;
    double seconds;
    result result;
    hd_view owned[2]; // of hd_alloc
} scan_run;

// What the table of options cannot say: which of them go together. An exit code.
int scan_check_args(const scan_args *a, const hd_operator *op, const char *file);

// Checks a result, or the next chunk of one that is streamed. Returns an exit code, having printed
// which element is wrong. values: what argmin or argmax found, else unset.
int scan_check(scan_run *s, hd_view in, hd_view out, hd_view values);

#endif
