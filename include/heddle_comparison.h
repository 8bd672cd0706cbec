// SPDX-License-Identifier: Apache-2.0
//
// How a user writes a comparison once, and the loops it is compiled into. heddle.h includes this
// file; do not include it alone.
//
//     typedef struct { float key; int32_t id; } record;
//     HD_COMPARISON(by_key, record, HD_NO_SOURCE, { return a.key < b.key; })
//
//     hd_sort(ctx, in, out, HD_NO_VALUES, &(hd_sort_options){.comparison = by_key});
//
// A comparison says whether a comes before b. It must be a strict weak order: never a before a,
// and "neither comes first" is an equivalence. (a <= b is none, nor is a < b of floats with NaN
// among them.) The rules for the text are those of HD_OPERATOR.
//
// The library has the algorithms; what it does with every element, it does through the loops below.
// They are plain functions over bytes, inlined into functions of the comparison's own where the
// size of an element and the comparison are constants, so the compiler inlines that as well. They
// choose without branches and keep four chains of choices going at once, as no branch predictor can
// guess which of two elements is the lesser. They are few and stay rolled: a comparison costs its
// file little time to compile and little code. Whatever the comparison answers, they read and write
// nothing but the elements given.
#ifndef HEDDLE_COMPARISON_H
#define HEDDLE_COMPARISON_H

#include <string.h>

HD__QUIET

// Sanitizers' checks make the loops so large that inlining all of them takes the compiler minutes.
#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) &&                \
    !defined(__SANITIZE_THREAD__)
#define HD__LOOP static inline __attribute__((always_inline, unused))
#else
#define HD__LOOP HD__INLINE
#endif

// A loop that stays one: unrolled, its body would be compiled several times for nothing.
#if defined(__clang__)
#define HD__ROLLED _Pragma("clang loop unroll(disable)")
#elif defined(__GNUC__)
#define HD__ROLLED _Pragma("GCC unroll 1")
#else
#define HD__ROLLED
#endif

// 0 or 1 whose making gcc may not look into: it would turn the choices that hang on it into one
// branch. clang does not.
#if defined(__GNUC__) && !defined(__clang__)
#define HD__HIDE(f) __asm__("" : "+r"(f))
#else
#define HD__HIDE(f) (void)(f)
#endif

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define HD__X86_MOVES // conditional moves by hand
#endif

// if_one where f is 1, if_zero where it is 0: a conditional move, where gcc would rather guess.
HD__LOOP const char *hd__pick(size_t f, const char *if_one, const char *if_zero)
{
#if defined(__GNUC__) && !defined(__clang__) && defined(__aarch64__)
    const char *p;
    __asm__("cmp %1, 0\n\tcsel %0, %2, %3, ne"
            : "=r"(p)
            : "r"(f), "r"(if_one), "r"(if_zero)
            : "cc");
    return p;
#else
    return f ? if_one : if_zero;
#endif
}

// Whether the element at a comes before the one at b.
typedef bool hd__less(const void *a, const void *b, const void *state);

// A merge on its way: the heads of both inputs and of the output. On its way from the back, the
// pointers are behind the last elements.
typedef struct hd__chain {
    const char *a, *b;
    char *out;
} hd__chain;

// A comparison over elements of one size, of which the beginning is compared.
typedef struct hd__order_loops {
    size_t size;
    // so many steps of each chain, four of them side by side, of which 1 and 3 go from the back;
    // `a` is where they are then, which says where `b` and `out` are
    void (*merge)(hd__chain *chains, int64_t fours, int64_t steps, const void *state);
} hd__order_loops;

