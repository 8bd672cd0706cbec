// SPDX-License-Identifier: Apache-2.0
// What the files of the cpu backend's sort share: the sorter of one call, the ways to sort, and
// arrays that are moved as a whole.
#ifndef HEDDLE_CPU_SORT_SORT_H
#define HEDDLE_CPU_SORT_SORT_H

#include "patterns/sort/sort.h"
#include "cpu/runtime/progress.h"
#include "cpu/runtime/cpu.h"
#include "sort_kernels.h"

typedef struct hd__cpu_sorter {
    hd_context *ctx;
    hd__cpu_progress *progress;
    const hd__cpu_sort_kernels *kernels;
    const hd__cpu_record_kernels *r; // of the kind of records
    hd__cpu_records_load *load;
    hd__cpu_records_store *store;
    hd__cpu_sort_io io;
    int low;           // the lowest bit of a record's word that belongs to the key
    uint64_t greatest; // word of a float there can be, its low bits cut off; 0: no float
    bool direct;       // records are the keys as they lie
    // The same for records of the keys alone, which is all that a look or a count needs.
    const hd__cpu_record_kernels *key_r;
    hd__cpu_records_load *key_load;
    bool key_direct;
    int threads;
} hd__cpu_sorter;

// A look at all keys (rising, falling, NaN), whose bits count from the key's lowest, whatever the
// records. memory has hd__cpu_measure_bytes.
size_t hd__cpu_measure_bytes(const hd__cpu_sorter *s);
hd__cpu_measure hd__cpu_measure_keys(const hd__cpu_sorter *s, int64_t n, void *memory);

// Elements at .. at + n - 1, sorted in one block by one thread, or in buckets by all.
bool hd__cpu_sorts_in_one_block(const hd__cpu_sorter *s, int64_t n);
size_t hd__cpu_sort_block_bytes(const hd__cpu_sorter *s, int64_t n);
void hd__cpu_sort_block(const hd__cpu_sorter *s, int64_t at, int64_t n, void *memory);
size_t hd__cpu_msd_radix_bytes(const hd__cpu_sorter *s, int64_t n);
hd_status hd__cpu_msd_radix_sort(const hd__cpu_sorter *s, int64_t at, int64_t n,
                                 const hd__cpu_measure *known, void *memory);
// Sample sort, by the `bits` bits of the records' words from `shift` on, above which all are the
// same. False: the keys are not spread well, and nothing is written.
size_t hd__cpu_sample_sort_bytes(const hd__cpu_sorter *s, int64_t n);
bool hd__cpu_sample_sort(const hd__cpu_sorter *s, int64_t at, int64_t n, int shift, int bits,
                         void *memory);

// The slices of a call that are sorted on their own: segments between offsets (known to be good),
// or rows of one length. Their first .. first + n - 1 bounds; the elements before `first` and from
// `last` on, which belong to none; the longest of them.
typedef struct hd__cpu_segments {
    const hd__sort_job *job;
    bool rows;
    int64_t count;
} hd__cpu_segments;
hd__cpu_segments hd__cpu_segments_of(const hd__sort_job *job);
void hd__cpu_segment_bounds(const hd__cpu_segments *g, int64_t first, int64_t n, int64_t *to);
void hd__cpu_outside_segments(const hd__cpu_segments *g, int64_t *first, int64_t *last);
int64_t hd__cpu_longest_segment(const hd__sort_job *job);
size_t hd__cpu_sort_segments_bytes(const hd__cpu_sorter *s, int64_t longest);
hd_status hd__cpu_sort_segments(const hd__cpu_sorter *s, const hd__sort_job *job, int64_t longest,
                                void *memory);

// The whole call where keys have a comparison (comparison_sort.c).
hd_status hd__cpu_comparison_sort(hd_context *ctx, const hd__sort_job *job);

// ---- Arrays -----------------------------------------------------------------------------------

// An array without gaps: a view's own memory, or a copy of it.
typedef struct hd__cpu_staged {
    const hd_view *view;
    void *data;
    size_t bytes; // of a copy; 0: the view's own
} hd__cpu_staged;

hd_status hd__cpu_stage_in(hd_context *ctx, const hd_view *view,
                           hd__cpu_staged *s); // with its elements
hd_status hd__cpu_stage_out(hd_context *ctx, const hd_view *view,
                            hd__cpu_staged *s);                      // without them
void hd__cpu_stage_commit(hd_context *ctx, const hd__cpu_staged *s); // a copy goes to the view
void hd__cpu_stage_end(hd_context *ctx, hd__cpu_staged *s);

// out[i] = in[i]; out[i] = in[n - 1 - i]; out[i] = in[order[i]] (order: u32 if wide is false, else
// u64), where out is not in for the last; `size` bytes each, all threads.
void hd__cpu_copy_all(hd_context *ctx, void *out, const void *in, int64_t n, size_t size);
void hd__cpu_copy_reversed(hd_context *ctx, void *out, const void *in, int64_t n, size_t size);
void hd__cpu_permute_values(hd_context *ctx, void *out, const void *in, const void *order,
                            bool wide, int64_t n, size_t size);

#endif
