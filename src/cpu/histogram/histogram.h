// SPDX-License-Identifier: Apache-2.0
// What the files of the cpu backend's histogram share: the bins of a block of elements, the
// counters of the threads, and the methods, a file each.
#ifndef HEDDLE_CPU_HISTOGRAM_HISTOGRAM_H
#define HEDDLE_CPU_HISTOGRAM_HISTOGRAM_H

#include "patterns/histogram/histogram.h"
#include "cpu/runtime/cpu.h"
#include "histogram_kernels.h"

// The most elements whose bins are found at a time, the most bins that are added up at a time: the
// ranges of histogram_block and histogram_merge_bins in tuning.def.
enum { HD__CPU_HISTOGRAM_BLOCK_MAX = 8192, HD__CPU_HISTOGRAM_MERGE_MAX = 4096 };

// One thread's way from elements to bins (histogram_bins.c).
typedef struct hd__cpu_binner {
    const hd__histogram_job *job;
    const hd__cpu_histogram_kernels *micro;
    unsigned char *first, *second; // scratch of the readers
    void *wide;                    // values as f64 or i64
    uint32_t *bin, *column;
} hd__cpu_binner;

size_t hd__cpu_binner_bytes(const hd__histogram_job *job);
void hd__cpu_binner_init(hd__cpu_binner *b, const hd_context *ctx, const hd__histogram_job *job,
                         void *memory);

// The bins of elements start .. start + n - 1, n <= histogram_block of tuning.def; job->bins for
// those that are outside. The pointer holds until the next call.
const uint32_t *hd__cpu_binner_bins(hd__cpu_binner *b, int64_t start, int64_t n);

// The bins of values of the first axis that lie one after another; its count for those outside.
void hd__cpu_binner_values(hd__cpu_binner *b, const void *values, int64_t n, uint32_t *to);

// Where thread t's range of n elements begins; ranges begin at multiples of 64 elements.
int64_t hd__cpu_histogram_begin(int64_t n, int threads, int t);

// out[b] = counts[b], or out[b] + counts[b], for bins first .. first + n - 1.
void hd__cpu_histogram_store(const hd__histogram_job *job, bool add, int64_t first, int64_t n,
                             const uint32_t *counts);

// out[b] of the sum of its weights, a node; what is there combines on the left if the job adds. A
// bin that no weight reached becomes +0, or keeps what is there.
void hd__cpu_histogram_store_node(const hd__histogram_job *job, int64_t b, void *node,
                                  bool reached);

// The counters of all threads (histogram_counters.c), in a block of scratch.
typedef struct hd__cpu_counters {
    int threads, tables; // of a thread: HD__CPU_COUNTER_TABLES or 1
    int64_t bins;
    bool words;
    size_t table;       // counters of a table
    size_t bytes, wide; // of a thread's tables; of those, before the tables of bytes
    unsigned char *memory;
    hd__cpu_counter_tables *of_thread; // one a thread
} hd__cpu_counters;

// Bytes for the counters of so many bins; their layout; thread t's cleared.
size_t hd__cpu_counters_bytes(hd__cpu_counters *s, int64_t bins, int threads);
void hd__cpu_counters_init(hd__cpu_counters *s, void *memory);
void hd__cpu_counters_clear(const hd__cpu_counters *s, int t);

// sums[k] = the counts of bins first + k in all threads.
void hd__cpu_counters_sum(const hd__cpu_counters *s, int64_t first, int64_t n, uint32_t *sums);

// The methods: bytes and 16-bit values by the value; very many bins; weights; weights in their
// order.
hd_status hd__cpu_histogram_small_values(hd_context *ctx, const hd__histogram_job *job, bool *done);
hd_status hd__cpu_histogram_ranges(hd_context *ctx, const hd__histogram_job *job, bool *done);
hd_status hd__cpu_histogram_weights(hd_context *ctx, const hd__histogram_job *job);
hd_status hd__cpu_histogram_sums(hd_context *ctx, const hd__histogram_job *job);

// Rows and segments (histogram_slices.c), and what threads that share them do: the methods by one
// thread, without a parallel region, in memory of the caller's. `bytes` is what jobs of up to n
// elements need that are else like this one.
hd_status hd__cpu_histogram_slices(hd_context *ctx, const hd__histogram_job *job);
size_t hd__cpu_histogram_counts_bytes(hd_context *ctx, const hd__histogram_job *job);
void hd__cpu_histogram_counts_alone(hd_context *ctx, const hd__histogram_job *job, void *memory);
// Small values: 0 bytes, and false, where they do not pay.
size_t hd__cpu_histogram_values_bytes(hd_context *ctx, const hd__histogram_job *job);
bool hd__cpu_histogram_values_alone(hd_context *ctx, const hd__histogram_job *job, void *memory);
// Weights, of jobs that one thread does well: not exact sums, and not too many bins.
bool hd__cpu_histogram_weights_are_simple(const hd__histogram_job *job);
size_t hd__cpu_histogram_weights_bytes(hd_context *ctx, const hd__histogram_job *job);
void hd__cpu_histogram_weights_alone(hd_context *ctx, const hd__histogram_job *job, void *memory);
size_t hd__cpu_histogram_sums_bytes(hd_context *ctx, const hd__histogram_job *job);
void hd__cpu_histogram_sums_alone(hd_context *ctx, const hd__histogram_job *job, void *memory);

#endif
