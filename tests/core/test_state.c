// SPDX-License-Identifier: Apache-2.0
//
// Run-time states of functions, operators and comparisons on the host's backends: the bytes of the
// same texts with constants, two contexts with two states at once, large states, carries, and what
// is refused.
#include <pthread.h>

#include "tests/core/state_cases.h"

static const check_target *targets;
static int target_count;

static void test_patterns(int64_t n, int stride)
{
    state_data d = state_data_of(n);
    for (int t = 0; t < target_count; t += t == 0 ? 1 : stride)
        for (int k = 0; k < STATE_CASES; k++)
            state_try(targets[t].ctx, targets[t].ctx, targets[t].name, &d, &state_cases[k], HD_OK);
    state_data_drop(&d);
}

static void test_seven_threads(void)
{
    hd_context *ctx = check_open(HD_CPU, 7, NULL);
    state_data d = state_data_of(70001);
    for (int k = 0; k < STATE_CASES; k++)
        state_try(ctx, ctx, "cpu, 7 threads", &d, &state_cases[k], HD_OK);
    state_data_drop(&d);
    hd_close(ctx);
}

// ---- Two at once --------------------------------------------------------------------------------

typedef struct side {
    int which;
    const state_data *d;
    int wrong;
} side;

static void *run_side(void *any)
{
    side *s = any;
    const size_t bytes = state_room(s->d);
    hd_context *ctx = check_open(HD_CPU, 2, NULL);
    char *want = check_memory(bytes), *got = check_memory(bytes);
    const state_texts own = state_constants(s->which), with = state_given(&state_values[s->which]);
    for (int k = 0; k < STATE_CASES; k++) {
        memset(want, 0, bytes), memset(got, 0, bytes);
        s->wrong += state_cases[k].call(ctx, s->d, &own, want) != HD_OK;
        s->wrong += state_cases[k].call(ctx, s->d, &with, got) != HD_OK;
        s->wrong += memcmp(want, got, bytes) != 0;
    }
    hd_close(ctx);
    free(want), free(got);
    return NULL;
}

static void test_two_at_once(void)
{
    state_data d = state_data_of(20011);
    side sides[2] = {{.which = 0, .d = &d}, {.which = 1, .d = &d}};
    pthread_t threads[2];
    for (int k = 0; k < 2; k++)
        CHECK(pthread_create(&threads[k], NULL, run_side, &sides[k]) == 0, "no thread");
    for (int k = 0; k < 2; k++) pthread_join(threads[k], NULL);
    CHECK(sides[0].wrong == 0 && sides[1].wrong == 0, "%d and %d calls", sides[0].wrong,
          sides[1].wrong);
    state_data_drop(&d);
}

// ---- Large states, and numbers ------------------------------------------------------------------

HD_SOURCE(
    tables, typedef struct { float value[256]; } table;)
HD_FUNCTION_STATE(looked_up, float, tables, (uint8_t, x), table, { return state->value[x]; })
HD_FUNCTION_STATE(eight, int64_t, HD_NO_SOURCE,
                  (int8_t, a, uint8_t, b, int16_t, c, uint16_t, d, int32_t, e, uint32_t, f, int64_t,
                   g, bool, h),
                  int64_t, { return *state + a + b + c + d + e + (int64_t)f + g + h; })
HD_MONOID_STATE(at_most, uint32_t, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE | HD_EXACT, 0,
                uint32_t, { return a + b < *state ? a + b : *state; })

static void test_table(void)
{
    enum { N = 5003 };
    table all;
    uint8_t x[N];
    float y[N];
    for (int i = 0; i < 256; i++) all.value[i] = (float)(i * i) / 3;
    for (int i = 0; i < N; i++) x[i] = (uint8_t)(i * 7);
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx, hd_map(targets[t].ctx, HD_VIEW(x, N),
                                        HD_WITH_STATE(looked_up, &all), HD_VIEW(y, N), NULL));
        int wrong = 0;
        for (int i = 0; i < N; i++) wrong += !(y[i] == all.value[x[i]]);
        CHECK(wrong == 0, "%d of a table on %s", wrong, targets[t].name);
    }
}

static void test_numbers(void)
{
    static const int8_t a[3] = {1, 2, 3};
    static const uint8_t b[3] = {4, 5, 6};
    static const int16_t c[3] = {7, 8, 9};
    static const uint16_t d[3] = {10, 11, 12};
    static const int32_t e[3] = {13, 14, 15};
    static const uint32_t f[3] = {16, 17, 18};
    static const int64_t g[3] = {19, 20, 21};
    static const bool h[3] = {true, false, true};
    const int64_t more = 1000;
    const uint32_t most = 30;
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        int64_t out[3];
        uint32_t sum;
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW(a, 3), HD_WITH_STATE(eight, &more), HD_VIEW(out, 3),
                             &(hd_map_options){.with = HD_VIEWS(HD_VIEW(b, 3), HD_VIEW(c, 3),
                                                                HD_VIEW(d, 3), HD_VIEW(e, 3),
                                                                HD_VIEW(f, 3), HD_VIEW(g, 3),
                                                                HD_VIEW(h, 3))}));
        CHECK(out[0] == 1071 && out[1] == 1077 && out[2] == 1085, "%s", targets[t].name);
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(f, 3), HD_WITH_STATE(at_most, &most), HD_VIEW(&sum, 1),
                                NULL));
        CHECK(sum == 30, "%u on %s", sum, targets[t].name);
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(f, 0), HD_WITH_STATE(at_most, &most), HD_VIEW(&sum, 1),
                                NULL));
        CHECK(sum == 0, "%u of nothing on %s", sum, targets[t].name);
    }
}

