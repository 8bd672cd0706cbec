// SPDX-License-Identifier: Apache-2.0
// The loops that count bins and 16-bit values: into four tables of words, or into tables of bytes.
// Counting single bytes is histogram_bytes.c's.
#include "histogram.h"

#include "cpu/runtime/tuning.h"

#define PASTED_(a, b) a##_##b
#define PASTED(a, b)  PASTED_(a, b)

#define GROUP_WORDS 8 // of 64 bits, looked at and counted together
#define SAMPLES     16

INLINE uint64_t word_at(const void *x, int64_t k)
{
    uint64_t w;
    memcpy(&w, (const char *)x + 8 * k, sizeof w);
    return w;
}

// Whether all words of a group are one.
INLINE bool repeats(const void *x)
{
    uint64_t apart = 0;
    for (int g = 1; g < GROUP_WORDS; g++) apart |= word_at(x, 0) ^ word_at(x, g);
    return apart == 0;
}

// Whether no value of a group is above the most.
INLINE bool fits(const uint32_t *x, uint32_t most)
{
    uint32_t top = 0;
    for (int i = 0; i < 2 * GROUP_WORDS; i++) top = x[i] > top ? x[i] : top;
    return __builtin_expect(top <= most, 1);
}

// ---- Many bins --------------------------------------------------------------------------------

// A byte that has just become 0 held 256.
INLINE void count_one(hd__cpu_counter_tables *t, uint8_t *table, uint32_t k)
{
    const uint8_t count = (uint8_t)(table[k] + 1);
    table[k] = count;
    if (__builtin_expect(count == 0, 0)) t->wide[k] += 256;
}

#define T             uint32_t
#define NAME          u32
#define FITS(x, most) fits(x, most)
#define PART(w, j)    ((uint32_t)((w) >> 32 * (j)))
#define COUNT         HD__NAME(count_many)
#include "histogram_many.inc"
#define T             uint16_t
#define NAME          u16
#define FITS(x, most) true
#define PART(w, j)    ((uint32_t)((w) >> 16 * (j)) & 0xffff)
#define COUNT         HD__NAME(count_words)
#include "histogram_many.inc"

// ---- Few bins ---------------------------------------------------------------------------------

#define GROUP (2 * GROUP_WORDS)

static void small_rest(hd__cpu_counter_tables *t, const uint32_t *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i] <= t->most) t->wide[x[i]]++;
}

// Values that do not repeat: one table.
static void few_evenly(hd__cpu_counter_tables *t, const uint32_t *x, int64_t n)
{
    const uint32_t most = t->most;
    uint32_t *table = t->wide;
    for (int64_t i = 0; i < n; i += GROUP, x += GROUP) {
        if (!fits(x, most)) {
            small_rest(t, x, GROUP);
            continue;
        }
        for (int g = 0; g < GROUP_WORDS; g++) {
            const uint64_t w = word_at(x, g);
            table[(uint32_t)w]++, table[w >> 32]++;
        }
    }
}

// Values that repeat: four tables, and words that come again and again at once.
static void few_unevenly(hd__cpu_counter_tables *t, const uint32_t *x, int64_t n)
{
    const uint32_t most = t->most;
    uint32_t *t0 = t->wide, *t1 = t0 + t->step, *t2 = t1 + t->step, *t3 = t2 + t->step;
    for (int64_t i = 0; i < n; i += GROUP, x += GROUP) {
        if (repeats(x)) {
            count_word_u32(t, word_at(x, 0), GROUP_WORDS);
        } else if (!fits(x, most)) {
            small_rest(t, x, GROUP);
        } else {
            for (int j = 0; j < GROUP; j += 4)
                t0[x[j]]++, t1[x[j + 1]]++, t2[x[j + 2]]++, t3[x[j + 3]]++;
        }
    }
}

void HD__NAME(count_small)(hd__cpu_counter_tables *t, const uint32_t *x, int64_t n)
{
    const int64_t probe = hd__cpu_tune.histogram_probe_every;
    for (int64_t at = 0; at < n; at += probe) {
        const int64_t m = n - at < probe ? n - at : probe, whole = m / GROUP * GROUP;
        if (m >= 2 * SAMPLES && look_u32(x + at, m))
            few_unevenly(t, x + at, whole);
        else
            few_evenly(t, x + at, whole);
        small_rest(t, x + at + whole, m - whole);
    }
}
