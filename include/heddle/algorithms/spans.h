// SPDX-License-Identifier: Apache-2.0
// hd_allocate_spans: requests served from pools by scans. Part of heddle_algorithms.h.
#ifndef HEDDLE_SPANS_H
#define HEDDLE_SPANS_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// Who gets what where a pool is too small for all. In every policy requests are looked at in their
// order, and a request for nothing is met.
//
//   partial    first come: the request at which the pool runs out gets what is left of it, those
//              after it nothing
//   in order   whole requests only: the first that does not fit, and all after it, get nothing
//   skip       whole requests only: one that does not fit is passed over, and those after it that
//              fit in what is left are met
//   all        all requests of a pool are met, or none of them
typedef enum hd_spans_policy {
    HD_SPANS_PARTIAL = 0,
    HD_SPANS_IN_ORDER,
    HD_SPANS_SKIP,
    HD_SPANS_ALL,
    HD_SPANS_POLICIES
} hd_spans_policy;

typedef struct hd_spans_options {
    size_t size;    // sizeof(hd_spans_options), or 0: its size in version 0.1
    int32_t policy; // hd_spans_policy
    uint32_t reserved_32;
    // m + 1 offsets (any integer type), never falling, from 0 to n: the requests offset[j] ..
    // offset[j + 1] - 1 are served from pool j. NULL: there is one pool
    const hd_view *segments;
    const hd_view *origins; // where each pool begins, shaped as pools, any integer type; NULL: at 0
    const hd_view *granted; // receives how much each request gets; i64, shaped as wants
    const hd_view *left;    // receives what is left of each pool; i64, shaped as pools
    const hd_view *unmet;   // receives the indices of the requests that get less than they want, in
                            // their order: i64, room for all of them (n is enough)
    const hd_view *unmet_count; // one i64, receives how many these are
    const hd_view *rounds;      // one i64, receives how many times the requests were looked at; the
                                // cores then take the patterns' way, also where one look is enough
} hd_spans_options;

// starts[i] = origin + granted[0] + ... + granted[i - 1], over the requests of the same pool: where
// the span of request i begins, granted[i] long. So spans lie one after another, from the pool's
// begin on, and the exclusive scan of what is granted says where. A slice of bread for each guest,
// a place for each tent, a buffer for each thread are
//
//     int64_t wants[10] = {3, 5, 2, 7, 28, 4, 3, 0, 8, 1}, bread = 100, cut[10], left;
//     hd_allocate_spans(ctx, HD_VIEW(wants, 10), HD_VIEW(&bread, 1), HD_VIEW(cut, 10),
//                       &(hd_spans_options){.left = HD_REF(HD_VIEW(&left, 1))});
//     // cut: 0 3 8 10 17 45 49 52 52 60, left: 39
//
// wants are n integers of any type in one dimension, pools one integer, or one for each segment;
// starts are i64, shaped as wants. A want that lacks room has an empty span; it begins where the
// next one does.
//
//   Method      partial, in order, all: a scan of the wants, a function of it, and a scan of what
//               is granted; work O(n), O(log n) steps. skip: with 2^k <= left < 2^(k + 1), requests
//               below 2^k fit until less than 2^k is left, and of the others at most one does
//               until then; a scan finds which comes first. So a round lowers k (Anderson, Mayr and
//               Warmuth 1989): at most 63 rounds, of O(n) work each. The cores look at the
//               requests of a pool one after another, at several pools side by side.
//   Aliasing    no output may overlap an input or another output.
//   Exactness   exact: the result of looking at one request after another. Sums of wants may pass
//               2^63.
//   Cost        a round of the first three reads the wants twice and writes 16 bytes a request;
//               one of skip reads 60 bytes a request. Scratch: 16 bytes a request, 24 with
//               segments.
//   Returns     HD_ERROR_VALUE for a want or a pool that is negative or above 2^63 - 1 (the text
//               names the first), offsets that fall or do not go from 0 to n, and an origin whose
//               pool ends above 2^63 - 1; HD_ERROR_SHAPE, HD_ERROR_TYPE, HD_ERROR_ARGUMENT for a
//               policy that is none, and the usual ones.
HD_API HD__CHECKED hd_status hd_allocate_spans(hd_context *ctx, hd_view wants, hd_view pools,
                                               hd_view starts, const hd_spans_options *options);

// A policy's name ("in-order"), or NULL; the policy of a name, or -1.
HD_API const char *hd_spans_policy_name(hd_spans_policy policy);
HD_API int32_t hd_spans_policy_named(const char *name);

#ifdef __cplusplus
}
#endif

#endif
