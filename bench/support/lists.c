// SPDX-License-Identifier: Apache-2.0
//
// Reads lists.
#include "lists.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LOG_MAX 40

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

int sizes_read(const char *text, int64_t *sizes, int most)
{
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
