// SPDX-License-Identifier: Apache-2.0
//
// Numbers that calls give, on the device: the first bad index of gather and scatter, the runs of a
// reduction by key. They are those that host views receive, and what is wrong is found out later.
#include "tests/support/check.h"

#include <string.h>

enum { N = 3001 };

static hd_context *ctx;
static hd_view number, in, out, index_of;
static float x[N];
static int32_t at[N];

static hd_view on_device(hd_type type, int64_t n, const void *from)
{
    hd_view v = HD_EMPTY;
    CHECK_OK(ctx, hd_alloc_device(ctx, type, 1, &n, &v));
    if (from != NULL) CHECK_OK(ctx, hd_map(ctx, hd_view_of(type, from, n), NULL, v, NULL));
    return v;
}

static int64_t value(void)
{
    int64_t there = 0;
    CHECK_OK(ctx, hd_map(ctx, number, NULL, HD_VIEW(&there, 1), NULL));
    return there;
}

static void begin(void)
{
    const int64_t odd = 12345;
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(&odd, 1), NULL, number, NULL));
}

static void expect(int64_t wanted, const char *what)
{
    CHECK(value() == wanted, "%s: %lld, not %lld", what, (long long)value(), (long long)wanted);
    begin();
}

// The indices, with one at `bad` that is out of range, or none.
static void set_indices(int bad)
{
    for (int k = 0; k < N; k++) at[k] = k * 7 % N;
    if (bad >= 0) at[bad] = N, at[N - 1] = -1;
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(at, N), NULL, index_of, NULL));
}

static void test_indices(int bad, const hd_scatter_options *kinds, int count)
{
    set_indices(bad);
    begin();
    const hd_gather_options gather = {.bad = &number};
    CHECK_OK(ctx, hd_gather(ctx, in, index_of, out, &gather));
    expect(bad, "hd_gather");
    CHECK_OK(ctx, hd_gather(ctx, in, index_of, out, &gather));
    expect(bad, "hd_gather again");
    for (int k = 0; k < count; k++) {
        hd_scatter_options o = kinds[k];
        o.bad = &number;
        CHECK_OK(ctx, hd_scatter(ctx, in, index_of, out, &o));
        expect(bad, "hd_scatter");
    }
    // Arrays of the host, with the number on the device.
    static float y[N];
    CHECK_OK(ctx, hd_gather(ctx, HD_VIEW(x, N), HD_VIEW(at, N), HD_VIEW(y, N), &gather));
    expect(bad, "hd_gather of the host");
    const hd_gather_options checked = {.bad = &number, .checked = true};
    const hd_status status = hd_gather(ctx, in, index_of, out, &checked);
    CHECK(status == (bad < 0 ? HD_OK : HD_ERROR_VALUE), "%s", hd_error(ctx));
    expect(bad, "hd_gather, checked");
}

static void test_nothing(void)
{
    hd_view none = hd_slice(out, 0, 0, 0, 1), all = index_of;
    set_indices(-1);
    CHECK_OK(ctx, hd_gather(ctx, in, hd_slice(all, 0, 0, 0, 1), none,
                            &(hd_gather_options){.bad = &number}));
    expect(-1, "a gather of nothing");
    CHECK_OK(ctx, hd_scatter(ctx, hd_slice(in, 0, 0, 0, 1), hd_slice(all, 0, 0, 0, 1), out,
                             &(hd_scatter_options){.bad = &number}));
    expect(-1, "a scatter of nothing");
    CHECK_OK(ctx, hd_scatter(ctx, in, all, none, &(hd_scatter_options){.bad = &number}));
    expect(0, "a scatter into nothing");
}

static void test_runs(void)
{
    static int32_t keys[N];
    for (int k = 0; k < N; k++) keys[k] = k / 10;
    hd_view by = on_device(HD_I32, N, keys);
    hd_reduce_options o = {.keys = &by, .runs = &number};
    begin();
    CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM, out, &o));
    expect((N + 9) / 10, "runs");
    CHECK_OK(ctx, hd_sync(ctx));
    hd_view nothing = hd_slice(by, 0, 0, 0, 1);
    o.keys = &nothing;
    CHECK_OK(ctx, hd_reduce(ctx, hd_slice(in, 0, 0, 0, 1), HD_SUM, out, &o));
    expect(0, "no runs");
    // Too many runs for out: found out later.
    o.keys = &by;
    CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM, hd_slice(out, 0, 0, 5, 1), &o));
    CHECK(hd_sync(ctx) == HD_ERROR_SHAPE, "%s", hd_error(ctx));
    CHECK_OK(ctx, hd_free(ctx, &by));
}

static void test_refused(void)
{
    hd_view wrong = hd_slice(out, 0, 0, 1, 1);
    CHECK(hd_gather(ctx, in, index_of, hd_slice(out, 0, 0, N, 1),
                    &(hd_gather_options){.bad = &wrong}) == HD_ERROR_TYPE,
          "%s", hd_error(ctx));
    hd_context *cpu = check_open(HD_CPU, 1, NULL);
    float y[4];
    int32_t i[4] = {0, 1, 2, 3};
    CHECK(hd_gather(cpu, HD_VIEW(x, 4), HD_VIEW(i, 4), HD_VIEW(y, 4),
                    &(hd_gather_options){.bad = &number}) == HD_ERROR_BACKEND,
          "%s", hd_error(cpu));
    hd_close(cpu);
}

static void test_backend(hd_backend backend)
{
    const hd_scatter_options kinds[] = {
        {.unique = true}, {.unique = false}, {.combine = HD_SUM}, {.combine = HD_MAX}};
    ctx = check_open(backend, 1, NULL);
    for (int k = 0; k < N; k++) x[k] = (float)k;
    number = on_device(HD_I64, 1, NULL);
    in = on_device(HD_F32, N, x);
    out = on_device(HD_F32, N, x);
    index_of = on_device(HD_I32, N, NULL);
    test_indices(-1, kinds, 4);
    test_indices(1234, kinds + 1, 3);
    test_nothing();
    test_runs();
    test_refused();
    CHECK_OK(ctx, hd_free(ctx, &number));
    CHECK_OK(ctx, hd_free(ctx, &in));
    CHECK_OK(ctx, hd_free(ctx, &out));
    CHECK_OK(ctx, hd_free(ctx, &index_of));
    CHECK_OK(ctx, hd_sync(ctx));
    hd_close(ctx);
}

int main(void)
{
    const hd_backend all[] = {HD_MODEL, HD_CUDA};
    for (int k = 0; k < 2; k++)
        if (hd_backend_available(all[k], NULL)) test_backend(all[k]);
    return check_finish();
}
