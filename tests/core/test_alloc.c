// SPDX-License-Identifier: Apache-2.0
//
// Memory: owned arrays, allocator hooks, and a failing allocator at every allocation of every call:
// the call must say HD_ERROR_MEMORY, lose nothing, and work when asked again.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/core/alloc_calls.h"

// ---- An allocator that counts, checks and fails ---------------------------------------------

typedef struct ledger {
    atomic_llong calls, alive, bytes; // allocations so far; blocks and bytes not yet released
    atomic_llong fail_at;             // the allocation that fails, from 0; negative: none
    atomic_bool bad; // a release of another size, an odd alignment, a write behind a block
} ledger;

typedef struct block {
    size_t bytes, offset; // of the caller's memory after the start of ours
    uint64_t mark;
} block;

enum { MARK = 0x5EED, TAIL = 64, TAIL_BYTE = 0xEE }; // nobody writes behind a block
static const size_t more_than_any = (size_t)1 << 40;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    ledger *l = user;
    if (alignment < 64 || (alignment & (alignment - 1)) || bytes == 0) l->bad = true;
    if (l->calls++ == l->fail_at || bytes > more_than_any) return NULL;
    char *base = malloc(bytes + alignment + sizeof(block) + TAIL);
    if (!base) return NULL;
    char *memory =
        (char *)(((uintptr_t)base + sizeof(block) + alignment - 1) & ~(uintptr_t)(alignment - 1));
    const block b = {bytes, (size_t)(memory - base), MARK};
    memcpy(memory - sizeof b, &b, sizeof b);
    memset(memory, 0xCD, bytes); // nobody may count on zeros
    memset(memory + bytes, TAIL_BYTE, TAIL);
    l->alive++;
    l->bytes += (long long)bytes;
    return memory;
}

static void release(void *user, void *memory, size_t bytes)
{
    ledger *l = user;
    block b;
    memcpy(&b, (char *)memory - sizeof b, sizeof b);
    if (b.mark != MARK || b.bytes != bytes) l->bad = true;
    for (size_t k = 0; k < TAIL; k++)
        if (((unsigned char *)memory)[b.bytes + k] != TAIL_BYTE) l->bad = true;
    l->alive--;
    l->bytes -= (long long)bytes;
    free((char *)memory - b.offset);
}

static hd_context *open_with(ledger *l, hd_backend backend, int32_t threads)
{
    hd_context *ctx = NULL;
    const hd_context_options options = {
        .backend = backend, .threads = threads, .allocator = {allocate, release, l}};
    CHECK_OK(ctx, hd_open(&ctx, &options));
    return ctx;
}

// ---- Owned arrays ---------------------------------------------------------------------------

static void test_owned(void)
{
    ledger l = {.fail_at = -1};
    hd_context *ctx = open_with(&l, HD_AUTO, 0);
    const long long before = l.alive;
    const int64_t shape[] = {3, 4, 5};
    hd_view v, none;
    CHECK_OK(ctx, hd_alloc(ctx, HD_F32, 3, shape, &v));
    CHECK(v.type == HD_F32 && v.ndim == 3 && hd_count(v) == 60 && v.stride[0] == 20, "the view");
    CHECK((uintptr_t)v.data % 64 == 0, "aligned to 64 bytes");
    memset(v.data, 0, 240);
    CHECK_OK(ctx, hd_alloc(ctx, HD_I8, 2, (int64_t[]){7, 0}, &none));
    CHECK(hd_count(none) == 0, "no elements");
    CHECK_OK(ctx, hd_free(ctx, &none));
    CHECK_OK(ctx, hd_free(ctx, &v));
    CHECK(v.type == HD_NONE && v.data == NULL && v.ndim == 0, "the view is unset");
    CHECK_OK(ctx, hd_free(ctx, &v)); // an unset view is allowed
    CHECK(l.alive == before && !l.bad, "%lld blocks alive", (long long)l.alive);
    hd_close(ctx);
    CHECK(l.alive == 0 && l.bytes == 0 && !l.bad, "%lld blocks left", (long long)l.alive);
}

static void test_refused(void)
{
    ledger l = {.fail_at = -1};
    hd_context *ctx = open_with(&l, HD_AUTO, 0);
    hd_view v;
    const int64_t good[] = {3}, negative[] = {-3}, huge[] = {(int64_t)1 << 40, (int64_t)1 << 40};
    CHECK(hd_alloc(ctx, HD_F32, 1, NULL, &v) == HD_ERROR_ARGUMENT, "no shape");
    CHECK(hd_alloc(ctx, HD_F32, 1, good, NULL) == HD_ERROR_ARGUMENT, "no view");
    CHECK(hd_alloc(ctx, HD_NONE, 1, good, &v) == HD_ERROR_TYPE, "no type");
    CHECK(hd_alloc(ctx, HD_STRUCTURE, 1, good, &v) == HD_ERROR_TYPE, "a bare structure");
    CHECK(hd_alloc(ctx, HD_F32, 1, negative, &v) != HD_OK && hd_error(ctx)[0], "negative");
    CHECK(hd_alloc(ctx, HD_F32, 9, good, &v) != HD_OK && hd_error(ctx)[0], "nine dimensions");
    CHECK(hd_alloc(ctx, HD_F32, -1, good, &v) != HD_OK && hd_error(ctx)[0], "-1 dimensions");
    CHECK_OK(ctx, hd_alloc(ctx, HD_F32, 0, NULL, &v)); // one element
    CHECK(v.ndim == 0 && hd_count(v) == 1 && v.data != NULL, "no dimensions");
    CHECK_OK(ctx, hd_free(ctx, &v));
    CHECK(hd_alloc(ctx, HD_F32, 2, huge, &v) != HD_OK && hd_error(ctx)[0], "2^80");
    CHECK(hd_alloc(ctx, HD_F64, 1, (int64_t[]){(int64_t)1 << 58}, &v) == HD_ERROR_MEMORY,
          "2^61 bytes");
    CHECK(hd_error(ctx)[0] != 0, "no text");
    CHECK(hd_free(ctx, NULL) == HD_ERROR_ARGUMENT, "free of nothing");
    hd_close(ctx);
}

