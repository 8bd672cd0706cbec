// SPDX-License-Identifier: Apache-2.0
#include "limbs_add.h"

#include "algorithms/support/team.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

enum {
    LEAST_PART = 1 << 14, // limbs that are worth a thread
    MOST_PARTS = 256,
    UNROLLED = 8
};

typedef struct sum_job {
    const uint64_t *a, *b;
    uint64_t *out, base;
    int64_t n, part; // limbs of a part
    bool subtract;
    uint8_t carry[MOST_PARTS]; // out of each part
} sum_job;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// ---- One loop -------------------------------------------------------------------------------

#if defined(__x86_64__)
typedef unsigned long long limb;

static inline uint8_t add_limb(uint8_t carry, uint64_t a, uint64_t b, uint64_t *out)
{
    limb sum;
    carry = _addcarry_u64(carry, a, b, &sum);
    *out = sum;
    return carry;
}

static inline uint8_t subtract_limb(uint8_t borrow, uint64_t a, uint64_t b, uint64_t *out)
{
    limb rest;
    borrow = _subborrow_u64(borrow, a, b, &rest);
    *out = rest;
    return borrow;
}
#else
static inline uint8_t add_limb(uint8_t carry, uint64_t a, uint64_t b, uint64_t *out)
{
    const uint64_t sum = a + b, all = sum + carry;
    *out = all;
    return (uint8_t)((sum < a) | (all < sum));
}

static inline uint8_t subtract_limb(uint8_t borrow, uint64_t a, uint64_t b, uint64_t *out)
{
    const uint64_t rest = a - b;
    *out = rest - borrow;
    return (uint8_t)((a < b) | (rest < borrow));
}
#endif

static uint8_t add_whole(const uint64_t *a, const uint64_t *b, uint64_t *out, int64_t n)
{
    uint8_t carry = 0;
    int64_t i = 0;
    for (; i + UNROLLED <= n; i += UNROLLED)
        for (int k = 0; k < UNROLLED; k++) carry = add_limb(carry, a[i + k], b[i + k], &out[i + k]);
    for (; i < n; i++) carry = add_limb(carry, a[i], b[i], &out[i]);
    return carry;
}

static uint8_t subtract_whole(const uint64_t *a, const uint64_t *b, uint64_t *out, int64_t n)
{
    uint8_t borrow = 0;
    int64_t i = 0;
    for (; i + UNROLLED <= n; i += UNROLLED)
        for (int k = 0; k < UNROLLED; k++)
            borrow = subtract_limb(borrow, a[i + k], b[i + k], &out[i + k]);
    for (; i < n; i++) borrow = subtract_limb(borrow, a[i], b[i], &out[i]);
    return borrow;
}

// Limbs below a base of at most 2^63: sums of two do not overflow.
static uint8_t add_digits(const uint64_t *a, const uint64_t *b, uint64_t *out, int64_t n,
                          uint64_t base)
{
    uint64_t carry = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t sum = a[i] + b[i] + carry;
        carry = sum >= base;
        out[i] = carry ? sum - base : sum;
    }
    return (uint8_t)carry;
}

static uint8_t subtract_digits(const uint64_t *a, const uint64_t *b, uint64_t *out, int64_t n,
                               uint64_t base)
{
    uint64_t borrow = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t rest = a[i] - b[i] - borrow;
        borrow = (a[i] < b[i]) | ((a[i] == b[i]) & borrow);
        out[i] = borrow ? rest + base : rest;
    }
    return (uint8_t)borrow;
}

static void add_part(void *user, int64_t k)
{
    sum_job *const j = user;
    const int64_t begin = k * j->part, n = least(j->part, j->n - begin);
    const uint64_t *const a = j->a + begin, *const b = j->b + begin;
    uint64_t *const out = j->out + begin;
    j->carry[k] = j->base == 0  ? (j->subtract ? subtract_whole : add_whole)(a, b, out, n)
                  : j->subtract ? subtract_digits(a, b, out, n, j->base)
                                : add_digits(a, b, out, n, j->base);
}

// One more (less) in the limbs of a part: it stops at the first limb that is not the greatest (0).
static bool pass_on(const sum_job *j, int64_t k)
{
    const int64_t begin = k * j->part, end = least(begin + j->part, j->n);
    const uint64_t last = j->subtract ? 0 : j->base - 1, after = j->subtract ? j->base - 1 : 0;
    int64_t i = begin;
    for (; i < end && j->out[i] == last; i++) j->out[i] = after;
    if (i == end) return true;
    j->out[i] += j->subtract ? UINT64_MAX : 1;
    return false;
}

// The limbs of each of so many parts.
static int64_t part_of(int32_t threads, int64_t n)
{
    int64_t parts = least(least(threads, MOST_PARTS), n / LEAST_PART);
    if (parts < 1) parts = 1;
    return (n / parts + UNROLLED) / UNROLLED * UNROLLED;
}

int hd__limbs_add(int32_t threads, const uint64_t *a, const uint64_t *b, uint64_t *out, int64_t n,
                  uint64_t base, bool subtract)
{
    sum_job j = {a, b, out, base, n, part_of(threads, n), subtract, {0}};
    const int64_t parts = (n + j.part - 1) / j.part;
    uint8_t carry = 0;
    hd__team_run(threads, parts, add_part, &j);
    // A part that carries has limbs that one more does not carry out of, so this is either or.
    for (int64_t k = 0; k < parts; k++) carry = (uint8_t)(j.carry[k] | (carry && pass_on(&j, k)));
    return carry;
}

// ---- Comparison -----------------------------------------------------------------------------

enum { COMPARED = 64 }; // limbs that are looked at together

typedef struct order_job {
    const uint64_t *a, *b;
    int64_t n, part;
    int8_t order[MOST_PARTS];
} order_job;

// Of limbs begin .. end - 1, from the last one down.
static int order_of(const uint64_t *a, const uint64_t *b, int64_t n)
{
    while (n > 0) {
        const int64_t begin = n > COMPARED ? n - COMPARED : 0;
        uint64_t differs = 0;
        for (int64_t i = begin; i < n; i++) differs |= a[i] ^ b[i];
        while (differs && a[n - 1] == b[n - 1]) n--;
        if (differs) return a[n - 1] > b[n - 1] ? 1 : -1;
        n = begin;
    }
    return 0;
}

static void compare_part(void *user, int64_t k)
{
    order_job *const j = user;
    const int64_t begin = k * j->part;
    j->order[k] = (int8_t)order_of(j->a + begin, j->b + begin, least(j->part, j->n - begin));
}

int hd__limbs_compare(int32_t threads, const uint64_t *a, const uint64_t *b, int64_t n)
{
    order_job j = {.a = a, .b = b};
    // From the top in stretches that grow, so that what differs early is found early.
    for (int64_t stretch = LEAST_PART; n > 0; stretch *= 4) {
        const int64_t count = least(stretch, n), begin = n - count;
        j.a = a + begin, j.b = b + begin, j.n = count, j.part = part_of(threads, count);
        const int64_t parts = (count + j.part - 1) / j.part;
        hd__team_run(threads, parts, compare_part, &j);
        for (int64_t k = parts - 1; k >= 0; k--)
            if (j.order[k] != 0) return j.order[k];
        n = begin;
    }
    return 0;
}
