// SPDX-License-Identifier: Apache-2.0
//
// Arrays of strings against memcmp: random ones with bytes of 0, empty ones, common prefixes of all
// lengths, equal ones; offsets of all types; found patterns of all lengths, overlapping, in strings
// and across them; errors; failing memory; views of a device.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

#include "tests/algorithms/failing_memory.h"
#include "tests/support/check.h"

typedef struct strings {
    int64_t n, bytes;
    int64_t *offset;
    unsigned char *byte;
} strings;

// How strings are made.
typedef enum kind { SHORT, BINARY, LONG, PREFIXES, EQUAL, LADDER, KINDS } kind;

static strings make(kind how, int64_t n, uint64_t *r)
{
    strings s = {.n = n};
    const int64_t common = 1 + check_below(r, 100);
    s.offset = check_memory((size_t)(n + 1) * 8);
    s.byte = check_memory((size_t)n * 260 + 100000);
    s.bytes = check_below(r, 20); // before the first
    for (int64_t i = 0; i < n; i++) {
        s.offset[i] = s.bytes;
        int64_t length = check_below(r, 12), letters = 3;
        if (how == BINARY) letters = 2;
        if (how == LONG) length = check_below(r, 200);
        if (how == PREFIXES) length += common;
        if (how == EQUAL) length = common;
        if (how == LADDER) length = i % 200;
        for (int64_t k = 0; k < length; k++)
            s.byte[s.bytes++] =
                (unsigned char)(how == LADDER || how == EQUAL || (how == PREFIXES && k < common)
                                    ? 'x'
                                : how == BINARY ? check_below(r, letters)
                                                : 254 + check_below(r, letters) - 1);
    }
    s.offset[n] = s.bytes;
    return s;
}

static void drop(strings *s)
{
    free(s->offset), free(s->byte);
}

static int compare(const strings *a, int64_t i, const strings *b, int64_t j)
{
    const int64_t m = a->offset[i + 1] - a->offset[i], n = b->offset[j + 1] - b->offset[j];
    const int order =
        memcmp(a->byte + a->offset[i], b->byte + b->offset[j], (size_t)(m < n ? m : n));
    return order != 0 ? (order > 0) - (order < 0) : (m > n) - (m < n);
}

static hd_view offsets_of(const strings *s)
{
    return HD_VIEW(s->offset, s->n + 1);
}

static hd_view bytes_of(const strings *s)
{
    return HD_VIEW(s->byte, s->bytes);
}

// ---- Comparing ------------------------------------------------------------------------------

static void try_compare(hd_context *ctx, const char *name, const strings *a, const strings *b)
{
    int32_t *out = check_memory((size_t)a->n * 4 + 4);
    CHECK_OK(ctx, hd_strings_compare(ctx, offsets_of(a), bytes_of(a), offsets_of(b), bytes_of(b),
                                     HD_VIEW(out, a->n), NULL));
    for (int64_t i = 0; i < a->n; i++)
        if (out[i] != compare(a, i, b, i)) {
            CHECK(false, "%s: pair %" PRId64 " of %" PRId64 " is %d, expected %d", name, i, a->n,
                  out[i], compare(a, i, b, i));
            break;
        }
    free(out);
}

// b is a with some strings changed at some place.
static void test_compare(hd_context *ctx, const char *name, kind how, int64_t n, uint64_t seed)
{
    uint64_t r = seed;
    strings a = make(how, n, &r), b = {.n = n, .bytes = a.bytes};
    b.offset = check_memory((size_t)(n + 1) * 8), b.byte = check_memory((size_t)a.bytes + 1);
    memcpy(b.offset, a.offset, (size_t)(n + 1) * 8);
    memcpy(b.byte, a.byte, (size_t)a.bytes);
    for (int64_t k = 0; k < n / 2 && a.bytes > 0; k++)
        b.byte[check_below(&r, a.bytes)] ^= (unsigned char)check_below(&r, 3);
    for (int64_t k = 1; k < n; k++) // ends move
        if (check_below(&r, 4) == 0 && b.offset[k] > b.offset[k - 1]) b.offset[k]--;
    try_compare(ctx, name, &a, &b);
    strings c = make((kind)((how + 1) % KINDS), n, &r);
    try_compare(ctx, name, &a, &c);
    try_compare(ctx, name, &a, &a);
    drop(&a), drop(&b), drop(&c);
}