// ---- Every call, every allocation -----------------------------------------------------------

// A fresh context for each k, so that nothing is kept from before.
static void fail_everywhere(int c, hd_backend backend, int32_t threads)
{
    long long points = 1;
    for (long long k = -1; k < points && k < 200; k++) {
        ledger l = {.fail_at = -1};
        hd_context *ctx = open_with(&l, backend, threads);
        const long long opened = l.calls;
        if (k >= 0) l.fail_at = opened + k;
        const hd_status status = calls[c].call(ctx);
        if (k < 0) points = l.calls - opened;
        CHECK(status == (k < 0 ? HD_OK : HD_ERROR_MEMORY),
              "%s on %s, n %" PRId64 ", allocation %lld of %lld: %s: %s", calls[c].name,
              hd_backend_name(backend), n, k, points, hd_status_name(status), hd_error(ctx));
        l.fail_at = -1;
        CHECK_OK(ctx, calls[c].call(ctx)); // and then a good one
        hd_close(ctx);
        CHECK(l.alive == 0 && l.bytes == 0, "%s on %s, allocation %lld: %lld blocks lost",
              calls[c].name, hd_backend_name(backend), k, (long long)l.alive);
        CHECK(!l.bad, "%s on %s: odd requests", calls[c].name, hd_backend_name(backend));
    }
}

static void test_failing(void)
{
    check_fill(HD_F32, x, MAX, CHECK_ORDINARY, check_seed());
    check_fill(HD_F32, y, MAX, CHECK_ORDINARY, check_seed() + 1);
    for (int64_t i = 0; i < MAX; i++) {
        offsets[i] = 10 * i;
        keys[i] = (int32_t)(i / 7);
        halves[i] = (uint16_t)(0x3000 + i % 512);
    }
    static const int64_t sizes[] = {300, 3000, 70000};
    for (int s = 0; s < 3; s++)
        for (int c = 0; c < CALLS; c++) {
            n = sizes[s];
            fail_everywhere(c, HD_SERIAL, 0);
            fail_everywhere(c, HD_CPU, 1);
            fail_everywhere(c, HD_CPU, 3);
        }
}

// In the steady state nothing is allocated: the scratch is kept.
static void test_steady(void)
{
    ledger l = {.fail_at = -1};
    hd_context *ctx = open_with(&l, HD_CPU, 2);
    n = MAX;
    CHECK_OK(ctx, scan(ctx));
    const long long after_first = l.calls;
    for (int k = 0; k < 10; k++) CHECK_OK(ctx, scan(ctx));
    CHECK(l.calls == after_first, "%lld allocations in ten repeated calls",
          (long long)l.calls - after_first);
    hd_close(ctx);
}

// One context, calls of growing and falling sizes: the scratch is always large enough.
static void test_growing(hd_backend backend, int32_t threads)
{
    ledger l = {.fail_at = -1};
    hd_context *ctx = open_with(&l, backend, threads);
    uint64_t state = check_seed();
    for (int k = 0; k < 400; k++) {
        n = 300 + check_below(&state, k % 10 ? 5000 : MAX - 300);
        const int c = (int)check_below(&state, CALLS);
        const hd_status status = calls[c].call(ctx);
        CHECK(status == HD_OK, "%s of %" PRId64 ": %s", calls[c].name, n, hd_error(ctx));
    }
    hd_close(ctx);
    CHECK(l.alive == 0 && !l.bad, "on %s", hd_backend_name(backend));
}

// hd_open itself.
static void test_opening(void)
{
    for (long long k = 0; k < 4; k++) {
        ledger l = {.fail_at = k};
        hd_context *ctx = (hd_context *)&l;
        const hd_context_options options = {.allocator = {allocate, release, &l}};
        const hd_status status = hd_open(&ctx, &options);
        CHECK(status == HD_OK || (status == HD_ERROR_MEMORY && ctx == NULL), "%s",
              hd_status_name(status));
        hd_close(ctx);
        CHECK(l.alive == 0, "%lld blocks lost", (long long)l.alive);
    }
}

int main(void)
{
    test_owned();
    test_refused();
    test_opening();
    test_failing();
    test_steady();
    test_growing(HD_SERIAL, 0);
    test_growing(HD_CPU, 1);
    test_growing(HD_CPU, 3);
    return check_finish();
}
