// SPDX-License-Identifier: Apache-2.0
// Counting bytes: plainly, in one table, where all values are about as frequent. Where they repeat,
// as in text, pairs of bytes are counted at half the work, and a word of eight bytes that comes
// again and again is counted at once.
#include "histogram.h"

#include "cpu/runtime/tuning.h"

#define WORDS 8 // of 64 bits, looked at together
#define CHUNK 65536

// Samples of sixteen bytes: equal ones in the same place are 1 in 256 where bytes are uniform, 16
// in 256 in text. On a Neoverse V1 pairs win from about 4 in 256 on. From a quarter on a counter of
// a pair would wait for itself, and each pair has four that are used in turn.
#define SAMPLES 16
#define LANES   16
#define LOOKS   (SAMPLES * (SAMPLES - 1) / 2 * LANES)
#define TURNS   4

// How many of LOOKS are equal.
static int repetition(const uint8_t *x, int64_t n)
{
    int equal = 0;
    if (n < SAMPLES * LANES) return 0;
    for (int i = 0; i < SAMPLES; i++)
        for (int j = 0; j < i; j++) {
            const uint8_t *a = x + n / SAMPLES * i, *b = x + n / SAMPLES * j;
            for (int k = 0; k < LANES; k++) equal += a[k] == b[k];
        }
    return equal;
}

INLINE uint64_t word_at(const uint8_t *x)
{
    uint64_t w;
    memcpy(&w, x, sizeof w);
    return w;
}

// A block that is one word again and again: true, and counted.
INLINE bool count_repeated(const uint8_t *x, uint32_t *counts)
{
    const uint64_t first = word_at(x);
    uint64_t apart = first ^ word_at(x + 8);
    if (apart != 0) return false;
    for (int g = 2; g < WORDS; g++) apart |= first ^ word_at(x + 8 * g);
    if (apart != 0) return false;
    if (first == (first & 255) * 0x0101010101010101u) {
        counts[first & 255] += 8 * WORDS;
    } else {
        for (int j = 0; j < 8; j++) counts[first >> 8 * j & 255] += WORDS;
    }
    return true;
}

static void count_evenly(const uint8_t *x, int64_t n, uint32_t *t)
{
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const uint64_t w = word_at(x + i);
        t[w & 255]++, t[w >> 8 & 255]++, t[w >> 16 & 255]++, t[w >> 24 & 255]++;
        t[w >> 32 & 255]++, t[w >> 40 & 255]++, t[w >> 48 & 255]++, t[w >> 56]++;
    }
    for (; i < n; i++) t[x[i]]++;
}

// The same where values repeat, for too few bytes to count pairs.
static void count_unevenly(const uint8_t *x, int64_t n, uint32_t (*t)[256])
{
    int64_t i = 0;
    for (; i + 8 * WORDS <= n; i += 8 * WORDS) {
        if (count_repeated(x + i, t[0])) continue;
        for (int g = 0; g < WORDS; g++) {
            const uint64_t w = word_at(x + i + 8 * g);
            t[0][w & 255]++, t[1][w >> 8 & 255]++, t[2][w >> 16 & 255]++, t[3][w >> 24 & 255]++;
            t[0][w >> 32 & 255]++, t[1][w >> 40 & 255]++, t[2][w >> 48 & 255]++, t[3][w >> 56]++;
        }
    }
    for (; i < n; i++) t[0][x[i]]++;
}

// A whole number of blocks, into pairs with so many counters. Returns all words of them, one over
// the other.
INLINE uint64_t count_pairs(const uint8_t *x, int64_t n, uint32_t *counts, uint32_t *pairs,
                            int turns)
{
    const uint64_t pair = 0xffff * (uint64_t)turns;
    const int shift = turns == 1 ? 0 : 2, step = turns == 1 ? 0 : 1;
    uint64_t seen = 0;
    for (int64_t i = 0; i < n; i += 8 * WORDS) {
        if (count_repeated(x + i, counts)) continue;
        for (int g = 0; g < WORDS; g++) {
            const uint64_t w = word_at(x + i + 8 * g);
            pairs[w << shift & pair]++, pairs[(w >> (16 - shift) & pair) + step]++;
            pairs[(w >> (32 - shift) & pair) + 2 * step]++;
            pairs[(w >> (48 - shift) & pair) + 3 * step]++;
            seen |= w;
        }
    }
    return seen;
}

// The two bytes of every pair, whichever comes first in memory; both below `end`.
INLINE void empty_pairs(const uint32_t *pairs, int turns, int end, uint32_t *counts)
{
    for (int high = 0; high < end; high++) {
        uint32_t row = 0;
        const uint32_t *p = pairs + 256 * turns * high;
        for (int low = 0; low < end; low++) {
            uint32_t sum = 0;
            for (int j = 0; j < turns; j++) sum += p[turns * low + j];
            counts[low] += sum;
            row += sum;
        }
        counts[high] += row;
    }
}

// Pairs with one counter each, and pairs with TURNS of them, in scratch.
typedef struct pair_tables {
    uint32_t *once, *turns;
    bool once_used, turns_used;
    uint64_t seen; // all words, one over the other
} pair_tables;

static void count_chunk(const uint8_t *x, pair_tables *p, bool often, uint32_t *counts)
{
    bool *used = often ? &p->turns_used : &p->once_used;
    if (!*used) memset(often ? p->turns : p->once, 0, (often ? TURNS : 1) * 65536 * 4);
    *used = true;
    p->seen |= often ? count_pairs(x, CHUNK, counts, p->turns, TURNS)
                     : count_pairs(x, CHUNK, counts, p->once, 1);
}

void HD__NAME(count_bytes)(const uint8_t *x, int64_t n, uint32_t *counts, void *scratch)
{
    uint32_t tables[4][256] = {{0}};
    pair_tables p = {.once = scratch, .turns = (uint32_t *)scratch + 65536};
    for (int64_t at = 0; at < n; at += CHUNK) {
        const int64_t m = n - at < CHUNK ? n - at : CHUNK;
        const int equal = repetition(x + at, m);
        if (equal < LOOKS / 64)
            count_evenly(x + at, m, tables[0]);
        else if (n < hd__cpu_tune.histogram_pairs_from || m < CHUNK)
            count_unevenly(x + at, m, tables);
        else
            count_chunk(x + at, &p, equal > LOOKS / 4, tables[0]);
    }
    const int end = p.seen & 0x8080808080808080u ? 256 : 128;
    if (p.once_used) empty_pairs(p.once, 1, end, counts);
    if (p.turns_used) empty_pairs(p.turns, TURNS, end, counts);
    for (int k = 0; k < 256; k++)
        counts[k] += tables[0][k] + tables[1][k] + tables[2][k] + tables[3][k];
}
