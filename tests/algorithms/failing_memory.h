// SPDX-License-Identifier: Apache-2.0
//
// A call with every allocation of its context failing in turn: it must say HD_ERROR_MEMORY, lose
// nothing, and succeed when no more fail.
#ifndef HEDDLE_TESTS_ALGORITHMS_FAILING_MEMORY_H
#define HEDDLE_TESTS_ALGORITHMS_FAILING_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

typedef struct failing_ledger {
    long long calls, fail_at, alive;
} failing_ledger;

static inline void *failing_allocate(void *user, size_t bytes, size_t alignment)
{
    failing_ledger *l = (failing_ledger *)user;
    if (l->calls++ == l->fail_at) return NULL;
    l->alive++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static inline void failing_release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    ((failing_ledger *)user)->alive--;
    free(memory);
}

static inline void failing_memory(const char *name, hd_status (*call)(hd_context *ctx))
{
    enum { MOST = 400 };
    bool met = true;
    for (long long k = 0; met && k < MOST; k++) {
        failing_ledger l = {.fail_at = -1};
        hd_context *ctx = NULL;
        CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){
                                        .allocator = {failing_allocate, failing_release, &l}}));
        l.fail_at = l.calls + k;
        const hd_status status = call(ctx);
        met = l.calls > l.fail_at;
        CHECK(status == (met ? HD_ERROR_MEMORY : HD_OK), "%s, allocation %lld: %s \"%s\"", name, k,
              hd_status_name(status), hd_error(ctx));
        hd_close(ctx);
        CHECK(l.alive == 0, "%s, allocation %lld: %lld blocks lost", name, k, l.alive);
    }
    CHECK(!met, "%s takes more than %d allocations", name, MOST);
}

#endif
