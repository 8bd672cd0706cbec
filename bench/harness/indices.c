// SPDX-License-Identifier: Apache-2.0
//
// Permutations that every thread can write its part of.
#include "indices.h"

#include <stdlib.h>

static int32_t *allocate(int64_t n)
{
    return malloc((size_t)(n > 0 ? n : 1) * sizeof(int32_t));
}

// A permutation of the numbers of `bits` bits: each step can be undone.
static uint64_t scramble(uint64_t x, int bits)
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    const int half = bits / 2 + 1;
    for (int round = 0; round < 3; round++) {
        x = (x * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u) & mask;
        x ^= x >> half;
    }
    return x;
}

int32_t *indices_random(int64_t n)
{
    int32_t *index = allocate(n);
    int bits = 1;
    while ((int64_t)1 << bits < n) bits++;
#pragma omp parallel for schedule(static) if (index != NULL)
    for (int64_t i = 0; i < (index ? n : 0); i++) {
        uint64_t x = scramble((uint64_t)i, bits);
        while (x >= (uint64_t)n) x = scramble(x, bits); // walks on until it is back among the n
        index[i] = (int32_t)x;
    }
    return index;
}

int32_t *indices_in_order(int64_t n)
{
    int32_t *index = allocate(n);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < (index ? n : 0); i++) index[i] = (int32_t)i;
    return index;
}

int32_t *indices_nearly(int64_t n)
{
    int32_t *index = allocate(n);
    const int64_t whole = n / 32 * 32;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < (index ? n : 0); i++)
        index[i] = (int32_t)(i < whole ? i ^ (int64_t)(data_mix((uint64_t)(i / 32)) % 32) : i);
    return index;
}

int32_t *indices_anywhere(int64_t n, int64_t places)
{
    int32_t *index = allocate(n);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < (index ? n : 0); i++)
        index[i] = (int32_t)(data_mix((uint64_t)i) % (uint64_t)places);
    return index;
}
