// SPDX-License-Identifier: Apache-2.0
//
// The tour's stops: each pattern says what it is, shows the lectures' own figures, and brings the
// rows that are checked and measured. A new pattern joins by a row in tour_stops.c.
#ifndef HEDDLE_CLI_TOUR_TOUR_H
#define HEDDLE_CLI_TOUR_TOUR_H

#include "bench/machine/peak_bandwidth.h"
#include "heddle.h"

// Something small with a known answer: fills `shown` with what came out.
typedef struct tour_example {
    const char *title;    // "scan of 3 1 7 0 4 1 6 3"
    const char *expected; // what must be shown
    void (*show)(hd_context *ctx, char *shown, size_t size);
} tour_example;

typedef struct tour_row {
    const char *title; // "sum f32"
    hd_type type, out_type;
    const hd_operator *op;
    int64_t segment; // elements in each segment; 0: no segments
    bool exclusive;
} tour_row;

// What a row works on.
typedef struct tour_arrays {
    hd_view in, out, offsets;
} tour_arrays;

typedef struct tour_stop {
    const char *name, *about;
    const tour_example *examples; // ends with a title of NULL
    const tour_row *rows;         // ends with a title of NULL
    peak_kind peak;               // what the machine could do at best over the same arrays; for
                                  // PEAK_COPY the output is no smaller than the input
    // Elements of the output for n of the input; the call itself.
    int64_t (*out_count)(const tour_row *row, int64_t n);
    hd_status (*run)(hd_context *ctx, const tour_row *row, const tour_arrays *arrays);
    void (*fill)(hd_view in); // NULL: random
} tour_stop;

// Both end with a name of NULL; a stop by its number (NULL after the last).
extern const tour_stop tour_stops[], tour_more[];
const tour_stop *tour_stop_number(int k);

// What came of a row.
typedef struct tour_outcome {
    bool right;      // the same bits as serial, at every size tried
    char wrong[200]; // what differs, or what failed
    int64_t elements, bytes;
    double seconds;          // median of one call
    double bytes_per_second; // by the formula of its peak
    double peak;             // measured, bytes per second
} tour_outcome;

// Whether the context's backend, which was asked for by name, does not have the pattern.
bool tour_absent(hd_context *ctx, const tour_stop *stop);

// Checks a row against the serial backend and then times it on n elements.
tour_outcome tour_measure(hd_context *ctx, hd_context *serial, const tour_stop *stop,
                          const tour_row *row, int64_t n);

#endif
