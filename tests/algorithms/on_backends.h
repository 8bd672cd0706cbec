// SPDX-License-Identifier: Apache-2.0
// Tests of algorithms: contexts to compare, errors with their texts, memory that runs out.
#ifndef HEDDLE_TESTS_ALGORITHMS_ON_BACKENDS_H
#define HEDDLE_TESTS_ALGORITHMS_ON_BACKENDS_H

#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

// Large inputs are for the cores or for a card, not for the model machine.
static inline bool on_model_alone(void)
{
    const char *only = getenv("HEDDLE_TEST_BACKEND");
    return only != NULL && strcmp(only, "model") == 0;
}

// Runs the test on a card and on the model machine, where they are, and gives what main returns: a
// machine that has neither has run what is for the cores.
static inline int finish_on_gpus(void (*test)(hd_backend which))
{
    const int code = check_on_gpus(test);
    return code == CHECK_SKIP && !on_model_alone() ? check_finish() : code;
}

#define FAILS(ctx, status, text, call)                                                             \
    do {                                                                                           \
        const hd_status got_status = (call);                                                       \
        CHECK(got_status == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",         \
              hd_status_name(got_status), hd_error(ctx));                                          \
    } while (0)

// A copy of a row in the memory of the context's device.
static inline hd_view moved_to_device(hd_context *ctx, hd_view v)
{
    hd_view d;
    CHECK_OK(ctx, hd_alloc_device(ctx, v.type, v.ndim, v.shape, &d));
    CHECK_OK(ctx, hd_map(ctx, v, NULL, d, NULL));
    return d;
}

// ---- Memory that runs out -------------------------------------------------------------------

typedef struct ledger {
    long long calls, fail_at, alive;
} ledger;

static inline void *ledger_allocate(void *user, size_t bytes, size_t alignment)
{
    ledger *l = (ledger *)user;
    if (l->calls++ == l->fail_at) return NULL;
    l->alive++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static inline void ledger_release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    ((ledger *)user)->alive--;
    free(memory);
}

// Runs the call with its first allocation failing, then its second, ...; until all went well.
static inline void with_failing_memory(hd_status (*call)(hd_context *ctx))
{
    bool met = true;
    for (long long k = 0; k < 200 && met; k++) {
        ledger l = {.fail_at = -1};
        hd_context *ctx = NULL;
        CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){
                                        .allocator = {ledger_allocate, ledger_release, &l}}));
        l.fail_at = l.calls + k;
        const hd_status status = call(ctx);
        met = l.calls > l.fail_at;
        CHECK(status == (met ? HD_ERROR_MEMORY : HD_OK), "allocation %lld: %s, %s", k,
              hd_status_name(status), hd_error(ctx));
        CHECK(k > 0 || met, "it allocates nothing");
        hd_close(ctx);
        CHECK(l.alive == 0, "allocation %lld: %lld blocks lost", k, l.alive);
    }
    CHECK(!met, "allocations without an end");
}

#endif
