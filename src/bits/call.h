// SPDX-License-Identifier: Apache-2.0
//
// What the files of cases write their calls with: arrays of a run, and what its result is.
#ifndef HEDDLE_BITS_CALL_H
#define HEDDLE_BITS_CALL_H

#include "bits.h"

enum {
    BITS_ARRAYS = 24,
    BITS_VIEWS = 4, // of one run
    BITS_RAW = 3,   // elements of a result that is written bit by bit; more are digested
    BITS_ALL = HD_STRUCTURE
};

struct bits_call {
    hd_context *ctx;
    const bits_case *what;
    int64_t n;
    hd_status status; // the first that was not HD_OK
    int64_t inputs;   // arrays made by formula so far
    int arrays;
    void *array[BITS_ARRAYS];
    int views;
    hd_view view[BITS_VIEWS]; // what options point to
    // The result so far.
    int64_t elements;
    uint64_t raw[BITS_RAW], digest;
    size_t raw_size[BITS_RAW];
    uint64_t *kept; // room for all elements, or NULL
    int64_t room;
};

// The next input by formula: of the case's type and values, or of others, or of two axes.
hd_view bits_in(bits_call *call);
hd_view bits_input(bits_call *call, hd_type type, bits_values values, int64_t n);
hd_view bits_plane(bits_call *call, hd_type type, bits_values values, int64_t h, int64_t w);

// The next input of whole numbers 0 .. below - 1.
hd_view bits_below(bits_call *call, hd_type type, int64_t below, int64_t n);

// An output, all bytes zero.
hd_view bits_out(bits_call *call, hd_type type, int64_t n);
hd_view bits_out_plane(bits_call *call, hd_type type, int64_t h, int64_t w);

// Offsets of segments: from 2 on (or n), each up to 40 further, some equal, up to n - 1 or so.
hd_view bits_offsets(bits_call *call);

// Keys of n elements: runs of about eleven equal ones, of four values.
hd_view bits_keys(bits_call *call, hd_type type);

// One element of a type by formula, for init, before, value: the units of array 99.
const void *bits_one(hd_type type);

// A view where an option takes a pointer to one: it lasts as long as the call.
const hd_view *bits_keep(bits_call *call, hd_view view);

// Notes the status of the library's call; true: it went well.
bool bits_did(bits_call *call, hd_status status);

// These elements, or this number, belong to the result, after those named before.
void bits_gives(bits_call *call, hd_view view);
void bits_number(bits_call *call, int64_t number);

#endif
