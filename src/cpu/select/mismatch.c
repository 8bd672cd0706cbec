// SPDX-License-Identifier: Apache-2.0
// Mismatch: blocks are compared as a whole, bytes by memcmp and floats by value; only in a block
// that differs is the position looked for.
#include "patterns/select/mismatch.h"
#include "cpu/runtime/cpu.h"
#include "first_match.h"

#define T            float
#define U            uint32_t
#define NAME         f32
#define DIFFER(a, b) ((a) != (b))
#include "mismatch.inc"
#define T            double
#define U            uint64_t
#define NAME         f64
#define DIFFER(a, b) ((a) != (b))
#include "mismatch.inc"

// As floats compare: both zeros are equal, a NaN differs from everything.
#define DIFFER_HALF(a, b, INFINITE)                                                                \
    ((((a) != (b)) & ((uint16_t)(((a) | (b)) << 1) != 0)) | ((uint16_t)((a) << 1) > 2 * (INFINITE)))
#define T            uint16_t
#define U            uint16_t
#define NAME         f16
#define DIFFER(a, b) DIFFER_HALF(a, b, 0x7c00)
#include "mismatch.inc"
#define T            uint16_t
#define U            uint16_t
#define NAME         bf16
#define DIFFER(a, b) DIFFER_HALF(a, b, 0x7f80)
#include "mismatch.inc"
#define T            uint8_t
#define U            uint8_t
#define NAME         truth // bool is a macro
#define DIFFER(a, b) (((a) != 0) != ((b) != 0))
#include "mismatch.inc"

static bool any_differ(hd_type type, const void *a, const void *b, int64_t n)
{
    switch (type) {
    case HD_F32: return any_f32(a, b, n);
    case HD_F64: return any_f64(a, b, n);
    case HD_F16: return any_f16(a, b, n);
    case HD_BF16: return any_bf16(a, b, n);
    case HD_BOOL: return any_truth(a, b, n);
    default: return memcmp(a, b, (size_t)n * hd__size_of(type)) != 0;
    }
}

// Elements where they lie, or gathered.
static const char *elements_of(const hd_view *v, int64_t start, int64_t n, void *scratch)
{
    if (hd__is_contiguous(v)) return hd__at(v, start);
    hd__gather(v, start, n, scratch);
    return scratch;
}

static int64_t look(const void *any, int64_t start, int64_t n, void *scratch)
{
    const hd__mismatch_job *job = any;
    const size_t size = hd__size_of(job->type);
    int64_t chunk = hd__cpu_tune.find_chunk_bytes / (int64_t)size;
    if (chunk < 1) chunk = 1;
    char *other = (char *)scratch + hd__padded((size_t)chunk * size);
    for (int64_t done = 0; done < n; done += chunk) {
        const int64_t m = n - done < chunk ? n - done : chunk;
        const char *a = elements_of(&job->a, start + done, m, scratch);
        const char *b = elements_of(&job->b, start + done, m, other);
        if (!any_differ(job->type, a, b, m)) continue;
        for (int64_t i = 0; i < m; i++)
            if (hd__differ(job->type, a + (size_t)i * size, b + (size_t)i * size))
                return start + done + i;
    }
    return -1;
}

hd_status hd__cpu_mismatch(hd_context *ctx, const void *any, const char **why)
{
    const hd__mismatch_job *job = any;
    const int64_t size = (int64_t)hd__size_of(job->type);
    const int64_t chunk = hd__cpu_tune.find_chunk_bytes, block = hd__cpu_tune.find_block_bytes;
    (void)why; // never declines
    hd__cpu_first_match search = {.job = job, .look = look, .n = job->n};
    search.block = block / size;
    search.threads = hd__cpu_threads_for(ctx, job->n, 2 * (size_t)size);
    search.scratch_bytes = 2 * hd__padded((size_t)(chunk > size ? chunk : size));
    return hd__cpu_find_first(ctx, &search, job->position);
}
