// SPDX-License-Identifier: Apache-2.0
// The sources of a scatter partitioned by the bucket of their destination, stably: one thread can
// then work on a bucket alone, in near memory, first source first.
#ifndef HEDDLE_CPU_MOVE_SCATTER_BUCKETS_H
#define HEDDLE_CPU_MOVE_SCATTER_BUCKETS_H

#include "cpu/runtime/progress.h"
#include "patterns/move/scatter.h"

#define HD__CPU_SCATTER_BUCKETS_MAX 256  // the most of scatter_buckets_max
#define HD__CPU_SOURCE_TILE         1024 // sources read at a time

typedef struct hd__cpu_sources {
    const hd__scatter_job *job;
    int threads, chunks, shift,
        buckets;         // sources are cut into chunks, a few for each of many threads
    bool lifts;          // values are nodes, else elements
    size_t value_bytes;  // of an element, or of a node
    size_t record_bytes; // of an offset within its bucket, u32, and a value
    int64_t begin, end;  // the sources of this round
    char *records;       // of the round
    int64_t *starts;     // chunk t's records of bucket k begin at [k * chunks + t]
    char *tiles;         // a thread's room for a tile
    size_t tile_bytes;
    int64_t *bad; // a chunk's first bad source of all rounds, or -1
    hd__cpu_progress *progress;
} hd__cpu_sources;

// Fills in all but `begin` and `end`, from job and threads, for rounds of up to `most` sources;
// says how much memory that takes, and lays it out.
size_t hd__cpu_sources_plan(hd__cpu_sources *s, const hd__scatter_job *job, int threads,
                            int64_t most, hd__cpu_progress *progress);
void hd__cpu_sources_layout(hd__cpu_sources *s, void *memory, int64_t most);

// Partitions sources begin .. end - 1. A call that ends meanwhile leaves any records.
void hd__cpu_sources_partition(hd__cpu_sources *s);

// The same of the buckets: whether bucket k of the round is to be done.
static inline bool hd__cpu_sources_go_on(const hd__cpu_sources *s, int64_t k)
{
    const double done = 0.6 + 0.4 * (double)k / (double)s->buckets;
    const int64_t n = s->job->in.n;
    return hd__cpu_goes_on_in(s->progress, 0, 1000,
                              s->begin + (int64_t)(done * (double)(s->end - s->begin)), n);
}

// Bucket k's records, and how many there are.
static inline const char *hd__cpu_sources_of(const hd__cpu_sources *s, int64_t k, int64_t *count)
{
    const int64_t first = s->starts[k * s->chunks];
    *count = s->starts[(k + 1) * s->chunks] - first;
    return s->records + (size_t)first * s->record_bytes;
}

// Reports the first bad source.
void hd__cpu_sources_report(const hd__cpu_sources *s);

#endif