struct hd_comparison {
    uint32_t abi; // HD__ABI
    hd_type type; // of its elements
    const char *name;
    hd__less *less;
    hd__order_loops elements;
    hd__order_loops pairs; // of an element and an int64_t, at index_offset
    size_t index_offset;
    // the index each element would have in its group of HD__GROUP, were that sorted
    void (*rank)(const void *x, int64_t groups, uint8_t *ranks, const void *state);
    // how far x rises (falling: falls strictly): the first i where it does not, or n
    int64_t (*run)(const void *x, int64_t n, bool falling, const void *state);
    // of HD__SEARCHES queries, out[k] = the first of n elements from `low` on that does not come
    // before query k (right: that comes after it), or low + n
    void (*search)(const void *x, int64_t low, int64_t n, const void *queries, bool right,
                   int64_t *out, const void *state);
    // the positions in x of what comes before *bound, of what comes after it; return how many. Room
    // for n
    int64_t (*before)(const void *x, int64_t n, const void *bound, int64_t *positions,
                      const void *state);
    int64_t (*after)(const void *x, int64_t n, const void *bound, int64_t *positions,
                     const void *state);
    const char *type_text; // the same in source form, for run-time compilers
    const char *body_text;
    const hd_source *source;
    hd__probe *probe; // as an operator's
    hd_state state;
    const void *reserved[2];
};

// ---- Merging --------------------------------------------------------------------------------

// One step of a merge; by hand on x86-64, where gcc has two registers besides those of four chains.
// One of them is the answer's. What sets its lowest byte waits for the others, so it stays apart
// from the element that is moved (the empty statement), lest a chain wait for the one before it. Of
// the heads one is chosen, and what both move by makes the other: few units choose.

// The lesser of both heads goes out; a's where neither comes first.
HD__LOOP void hd__step_up(hd__chain *c, size_t size, hd__less *less, const void *state)
{
    bool answer = less(c->b, c->a, state);
#ifdef HD__X86_MOVES
    const char *out = c->a;
    const size_t both = (size_t)c->a + (size_t)c->b + size;
    __asm__("test %b1, %b1\n\tcmovne %3, %0\n\tlea %4, %q1\n\tcmove %q1, %2"
            : "+&r"(out), "+&q"(answer), "+r"(c->a)
            : "r"(c->b), "m"(c->a[size])
            : "cc");
    c->b = (const char *)(both - (size_t)c->a);
    memcpy(c->out, out, size);
    __asm__("" : : "q"(answer));
#else
    size_t from_b = answer;
    HD__HIDE(from_b);
    memcpy(c->out, hd__pick(from_b, c->b, c->a), size);
    c->a += (from_b ^ 1) * size;
    c->b += from_b * size;
#endif
    c->out += size;
}

// The pointers are behind the last elements. The greater of both goes out; b's where neither does.
HD__LOOP void hd__step_down(hd__chain *c, size_t size, hd__less *less, const void *state)
{
    bool answer = less(c->b - size, c->a - size, state);
    c->out -= size;
#ifdef HD__X86_MOVES
    const char *out = c->b - size;
    const size_t both = (size_t)c->a + (size_t)c->b - size;
    __asm__("test %b1, %b1\n\tlea %3, %q1\n\tcmovne %q1, %2\n\tcmovne %q1, %0"
            : "+&r"(out), "+&q"(answer), "+r"(c->a)
            : "m"(*(c->a - size))
            : "cc");
    c->b = (const char *)(both - (size_t)c->a);
    memcpy(c->out, out, size);
    __asm__("" : : "q"(answer));
#else
    const char *a = c->a - size, *b = c->b - size;
    size_t from_a = answer;
    HD__HIDE(from_a);
    memcpy(c->out, hd__pick(from_a, a, b), size);
    c->a -= from_a * size;
    c->b = b + from_a * size;
#endif
}

HD__LOOP void hd__merge_chains(hd__chain *c, int64_t fours, int64_t steps, size_t size,
                               hd__less *less, const void *state)
{
    HD__ROLLED
    for (; fours > 0; fours--, c += 4) {
        hd__chain c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
        HD__ROLLED
        for (int64_t k = 0; k < steps; k++) {
            hd__step_up(&c0, size, less, state);
            hd__step_down(&c1, size, less, state);
            hd__step_up(&c2, size, less, state);
            hd__step_down(&c3, size, less, state);
        }
        c[0].a = c0.a, c[1].a = c1.a, c[2].a = c2.a, c[3].a = c3.a;
    }
}

