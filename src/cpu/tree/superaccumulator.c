// SPDX-License-Identifier: Apache-2.0
// Three ways to gather. Most sums go, a block at a time, into few numbers that hold them exactly
// (simd/reduce_scan/expansion.c). Where these cannot, there are two, both R. M. Neal's ("Fast exact
// summation using small and large superaccumulators", 2015). Few elements go into digits of 32 bits
// that leave their carries for later. Of many, the fractions are added up by sign and exponent,
// whatever these are (of f64 by eight exponents together, simd/reduce_scan/bins.c), and only what
// stands in the tables afterwards goes into the digits.
#include "superaccumulator.h"
#include "core/operators/builtin.h"
#include "core/convert.h"
#include "core/tree.h"
#include "core/view.h"

#include <string.h>

// ---- Digits -------------------------------------------------------------------------------------

// Digit k stands for 2^(32 k + base). What is added adds less than 2^32 to each.
typedef struct digits {
    int64_t digit[2 * HD__WIDE_LIMBS + 2];
    uint64_t flags;
} digits;

static inline void add(digits *d, uint64_t magnitude, int at, bool negative)
{
    const int k = at / 32, shift = at % 32;
    const int64_t sign = -(int64_t)negative;
    const uint64_t low = magnitude << shift, high = magnitude >> 32 >> (32 - shift);
    d->digit[k] += ((int64_t)(low & 0xffffffffu) ^ sign) - sign;
    d->digit[k + 1] += ((int64_t)(low >> 32) ^ sign) - sign;
    d->digit[k + 2] += ((int64_t)high ^ sign) - sign;
}

static void clear(digits *d, int limbs)
{
    memset(d->digit, 0, (size_t)(2 * limbs + 2) * sizeof *d->digit);
    d->flags = 0;
}

// Digits carried, modulo 2^(64 limbs): the flags stand after the limbs.
static void finish(const digits *d, int limbs, uint64_t *node)
{
    int64_t carry = 0;
    for (int k = 0; k < limbs; k++) {
        const int64_t low = d->digit[2 * k] + carry;
        const int64_t high = d->digit[2 * k + 1] + (low >> 32);
        node[k] = (uint64_t)high << 32 | (low & 0xffffffffu);
        carry = high >> 32;
    }
    node[limbs] = d->flags;
}

// ---- Few elements -------------------------------------------------------------------------------

// Bits of an f64; those of an f32 are 925 digits of two higher where the node is wide.
static inline void add_f64(digits *d, uint64_t bits)
{
    const uint64_t fraction = bits & 0xfffffffffffffu;
    const int exponent = (int)(bits >> 52 & 0x7ff);
    const bool negative = bits >> 63 != 0;
    if (exponent == 0x7ff) {
        d->flags |= HD__LIMBS_SOME | (fraction != 0 ? HD__LIMBS_NAN
                                      : negative    ? HD__LIMBS_BELOW
                                                    : HD__LIMBS_ABOVE);
        return;
    }
    d->flags |= bits != (uint64_t)1 << 63 ? HD__LIMBS_SOME : 0;
    const int normal = exponent > 0;
    add(d, fraction | (uint64_t)normal << 52, exponent - normal, negative);
}

static inline void add_f32(digits *d, uint32_t bits, int above)
{
    const uint32_t fraction = bits & 0x7fffff;
    const int exponent = (int)(bits >> 23 & 0xff);
    const bool negative = bits >> 31 != 0;
    if (exponent == 0xff) {
        d->flags |= HD__LIMBS_SOME | (fraction != 0 ? HD__LIMBS_NAN
                                      : negative    ? HD__LIMBS_BELOW
                                                    : HD__LIMBS_ABOVE);
        return;
    }
    d->flags |= bits != (uint32_t)1 << 31 ? HD__LIMBS_SOME : 0;
    const int normal = exponent > 0;
    add(d, fraction | (uint32_t)normal << 23, exponent - normal + above, negative);
}

