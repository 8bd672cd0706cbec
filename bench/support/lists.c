// SPDX-License-Identifier: Apache-2.0
//
// Reads lists.
#include "lists.h"
#include "mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LOG_MAX 40

// Random sizes: from 2^10 to 2^28.
#define RANDOM_MIN 10
#define RANDOM_MAX 28

int list_has(const char *list, const char *word)
{
    if (!list) return 1;
    const size_t length = strlen(word);
    for (const char *p = list;; p++) {
        const size_t part = strcspn(p, ",");
        if (part == length && strncasecmp(p, word, length) == 0) return 1;
        p += part;
        if (!*p) return 0;
    }
}

static int by_size(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// What follows "random:".
static int sizes_draw(const char *text, int64_t *sizes, int most)
{
    char *end;
    if (*text < '0' || *text > '9') return -1;
    const long count = strtol(text, &end, 10);
    uint64_t seed = 1;
    if (*end == ':' && end[1] >= '0' && end[1] <= '9') seed = strtoull(end + 1, &end, 10);
    if (*end || count < 1 || count > most) return -1;
    for (long k = 0; k < count; k++) {
        const uint64_t bits = data_mix(data_mix(seed) + (uint64_t)k) >> 11;
        const double logarithm = RANDOM_MIN + (RANDOM_MAX - RANDOM_MIN) * (double)bits * 0x1p-53;
        sizes[k] = (int64_t)exp2(logarithm);
    }
    qsort(sizes, (size_t)count, sizeof *sizes, by_size);
    return (int)count;
}

int sizes_read(const char *text, int64_t *sizes, int most)
{
    if (strncmp(text, "random:", 7) == 0) return sizes_draw(text + 7, sizes, most);
    int count = 0;
    for (const char *p = text;; p++) {
        char *end;
        if (*p < '0' || *p > '9' || count == most) return -1;
        long long n = strtoll(p, &end, 10);
        if (n == 2 && *end == '^') {
            if (end[1] < '0' || end[1] > '9') return -1;
            const long k = strtol(end + 1, &end, 10);
            if (k > LOG_MAX) return -1;
            n = 1LL << k;
        }
        if (n < 1 || n > 1LL << LOG_MAX || (*end && *end != ',')) return -1;
        sizes[count++] = n;
        if (!*end) return count;
        p = end;
    }
}
