// SPDX-License-Identifier: Apache-2.0
//
// Texts with a state beside the same texts with constants written in, for two values of the state,
// and a call of every pattern that takes a function, an operator or a comparison: what
// test_state.c and test_gpu_state.c run.
#ifndef HEDDLE_TESTS_CORE_STATE_CASES_H
#define HEDDLE_TESTS_CORE_STATE_CASES_H

#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

// ---- Texts --------------------------------------------------------------------------------------

HD_SOURCE(
    state_source,
    typedef struct {
        float low, high;
        uint32_t modulus;
        int32_t ways;
    } limits;
    static inline float distance(float x, float y) { return x < y ? y - x : x - y; })

// LOW, HIGH, MODULUS and WAYS are members of a state, or numbers.
#define STATE_TEXTS(FUNCTION, OPERATOR, COMPARISON, name, LOW, HIGH, MODULUS, WAYS)                \
    FUNCTION(scaled_##name, float, (float, x), { return x * LOW + HIGH; })                         \
    FUNCTION(above_##name, bool, (float, x), { return x > LOW; })                                  \
    FUNCTION(bucket_##name, int32_t, (float, x, uint32_t, y),                                      \
             { return ((int32_t)(x * 8) + (int32_t)y) & (WAYS - 1); })                             \
    FUNCTION(blend_##name, float, (float, x, float, y), { return x - y * HIGH; })                  \
    OPERATOR(modular_##name, uint32_t, { return (a + b) % MODULUS; })                              \
    COMPARISON(nearer_##name, float, { return distance(a, LOW) < distance(b, LOW); })

#define WITH_FUNCTION(name, R, inputs, ...)                                                        \
    HD_FUNCTION_STATE(name, R, state_source, inputs, limits, __VA_ARGS__)
#define WITH_OPERATOR(name, T, ...)                                                                \
    HD_OPERATOR_STATE(name, T, state_source, HD_ASSOCIATIVE | HD_COMMUTATIVE | HD_EXACT, limits,   \
                      __VA_ARGS__)
#define WITH_COMPARISON(name, T, ...)                                                              \
    HD_COMPARISON_STATE(name, T, state_source, limits, __VA_ARGS__)
STATE_TEXTS(WITH_FUNCTION, WITH_OPERATOR, WITH_COMPARISON, with, state->low, state->high,
            state->modulus, state->ways)

#define OWN_FUNCTION(name, R, inputs, ...) HD_FUNCTION(name, R, state_source, inputs, __VA_ARGS__)
#define OWN_OPERATOR(name, T, ...)                                                                 \
    HD_OPERATOR(name, T, state_source, HD_ASSOCIATIVE | HD_COMMUTATIVE | HD_EXACT, __VA_ARGS__)
#define OWN_COMPARISON(name, T, ...) HD_COMPARISON(name, T, state_source, __VA_ARGS__)
STATE_TEXTS(OWN_FUNCTION, OWN_OPERATOR, OWN_COMPARISON, first, 0.25f, 0.75f, 1009, 4)
STATE_TEXTS(OWN_FUNCTION, OWN_OPERATOR, OWN_COMPARISON, second, -0.5f, 1.5f, 40009, 16)

static const limits state_values[2] = {{0.25f, 0.75f, 1009, 4}, {-0.5f, 1.5f, 40009, 16}};

typedef struct state_texts {
    hd_function scaled, above, bucket, blend;
    hd_operator modular;
    hd_comparison nearer;
} state_texts;

static state_texts state_constants(int which)
{
    return which == 0 ? (state_texts){*scaled_first, *above_first,   *bucket_first,
                                      *blend_first,  *modular_first, *nearer_first}
                      : (state_texts){*scaled_second, *above_second,   *bucket_second,
                                      *blend_second,  *modular_second, *nearer_second};
}

static state_texts state_given(const limits *value)
{
    return (state_texts){hd_with_state(scaled_with, value, sizeof *value),
                         hd_with_state(above_with, value, sizeof *value),
                         hd_with_state(bucket_with, value, sizeof *value),
                         hd_with_state(blend_with, value, sizeof *value),
                         hd_with_state(modular_with, value, sizeof *value),
                         hd_with_state(nearer_with, value, sizeof *value)};
}

// ---- Data ---------------------------------------------------------------------------------------

typedef struct state_data {
    int64_t n;       // at least 16
    float *x;        // ordinary
    uint32_t *small; // below 1000
    int64_t *index;  // a permutation, and the same as links of a list
    int64_t *next;
    int64_t offsets[9];   // eight segments
    int64_t *destination; // below n / 4
} state_data;

static state_data state_data_of(int64_t n)
{
    state_data d = {.n = n};
    uint64_t seed = check_seed();
    d.x = check_memory(4 * (size_t)n);
    d.small = check_memory(4 * (size_t)n);
    d.index = check_memory(8 * (size_t)n);
    d.next = check_memory(8 * (size_t)n);
    d.destination = check_memory(8 * (size_t)n);
    check_fill(HD_F32, d.x, n, CHECK_ORDINARY, seed);
    for (int64_t i = 0; i < n; i++) {
        d.small[i] = (uint32_t)check_below(&seed, 1000);
        d.index[i] = i;
        d.destination[i] = check_below(&seed, n / 4 + 1);
    }
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t j = check_below(&seed, i + 1), t = d.index[i];
        d.index[i] = d.index[j], d.index[j] = t;
    }
    for (int64_t i = 0; i < n; i++) d.next[d.index[i]] = i + 1 < n ? d.index[i + 1] : -1;
    for (int k = 0; k < 9; k++) d.offsets[k] = n * k / 8;
    return d;
}

static void state_data_drop(state_data *d)
{
    free(d->x), free(d->small), free(d->index), free(d->next), free(d->destination);
}

// ---- Calls --------------------------------------------------------------------------------------

// Writes what the call gives to out, which has room for 16 n + 1024 bytes, all zero before.
typedef hd_status state_call(hd_context *ctx, const state_data *d, const state_texts *t, char *out);
#define CALL(name)                                                                                 \
    static hd_status name(hd_context *ctx, const state_data *d, const state_texts *t, char *out)
#define FLOATS(n)   HD_VIEW((float *)(void *)out, n)
#define SMALLS(n)   HD_VIEW((uint32_t *)(void *)out, n)
#define INTEGERS(n) HD_VIEW((int64_t *)(void *)out, n)
#define BEHIND      HD_VIEW((int64_t *)(void *)(out + 8 * d->n), 1)
#define X           HD_VIEW(d->x, d->n)
#define SMALL       HD_VIEW(d->small, d->n)

CALL(map)
{
    return hd_map(ctx, X, &t->scaled, FLOATS(d->n), NULL);
}
CALL(map_two)
{
    return hd_map(ctx, X, &t->bucket, HD_VIEW((int32_t *)(void *)out, d->n),
                  &(hd_map_options){.with = HD_VIEWS(SMALL)});
}
CALL(map_backwards)
{
    return hd_map(ctx, hd_slice(X, 0, d->n - 1, d->n, -1), &t->scaled, FLOATS(d->n), NULL);
}
CALL(gather)
{
    return hd_gather(ctx, X, HD_VIEW(d->index, d->n), FLOATS(d->n),
                     &(hd_gather_options){.function = &t->scaled});
}
CALL(scatter)
{
    return hd_scatter(ctx, X, HD_VIEW(d->index, d->n), FLOATS(d->n),
                      &(hd_scatter_options){.map = &t->scaled});
}
CALL(scatter_combine)
{
    return hd_scatter(ctx, SMALL, HD_VIEW(d->destination, d->n), SMALLS(d->n / 4 + 1),
                      &(hd_scatter_options){.combine = &t->modular});
}
CALL(count)
{
    return hd_reduce(ctx, X, HD_SUM, INTEGERS(1), &(hd_reduce_options){.map = &t->above});
}
CALL(reduce_map)
{
    return hd_reduce(ctx, X, HD_SUM, FLOATS(1), &(hd_reduce_options){.map = &t->scaled});
}
CALL(reduce)
{
    return hd_reduce(ctx, SMALL, &t->modular, SMALLS(1), NULL);
}
CALL(reduce_segments)
{
    return hd_reduce(ctx, SMALL, &t->modular, SMALLS(8),
                     &(hd_reduce_options){.segments = HD_REF(HD_VIEW(d->offsets, 9))});
}
CALL(reduce_columns)
{
    const int64_t shape[2] = {d->n / 7, 7};
    return hd_reduce(ctx, hd_view_nd(HD_U32, d->small, 2, shape, NULL), &t->modular, SMALLS(7),
                     &(hd_reduce_options){.axis = HD_AXIS(0)});
}
CALL(reduce_many)
{
    return hd_reduce_many(ctx, SMALL, HD_OPERATORS(&t->modular, HD_MAX, &t->modular),
                          HD_VIEWS(HD_VIEW((uint32_t *)(void *)out, 1),
                                   HD_VIEW((uint32_t *)(void *)out + 1, 1),
                                   HD_VIEW((uint32_t *)(void *)out + 2, 1)),
                          NULL);
}
CALL(scan)
{
    return hd_scan(ctx, SMALL, &t->modular, SMALLS(d->n), NULL);
}
CALL(scan_map)
{
    return hd_scan(ctx, X, HD_MAX, FLOATS(d->n), &(hd_scan_options){.map = &t->scaled});
}
CALL(scan_segments)
{
    return hd_scan(ctx, SMALL, &t->modular, SMALLS(d->n),
                   &(hd_scan_options){.segments = HD_REF(HD_VIEW(d->offsets, 9))});
}
CALL(scan_init)
{
    const uint32_t init = 7;
    return hd_scan(ctx, SMALL, &t->modular, SMALLS(d->n),
                   &(hd_scan_options){.exclusive = true, .init = &init});
}
CALL(compact)
{
    return hd_compact(ctx, X, FLOATS(d->n), BEHIND, &(hd_compact_options){.keep = &t->above});
}
CALL(partition)
{
    return hd_partition(ctx, X, FLOATS(d->n), HD_VIEW((int64_t *)(void *)(out + 8 * d->n), 2),
                        &(hd_partition_options){.keep = &t->above});
}
CALL(partition_ways)
{
    return hd_partition(
        ctx, X, FLOATS(d->n), HD_VIEW((int64_t *)(void *)(out + 8 * d->n), 16),
        &(hd_partition_options){.bucket = &t->bucket, .with = HD_VIEWS(SMALL), .ways = 16});
}
CALL(find)
{
    return hd_find(ctx, X, INTEGERS(1), &(hd_find_options){.map = &t->above, .last = true});
}
CALL(histogram)
{
    return hd_histogram(ctx, X, INTEGERS(16),
                        &(hd_histogram_options){.bin = &t->bucket, .with = HD_VIEWS(SMALL)});
}
CALL(histogram_map)
{
    return hd_histogram(
        ctx, X, INTEGERS(16),
        &(hd_histogram_options){.map = &t->scaled, .lower = -2, .upper = 2, .even = true});
}
CALL(difference)
{
    return hd_difference(ctx, X, FLOATS(d->n), &(hd_difference_options){.function = &t->blend});
}
CALL(stencil)
{
    static const int64_t offsets[] = {-1, 1};
    return hd_stencil(ctx, X, HD_VIEW(offsets, 2), HD_EMPTY, FLOATS(d->n),
                      &(hd_stencil_options){.function = &t->blend, .border = HD_BORDER_WRAP});
}
CALL(list_scan)
{
    return hd_list_scan(ctx, HD_VIEW(d->next, d->n), SMALL, &t->modular, SMALLS(d->n), NULL);
}
CALL(sort)
{
    return hd_sort(ctx, X, FLOATS(d->n), HD_NO_VALUES,
                   &(hd_sort_options){.comparison = &t->nearer});
}
CALL(sort_indices)
{
    return hd_sort(ctx, X, HD_EMPTY, HD_NO_VALUES,
                   &(hd_sort_options){.comparison = &t->nearer, .indices = HD_REF(INTEGERS(d->n))});
}
CALL(merge)
{
    const int64_t half = d->n / 2;
    float *sorted = (float *)(void *)(out + 4 * d->n);
    const hd_sort_options by = {.comparison = &t->nearer};
    hd_status s = hd_sort(ctx, HD_VIEW(d->x, half), HD_VIEW(sorted, half), HD_NO_VALUES, &by);
    if (!s)
        s = hd_sort(ctx, HD_VIEW(d->x + half, d->n - half), HD_VIEW(sorted + half, d->n - half),
                    HD_NO_VALUES, &by);
    if (s) return s;
    return hd_merge(ctx, HD_VIEW(sorted, half), HD_VIEW(sorted + half, d->n - half), FLOATS(d->n),
                    HD_NO_VALUES, &(hd_merge_options){.comparison = &t->nearer, .checked = true});
}
CALL(search)
{
    float *sorted = (float *)(void *)(out + 8 * d->n);
    const hd_status s = hd_sort(ctx, X, HD_VIEW(sorted, d->n), HD_NO_VALUES,
                                &(hd_sort_options){.comparison = &t->nearer});
    if (s) return s;
    return hd_search(ctx, HD_VIEW(sorted, d->n), X, INTEGERS(d->n),
                     &(hd_search_options){.comparison = &t->nearer});
}
CALL(top_k)
{
    return hd_top_k(ctx, X, 16, FLOATS(16), HD_NO_VALUES,
                    &(hd_top_k_options){.comparison = &t->nearer});
}
CALL(is_sorted)
{
    (void)d;
    static const float x[] = {-0.5f, 0, 0.25f}; // by distance from -0.5, not from 0.25
    return hd_is_sorted(ctx, HD_VIEW(x, 3), INTEGERS(1),
                        &(hd_is_sorted_options){.comparison = &t->nearer});
}
CALL(map_many)
{
    return hd_map_many(ctx, X, HD_FUNCTIONS(&t->scaled, &t->scaled),
                       HD_VIEWS(FLOATS(d->n), HD_VIEW((float *)(void *)out + d->n, d->n)), NULL);
}
CALL(reduce_kept)
{
    return hd_reduce(ctx, X, HD_SUM, FLOATS(1), &(hd_reduce_options){.keep = &t->above});
}
CALL(slide)
{
    return hd_slide(ctx, SMALL, &t->modular, 11, SMALLS(d->n - 10), NULL);
}
CALL(unique)
{
    return hd_unique(ctx, X, FLOATS(d->n), BEHIND, &(hd_unique_options){.comparison = &t->nearer});
}
CALL(nth)
{
    const int64_t middle = d->n / 2;
    return hd_nth(ctx, X, HD_VIEW(&middle, 1), FLOATS(1),
                  &(hd_nth_options){.comparison = &t->nearer});
}
CALL(check_operator)
{
    (void)out;
    return hd_check_operator(ctx, &t->modular, hd_slice(SMALL, 0, 0, 16, 1), NULL);
}

typedef struct state_case {
    const char *name;
    state_call *call;
    bool alike; // both states may give the same
    bool host;  // GPU backends decline it
} state_case;

static const state_case state_cases[] = {
    {"map", map, false, false},
    {"map of two", map_two, false, false},
    {"map backwards", map_backwards, false, false},
    {"gather", gather, false, false},
    {"scatter", scatter, false, false},
    {"scatter by an operator", scatter_combine, true, false},
    {"count", count, false, false},
    {"reduce of a map", reduce_map, false, false},
    {"reduce", reduce, false, false},
    {"reduce of segments", reduce_segments, false, false},
    {"reduce along an axis", reduce_columns, false, false},
    {"reduce many", reduce_many, false, false},
    {"scan", scan, false, false},
    {"scan of a map", scan_map, false, false},
    {"scan of segments", scan_segments, false, false},
    {"scan from an init", scan_init, false, false},
    {"compact", compact, false, false},
    {"partition", partition, false, false},
    {"partition in many ways", partition_ways, false, false},
    {"find", find, true, false},
    {"histogram", histogram, false, false},
    {"histogram of a map", histogram_map, false, false},
    {"difference", difference, false, false},
    {"stencil", stencil, false, false},
    {"list scan", list_scan, false, false},
    {"sort", sort, false, false},
    {"sort of indices", sort_indices, false, false},
    {"merge", merge, false, false},
    {"search", search, false, false},
    {"top k", top_k, false, false},
    {"is sorted", is_sorted, false, false},
    {"map many", map_many, false, false},
    {"reduce of what is kept", reduce_kept, false, false},
    {"slide", slide, false, false},
    {"unique", unique, true, false},
    {"nth", nth, false, false},
    {"check of an operator", check_operator, true, false},
};
enum { STATE_CASES = sizeof state_cases / sizeof *state_cases };

static size_t state_room(const state_data *d)
{
    return 16 * (size_t)d->n + 1024;
}

// Runs a case with constants by a reference and with a state by a context, both of its values by
// turns, and compares bytes.
static void state_try(hd_context *reference, hd_context *ctx, const char *name, const state_data *d,
                      const state_case *c, hd_status expected)
{
    const size_t bytes = state_room(d);
    char *want[2], *got = check_memory(bytes);
    for (int k = 0; k < 2; k++) {
        const state_texts own = state_constants(k);
        want[k] = check_memory(bytes);
        memset(want[k], 0, bytes);
        CHECK_OK(reference, c->call(reference, d, &own, want[k]));
    }
    for (int k = 0; k < 4; k++) { // one value after the other and back
        const limits value = state_values[k & 1];
        const state_texts with = state_given(&value);
        memset(got, 0, bytes);
        const hd_status status = c->call(ctx, d, &with, got);
        CHECK(status == expected, "%s on %s: %s", c->name, name, hd_error(ctx));
        CHECK(status != HD_OK || memcmp(got, want[k & 1], bytes) == 0, "%s on %s with state %d",
              c->name, name, k & 1);
    }
    CHECK(c->alike || d->n < 100 || memcmp(want[0], want[1], bytes) != 0,
          "%s: the state makes no difference", c->name);
    free(want[0]), free(want[1]), free(got);
}

#endif