// ---- Sorting --------------------------------------------------------------------------------

enum { HD__GROUP = 8 }; // elements sorted at once

// One comparison of elements i and j of a group, i before j: the rank of one of them is one higher.
HD__LOOP void hd__rank(const char *x, int i, int j, uint32_t *rank_i, uint32_t *rank_j, size_t size,
                       hd__less *less, const void *state)
{
    const uint32_t swapped = less(x + (size_t)j * size, x + (size_t)i * size, state);
    *rank_i += swapped;
    *rank_j -= swapped;
}

// Every element's rank in its group by comparisons of all pairs, which wait for nothing: those
// within either half, then those of one half with the other. Stable. A comparison that contradicts
// itself may give two elements one rank, all the same below HD__GROUP.
HD__LOOP void hd__rank_groups(const char *x, int64_t groups, uint8_t *ranks, size_t size,
                              hd__less *less, const void *state)
{
    enum { HALF = HD__GROUP / 2 };
    HD__ROLLED
    for (; groups > 0; groups--, x += HD__GROUP * size, ranks += HD__GROUP) {
        uint32_t first[HALF], second[HALF];
        HD__ROLLED
        for (int k = HALF; k >= 0; k -= HALF) {
#pragma GCC unroll 4
            for (int i = 0; i < HALF; i++)
                second[i] = first[i], first[i] = HD__CAST(uint32_t, k + i);
#pragma GCC unroll 4
            for (int i = 0; i < HALF - 1; i++) {
#pragma GCC unroll 4
                for (int j = i + 1; j < HALF; j++)
                    hd__rank(x + (size_t)k * size, i, j, &first[i], &first[j], size, less, state);
            }
        }
        HD__ROLLED
        for (int j = 0; j < HALF; j++) {
            uint32_t own = second[j];
#pragma GCC unroll 4
            for (int i = 0; i < HALF; i++)
                hd__rank(x, i, HALF + j, &first[i], &own, size, less, state);
            ranks[HALF + j] = HD__CAST(uint8_t, own);
        }
#pragma GCC unroll 4
        for (int i = 0; i < HALF; i++) ranks[i] = HD__CAST(uint8_t, first[i]);
    }
}

// How far x rises (no element before its neighbour on the left), or falls strictly.
HD__LOOP int64_t hd__run_length(const char *x, int64_t n, bool falling, size_t size, hd__less *less,
                                const void *state)
{
    int64_t i = 1;
    if (falling)
        for (x += size; i < n && less(x, x - size, state); x += size) i++;
    else
        for (x += size; i < n && !less(x, x - size, state); x += size) i++;
    return n < i ? n : i;
}

// ---- Searching ------------------------------------------------------------------------------

enum { HD__SEARCHES = 16 }; // side by side
#ifndef HD__SEARCH_STEP
#define HD__SEARCH_STEP 4 // of them in a row
#endif

// One halving: to `next`, or where the answer is `stay`, not.
HD__LOOP const char *hd__halve(bool answer, bool stay, const char *p, const char *next)
{
#ifdef HD__X86_MOVES
    const char *if_true = stay ? p : next, *at = stay ? next : p;
    __asm__("test %b1, %b1\n\tcmovne %2, %0" : "+r"(at) : "q"(answer), "r"(if_true) : "cc");
    return at;
#else
    size_t mask = -(size_t)(answer != stay);
    HD__HIDE(mask);
    return p + ((size_t)(next - p) & mask);
#endif
}

