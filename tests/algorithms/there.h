// SPDX-License-Identifier: Apache-2.0
// Device memory for tests of algorithms: an array put there, room there, and its contents back; and
// contexts whose k-th allocation fails.
#ifndef HEDDLE_TESTS_ALGORITHMS_THERE_H
#define HEDDLE_TESTS_ALGORITHMS_THERE_H

#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static inline hd_view there_room(hd_context *ctx, hd_view like)
{
    hd_view v;
    CHECK_OK(ctx, hd_alloc_device(ctx, like.type, like.ndim, like.shape, &v));
    return v;
}

static inline hd_view there_put(hd_context *ctx, hd_view in)
{
    const hd_view v = there_room(ctx, in);
    CHECK_OK(ctx, hd_map(ctx, in, NULL, v, NULL));
    return v;
}

// Copies the contents to `out` and gives the memory back.
static inline void there_take(hd_context *ctx, hd_view *v, hd_view out)
{
    CHECK_OK(ctx, hd_map(ctx, *v, NULL, out, NULL));
    CHECK_OK(ctx, hd_sync(ctx));
    CHECK_OK(ctx, hd_free(ctx, v));
}

// ---- Memory that runs out -----------------------------------------------------------------------

typedef struct there_ledger {
    long long calls, fail_at, alive;
} there_ledger;

static inline void *there_allocate(void *user, size_t bytes, size_t alignment)
{
    there_ledger *l = user;
    if (l->calls++ == l->fail_at) return NULL;
    l->alive++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static inline void there_release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    ((there_ledger *)user)->alive--;
    free(memory);
}

// Runs the call with its first allocation failing, then its second, ... until none is left to fail:
// it must say so each time, and lose nothing.
static inline void there_fail_each(hd_status (*call)(hd_context *ctx))
{
    for (long long k = 0, met = 1; met; k++) {
        there_ledger l = {.fail_at = -1};
        hd_context *ctx = NULL;
        CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){
                                        .allocator = {there_allocate, there_release, &l},
                                        .backend = HD_CPU}));
        l.fail_at = l.calls + k;
        const hd_status status = call(ctx);
        met = l.calls > l.fail_at;
        CHECK(status == (met ? HD_ERROR_MEMORY : HD_OK), "allocation %lld: %s, \"%s\"", k,
              hd_status_name(status), hd_error(ctx));
        CHECK(!met || strstr(hd_error(ctx), "could not allocate"), "\"%s\"", hd_error(ctx));
        hd_close(ctx);
        CHECK(l.alive == 0, "allocation %lld: %lld blocks lost", k, l.alive);
        if (k > 1000) break;
    }
}

#endif
