// SPDX-License-Identifier: Apache-2.0
// What a backend gets of hd_list_rank, hd_list_scan and hd_forest_roots, and the links of lists as
// all backends read them.
#ifndef HEDDLE_PATTERNS_LIST_LIST_H
#define HEDDLE_PATTERNS_LIST_LIST_H

#include "core/backend.h"

typedef enum hd__list_what {
    HD__LIST_RANKS,  // links to the last node
    HD__LIST_PLACES, // links from the first node
    HD__LIST_ORDER   // the index of a node where lists lie one after another
} hd__list_what;

// Filled by the backend.
typedef struct hd__list_counts {
    int64_t lists, steps, work;
    int64_t nodes; // where they were found from the heads of the job
} hd__list_counts;

typedef struct hd__list_job {
    const char *call; // "hd_list_rank", for errors
    hd_view next;
    const uint8_t *marks; // n of them: which elements are nodes; NULL: all, or
    hd_view heads;        // those that can be reached from these, not checked yet; or empty
    hd_view out;          // any integer type; elements that are no nodes receive -1
    hd__list_what what;
    hd_list_method method;
    int64_t
        *offsets; // HD__LIST_ORDER: receives where each list begins, and the end; room for n + 1
    hd_view offsets_to; // of the device instead, without the end; room for n
    hd__list_counts *counts;
} hd__list_job;

typedef struct hd__forest_job {
    hd_view parent, out, depth; // depth may be empty
    hd__list_counts *counts;
} hd__forest_job;

// out[destination[i]] = in[i], or, where it gathers, out[i] = in[destination[i]]; they are all
// different, and -1 where there is nothing to move.
typedef struct hd__permute_job {
    const int64_t *destination;
    hd_view in, out; // one dimension
    bool gathers;
} hd__permute_job;

// Links start .. start + m - 1 of n: the index of another node, i itself for the last node of a
// list (whichever way it is written), or HD__BAD_LINK.
#define HD__BAD_LINK ((int64_t)-1)
void hd__read_links(const hd_view *next, int64_t start, int64_t m, int64_t *links);

// Looks through all links (as read; elements that marks leave out are not looked at) for what is no
// list, one thread, and fails with the node. heads, n of them or NULL, receives which nodes no
// other links to.
hd_status hd__check_lists(hd_context *ctx, const hd__list_job *job, const int64_t *links,
                          uint8_t *heads);

// HD_ERROR_VALUE where head k, which is node `at`, is none of n.
hd_status hd__check_head(hd_context *ctx, const char *call, int64_t k, int64_t at, int64_t n);

// The same for forests: bad links and circles.
hd_status hd__check_forest(hd_context *ctx, const hd__forest_job *job, const int64_t *links);

// For backends that found a fault on their way: reads the links again and fails with the node.
hd_status hd__explain_lists(hd_context *ctx, const hd__list_job *job);
hd_status hd__explain_forest(hd_context *ctx, const hd__forest_job *job);

// ceil(log2 n): the jumps that reach over n nodes.
static inline int hd__jumps(int64_t n)
{
    int jumps = 0;
    while (((int64_t)1 << jumps) < n) jumps++;
    return jumps;
}

#endif
