// SPDX-License-Identifier: Apache-2.0
// What the cpu backend supplies, and when threads pay.
#include "cpu/cpu.h"

// An OpenMP fork and join takes about as long as one core needs for this many bytes.
#define BYTES_FOR_THREADS (128 * 1024)

const hd__backend hd__cpu_backend = {
    .name = "cpu",
    .id = HD_CPU,
    .reduce = hd__cpu_reduce,
    .scan = hd__cpu_scan,
    .reduce_row = hd__cpu_reduce_row,
    .scan_row = hd__cpu_scan_row,
};

int hd__worth_threads(const hd_context *ctx, int64_t n, size_t size)
{
    const int64_t bytes = n > INT64_MAX / HD_MAX_ELEMENT ? INT64_MAX : n * (int64_t)size;
    if (bytes < BYTES_FOR_THREADS) return 1;
    const int64_t most = bytes / (BYTES_FOR_THREADS / 4);
    return most < ctx->threads ? (int)most : ctx->threads;
}
