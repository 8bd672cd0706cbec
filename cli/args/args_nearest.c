// SPDX-License-Identifier: Apache-2.0
//
// The name nearest to a mistyped one, by edit distance.
#include "args.h"

#include <string.h>

static int smallest(int a, int b, int c)
{
    const int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

enum { LONGEST_NAME = 32 };

// Letters to change, add or drop to get from a to b.
static int edit_distance(const char *a, const char *b)
{
    int row[LONGEST_NAME + 1];
    const int m = (int)strlen(b);
    for (int j = 0; j <= m; j++) row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            const int here = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            row[j] = smallest(row[j] + 1, row[j - 1] + 1, here);
        }
    }
    return row[m];
}

const char *args_nearest(const char *name, const char *(*names)(int k, const void *user),
                         const void *user)
{
    const char *best = NULL, *candidate;
    const size_t length = strlen(name);
    int least = length < 3 ? 2 : 3; // at least so many changes are too many
    if (length > LONGEST_NAME) return NULL;
    for (int k = 0; (candidate = names(k, user)) != NULL; k++) {
        if (strlen(candidate) > LONGEST_NAME) continue;
        const int distance = edit_distance(name, candidate);
        if (distance < least) least = distance, best = candidate;
    }
    return best;
}
