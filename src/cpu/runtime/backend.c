// SPDX-License-Identifier: Apache-2.0
// What the cpu backend supplies, and when threads pay.
#include "cpu.h"

// Bytes from which a second thread pays for its start. On a Neoverse V1 one core sums 128 KiB in
// 1.7 us and two in 2.5; at 256 KiB it is 3.6 and 3.1.
#define BYTES_FOR_THREADS (192 * 1024)

const hd__backend hd__cpu_backend = {
    .name = "cpu",
    .id = HD_CPU,
    .run =
        {
#define PATTERN(name, NAME) [HD__##NAME##_PATTERN] = hd__cpu_##name,
#include "core/patterns.def"
#undef PATTERN
        },
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

#define HEAVY 4 // times the time of a plain element, about what users' operators take

size_t hd__work_size(const hd__reader *in)
{
    const bool light = in->direct && in->fold->op != HD__USER_OP;
    return in->fold->element_size * (light ? 1 : HEAVY);
}
