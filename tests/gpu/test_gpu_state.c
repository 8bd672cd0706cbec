// SPDX-License-Identifier: Apache-2.0
//
// Run-time states of functions, operators and comparisons on the GPU backends: the bytes of the
// same texts with constants on the serial backend, from host and device memory, and one kernel for
// all values of a state.
#include "tests/core/state_cases.h"

static int compiled; // kernels made, by the trace

static void count_kernels(void *user, const char *line)
{
    (void)user;
    compiled += strncmp(line, "kernel ", 7) == 0;
}

static hd_context *open_traced(hd_backend which)
{
    hd_context *ctx = NULL;
    const hd_context_options o = {.backend = which, .trace = count_kernels};
    CHECK(hd_open(&ctx, &o) == HD_OK, "no context");
    return ctx;
}

// Each case makes its kernels for the first value and none for the second.
static void test_one_kernel(hd_context *ctx, const state_data *d)
{
    char *out = check_memory(state_room(d));
    for (int k = 0; k < STATE_CASES; k++) {
        const state_texts first = state_given(&state_values[0]),
                          second = state_given(&state_values[1]);
        memset(out, 0, state_room(d));
        if (state_cases[k].call(ctx, d, &first, out) != HD_OK) continue;
        compiled = 0;
        memset(out, 0, state_room(d));
        CHECK_OK(ctx, state_cases[k].call(ctx, d, &second, out));
        CHECK(compiled == 0, "%s: %d kernels for the second state", state_cases[k].name, compiled);
    }
    free(out);
}

// Work on views of the device is begun and not waited for: each launch has the state of its call,
// though the bytes are others by then.
static void test_device(hd_context *ctx, const state_data *d)
{
    enum { CALLS = 6 };
    hd_view in, out[CALLS];
    float *got = check_memory(4 * (size_t)d->n), *want = check_memory(4 * (size_t)d->n);
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_F32, 1, &d->n, &in));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(d->x, d->n), NULL, in, NULL));
    limits value;
    for (int k = 0; k < CALLS; k++) {
        CHECK_OK(ctx, hd_alloc_device(ctx, HD_F32, 1, &d->n, &out[k]));
        value = state_values[k / 2 & 1]; // each twice
        CHECK_OK(ctx, hd_map(ctx, in, HD_WITH_STATE(scaled_with, &value), out[k], NULL));
        memset(&value, 0xff, sizeof value);
    }
    for (int k = 0; k < CALLS; k++) {
        const limits *v = &state_values[k / 2 & 1];
        for (int64_t i = 0; i < d->n; i++) {
            const float product = d->x[i] * v->low;
            want[i] = product + v->high;
        }
        CHECK_OK(ctx, hd_map(ctx, out[k], NULL, HD_VIEW(got, d->n), NULL));
        CHECK_SAME(HD_F32, got, want, d->n, "call %d of those on the device", k);
        CHECK_OK(ctx, hd_free(ctx, &out[k]));
    }
    CHECK_OK(ctx, hd_free(ctx, &in));
    free(got), free(want);
}

// An operator and a function, each with its own state, in one kernel.
HD_FUNCTION_STATE(whole, uint32_t, state_source, (float, x), limits,
                  { return (uint32_t)(x * state->low + state->high); })
HD_OPERATOR_STATE(modulo, uint32_t, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE | HD_EXACT,
                  uint32_t, { return (a + b) % *state; })

static void test_both(hd_context *ctx)
{
    enum { N = 1000 };
    float x[N];
    uint32_t got, want = 0;
    const uint32_t modulus = 97;
    const limits value = {.low = 100, .high = 3};
    for (int i = 0; i < N; i++) {
        x[i] = (float)i / 64;
        want = (want + (uint32_t)(x[i] * value.low + value.high)) % modulus;
    }
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), HD_WITH_STATE(modulo, &modulus), HD_VIEW(&got, 1),
                            &(hd_reduce_options){.map = HD_WITH_STATE(whole, &value)}));
    CHECK(got == want, "%u, not %u", got, want);
}

static void test(hd_backend which)
{
    hd_context *serial = check_open(HD_SERIAL, 0, NULL), *ctx = open_traced(which);
    state_data d = state_data_of(3001);
    for (int k = 0; k < STATE_CASES; k++)
        state_try(serial, ctx, hd_backend_name(which), &d, &state_cases[k],
                  state_cases[k].host ? HD_ERROR_BACKEND : HD_OK);
    test_one_kernel(ctx, &d);
    test_device(ctx, &d);
    test_both(ctx);
    state_data_drop(&d);
    hd_close(ctx);
    hd_close(serial);
}

int main(void)
{
    return check_on_gpus(test);
}
