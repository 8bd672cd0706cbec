// SPDX-License-Identifier: Apache-2.0
//
// Carries that begin anywhere: a sequence cut at random, each part reduced by itself in chunks,
// packed, and joined in a random grouping from either side gives the bits of one call, and a scan
// goes on behind it; bytes that are no carry of the kind are refused; memory that runs out.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

HD_MONOID(affine, double, HD_NO_SOURCE, HD_ASSOCIATIVE, 1.0, { return 0.5 * a + b; })
HD_SOURCE(
    lines, typedef struct { int32_t scale, shift; } line;)
HD_OPERATOR(after, line, lines, HD_ASSOCIATIVE, {
    line c;
    c.scale = (int32_t)((uint32_t)a.scale * (uint32_t)b.scale);
    c.shift = (int32_t)((uint32_t)a.shift * (uint32_t)b.scale + (uint32_t)b.shift);
    return c;
})
HD_FUNCTION(times, double, HD_NO_SOURCE, (double, a, double, b), { return a * b; })

static const check_target *targets;
static int target_count;

enum { MAX_PARTS = 9 };

typedef struct sequence {
    const hd_operator *op;
    hd_type type, out;
    int64_t n;
    char *x;
} sequence;

static hd_view part_of(const sequence *s, int64_t at, int64_t n)
{
    return HD_VIEW_OF(s->type, s->x + (size_t)at * hd_type_size(s->type), n);
}

// The carry of elements begin .. end - 1, which a few calls saw.
static hd_carry *carry_of(hd_context *ctx, const sequence *s, int64_t begin, int64_t end,
                          uint64_t *state)
{
    hd_carry *carry;
    CHECK_OK(ctx, hd_carry_open_at(ctx, &carry, begin));
    const hd_reduce_options how = {.carry = carry};
    const hd_view none = HD_VIEW_OF(s->out, NULL, 0);
    int64_t at = begin;
    do {
        int64_t m = check_below(state, 2) ? end - at : check_below(state, end - at + 1);
        CHECK_OK(ctx, hd_reduce(ctx, part_of(s, at, m), s->op, none, &how));
        at += m;
        CHECK(hd_carry_first(carry) == begin && hd_carry_count(carry) == at - begin,
              "%" PRId64 " from %" PRId64, hd_carry_count(carry), hd_carry_first(carry));
    } while (at < end);
    return carry;
}

typedef struct bytes {
    unsigned char *data;
    int64_t n;
} bytes;

static bytes packed(hd_context *ctx, const hd_carry *carry)
{
    const int64_t n = hd_carry_bytes(carry);
    bytes b = {check_memory((size_t)n), n};
    CHECK_OK(ctx, hd_carry_pack(ctx, carry, HD_VIEW(b.data, n)));
    return b;
}

// Joins neighbours k and k + 1 of a list of carries into one of the two.
static void join(hd_context *ctx, hd_carry **list, int *count, int k, bool into_right)
{
    hd_carry *kept = list[into_right ? k + 1 : k], *given = list[into_right ? k : k + 1];
    const bytes b = packed(ctx, given);
    CHECK_OK(ctx, hd_carry_join(ctx, kept, HD_VIEW(b.data, b.n)));
    free(b.data);
    hd_carry_close(ctx, given);
    list[k] = kept;
    (*count)--;
    memmove(list + k + 1, list + k + 2, sizeof *list * (size_t)(*count - k - 1));
}

static void check_result(hd_context *ctx, const sequence *s, hd_carry *carry, int64_t n,
                         const char *name)
{
    _Alignas(16) unsigned char want[16], got[16];
    if (n == 0 && (s->op == after || s->op == affine)) return;
    CHECK_OK(ctx, hd_reduce(ctx, part_of(s, 0, n), s->op, HD_VIEW_OF(s->out, want, 1), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, part_of(s, n, 0), s->op, HD_VIEW_OF(s->out, got, 1),
                            &(hd_reduce_options){.carry = carry}));
    CHECK(memcmp(got, want, hd_type_size(s->out)) == 0, "%s of %" PRId64 " %s joined, on %s",
          hd_operator_name(s->op), n, hd_type_name(s->type), name);
}

// What the scan of everything has from element n on.
static void check_scan(hd_context *ctx, const sequence *s, hd_carry *carry, int64_t n,
                       const char *name)
{
    const size_t size = hd_type_size(s->out);
    char *want = check_memory(size * (size_t)s->n + 1),
         *got = check_memory(size * (size_t)s->n + 1);
    CHECK_OK(ctx, hd_scan(ctx, part_of(s, 0, s->n), s->op, HD_VIEW_OF(s->out, want, s->n), NULL));
    CHECK_OK(ctx, hd_scan(ctx, part_of(s, n, s->n - n), s->op, HD_VIEW_OF(s->out, got, s->n - n),
                          &(hd_scan_options){.carry = carry}));
    CHECK(memcmp(got, want + size * (size_t)n, size * (size_t)(s->n - n)) == 0,
          "scan, %s of %" PRId64 " %s from %" PRId64 ", on %s", hd_operator_name(s->op), s->n,
          hd_type_name(s->type), n, name);
    free(want), free(got);
}

