// SPDX-License-Identifier: Apache-2.0
// Binary searches of one thread: sixteen side by side, in a range that rising queries narrow.
#include "comparators.h"

enum { BATCH = 64 }; // queries looked at for being sorted

// Whether the element at x is among those that are counted for a query.
static bool counts(const hd_comparison *order, const char *x, const char *query, bool right)
{
    return right ? !hd__precedes(order, query, x) : hd__precedes(order, x, query);
}

// One query, from element `low` on in growing steps.
static int64_t search_from(const hd_comparison *order, const char *x, int64_t low, int64_t n,
                           const char *query, bool right)
{
    const size_t size = order->elements.size;
    int64_t step = BATCH, high = low;
    while (high < n && counts(order, x + (size_t)high * size, query, right)) {
        low = high + 1;
        high = n - high > step ? high + step : n;
        step *= 2;
    }
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (counts(order, x + (size_t)middle * size, query, right))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Fewer queries than go side by side: the last one several times.
static void search_small(const hd_comparison *order, const char *x, int64_t low, int64_t n,
                         const char *q, int64_t count, bool right, int64_t *out)
{
    const size_t size = order->elements.size;
    char room[HD__SEARCHES * HD_MAX_ELEMENT];
    int64_t found[HD__SEARCHES];
    for (int64_t i = 0; i < HD__SEARCHES; i++)
        memcpy(room + (size_t)i * size, q + (size_t)hd__min_of(i, count - 1) * size, size);
    order->search(x, low, n, room, right, found, order->state.data);
    memcpy(out, found, (size_t)count * sizeof *out);
}

// Queries that rise are looked for between the positions of the first and the last of their batch.
void hd__cpu_search_all(const hd_comparison *order, const char *x, int64_t n, const char *queries,
                        int64_t m, bool right, int64_t *out)
{
    const size_t size = order->elements.size;
    int64_t low = 0;
    for (int64_t j = 0; j < m; j += BATCH) {
        const char *q = queries + (size_t)j * size;
        const int64_t batch = hd__min_of(BATCH, m - j);
        int64_t high = n;
        if (j > 0 && hd__precedes(order, q, q - size)) low = 0;
        if (order->run(q, batch, false, order->state.data) == batch) {
            low = search_from(order, x, low, n, q, right);
            high = search_from(order, x, low, n, q + (size_t)(batch - 1) * size, right);
        } else {
            low = 0;
        }
        int64_t k = 0;
        for (; k + HD__SEARCHES <= batch; k += HD__SEARCHES)
            order->search(x, low, high - low, q + (size_t)k * size, right, out + j + k,
                          order->state.data);
        if (k < batch)
            search_small(order, x, low, high - low, q + (size_t)k * size, batch - k, right,
                         out + j + k);
    }
}
