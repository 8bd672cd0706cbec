// SPDX-License-Identifier: Apache-2.0
// hd_maximum: the methods of the parallel random access machine (PRAM), executed and counted.
// Part of heddle_teaching.h.
#ifndef HEDDLE_MAXIMUM_H
#define HEDDLE_MAXIMUM_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// The methods. A step is one that all processors take together; the work is the operations all of
// them do; processors are the most that work in one step. With lg = log2, exactly:
//
//   sequential   one processor, n - 1 comparisons one after another:
//                    steps n - 1, work n - 1, processors 1
//   square       (concurrent reads and common writes) every pair at once: flags set, each element
//                that another beats loses its flag, the one that kept it is the greatest:
//                    steps 3, work n^2 + 2n, processors n^2             (n = 1: nothing to do)
//   tree         a tournament: neighbours in pairs, winners again:
//                    steps ceil(lg n), work n - 1, processors floor(n / 2)
//   double log   the doubly logarithmic tree of Shiloach and Vishkin: pairs, pairs of winners, and
//                from then on groups of 4, 16, 256, 65536, ..., as many as there are processors
//                for, each by the square method. Rounds k = 1, 2, ... leave m(k) = ceil(m(k-1) / g)
//                of m(0) = n, with g = 2, 2, 4, 16, 256, ..., until one is left. In the first two a
//                group of q costs q - 1, in any other q^2 + 2q; a group of one costs nothing:
//                    steps 1 for each of the first two rounds, 3 for any other; work the sum over
//                    all groups, O(n lg lg n); processors the most comparisons in one round
//   cascade      accelerated cascading: groups of q = max(1, floor(lg floor(lg n))) one after
//                another, a processor for each, then the doubly logarithmic tree over the
//                w = ceil(n / q) winners:
//                    steps min(q, n) - 1 more, work n - w more, O(n); processors at least w
typedef enum hd_maximum_method {
    HD_MAXIMUM_CASCADE = 0,
    HD_MAXIMUM_SEQUENTIAL,
    HD_MAXIMUM_SQUARE,
    HD_MAXIMUM_TREE,
    HD_MAXIMUM_DOUBLE_LOG,
    HD_MAXIMUM_METHODS
} hd_maximum_method;

// More elements than this the square method does not take: they would be 2^32 comparisons.
#define HD_MAXIMUM_SQUARE_MAX ((int64_t)1 << 16)

typedef struct hd_maximum_options {
    size_t size;    // sizeof(hd_maximum_options), or 0: its size in version 0.1
    int32_t method; // hd_maximum_method
    uint32_t reserved_room;
} hd_maximum_options;

typedef struct hd_maximum_result {
    int64_t index; // of the greatest in row-major order, -1 where there are no elements
    union {
        int64_t i;  // signed integers
        uint64_t u; // unsigned ones, and bool
        double f;   // floats, exactly
    } value;
    int64_t steps, work, processors; // counted while the method ran
    uint64_t reserved[8];
} hd_maximum_result;

// The greatest element of a view of numbers, by the method of the options.
//
//   Aliasing    none: the view is only read.
//   Exactness   index and value are those of hd_reduce with HD_ARGMAX, whatever the method: the
//               first NaN if there is one, else the lowest index among equals. The counts are
//               those of the formulas above.
//   Cost        what the method costs, spread over the threads of the context, and one pass that
//               reads the elements as whole numbers; up to 24 bytes an element of scratch, on
//               a GPU 28, and a launch or two a round: the call waits for them.
//               hd_reduce is the fast way; this one is for looking at methods.
//   Returns     HD_ERROR_ARGUMENT for a method that does not exist, HD_ERROR_SHAPE for more than
//               HD_MAXIMUM_SQUARE_MAX elements by the square method.
HD_API HD__CHECKED hd_status hd_maximum(hd_context *ctx, hd_view in, hd_maximum_result *result,
                                        const hd_maximum_options *options);

// A method's name ("double-log"), or NULL; the method of a name, or -1.
HD_API const char *hd_maximum_name(hd_maximum_method method);
HD_API int32_t hd_maximum_named(const char *name);

#ifdef __cplusplus
}
#endif

#endif