static void try_joins(const check_target *target, const sequence *s, uint64_t *state)
{
    hd_context *ctx = target->ctx;
    hd_carry *list[MAX_PARTS];
    int64_t cut[MAX_PARTS + 1] = {0};
    int parts = 1 + (int)check_below(state, MAX_PARTS);
    const bool all = check_below(state, 2);
    cut[parts] = all ? s->n : check_below(state, s->n + 1);
    for (int k = parts - 1; k > 0; k--) cut[k] = check_below(state, cut[k + 1] + 1);
    for (int k = 0; k < parts; k++) list[k] = carry_of(ctx, s, cut[k], cut[k + 1], state);
    const int64_t n = cut[parts];
    while (parts > 1)
        join(ctx, list, &parts, (int)check_below(state, parts - 1), check_below(state, 2));
    CHECK(hd_carry_first(list[0]) == 0 && hd_carry_count(list[0]) == n, "all are there");
    check_result(ctx, s, list[0], n, target->name);
    check_scan(ctx, s, list[0], n, target->name);
    hd_carry_close(ctx, list[0]);
}

static void test_joins(const hd_operator *op, hd_type type, hd_type out, int64_t n, uint64_t *state)
{
    sequence s = {op, type, out, n, check_memory((size_t)n * hd_type_size(type) + 1)};
    const bool structure = op == after;
    check_fill(structure ? HD_I32 : type, s.x, structure ? 2 * n : n, CHECK_ORDINARY, *state);
    for (int t = 0; t < target_count; t++)
        for (int k = 0; k < 3; k++) try_joins(&targets[t], &s, state);
    free(s.x);
}

// ---- Options along ------------------------------------------------------------------------------

static void test_functions(void)
{
    enum { N = 777 };
    double x[N], y[N], want, got;
    uint64_t state = check_seed();
    check_fill(HD_F64, x, N, CHECK_ORDINARY, state), check_fill(HD_F64, y, N, CHECK_ORDINARY, 5);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        hd_carry *left, *right;
        const hd_view none = HD_VIEW_OF(HD_F64, NULL, 0);
        CHECK_OK(ctx, hd_carry_open(ctx, &left));
        CHECK_OK(ctx, hd_carry_open_at(ctx, &right, 333));
        CHECK_OK(ctx,
                 hd_reduce(ctx, HD_VIEW(x, 333), HD_SUM, none,
                           &(hd_reduce_options){
                               .carry = left, .map = times, .with = HD_VIEWS(HD_VIEW(y, 333))}));
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x + 333, N - 333), HD_SUM, none,
                                &(hd_reduce_options){.carry = right,
                                                     .map = times,
                                                     .with = HD_VIEWS(HD_VIEW(y + 333, N - 333))}));
        const bytes b = packed(ctx, right);
        CHECK_OK(ctx, hd_carry_join(ctx, left, HD_VIEW(b.data, b.n)));
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 0), HD_SUM, HD_VIEW(&got, 1),
                                &(hd_reduce_options){
                                    .carry = left, .map = times, .with = HD_VIEWS(HD_VIEW(y, 0))}));
        CHECK_OK(ctx,
                 hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&want, 1),
                           &(hd_reduce_options){.map = times, .with = HD_VIEWS(HD_VIEW(y, N))}));
        CHECK(memcmp(&got, &want, 8) == 0, "%a, expected %a on %s", got, want, targets[t].name);
        hd_carry_close(ctx, left), hd_carry_close(ctx, right);
        free(b.data);
    }
}

// ---- What is refused ----------------------------------------------------------------------------

