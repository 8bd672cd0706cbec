// SPDX-License-Identifier: Apache-2.0
// Elements to other places: blocks transposed in registers, structures to rows of fields and back.
// Only the size of an element matters here. Vectors of 16 bytes serve every instruction set: what
// these kernels wait for is memory.
#include "cpu/simd/reduce_scan/rows.h"

typedef uint64_t line __attribute__((vector_size(64), aligned(1), may_alias));

INLINE void fetch_lines(const char *at, int64_t step, int64_t rows, int64_t bytes)
{
    for (int64_t i = 0; i < rows; i++) {
        const char *row = at + i * step;
        for (int64_t k = 0; k < bytes; k += 64) __builtin_prefetch(row + k);
        __builtin_prefetch(row + bytes - 1);
    }
}

INLINE void fetch_column(const char *at, int64_t step, int64_t rows)
{
    for (int64_t i = 0; i < rows; i++) __builtin_prefetch(at + i * step);
}

// A block from the buffer to its place, a line at a time; a call of memcpy for each column costs a
// tenth of the whole.
static void copy_columns(char *out, int64_t out_step, const char *buffer, int64_t step,
                         int64_t bytes, int64_t columns)
{
    for (int64_t j = 0; j < columns; j++) {
        char *to = out + j * out_step;
        const char *from = buffer + j * step;
        if (bytes < 64) {
            memcpy(to, from, (size_t)bytes);
            continue;
        }
        for (int64_t k = 0; k + 64 <= bytes; k += 64) *(line *)(to + k) = *(const line *)(from + k);
        if (bytes % 64) *(line *)(to + bytes - 64) = *(const line *)(from + bytes - 64);
    }
}

#define T     uint8_t
#define LANES 16
#define t     1
#define LOWER(a, b)                                                                                \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define UPPER(a, b)                                                                                \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#include "layout.inc"

#define T           uint16_t
#define LANES       8
#define t           2
#define LOWER(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define UPPER(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#include "layout.inc"

#define T           uint32_t
#define LANES       4
#define t           4
#define LOWER(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define UPPER(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#include "layout.inc"

#define T           uint64_t
#define LANES       2
#define t           8
#define LOWER(a, b) __builtin_shufflevector(a, b, 0, 2)
#define UPPER(a, b) __builtin_shufflevector(a, b, 1, 3)
#include "layout.inc"

// An element of a vector's size needs no turning.
typedef uint64_t pair __attribute__((vector_size(16)));
#define T     pair
#define LANES 1
#define t     16
#include "layout.inc"

const hd__cpu_layout_kernels HD__NAME(layout_kernels) = {
    .transpose = {transpose_1, transpose_2, transpose_4, transpose_8, transpose_16},
    .transpose_lines = {NULL, NULL, transpose_lines_4, transpose_lines_8, NULL},
    .unzip = {{unzip2_1, unzip3_1, unzip4_1},
              {unzip2_2, unzip3_2, unzip4_2},
              {unzip2_4, unzip3_4, unzip4_4},
              {unzip2_8, unzip3_8, unzip4_8}},
    .zip = {{zip2_1, zip3_1, zip4_1},
            {zip2_2, zip3_2, zip4_2},
            {zip2_4, zip3_4, zip4_4},
            {zip2_8, zip3_8, zip4_8}},
};