// Binary searches in step: each halving waits for memory, all of them wait together.
HD__LOOP void hd__search_side_by_side(const char **at, int64_t n, const char *queries, bool right,
                                      size_t size, hd__less *less, const void *state)
{
    for (int64_t half; n > 0; n -= half) {
        half = n > 1 ? n / 2 : 1;
        const size_t bytes = (size_t)half * size;
        const char *q = queries;
        HD__ROLLED
        for (int k = 0; k < HD__SEARCHES; k += HD__SEARCH_STEP, q += HD__SEARCH_STEP * size) {
#pragma GCC unroll 16
            for (int i = 0; i < HD__SEARCH_STEP; i++) {
                const char *next = at[k + i] + bytes, *x = next - size;
                const char *query = q + (size_t)i * size;
                const bool answer = right ? less(query, x, state) : less(x, query, state);
                at[k + i] = hd__halve(answer, right, at[k + i], next);
            }
        }
    }
}

HD__LOOP void hd__search_in(const char *x, int64_t low, int64_t n, const char *queries, bool right,
                            int64_t *out, size_t size, hd__less *less, const void *state)
{
    const char *at[HD__SEARCHES];
    HD__ROLLED
    for (int k = 0; k < HD__SEARCHES; k++) at[k] = low > 0 ? x + (size_t)low * size : x;
    if (right)
        hd__search_side_by_side(at, n, queries, true, size, less, state);
    else
        hd__search_side_by_side(at, n, queries, false, size, less, state);
    HD__ROLLED
    for (int k = 0; k < HD__SEARCHES; k++) out[k] = (int64_t)((size_t)(at[k] - x) / size);
}

// ---- Choosing -------------------------------------------------------------------------------

enum { HD__GLANCE = 64 }; // elements of which none is wanted, mostly: one look for all

HD__LOOP int64_t hd__find_before(const char *x, int64_t n, const char *bound, int64_t *positions,
                                 size_t size, hd__less *less, const void *state)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i += HD__GLANCE) {
        const char *block = x + (size_t)i * size;
        const int64_t left = n - i, some = left > HD__GLANCE ? HD__CAST(int64_t, HD__GLANCE) : left;
        unsigned any = some < HD__GLANCE;
        for (int k = 0; !any && k < 1; k++)
            for (int e = 0; e < HD__GLANCE; e++)
                any |= less(block + (size_t)e * size, bound, state);
        for (int64_t e = 0; any && e < some; e++) {
            positions[count] = i + e;
            count += less(block + (size_t)e * size, bound, state);
        }
    }
    return count;
}

// ---- The macro ------------------------------------------------------------------------------