#define FAILS(status, text, call)                                                                  \
    do {                                                                                           \
        const hd_status got_ = (call);                                                             \
        CHECK(got_ == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",               \
              hd_status_name(got_), hd_error(ctx));                                                \
    } while (0)

static void test_errors(void)
{
    hd_context *ctx = targets[0].ctx;
    hd_carry *carry, *fresh;
    float x[10] = {1, 2, 3}, y[10];
    static int32_t grid[4];
    FAILS(HD_ERROR_ARGUMENT, "first is -1", hd_carry_open_at(ctx, &carry, -1));
    FAILS(HD_ERROR_ARGUMENT, "expected 0 to 2^62", hd_carry_open_at(ctx, &carry, INT64_MAX));
    FAILS(HD_ERROR_ARGUMENT, "NULL", hd_carry_open_at(ctx, NULL, 1));
    CHECK_OK(ctx, hd_carry_open_at(ctx, &carry, 5));
    CHECK_OK(ctx, hd_carry_open(ctx, &fresh));
    const hd_reduce_options how = {.carry = carry};
    const hd_view none = HD_VIEW_OF(HD_F32, NULL, 0);
    FAILS(HD_ERROR_SHAPE, "no result before it is joined",
          hd_reduce(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(y, 1), &how));
    FAILS(HD_ERROR_SHAPE, "2 dimensions",
          hd_reduce(ctx, hd_view_nd(HD_I32, grid, 2, (int64_t[]){2, 2}, NULL), HD_SUM,
                    HD_VIEW_OF(HD_I64, NULL, 0), &how));
    FAILS(HD_ERROR_ARGUMENT, "need an output",
          hd_reduce(ctx, HD_VIEW(x, 3), HD_SUM, none,
                    &(hd_reduce_options){.carry = carry, .init = x}));
    FAILS(HD_ERROR_ARGUMENT, "begins at element 5",
          hd_scan(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(y, 3),
                  &(hd_scan_options){.carry = carry, .monotone = true}));
    FAILS(HD_ERROR_ARGUMENT, "begins at element 5",
          hd_scan(ctx, HD_VIEW(x, 3), HD_MEAN, HD_VIEW(y, 3), &(hd_scan_options){.carry = carry}));
    FAILS(HD_ERROR_SHAPE, "2 dimensions",
          hd_scan(ctx, hd_view_nd(HD_I32, grid, 2, (int64_t[]){2, 2}, NULL), HD_SUM,
                  hd_view_nd(HD_I32, grid, 2, (int64_t[]){2, 2}, NULL),
                  &(hd_scan_options){.carry = carry}));
    FAILS(HD_ERROR_ARGUMENT, "knows no operator yet",
          hd_carry_pack(ctx, fresh, HD_VIEW_OF(HD_U8, NULL, 0)));
    FAILS(HD_ERROR_ARGUMENT, "NULL", hd_carry_pack(ctx, NULL, HD_VIEW_OF(HD_U8, NULL, 0)));
    CHECK(hd_carry_bytes(NULL) == 0 && hd_carry_bytes(fresh) == 0 && hd_carry_first(NULL) == 0,
          "nothing");
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 3), HD_SUM, none, &how));
    const int64_t n = hd_carry_bytes(carry);
    unsigned char *b = check_memory((size_t)n + 8);
    FAILS(HD_ERROR_SHAPE, "expected", hd_carry_pack(ctx, carry, HD_VIEW(b, n - 1)));
    FAILS(HD_ERROR_ARGUMENT, "read-only", hd_carry_pack(ctx, carry, hd_read_only(HD_VIEW(b, n))));
    FAILS(HD_ERROR_ARGUMENT, "row of u8", hd_carry_pack(ctx, carry, HD_VIEW(x, 3)));
    CHECK_OK(ctx, hd_carry_pack(ctx, carry, HD_VIEW(b, n)));
    FAILS(HD_ERROR_VALUE, "expected neighbours", hd_carry_join(ctx, carry, HD_VIEW(b, n)));
    FAILS(HD_ERROR_ARGUMENT, "knows no operator yet", hd_carry_join(ctx, fresh, HD_VIEW(b, n)));
    CHECK_OK(ctx,
             hd_reduce(ctx, HD_VIEW(x, 5), HD_MAX, none, &(hd_reduce_options){.carry = fresh}));
    FAILS(HD_ERROR_ARGUMENT, "another operator", hd_carry_join(ctx, fresh, HD_VIEW(b, n)));
    hd_carry_close(ctx, fresh);
    CHECK_OK(ctx, hd_carry_open(ctx, &fresh));
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, 5), HD_SUM, HD_VIEW(y, 5),
                          &(hd_scan_options){.carry = fresh, .monotone = true}));
    FAILS(HD_ERROR_ARGUMENT, "monotone", hd_carry_join(ctx, fresh, HD_VIEW(b, n)));
    hd_carry_close(ctx, fresh), hd_carry_close(ctx, carry);
    free(b);
}

