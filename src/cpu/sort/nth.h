// SPDX-License-Identifier: Apache-2.0
// The radix select of one row (nth_select.c).
#ifndef HEDDLE_CPU_SORT_NTH_H
#define HEDDLE_CPU_SORT_NTH_H

#include "cpu/runtime/cpu.h"
#include "cpu/runtime/progress.h"
#include "nth_kernels.h"

// Ranks up to which rows are not sorted; with indices, which take a look at every element for each
// key.
enum { HD__CPU_NTH_MAX = 512, HD__CPU_NTH_INDEXED_MAX = 16 };

// A rank that is looked for, and what is there.
typedef struct hd__cpu_nth_target {
    int64_t rank;
    uint64_t key;
    int64_t occurrence; // elements of this key before it
    int64_t position;   // in the row; -1: not looked for, as the key says it all
} hd__cpu_nth_target;

typedef struct hd__cpu_selection {
    hd_type type;
    bool descending, indexed; // indexed: positions are wanted
    hd__cpu_nth_keys *to_keys;
    const hd__cpu_nth_loops *loops;
    const hd_comparison *order; // of keys
    size_t key_size;
    int threads;
    char *memory;  // hd__cpu_nth_thread_bytes for each
    char *keys[2]; // room for the keys of a row, twice; NULL: allocated where they are needed
    hd_view in;    // the row
    int64_t n;
    hd__cpu_nth_range range; // once measured
    bool measured;
    hd__cpu_nth_target *target;
    int64_t targets;
    hd__cpu_progress *progress; // of one row after another; NULL: rows report
    int64_t first, share;       // thousandths of the call: the row's own
} hd__cpu_selection;

size_t hd__cpu_nth_thread_bytes(void);

// Fills the range of a row.
void hd__cpu_nth_measure(hd__cpu_selection *s);

// Finds what is at the ranks, in any order, of which there are room for as many targets. Only
// without s->keys does it use the context, and can it fail, or be cancelled.
hd_status hd__cpu_nth_select(hd_context *ctx, hd__cpu_selection *s, const int64_t *ranks,
                             int64_t count);

// The target of a rank, once found.
const hd__cpu_nth_target *hd__cpu_nth_find(const hd__cpu_selection *s, int64_t rank);

// The element of a key that is no NaN.
void hd__cpu_nth_element(const hd__cpu_selection *s, uint64_t key, void *element);

#endif