// ---- Carries ------------------------------------------------------------------------------------

// Each call has a copy of the operator and of its state, which are gone when the next one comes.
static hd_status add_chunk(hd_context *ctx, hd_carry *carry, hd_view in, uint32_t modulus,
                           uint32_t *sum)
{
    limits *value = check_memory(sizeof *value);
    hd_operator *op = check_memory(sizeof *op);
    *value = (limits){.modulus = modulus};
    *op = hd_with_state(modular_with, value, sizeof *value);
    const hd_status status =
        hd_reduce(ctx, in, op, HD_VIEW(sum, 1), &(hd_reduce_options){.carry = carry});
    memset(value, 0xff, sizeof *value), memset(op, 0xff, sizeof *op);
    free(value), free(op);
    return status;
}

static void test_carry(void)
{
    state_data d = state_data_of(10007);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        hd_carry *carry;
        uint32_t want = 0, got = 0;
        for (int64_t i = 0; i < d.n; i++) want = (want + d.small[i]) % 1009;
        CHECK_OK(ctx, hd_carry_open(ctx, &carry));
        CHECK_OK(ctx, add_chunk(ctx, carry, HD_VIEW(d.small, 4000), 1009, &got));
        CHECK(add_chunk(ctx, carry, HD_VIEW(d.small, 4000), 1010, &got) == HD_ERROR_ARGUMENT &&
                  strstr(hd_error(ctx), "modular_with") != NULL,
              "another state: %s", hd_error(ctx));
        CHECK(hd_reduce(ctx, HD_VIEW(d.small, 4000), modular_first, HD_VIEW(&got, 1),
                        &(hd_reduce_options){.carry = carry}) == HD_ERROR_ARGUMENT,
              "another operator");
        CHECK_OK(ctx, add_chunk(ctx, carry, HD_VIEW(d.small + 4000, d.n - 4000), 1009, &got));
        CHECK(got == want, "%u, not %u, on %s", got, want, targets[t].name);
        hd_carry_close(ctx, carry);
    }
    state_data_drop(&d);
}

// ---- What is refused ----------------------------------------------------------------------------

#define REFUSED(call, what)                                                                        \
    do {                                                                                           \
        const hd_status got = call;                                                                \
        CHECK(got == HD_ERROR_ARGUMENT && strstr(hd_error(ctx), what) != NULL, "%s: %s", #call,    \
              hd_error(ctx));                                                                      \
    } while (0)

static void test_refused(void)
{
    hd_context *ctx = targets[0].ctx;
    state_data d = state_data_of(16);
    char out[16 * 16 + 1024] = {0};
    const state_texts good = state_given(&state_values[0]);
    state_texts none = {*scaled_with, *above_with,   *bucket_with,
                        *blend_with,  *modular_with, *nearer_with};
    state_texts small = good, extra = state_constants(0);
    small.scaled.state.bytes = small.above.state.bytes = small.bucket.state.bytes =
        small.blend.state.bytes = small.modular.state.bytes = small.nearer.state.bytes = 15;
    extra.scaled = hd_with_state(scaled_first, &d.n, sizeof d.n);
    extra.above = hd_with_state(above_first, &d.n, sizeof d.n);
    extra.bucket = hd_with_state(bucket_first, &d.n, sizeof d.n);
    extra.blend = hd_with_state(blend_first, &d.n, sizeof d.n);
    extra.modular = hd_with_state(modular_first, &d.n, sizeof d.n);
    extra.nearer = hd_with_state(nearer_first, &d.n, sizeof d.n);
    for (int k = 0; k < STATE_CASES; k++) {
        REFUSED(state_cases[k].call(ctx, &d, &none, out),
                "has no state; expected one of 16 bytes (limits)");
        REFUSED(state_cases[k].call(ctx, &d, &small, out),
                "state of 15 bytes; expected 16 (limits)");
        REFUSED(state_cases[k].call(ctx, &d, &extra, out), "state of 8 bytes; expected none");
    }
    for (size_t i = 0; i < sizeof out; i++) CHECK(out[i] == 0, "byte %zu was written", i);
    const hd_function nowhere = hd_with_state(scaled_with, NULL, sizeof(limits));
    REFUSED(hd_map(ctx, HD_VIEW(d.x, d.n), &nowhere, HD_VIEW(d.x, d.n), NULL), "has no state");
    const hd_function empty = hd_with_state(scaled_first, &d, 0);
    REFUSED(hd_map(ctx, HD_VIEW(d.x, d.n), &empty, HD_VIEW(d.x, d.n), NULL), "expected none");
    state_data_drop(&d);
}

int main(void)
{
    target_count = check_targets(&targets);
    test_patterns(16, 1);
    test_patterns(257, 1);
    test_patterns(40009, 4);
    test_seven_threads();
    test_two_at_once();
    test_table();
    test_numbers();
    test_carry();
    test_refused();
    return check_finish();
}