// ---- Sorting --------------------------------------------------------------------------------

static const strings *sorted_strings;
static int by_string(const void *a, const void *b)
{
    const int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    const int order = compare(sorted_strings, i, sorted_strings, j);
    return order != 0 ? order : (i > j) - (i < j);
}

static void check_sorted(const char *name, const strings *s, const int64_t *order,
                         const strings *out)
{
    int64_t *want = check_memory((size_t)s->n * 8 + 8);
    for (int64_t i = 0; i < s->n; i++) want[i] = i;
    sorted_strings = s;
    qsort(want, (size_t)s->n, 8, by_string);
    for (int64_t i = 0; i < s->n; i++)
        if (order[i] != want[i] || compare(s, want[i], out, i) != 0) {
            CHECK(false,
                  "%s: place %" PRId64 " of %" PRId64 " has string %" PRId64 ", expected %" PRId64,
                  name, i, s->n, order[i], want[i]);
            break;
        }
    free(want);
}

static void try_sort(hd_context *ctx, const char *name, const strings *s)
{
    strings out = {.n = s->n, .bytes = s->bytes};
    int64_t *order = check_memory((size_t)s->n * 8 + 8);
    out.offset = check_memory((size_t)(s->n + 1) * 8),
    out.byte = check_memory((size_t)s->bytes + 1);
    const hd_view indices = HD_VIEW(order, s->n);
    CHECK_OK(ctx, hd_strings_sort(ctx, offsets_of(s), bytes_of(s), offsets_of(&out), bytes_of(&out),
                                  &(hd_strings_sort_options){.indices = &indices}));
    check_sorted(name, s, order, &out);
    CHECK_OK(ctx, hd_strings_sort(ctx, offsets_of(s), bytes_of(s), HD_EMPTY, HD_EMPTY,
                                  &(hd_strings_sort_options){.indices = &indices}));
    check_sorted(name, s, order, &out);
    drop(&out);
    free(order);
}

static void test_sort(hd_context *ctx, const char *name, kind how, int64_t n, uint64_t seed)
{
    uint64_t r = seed;
    strings s = make(how, n, &r);
    try_sort(ctx, name, &s);
    drop(&s);
}

// Few long strings that differ at their ends, or not at all.
static void test_long(hd_context *ctx, const char *name, int64_t length)
{
    enum { N = 5 };
    int64_t offset[N + 1] = {0};
    strings s = {N, N * length, offset, check_memory((size_t)(N * length))};
    memset(s.byte, 'a', (size_t)s.bytes);
    for (int k = 0; k < N; k++) offset[k + 1] = (k + 1) * length - (k == 2);
    s.byte[offset[2] - 1] = 'b', s.byte[offset[1] - length / 2] = 0;
    try_sort(ctx, name, &s);
    try_compare(ctx, name, &s,
                &(strings){N, s.bytes,
                           (int64_t[]){0, 0, length, 2 * length, 3 * length, 4 * length}, s.byte});
    free(s.byte);
}

// ---- Finding --------------------------------------------------------------------------------

