// SPDX-License-Identifier: Apache-2.0
// Elements of any size moved along one or two axes of any steps (in bytes): what the kernels of
// simd/ have no case for.
#ifndef HEDDLE_CPU_MOVE_BLOCK_COPY_H
#define HEDDLE_CPU_MOVE_BLOCK_COPY_H

#include <stdint.h>
#include <string.h>

// Element j of row i is at i * row_step + j * step.
typedef struct hd__cpu_block {
    char *at;
    int64_t row_step, step;
} hd__cpu_block;

static inline __attribute__((always_inline)) void
hd__cpu_copy_block_of(hd__cpu_block out, hd__cpu_block in, int64_t rows, int64_t columns,
                      size_t size)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            memcpy(out.at + i * out.row_step + j * out.step, in.at + i * in.row_step + j * in.step,
                   size);
}

// rows x columns elements from in to out, which are apart. The usual sizes are constants, so that
// the copy of one is a load and a store.
static inline void hd__cpu_copy_block(hd__cpu_block out, hd__cpu_block in, int64_t rows,
                                      int64_t columns, size_t size)
{
    switch (size) {
    case 1: hd__cpu_copy_block_of(out, in, rows, columns, 1); break;
    case 2: hd__cpu_copy_block_of(out, in, rows, columns, 2); break;
    case 3: hd__cpu_copy_block_of(out, in, rows, columns, 3); break;
    case 4: hd__cpu_copy_block_of(out, in, rows, columns, 4); break;
    case 6: hd__cpu_copy_block_of(out, in, rows, columns, 6); break;
    case 8: hd__cpu_copy_block_of(out, in, rows, columns, 8); break;
    case 12: hd__cpu_copy_block_of(out, in, rows, columns, 12); break;
    case 16: hd__cpu_copy_block_of(out, in, rows, columns, 16); break;
    case 24: hd__cpu_copy_block_of(out, in, rows, columns, 24); break;
    case 32: hd__cpu_copy_block_of(out, in, rows, columns, 32); break;
    default: hd__cpu_copy_block_of(out, in, rows, columns, size);
    }
}

#endif
