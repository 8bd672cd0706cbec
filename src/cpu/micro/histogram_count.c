// SPDX-License-Identifier: Apache-2.0
// The loops that count: bins into tables, bytes, words.
#include "histogram.h"

void HD__NAME(count_bins)(const uint32_t *k, int64_t n, uint32_t *tables, int64_t stride,
                          int copies)
{
    int64_t i = 0;
    if (copies == 4) {
        uint32_t *t0 = tables, *t1 = t0 + stride, *t2 = t1 + stride, *t3 = t2 + stride;
        for (; i + 4 <= n; i += 4) t0[k[i]]++, t1[k[i + 1]]++, t2[k[i + 2]]++, t3[k[i + 3]]++;
    }
    for (; i < n; i++) tables[k[i]]++;
}

void HD__NAME(count_bytes)(const uint8_t *x, int64_t n, uint32_t *counts, void *scratch)
{
    (void)scratch;
    for (int64_t i = 0; i < n; i++) counts[x[i]]++;
}

void HD__NAME(count_words)(const uint16_t *x, int64_t n, uint32_t *counts, void *scratch)
{
    (void)scratch;
    for (int64_t i = 0; i < n; i++) counts[x[i]]++;
}
