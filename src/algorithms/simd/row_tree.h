// SPDX-License-Identifier: Apache-2.0
// The one tree over the entries of a row, node by node, for sums of type REAL. Included with
//
//     NAME(x)      names of the type
//     ENTRY(i)     entry i of e, which is of type NAME(entries)
//     NAME(behind) (e, n): e without its first n entries
#define TWO(i)   (ENTRY(i) + ENTRY((i) + 1))
#define FOUR(i)  (TWO(i) + TWO((i) + 2))
#define EIGHT(i) (FOUR(i) + FOUR((i) + 4))

// A sum of larger nodes and n % 4 entries.
static inline REAL NAME(and_few)(REAL sum, NAME(entries) e, int64_t n)
{
    if (n & 2) {
        sum += TWO(0);
        return n & 1 ? sum + ENTRY(2) : sum;
    }
    return n & 1 ? sum + ENTRY(0) : sum;
}

// n < 16 entries, to which sum is added on the left where there is any.
static inline REAL NAME(fold)(bool any, REAL sum, NAME(entries) e, int64_t n)
{
    if (n >= 8) {
        sum = any ? sum + EIGHT(0) : EIGHT(0);
        if (n & 4) sum += FOUR(8);
        return NAME(and_few)(sum, NAME(behind)(e, n & 12), n);
    }
    if (n >= 4) return NAME(and_few)(any ? sum + FOUR(0) : FOUR(0), NAME(behind)(e, 4), n);
    if (any) return NAME(and_few)(sum, e, n);
    if (n < 2) return n == 1 ? ENTRY(0) : 0;
    return n == 3 ? TWO(0) + ENTRY(2) : TWO(0);
}

// Perfect nodes so far, one for each set bit of `has`: as a binary counter adds.
typedef struct NAME(counter) {
    REAL node[64];
    uint64_t has;
} NAME(counter);

static inline void NAME(push)(NAME(counter) * c, int level, REAL node)
{
    for (; c->has >> level & 1; level++) {
        node = c->node[level] + node;
        c->has ^= UINT64_C(1) << level;
    }
    c->node[level] = node;
    c->has |= UINT64_C(1) << level;
}

// n entries behind those that the counter has.
static inline REAL NAME(rest)(NAME(entries) e, NAME(counter) * c, int64_t n)
{
    for (; n >= 16; n -= 16, e = NAME(behind)(e, 16)) NAME(push)(c, 4, EIGHT(0) + EIGHT(8));
    REAL sum = 0;
    bool any = false;
    for (uint64_t has = c->has; has != 0;) { // the largest first
        const int level = 63 - __builtin_clzll(has);
        has ^= UINT64_C(1) << level;
        sum = any ? sum + c->node[level] : c->node[level];
        any = true;
    }
    return NAME(fold)(any, sum, e, n);
}
#undef TWO
#undef FOUR
#undef EIGHT
