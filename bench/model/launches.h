// SPDX-License-Identifier: Apache-2.0
//
// The table of launches, and the data they run on: the same bytes on the model and on a GPU.
#ifndef HEDDLE_BENCH_MODEL_LAUNCHES_H
#define HEDDLE_BENCH_MODEL_LAUNCHES_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_ARGUMENTS 12

typedef struct launch_argument {
    char variable[32]; // of the module, or "": the kernel's next parameter
    char type;         // 'i', 'u', 'f'
    int bytes;         // of an element
    bool number;       // its value is in bits
    uint64_t bits;
    char contents[16];
    int64_t count, limit;
} launch_argument;

typedef struct launch_row {
    char name[48], file[32], kernel[48];
    int grid[3], block[3];
    int64_t shared;
    int argument_count;
    launch_argument arguments[MAX_ARGUMENTS];
} launch_row;

// Reads the rows of a table whose name is `only` (NULL: all). Returns how many, or -1: a message
// was printed. The rows are the caller's to free.
int launches_read(const char *path, const char *only, launch_row **rows);

// Whether the launch begins with bytes in this memory, and those bytes.
bool argument_is_written(const launch_argument *a);
void argument_fill(const launch_argument *a, void *data);

// One number for some bytes, to compare results by.
uint64_t bytes_sum(const void *data, int64_t bytes);

#endif
