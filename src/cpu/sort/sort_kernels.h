// SPDX-License-Identifier: Apache-2.0
// The contract of the kernels that sort. Keys become records: unsigned words whose order is that
// of the keys, with one value of up to 8 bytes (or the index) beside them. Kernels know one kind of
// record and no threads; which digits, buckets and threads there are is the business of
// src/cpu/sort/.
#ifndef HEDDLE_CPU_SORT_SORT_KERNELS_H
#define HEDDLE_CPU_SORT_SORT_KERNELS_H

#include "core/types.h"

// How a key's bits u become a word: u ^ (sign of u ? negative : 0) ^ flip. Magnitudes above
// infinity are NaN: they become the greatest word of all.
typedef struct hd__cpu_key_form {
    uint64_t negative, flip, infinity;
    uint8_t bytes;
    bool truth; // any byte but 0 is 1
} hd__cpu_key_form;

typedef enum hd__cpu_record_kind {
    HD__CPU_KEY32,         // u32: a key of up to 4 bytes
    HD__CPU_KEY64,         // u64: a key of 8 bytes
    HD__CPU_KEY32_VALUE32, // u64: a key of up to 4 bytes above a value of up to 4
    HD__CPU_KEY64_VALUE64, // two u64: key, value
    HD__CPU_RECORD_KINDS
} hd__cpu_record_kind;

// Where records come from and go to: arrays without gaps.
typedef struct hd__cpu_sort_io {
    hd__cpu_key_form form;
    hd__cpu_record_kind kind;
    const void *keys, *value;   // value NULL: the index, or none
    void *keys_out, *value_out; // may be NULL
    uint8_t value_bytes;        // 0: none
} hd__cpu_sort_io;

// Elements start .. start + n - 1 into records, and records into the outputs from start on.
typedef void hd__cpu_records_load(const hd__cpu_sort_io *io, int64_t start, int64_t n,
                                  void *records);
typedef void hd__cpu_records_store(const hd__cpu_sort_io *io, int64_t start, int64_t n,
                                   const void *records);

// What a look at records shows; starts as {0, true, true, true, false}.
typedef struct hd__cpu_measure {
    uint64_t varies;    // the bits in which words differ
    bool rising;        // none is below the one before it
    bool falling;       // each is below the one before it
    bool nonincreasing; // none is above the one before it
    bool top;           // one is the greatest there can be: a NaN, where the keys are floats
} hd__cpu_measure;

// Records into buckets: bucket_of[word >> shift & mask]; cursor[b] is where its next one goes.
typedef struct hd__cpu_buckets {
    int shift;
    uint64_t mask;
    const uint16_t *of;
    int64_t *cursor;
    // Only where lines are collected: the first place of each bucket, a line of 64 bytes for each.
    const int64_t *start;
    void *lines;
} hd__cpu_buckets;

// Records distributed to buckets without counting them first: each bucket has a chain of chunks,
// which one thread takes from its pool as they fill.
typedef struct hd__cpu_distributor {
    int shift;
    uint64_t mask;
    const uint16_t *of;
    unsigned char *pool; // aligned to chunk_bytes, a power of two
    size_t chunk_bytes;
    uint32_t used;                  // chunks taken
    uint32_t *after;                // of each chunk: the next of its chain
    uint32_t *first, *last, *count; // of each bucket: its chunks
    void **next; // of each bucket: where its next record goes; at a start of a chunk it needs one
} hd__cpu_distributor;

typedef struct hd__cpu_span {
    const void *records;
    int64_t n;
} hd__cpu_span;

// What one thread needs to sort a bucket by counting.
typedef struct hd__cpu_counting_sort_scratch {
    void *rows;      // 2 HD__CPU_SPREAD_MAX records and HD__CPU_SPREAD_PAD bytes
    uint8_t *counts; // 2^HD__CPU_SPREAD_BITS
    uint8_t *ranks;  // HD__CPU_SPREAD_MAX
    uint16_t *bases; // 2^HD__CPU_SPREAD_BITS
} hd__cpu_counting_sort_scratch;

#define HD__CPU_SPREAD_MAX  40960
#define HD__CPU_SPREAD_BITS 15
#define HD__CPU_SPREAD_PAD  512

typedef struct hd__cpu_record_kernels {
    size_t bytes;
    // low: the lowest bit of the word that belongs to the key; greatest: its ones, from there on
    // (0: no matter)
    void (*measure)(const void *records, int64_t n, int low, uint64_t greatest, hd__cpu_measure *m);
    // counts, two tables of mask + 1 each: their sum is how often each digit occurs
    void (*count)(const void *records, int64_t n, int shift, uint64_t mask, uint32_t *counts);
    void (*fill)(void *records, int64_t n, uint64_t word); // n times the same
    void (*scatter)(const void *records, int64_t n, const hd__cpu_buckets *b, void *to);
    // The same by way of whole lines of memory; `to` is aligned to them. At last flush_lines.
    void (*scatter_lines)(const void *records, int64_t n, const hd__cpu_buckets *b, void *to);
    void (*flush_lines)(const hd__cpu_buckets *b, int64_t buckets, void *to);
    void (*distribute)(const void *records, int64_t n, hd__cpu_distributor *d);
    // Sorts a bucket of n records in chunks into `out`, if it has at most HD__CPU_SPREAD_MAX and
    // they are spread evenly enough; words differ below bit `high` only. False: out is as it was.
    // May be NULL.
    bool (*counting_sort)(const hd__cpu_span *spans, int64_t n, int high, int low,
                          const hd__cpu_counting_sort_scratch *room, void *out);
    // Sorts n records in caches; returns where they are then: records or spare. counts has room
    // for HD__CPU_BLOCK_COUNTS.
    void *(*block)(void *records, void *spare, int64_t n, int low, uint32_t *counts);
    // Sorts each of m neighbouring segments, whose bounds are offsets[0 .. m] less base, in place.
    void (*segments)(void *records, void *spare, const int64_t *offsets, int64_t m, int64_t base,
                     int low, uint32_t *counts);
} hd__cpu_record_kernels;

#define HD__CPU_DIGIT_BITS   11
#define HD__CPU_BLOCK_COUNTS (3 << HD__CPU_DIGIT_BITS)
#define HD__CPU_LINE_BYTES   64

typedef struct hd__cpu_sort_kernels {
    const hd__cpu_record_kernels *records[HD__CPU_RECORD_KINDS];
    hd__cpu_records_load *load[HD__CPU_RECORD_KINDS][4]; // by the logarithm of the key's bytes
    hd__cpu_records_store *store[HD__CPU_RECORD_KINDS][4];
} hd__cpu_sort_kernels;

#endif