static void try_find(hd_context *ctx, const char *name, const strings *s, const unsigned char *what,
                     int64_t length, bool in_strings)
{
    int64_t *want = check_memory((size_t)s->bytes * 8 + 8),
            *got = check_memory((size_t)s->bytes * 8 + 8);
    int64_t *counts = check_memory((size_t)s->n * 8 + 8), *count_of = calloc((size_t)s->n + 1, 8);
    int64_t m = 0, count = -1;
    if (in_strings) {
        for (int64_t i = 0; i < s->n; i++)
            for (int64_t k = s->offset[i]; k + length <= s->offset[i + 1]; k++)
                if (memcmp(s->byte + k, what, (size_t)length) == 0) want[m++] = k, count_of[i]++;
    } else {
        for (int64_t k = 0; k + length <= s->bytes; k++)
            if (memcmp(s->byte + k, what, (size_t)length) == 0) want[m++] = k;
    }
    const hd_view offsets = offsets_of(s), each = HD_VIEW(counts, s->n);
    const hd_strings_find_options how = {.offsets = in_strings ? &offsets : NULL,
                                         .counts = in_strings ? &each : NULL};
    CHECK_OK(ctx, hd_strings_find(ctx, bytes_of(s), HD_VIEW(what, length), HD_VIEW(got, m),
                                  HD_VIEW(&count, 1), &how));
    CHECK(count == m && memcmp(got, want, (size_t)m * 8) == 0,
          "%s: %" PRId64 " places of %" PRId64 " bytes, expected %" PRId64, name, count, length, m);
    if (in_strings) CHECK(memcmp(counts, count_of, (size_t)s->n * 8) == 0, "%s: counts", name);
    if (m > 0)
        CHECK(hd_strings_find(ctx, bytes_of(s), HD_VIEW(what, length), HD_VIEW(got, m - 1),
                              HD_VIEW(&count, 1), &how) == HD_ERROR_SHAPE &&
                  count == m && memcmp(got, want, (size_t)(m - 1) * 8) == 0,
              "%s: too little room", name);
    free(want), free(got), free(counts), free(count_of);
}

static void test_find(hd_context *ctx, const char *name, kind how, int64_t n, uint64_t seed)
{
    uint64_t r = seed;
    strings s = make(how, n, &r);
    for (int turn = 0; turn < 8; turn++) {
        const int64_t length = turn < 4 ? 1 + check_below(&r, 9) : 1 + check_below(&r, 60);
        if (s.bytes < length) continue;
        unsigned char *what = check_memory((size_t)length);
        memcpy(what, s.byte + check_below(&r, s.bytes - length + 1), (size_t)length);
        if (turn == 7) what[length - 1] ^= 1;
        try_find(ctx, name, &s, what, length, turn % 2 == 0);
        free(what);
    }
    drop(&s);
}

// ---- Errors, memory, a device ---------------------------------------------------------------

