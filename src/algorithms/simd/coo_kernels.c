// SPDX-License-Identifier: Apache-2.0
// The loops over coordinates for f32 and f64, columns of 32 and 64 bits (coo_body.h).
#include "coo_kernels.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Where a task's coordinates begin.
static int64_t coo_first(const hd__coordinates *c, int64_t task)
{
    const int64_t each = c->n / c->tasks, rest = c->n % c->tasks;
    return task * each + (task < rest ? task : rest);
}

static int64_t coo_bucket(const hd__coordinates *c, int64_t group)
{
    return c->buckets * group / c->groups;
}

static bool coo_rows_hold(const int32_t *row, int64_t n, int64_t rows)
{
    uint32_t most = 0;
    for (int64_t k = 0; k < n; k++) most = (uint32_t)row[k] > most ? (uint32_t)row[k] : most;
    return most < rows;
}

// A line, past the caches where that can be asked for: it is not read before it is written.
static inline void coo_store_line(void *to, const void *from)
{
#if defined(__SSE2__)
    for (int k = 0; k < HD__COO_LINE; k += 16)
        _mm_stream_si128((__m128i *)((char *)to + k),
                         _mm_load_si128((const __m128i *)((const char *)from + k)));
#else
    memcpy(to, from, HD__COO_LINE);
#endif
}

static inline void coo_stores_done(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

#define COO_NAME(x, real, column)  COO_NAMED(x, real, column)
#define COO_NAMED(x, real, column) coo_##x##_##real##_##column

#define REAL     float
#define COLUMN   int32_t
#define UNSIGNED uint32_t
#include "coo_body.h"
#undef COLUMN
#undef UNSIGNED
#define COLUMN   int64_t
#define UNSIGNED uint64_t
#include "coo_body.h"
#undef REAL
#define REAL double
#include "coo_body.h"
#undef COLUMN
#undef UNSIGNED
#define COLUMN   int32_t
#define UNSIGNED uint32_t
#include "coo_body.h"

const hd__coo_kernels *HD__OF_ISA(hd__coo_kernels)(hd_type real, bool wide)
{
    static const hd__coo_kernels *const rows[2][2] = {
        {&coo_row_float_int32_t, &coo_row_float_int64_t},
        {&coo_row_double_int32_t, &coo_row_double_int64_t}};
    return rows[real == HD_F64][wide];
}