// ---- Many elements ------------------------------------------------------------------------------

// Sums of fractions by the bits above them, and how many there were; of f64 those of
// simd/reduce_scan/bins.c. Neighbours of f32 go to tables of their own: one would wait for the
// other.
enum { NARROW_TABLES = 4 };

typedef struct tables {
    union {
        uint64_t narrow[NARROW_TABLES][512];
        hd__cpu_bin wide[HD__BINS];
    };
    int passed; // of the last sum, where the next one goes on
} tables;

// A count is added above the sums of f32: of 23 bits times PIECE at most.
#define PIECE         ((int64_t)1 << 17)
#define COUNT_AT      46
#define MIN_BINS_F32  2048 // elements from which emptying the tables is less than half of the work
#define MIN_BINS_F64  2048 // 3.9 us; digits take 7.5 (AVX-512)
#define MAX_PASSED    31
#define MIN_EXPANSION 256 // elements from which expansions are less work than digits

size_t hd__cpu_limbs_bytes(void)
{
    return hd__padded(sizeof(tables));
}

void hd__cpu_limbs_clear(void *memory)
{
    memset(memory, 0, sizeof(tables));
}

// The sum of the fractions of f32 of one sign and exponent; `count` ones stand before their points.
static void add_entry(digits *d, int exponent, bool negative, uint64_t count, uint64_t sum,
                      int above)
{
    if (exponent == 0xff) {
        d->flags |= HD__LIMBS_SOME | (sum != 0   ? HD__LIMBS_NAN
                                      : negative ? HD__LIMBS_BELOW
                                                 : HD__LIMBS_ABOVE);
        return;
    }
    const int at = (exponent > 0 ? exponent - 1 : 0) + above;
    d->flags |= sum != 0 || !(negative && exponent == 0) ? HD__LIMBS_SOME : 0; // all -0 else
    add(d, sum, at, negative);
    if (exponent > 0) add(d, count, at + 23, negative);
}

static void empty_narrow(tables *t, digits *d, int above)
{
    for (int k = 0; k < 512; k++) {
        uint64_t sum = 0;
        for (int c = 0; c < NARROW_TABLES; c++) sum += t->narrow[c][k], t->narrow[c][k] = 0;
        if (sum != 0)
            add_entry(d, k & 0xff, k >> 8, sum >> COUNT_AT, sum & (((uint64_t)1 << COUNT_AT) - 1),
                      above);
    }
}

// Exponent 1 is bit 0 of digit 0, so that exponent 0, where the first bin begins, is one bit below:
// sums in that bin are even.
static void empty_wide(tables *t, digits *d)
{
    for (int k = 0; k < HD__BINS; k++) {
        const hd__cpu_bin sum = t->wide[k];
        const int at = k % (HD__BINS / 2) * HD__BIN_EXPONENTS - 1;
        const bool negative = k >= HD__BINS / 2;
        if ((sum.low | sum.high) == 0) continue;
        t->wide[k] = (hd__cpu_bin){0, 0};
        add(d, at < 0 ? sum.low >> 1 : sum.low, at < 0 ? 0 : at, negative);
        add(d, sum.high, at + 32, negative);
    }
}

// Bytes ahead of the work that memory is asked for.
#define AHEAD 1024

static void fill_narrow(tables *t, const hd__word32 *bits, int64_t n)
{
    const uint64_t one = (uint64_t)1 << COUNT_AT;
    int64_t i = 0;
    for (; i + NARROW_TABLES <= n; i += NARROW_TABLES) {
        __builtin_prefetch((const char *)(bits + i) + AHEAD);
        for (int c = 0; c < NARROW_TABLES; c++)
            t->narrow[c][bits[i + c] >> 23] += one | (bits[i + c] & 0x7fffff);
    }
    for (; i < n; i++) t->narrow[0][bits[i] >> 23] += one | (bits[i] & 0x7fffff);
}