#define FAILS(status, text, call)                                                                  \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_errors(hd_context *ctx)
{
    unsigned char b[8] = "abcdefg", out_b[8];
    int32_t o[] = {0, 2, 4}, falls[] = {0, 3, 2}, beyond[] = {0, 3, 9}, order[3], out_o[3];
    int8_t out[2];
    int64_t count, place[8], counts[2];
    const hd_view v = HD_VIEW(o, 3), bytes = HD_VIEW(b, 8), c = HD_VIEW(&count, 1);
    const hd_view each = HD_VIEW(counts, 2);
    CHECK_OK(ctx, hd_strings_compare(ctx, v, bytes, v, bytes, HD_VIEW(out, 2), NULL));
    CHECK(out[0] == 0 && out[1] == 0, "32-bit offsets");
    FAILS(HD_ERROR_VALUE, "offsets of a falls at element 2",
          hd_strings_compare(ctx, HD_VIEW(falls, 3), bytes, v, bytes, HD_VIEW(out, 2), NULL));
    FAILS(HD_ERROR_VALUE, "offsets of b go from 0 to 9; expected 0 .. 8",
          hd_strings_compare(ctx, v, bytes, HD_VIEW(beyond, 3), bytes, HD_VIEW(out, 2), NULL));
    FAILS(HD_ERROR_SHAPE, "a has 2 strings, b 1",
          hd_strings_compare(ctx, v, bytes, HD_VIEW(o, 2), bytes, HD_VIEW(out, 2), NULL));
    FAILS(HD_ERROR_TYPE, "signed integers",
          hd_strings_compare(ctx, v, bytes, v, bytes, HD_VIEW(out_b, 2), NULL));
    FAILS(HD_ERROR_TYPE, "a: 1 dimensions of i32",
          hd_strings_compare(ctx, v, v, v, bytes, HD_VIEW(out, 2), NULL));
    FAILS(HD_ERROR_ALIAS, "out overlaps a_offsets",
          hd_strings_compare(ctx, v, bytes, v, bytes, HD_VIEW(o, 2), NULL));
    CHECK_OK(ctx, hd_strings_compare(ctx, HD_VIEW(o, 0), bytes, HD_VIEW(o, 1), bytes,
                                     HD_VIEW(out, 0), NULL));
    FAILS(HD_ERROR_VALUE, "pattern is empty",
          hd_strings_find(ctx, bytes, HD_VIEW(b, 0), HD_EMPTY, c, NULL));
    FAILS(HD_ERROR_TYPE, "positions: 1 dimensions of i32",
          hd_strings_find(ctx, bytes, HD_VIEW(b, 1), HD_VIEW(order, 3), c, NULL));
    FAILS(HD_ERROR_ARGUMENT, "count: expected one i64",
          hd_strings_find(ctx, bytes, HD_VIEW(b, 1), HD_VIEW(place, 8), HD_EMPTY, NULL));
    FAILS(HD_ERROR_ARGUMENT, "counts without offsets",
          hd_strings_find(ctx, bytes, HD_VIEW(b, 1), HD_VIEW(place, 8), c,
                          &(hd_strings_find_options){.counts = &each}));
    FAILS(HD_ERROR_ALIAS, "count overlaps positions",
          hd_strings_find(ctx, bytes, HD_VIEW(b, 1), HD_VIEW(&count, 1), c, NULL));
    CHECK_OK(ctx, hd_strings_find(ctx, HD_VIEW(b, 0), HD_VIEW(b, 3), HD_EMPTY, c, NULL));
    CHECK(count == 0, "an empty text");
    FAILS(HD_ERROR_SHAPE, "offsets_out has 2 elements",
          hd_strings_sort(ctx, v, bytes, HD_VIEW(out_o, 2), HD_VIEW(out_b, 8), NULL));
    FAILS(HD_ERROR_SHAPE, "bytes_out has 3 elements",
          hd_strings_sort(ctx, v, bytes, HD_VIEW(out_o, 3), HD_VIEW(out_b, 3), NULL));
    FAILS(HD_ERROR_ALIAS, "bytes_out overlaps bytes",
          hd_strings_sort(ctx, v, bytes, HD_VIEW(out_o, 3), bytes, NULL));
    FAILS(HD_ERROR_VALUE, "falls",
          hd_strings_sort(ctx, HD_VIEW(falls, 3), bytes, HD_EMPTY, HD_EMPTY, NULL));
    CHECK_OK(ctx, hd_strings_sort(ctx, HD_VIEW(o, 1), bytes, HD_VIEW(out_o, 1), HD_EMPTY, NULL));
    CHECK(out_o[0] == 0, "no strings");
    CHECK(hd_strings_sort(NULL, v, bytes, HD_EMPTY, HD_EMPTY, NULL) == HD_ERROR_ARGUMENT, "no ctx");
}

static hd_status call(hd_context *ctx, int which, const strings *s)
{
    static int8_t order[1000];
    static int64_t offset[1000];
    static unsigned char byte[100000];
    int64_t count;
    if (which == 0)
        return hd_strings_compare(ctx, offsets_of(s), bytes_of(s), offsets_of(s), bytes_of(s),
                                  HD_VIEW(order, s->n), NULL);
    if (which == 1)
        return hd_strings_sort(ctx, offsets_of(s), bytes_of(s), HD_VIEW(offset, s->n + 1),
                               HD_VIEW(byte, 100000), NULL);
    const hd_view offsets = offsets_of(s);
    return hd_strings_find(ctx, bytes_of(s), HD_VIEW(s->byte + s->offset[0], 12), HD_EMPTY,
                           HD_VIEW(&count, 1), &(hd_strings_find_options){.offsets = &offsets});
}

static void test_memory(int which)
{
    uint64_t r = check_seed();
    strings s = make(EQUAL, 200, &r);
    bool met = true;
    for (long long k = 0; met && k < 500; k++) {
        failing_ledger l = {.fail_at = -1};
        hd_context *ctx = NULL;
        CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){
                                        .allocator = {failing_allocate, failing_release, &l}}));
        l.fail_at = l.calls + k;
        const hd_status status = call(ctx, which, &s);
        met = l.calls > l.fail_at;
        CHECK(status == (met ? HD_ERROR_MEMORY : HD_OK), "call %d, allocation %lld: %s", which, k,
              hd_error(ctx));
        hd_close(ctx);
        CHECK(l.alive == 0, "allocation %lld: %lld blocks lost", k, l.alive);
    }
    drop(&s);
}