// Bytes with anything in them: an error and a carry as it was, or a join.
static void test_hostile_bytes(uint64_t *state)
{
    hd_context *ctx = targets[0].ctx;
    hd_carry *carry, *other;
    double x[100], was, is;
    check_fill(HD_F64, x, 100, CHECK_ORDINARY, 1);
    const hd_view none = HD_VIEW_OF(HD_F64, NULL, 0);
    CHECK_OK(ctx, hd_carry_open(ctx, &carry));
    CHECK_OK(ctx, hd_carry_open_at(ctx, &other, 37));
    const hd_reduce_options how = {.carry = carry};
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 37), HD_SUM_EXACT, HD_VIEW(&was, 1), &how));
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 50), HD_SUM_EXACT, none,
                            &(hd_reduce_options){.carry = other}));
    const bytes b = packed(ctx, other);
    int refused = 0;
    for (int k = 0; k < 3000; k++) {
        unsigned char *bad = check_memory((size_t)b.n);
        int64_t n = b.n;
        memcpy(bad, b.data, (size_t)n);
        for (int64_t hits = 1 + check_below(state, 3); hits > 0; hits--)
            bad[check_below(state, 64)] = (unsigned char)check_next(state);
        if (k % 4 == 0) n = check_below(state, n);
        if (n == b.n && memcmp(bad, b.data, (size_t)n) == 0) bad[0] ^= 1;
        bad = realloc(bad, (size_t)n + (n == 0)); // so that reads beyond it are seen
        CHECK(bad != NULL, "memory");
        const hd_status status = hd_carry_join(ctx, carry, HD_VIEW(bad, n));
        free(bad);
        refused += status != HD_OK;
        if (status == HD_OK) break; // another count of as many nodes
        CHECK(hd_carry_count(carry) == 37, "%s changed it", hd_error(ctx));
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 0), HD_SUM_EXACT, HD_VIEW(&is, 1), &how));
        CHECK(memcmp(&is, &was, 8) == 0, "%a, expected %a", is, was);
    }
    CHECK(refused > 0, "%d refused", refused);
    free(b.data);
    hd_carry_close(ctx, carry), hd_carry_close(ctx, other);
}

typedef struct ledger {
    long long calls, fail_at, alive;
} ledger;

static void *allocate(void *user, size_t size, size_t alignment)
{
    ledger *l = user;
    if (l->calls++ == l->fail_at) return NULL;
    l->alive++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t size)
{
    (void)size;
    ((ledger *)user)->alive--;
    free(memory);
}

static void test_memory(void)
{
    float x[100];
    check_fill(HD_F32, x, 100, CHECK_ORDINARY, 1);
    for (long long k = 0; k < 12; k++) {
        ledger counts = {.fail_at = -1};
        hd_context *ctx = NULL;
        CHECK_OK(ctx,
                 hd_open(&ctx, &(hd_context_options){.allocator = {allocate, release, &counts}}));
        hd_carry *left = NULL, *right = NULL;
        unsigned char bytes[512];
        const hd_view none = HD_VIEW_OF(HD_F32, NULL, 0);
        counts.fail_at = counts.calls + k;
        hd_status status = hd_carry_open_at(ctx, &left, 0);
        if (!status) status = hd_carry_open_at(ctx, &right, 50);
        if (!status)
            status =
                hd_reduce(ctx, HD_VIEW(x, 50), HD_SUM, none, &(hd_reduce_options){.carry = left});
        if (!status)
            status = hd_reduce(ctx, HD_VIEW(x + 50, 50), HD_SUM, none,
                               &(hd_reduce_options){.carry = right});
        if (!status) status = hd_carry_pack(ctx, left, HD_VIEW(bytes, hd_carry_bytes(left)));
        if (!status) status = hd_carry_join(ctx, right, HD_VIEW(bytes, hd_carry_bytes(left)));
        const bool met = counts.calls > counts.fail_at;
        CHECK(status == (met ? HD_ERROR_MEMORY : HD_OK), "allocation %lld: %s", k, hd_error(ctx));
        hd_carry_close(ctx, left), hd_carry_close(ctx, right);
        hd_close(ctx);
        CHECK(counts.alive == 0, "allocation %lld: %lld blocks lost", k, counts.alive);
    }
}

int main(void)
{
    uint64_t state = check_seed();
    target_count = check_targets(&targets);
    const hd_type pair = HD_STRUCT(line);
    static const int64_t sizes[] = {0, 1, 2, 7, 64, 255, 1000, 4097};
    for (int k = 0; k < 8; k++) {
        const int64_t n = sizes[k];
        test_joins(HD_SUM, HD_F32, HD_F32, n, &state);
        test_joins(HD_SUM, HD_F16, HD_F32, n, &state);
        test_joins(HD_SUM_COMPENSATED, HD_F64, HD_F64, n, &state);
        test_joins(HD_SUM_EXACT, HD_F32, HD_F32, n, &state);
        test_joins(HD_MEAN, HD_F64, HD_F64, n, &state);
        test_joins(HD_VARIANCE, HD_F32, HD_F64, n, &state);
        test_joins(HD_ARGMIN, HD_I16, HD_I64, n, &state);
        test_joins(HD_SUM, HD_U8, HD_U64, n, &state);
        test_joins(affine, HD_F64, HD_F64, n, &state);
        test_joins(after, pair, pair, n, &state);
    }
    if (!check_small()) test_joins(HD_SUM, HD_F32, HD_F32, 1000003, &state);
    test_functions();
    test_errors();
    test_hostile_bytes(&state);
    test_memory();
    return check_finish();
}