// Elements that are no whole batch go into the digits.
static void fill_wide(tables *t, digits *d, const hd__word64 *bits, int64_t n,
                      hd__cpu_bin_sum *bins)
{
    const int64_t whole = n / HD__EXPANSION_STEP * HD__EXPANSION_STEP;
    if (whole > 0) d->flags |= bins(t->wide, bits, whole);
    for (int64_t i = whole; i < n; i++) add_f64(d, bits[i]);
}

// ---- Sums ---------------------------------------------------------------------------------------

// What a sum is gathered in: digits, and the tables that are emptied into them.
typedef struct gatherer {
    digits d;
    tables *t;
    const hd__cpu_exact_kernels *exact;
    int above;       // how much higher bits of an f32 stand
    int64_t waiting; // elements in the tables
    int passed;      // blocks without expansions after one failed: twice as many each time
    int pass;
} gatherer;

static void empty_tables(gatherer *g, bool wide)
{
    if (g->waiting == 0) return;
    if (wide)
        empty_wide(g->t, &g->d);
    else
        empty_narrow(g->t, &g->d, g->above);
    g->waiting = 0;
}

// Elements that are few, or of which `all` will go into the tables.
static void add_hard(gatherer *g, const char *in, int64_t n, bool wide, int64_t all)
{
    if (all < (wide ? MIN_BINS_F64 : MIN_BINS_F32)) {
        for (int64_t i = 0; i < n; i++)
            if (wide)
                add_f64(&g->d, ((const hd__word64 *)in)[i]);
            else
                add_f32(&g->d, ((const hd__word32 *)in)[i], g->above);
        return;
    }
    if (!wide && g->waiting + n > PIECE) empty_tables(g, wide);
    if (wide)
        fill_wide(g->t, &g->d, (const hd__word64 *)in, n, g->exact->bins);
    else
        fill_narrow(g->t, (const hd__word32 *)in, n);
    g->waiting += n;
}

// Whether any of n elements is not -0.
static bool is_some(const char *in, int64_t n, bool wide)
{
    uint64_t some = 0;
    for (int64_t i = 0; i < n; i++)
        some |= wide ? ((const hd__word64 *)in)[i] ^ (uint64_t)1 << 63
                     : ((const hd__word32 *)in)[i] ^ (uint32_t)1 << 31;
    return some != 0;
}

// A block by an expansion; false: it does not hold the sum. A component that is not zero is of an
// element that is not.
static bool add_easy(gatherer *g, const char *in, int64_t n, bool wide)
{
    _Alignas(64) double expansion[HD__EXPANSION_MAX];
    const int count = g->exact->expansion[wide ? HD_F64 : HD_F32](expansion, in, n);
    g->pass = g->passed = count > 0 ? 0 : g->passed < MAX_PASSED ? 2 * g->passed + 1 : g->passed;
    if (count == 0) return false;
    bool some = false;
    for (int k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &expansion[k], sizeof bits);
        if (expansion[k] == 0) continue;
        some = true;
        // Of f32 a part has bits from 2^-149 up, so that what is below digit 0 of a narrow node is
        // zero.
        const int exponent = (int)(bits >> 52 & 0x7ff), normal = exponent > 0;
        const uint64_t magnitude = (bits & 0xfffffffffffffu) | (uint64_t)normal << 52;
        const int at = exponent - normal - (wide || g->above ? 0 : 1074 - 149);
        if (at < 0)
            add(&g->d, magnitude >> -at, 0, bits >> 63 != 0);
        else
            add(&g->d, magnitude, at, bits >> 63 != 0);
    }
    if (some || is_some(in, n, wide)) g->d.flags |= HD__LIMBS_SOME;
    return true;
}

static bool tries_parts(gatherer *g)
{
    if (g->pass == 0) return true;
    g->pass--;
    return false;
}