static hd_view to_device(hd_context *ctx, hd_view host)
{
    hd_view v;
    CHECK_OK(ctx, hd_alloc_device(ctx, host.type, 1, host.shape, &v));
    if (host.data != NULL) CHECK_OK(ctx, hd_map(ctx, host, NULL, v, NULL));
    return v;
}

static void test_gpu(hd_backend which)
{
    hd_context *ctx = check_open(which, 1, NULL);
    const char *const name = hd_backend_name(which);
    uint64_t r = check_seed();
    test_compare(ctx, name, PREFIXES, 40, r);
    test_sort(ctx, name, LADDER, 40, r);
    strings s = make(PREFIXES, 50, &r), out = make(EQUAL, 50, &r);
    int64_t count = 0, order[50];
    out.bytes = s.bytes;
    hd_view v[] = {to_device(ctx, offsets_of(&s)),
                   to_device(ctx, bytes_of(&s)),
                   to_device(ctx, offsets_of(&s)),
                   to_device(ctx, bytes_of(&s)),
                   to_device(ctx, HD_VIEW(order, 50)),
                   to_device(ctx, HD_VIEW(s.byte + s.offset[3], 9)),
                   to_device(ctx, hd_view_of(HD_I64, order, 50))};
    CHECK_OK(ctx, hd_strings_sort(ctx, v[0], v[1], v[2], v[3],
                                  &(hd_strings_sort_options){.indices = &v[4]}));
    CHECK_OK(ctx, hd_map(ctx, v[2], NULL, offsets_of(&out), NULL));
    CHECK_OK(ctx, hd_map(ctx, v[3], NULL, bytes_of(&out), NULL));
    CHECK_OK(ctx, hd_map(ctx, v[4], NULL, HD_VIEW(order, 50), NULL));
    CHECK_OK(ctx, hd_sync(ctx));
    check_sorted(name, &s, order, &out);
    CHECK_OK(ctx, hd_strings_find(ctx, v[1], v[5], HD_EMPTY, HD_VIEW(&count, 1),
                                  &(hd_strings_find_options){.offsets = &v[0], .counts = &v[6]}));
    CHECK_OK(ctx, hd_map(ctx, v[6], NULL, HD_VIEW(order, 50), NULL));
    CHECK_OK(ctx, hd_sync(ctx));
    int64_t total = 0;
    for (int k = 0; k < 50; k++) total += order[k];
    CHECK(count >= 1 && total == count, "%s: %" PRId64 " places, %" PRId64 " counted", name, count,
          total);
    for (int k = 0; k < 7; k++) CHECK_OK(ctx, hd_free(ctx, &v[k]));
    drop(&s), drop(&out);
    hd_close(ctx);
}

int main(void)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    const int64_t sizes[] = {0, 1, 2, 33, 500, 3000};
    for (int t = 0; t < count; t++)
        for (int how = 0; how < KINDS; how++)
            for (int k = t < 2 ? 0 : 3; k < (t < 2 ? 6 : t < 4 ? 5 : 4); k++) {
                const uint64_t seed = check_seed() + (uint64_t)(t * 100 + how * 10 + k);
                test_compare(targets[t].ctx, targets[t].name, (kind)how, sizes[k], seed);
                test_sort(targets[t].ctx, targets[t].name, (kind)how, sizes[k], seed);
                if (k < 5) test_find(targets[t].ctx, targets[t].name, (kind)how, sizes[k], seed);
            }
    for (int t = 0; t < 3; t++)
        test_long(targets[t].ctx, targets[t].name, check_small() ? 10000 : 100000);
    if (!check_small()) test_sort(targets[1].ctx, targets[1].name, SHORT, 50000, check_seed());
    // More places than a task of the cores has.
    test_find(targets[1].ctx, targets[1].name, SHORT, check_small() ? 20000 : 100000, check_seed());
    test_compare(targets[1].ctx, targets[1].name, SHORT, 20000, check_seed());
    for (int t = 0; t < 2; t++) test_errors(targets[t].ctx);
    for (int which = 0; which < 3; which++) test_memory(which);
    const int code = check_on_gpus(test_gpu);
    return code == CHECK_SKIP ? check_finish() : code;
}