// HD_COMPARISON(name, type, source, { body returning whether a comes before b }): defines name as
// a value that goes where a call takes a comparison.
#define HD_COMPARISON(name, T, source, ...)                                                        \
    HD__NOTHING_LOOSE                                                                              \
    HD__COMPARISON_LOOPS(name, T, HD__STATELESS, __VA_ARGS__)                                      \
    static const hd_comparison name[1] = {                                                         \
        HD__COMPARISON_ROW(name, T, source, #T, HD__NO_STATE, #__VA_ARGS__)};

#define HD__COMPARISON_LOOPS(name, T, with, ...)                                                   \
    HD__EXACT_BEGIN                                                                                \
    HD__INLINE bool name##__one(T a HD__UNUSED, T b HD__UNUSED, HD__STATE_PARAMETER(with))         \
        __VA_ARGS__                                                                                \
        HD__LESS_OVER(T, with, name##__one, name##__less)                                          \
            HD__ORDER_LOOPS(name, elements, T) typedef struct name##__pair {                       \
        T key;                                                                                     \
        int64_t index;                                                                             \
    } name##__pair;                                                                                \
    HD__ORDER_LOOPS(name, pairs, name##__pair)                                                     \
    HD__INLINE void name##__rank(const void *x, int64_t groups, uint8_t *ranks, const void *state) \
    {                                                                                              \
        hd__rank_groups(HD__CAST(const char *, x), groups, ranks, sizeof(T), name##__less, state); \
    }                                                                                              \
    HD__INLINE int64_t name##__run(const void *x, int64_t n, bool falling, const void *state)      \
    {                                                                                              \
        return hd__run_length(HD__CAST(const char *, x), n, falling, sizeof(T), name##__less,      \
                              state);                                                              \
    }                                                                                              \
    HD__INLINE void name##__search(const void *x, int64_t low, int64_t n, const void *queries,     \
                                   bool right, int64_t *out, const void *state)                    \
    {                                                                                              \
        hd__search_in(HD__CAST(const char *, x), low, n, HD__CAST(const char *, queries), right,   \
                      out, sizeof(T), name##__less, state);                                        \
    }                                                                                              \
    HD__BEFORE_OVER(T, with, name##__less, name##__before)                                         \
    HD__MORE_OVER(name##__less, name##__more)                                                      \
    HD__BEFORE_OVER(T, with, name##__more, name##__after)                                          \
    HD__EXACT_END                                                                                  \
    HD__OF_NUMBERS(                                                                                \
        HD__INLINE bool name##__number(T a HD__UNUSED, T b HD__UNUSED, HD__STATE_PARAMETER(with))  \
            __VA_ARGS__ HD__LESS_OVER(T, with, name##__number, name##__less_of_numbers)            \
                HD__BEFORE_OVER(T, with, name##__less_of_numbers, name##__before_of_numbers)       \
                    HD__MORE_OVER(name##__less_of_numbers, name##__more_of_numbers)                \
                        HD__BEFORE_OVER(T, with, name##__more_of_numbers,                          \
                                        name##__after_of_numbers))

// (The texts are those that the user wrote: macros in them stay as they are.)
// clang-format off
#define HD__COMPARISON_ROW(name, T, source, T_text, state, body_text)                              \
    {                                                                                              \
        HD__ABI, HD_TYPE(T), #name, name##__less,                                                  \
        {sizeof(T), name##__elements_merge},                                                      \
        {sizeof(name##__pair), name##__pairs_merge},                                              \
        offsetof(name##__pair, index), name##__rank, name##__run, name##__search,                  \
        HD__LOOP_OF(T, name##__before), HD__LOOP_OF(T, name##__after), T_text, body_text, source,  \
        HD__PROBE, state, {0, 0}                                                                   \
    }
// clang-format on

#define HD__LESS_OVER(T, with, one, less)                                                          \
    HD__INLINE bool less(const void *x, const void *y, HD__GIVEN)                                  \
    {                                                                                              \
        HD__POINT_STATE(with)                                                                      \
        T a, b;                                                                                    \
        memcpy(&a, x, sizeof a);                                                                   \
        memcpy(&b, y, sizeof b);                                                                   \
        return one(a, b, hd__state);                                                               \
    }
// A comparison reads its state where it lies: it is called on one pair at a time.
#define HD__POINT_STATE(with)     HD__POINT_##with
#define HD__POINT_HD__STATELESS   const void *const hd__state = hd__given;
#define HD__POINT_HD__STATEFUL(S) const S *const hd__state = HD__CAST(const S *, hd__given);

// The same the other way round.
#define HD__MORE_OVER(less, more)                                                                  \
    HD__INLINE bool more(const void *x, const void *y, const void *state)                          \
    {                                                                                              \
        return less(y, x, state);                                                                  \
    }

// The one loop of a comparison that compilers vectorise.
#define HD__BEFORE_OVER(T, with, less, before)                                                     \
    HD__INLINE int64_t before(const void *x, int64_t n, const void *bound, int64_t *positions,     \
                              HD__GIVEN)                                                           \
    {                                                                                              \
        HD__LOAD_STATE(with)                                                                       \
        return hd__find_before(HD__CAST(const char *, x), n, HD__CAST(const char *, bound),        \
                               positions, sizeof(T), less, hd__state);                             \
    }

// The merge of elements of a type E that begins with what is compared.
#define HD__ORDER_LOOPS(name, what, E)                                                             \
    HD__INLINE void name##__##what##_merge(hd__chain *chains, int64_t fours, int64_t steps,        \
                                           const void *state)                                      \
    {                                                                                              \
        hd__merge_chains(chains, fours, steps, sizeof(E), name##__less, state);                    \
    }

HD__QUIET_END

#endif