// Of `all` elements in the end; the tables may hold some of them afterwards.
static void add_floats(gatherer *g, const void *in, int64_t n, bool wide, int64_t all)
{
    const size_t size = wide ? 8 : 4;
    const char *from = in;
    for (int64_t at = 0, m; at < n; at += m, from += (size_t)m * size) {
        m = n - at < HD__EXPANSION_ELEMENTS_MAX ? n - at : HD__EXPANSION_ELEMENTS_MAX;
        if (m >= MIN_EXPANSION) m = m / HD__EXPANSION_STEP * HD__EXPANSION_STEP;
        if (m < MIN_EXPANSION || !tries_parts(g) || !add_easy(g, from, m, wide))
            add_hard(g, from, m, wide, all);
    }
}

#define BLOCK 4096

// 16-bit floats by way of f32.
static void add_halves(gatherer *g, hd_type element, const void *in, int64_t n)
{
    uint32_t bits[BLOCK];
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t m = n - at < BLOCK ? n - at : BLOCK;
        hd__convert(HD_F32, bits, element, (const uint16_t *)in + at, m);
        add_floats(g, bits, m, false, n);
    }
}

// Integers by their halves.
static void add_wholes(digits *d, hd_type element, const void *in, int64_t n, int point)
{
    const bool minus = hd__kind_of(element) == HD__SIGNED;
    uint64_t wide[BLOCK / 8], low = 0, high = 0, below = 0;
    for (int64_t at = 0; at < n; at += BLOCK / 8) {
        const int64_t m = n - at < BLOCK / 8 ? n - at : BLOCK / 8;
        hd__convert(minus ? HD_I64 : HD_U64, wide, element,
                    (const char *)in + (size_t)at * hd__size_of(element), m);
        for (int64_t i = 0; i < m; i++) {
            low += wide[i] & 0xffffffffu;
            high += wide[i] >> 32;
            below += minus ? wide[i] >> 63 : 0;
        }
    }
    d->flags |= HD__LIMBS_SOME;
    add(d, low, point, false);
    add(d, high, point + 32, false);
    add(d, below, point + 64, true); // each stands for -2^64
}

#define MAX_AT_ONCE ((int64_t)1 << 30) // digits have room for as many, and bins for more

static void sum_some(hd_type number, hd_type element, const void *in, int64_t n, void *node,
                     const hd__cpu_exact_kernels *exact, void *memory)
{
    const bool wide = number == HD_F64;
    const int limbs = wide ? HD__WIDE_LIMBS : HD__NARROW_LIMBS;
    gatherer g;
    g.t = memory;
    g.exact = exact;
    g.above = wide ? 1074 - 149 : 0;
    g.waiting = 0;
    g.pass = g.passed = g.t->passed;
    clear(&g.d, limbs);
    if (element == HD_F64 || element == HD_F32)
        add_floats(&g, in, n, element == HD_F64, n);
    else if (hd__is_float(element))
        add_halves(&g, element, in, n);
    else
        add_wholes(&g.d, element, in, n, wide ? 1074 : 149);
    empty_tables(&g, element == HD_F64);
    g.t->passed = g.passed;
    finish(&g.d, limbs, node);
}

void hd__cpu_limbs_sum(hd_type number, hd_type element, const void *in, int64_t n, void *node,
                       const hd__cpu_exact_kernels *exact, void *memory)
{
    const size_t size = hd__size_of(element);
    hd__limbs_wide part; // or a narrow one
    sum_some(number, element, in, n < MAX_AT_ONCE ? n : MAX_AT_ONCE, node, exact, memory);
    for (int64_t at = MAX_AT_ONCE; at < n; at += MAX_AT_ONCE) {
        const int64_t m = n - at < MAX_AT_ONCE ? n - at : MAX_AT_ONCE;
        sum_some(number, element, (const char *)in + (size_t)at * size, m, &part, exact, memory);
        hd__combine(hd__builtin_limbs(number), node, node, &part, 1);
    }
}
