// SPDX-License-Identifier: Apache-2.0
// The job of a histogram: values on their way in, the rule that gives them bins, where counts go.
#ifndef HEDDLE_PATTERNS_HISTOGRAM_HISTOGRAM_H
#define HEDDLE_PATTERNS_HISTOGRAM_HISTOGRAM_H

#include "core/arguments.h"

typedef enum hd__bin_rule {
    HD__INTEGER_BINS,
    HD__EVEN_BINS,
    HD__EDGE_BINS,
    HD__LETTER_BINS
} hd__bin_rule;

// A rule over values of one type. A user's bin function is integer bins of its results, which the
// reader makes.
typedef struct hd__bins {
    hd__bin_rule rule;
    bool clamp;
    bool whole;   // edges: compared as i64 (those of u64 with their sign bit turned), else as f64
    hd_type type; // of the values
    int64_t count;
    int64_t first;
    double lower, upper; // even bins
    double step;         // (upper - lower) / count: edge[k] = k * step + lower
    double scale;        // count / (upper - lower): (v - lower) * scale is about v's bin
    bool crowded;        // edges are so near each other that rounding may put that half a bin off
    int32_t letters;
    union {
        const int64_t *i;
        const double *f;
    } edges; // count + 1 of them, rising
} hd__bins;

// How many bins (v - lower) * scale is wrong by at most, of even bins.
double hd__bins_off(const hd__bins *b);

// Edge k of even bins, as numpy.linspace has it. The last bin's upper edge is b->upper itself.
static inline double hd__even_edge(const hd__bins *b, double k)
{
    const double away = k * b->step;
    return away + b->lower;
}

// Values and their rule.
typedef struct hd__binned {
    hd__reader in; // gives values as they are
    hd__fold raw;  // what the reader knows of them
    hd__bins bins;
} hd__binned;

typedef struct hd__histogram_job {
    hd__binned first, second; // second only where there are two axes
    int32_t axes;             // 1 or 2
    hd__slices slices;        // HD__EVERYTHING, HD__ROWS or HD__SEGMENTS
    int32_t axis;             // rows: of every view that has the shape of in
    int64_t slice_count;      // rows or segments; of everything 1
    hd_view segments;         // their offsets
    int64_t n, bins;          // of elements; of bins in all, at most HD_MAX_BINS; of each slice
    hd_view out;              // collapsed; of rows and segments as it was given
    bool weighted, add, any_order;
    hd__reader weights; // weighted: nodes of fold
    hd__fold fold;      // SUM of the weights into out's type
    int64_t *outside;   // or NULL
    hd_view outside_to; // numbers on the device instead, or of rows or segments; or empty
} hd__histogram_job;

// Rows and segments, each a histogram of its own (histogram_slices.c). The check comes first: it
// refuses offsets that fall or leave 0 .. n. `part` is then begun once and becomes the job of one
// slice after another, whose number of those outside is given afterwards, if anybody asks.
hd_status hd__histogram_check_slices(hd_context *ctx, const hd__histogram_job *job);
void hd__histogram_begin_slices(const hd__histogram_job *job, hd__histogram_job *part);
int64_t hd__histogram_slice_length(const hd__histogram_job *job, int64_t j);
void hd__histogram_slice(const hd__histogram_job *job, int64_t j, hd__histogram_job *part);
void hd__histogram_give_outside(const hd__histogram_job *job, int64_t j, int64_t outside);

// Turns u64 into i64 of the same order.
#define HD__TURN_SIGN ((uint64_t)1 << 63)

#endif
