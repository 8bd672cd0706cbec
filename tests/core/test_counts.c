// SPDX-License-Identifier: Apache-2.0
//
// How many there are: count of hd_compact, hd_unique and hd_expand, runs of hd_run_lengths. On the
// host, and on a device without a wait, where too little room is no error.
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

enum { N = 5003, RUNS = 100 };

static hd_context *ctx;
static bool device;
static int32_t x[N], lengths[N];
static _Alignas(8) int32_t got[2 * N];
static int64_t wide[N];

// The four calls, with views that are alike.
typedef hd_status counted(hd_context *c, hd_view in, hd_view out, hd_view count);

static hd_status compact(hd_context *c, hd_view in, hd_view out, hd_view count)
{
    return hd_compact(c, in, out, count, NULL);
}

static hd_status unique(hd_context *c, hd_view in, hd_view out, hd_view count)
{
    return hd_unique(c, in, out, count, NULL);
}

static hd_status run_lengths(hd_context *c, hd_view in, hd_view out, hd_view count)
{
    return hd_run_lengths(c, in, HD_EMPTY, out, count, NULL);
}

static hd_status expand(hd_context *c, hd_view in, hd_view out, hd_view count)
{
    return hd_expand(c, hd_iota(hd_count(in)), in, out, count, NULL);
}

static const struct {
    const char *name;
    counted *call;
} calls[] = {
    {"compact", compact}, {"unique", unique}, {"run lengths", run_lengths}, {"expand", expand}};

// ---- Arrays where the context works -------------------------------------------------------------

static hd_view put(hd_view host)
{
    hd_view v;
    if (!device) return host;
    CHECK_OK(ctx, hd_alloc_device(ctx, host.type, 1, host.shape, &v));
    if (host.shape[0] > 0) CHECK_OK(ctx, hd_map(ctx, host, NULL, v, NULL));
    return v;
}

static void get(hd_view v, hd_view host)
{
    if (!device) return;
    CHECK_OK(ctx, hd_map(ctx, v, NULL, host, NULL));
    CHECK_OK(ctx, hd_free(ctx, &v));
}

// Of n elements with room for `room`; count on the host or where the arrays are.
static void ask(int k, const hd_view *in, hd_type out_type, int64_t room, int64_t right_count,
                const void *right, bool on_host)
{
    static int64_t bytes[N];
    int64_t count = -2;
    memset(bytes, 0x55, sizeof bytes);
    const hd_view host = hd_view_of(out_type, bytes, room), to_host = HD_VIEW(&count, 1);
    hd_view from = put(*in), out = put(host), to = on_host ? to_host : put(to_host);
    const hd_status status = calls[k].call(ctx, from, out, to);
    const bool told = !device || on_host, fits = room >= right_count;
    CHECK(status == (fits || !told ? HD_OK : HD_ERROR_SHAPE), "%s: %d %s", calls[k].name,
          (int)status, hd_error(ctx));
    CHECK_OK(ctx, hd_sync(ctx));
    if (!on_host) get(to, to_host);
    get(out, host);
    if (device) CHECK_OK(ctx, hd_free(ctx, &from));
    CHECK(count == right_count, "%s of %lld: count is %lld, expected %lld", calls[k].name,
          (long long)in->shape[0], (long long)count, (long long)right_count);
    if (fits || calls[k].call != expand || !told)
        CHECK_SAME(out_type, bytes, right, fits ? right_count : room, "%s, room %lld",
                   calls[k].name, (long long)room);
}

static void test_call(int k, hd_view in, hd_type out_type)
{
    static int64_t right[N];
    int64_t count = -1;
    hd_context *serial = check_open(HD_SERIAL, 1, NULL);
    const hd_view out = hd_view_of(out_type, right, N);
    CHECK_OK(serial, calls[k].call(serial, in, out, HD_VIEW(&count, 1)));
    hd_close(serial);
    const hd_view none = hd_view_of(in.type, x, 0);
    for (int on_host = 0; on_host < 2; on_host++) {
        ask(k, &in, out_type, N, count, right, on_host);
        ask(k, &in, out_type, count, count, right, on_host);
        ask(k, &in, out_type, count / 2, count, right, on_host);
        ask(k, &none, out_type, 1, 0, right, on_host);
    }
}

// ---- What is wrong ------------------------------------------------------------------------------

static void refused(hd_status status, hd_status expected, const char *text)
{
    CHECK(status == expected && strstr(hd_error(ctx), text) != NULL, "status %d: %s", (int)status,
          hd_error(ctx));
}

static void test_errors(void)
{
    int64_t two[2];
    float number;
    for (int k = 0; k < 4; k++) {
        const bool expands = calls[k].call == expand;
        const hd_view in = HD_VIEW(x, N), out = expands ? HD_VIEW(wide, N) : HD_VIEW(got, 2 * N);
        counted *call = calls[k].call;
        refused(call(ctx, in, out, HD_EMPTY), HD_ERROR_ARGUMENT, " is empty");
        refused(call(ctx, in, out, HD_VIEW(two, 2)), HD_ERROR_SHAPE, "has 2 elements; expected 1");
        refused(call(ctx, in, out, HD_VIEW(&number, 1)), HD_ERROR_TYPE,
                "the type is f32; expected i64");
        refused(call(ctx, in, out, hd_view_of(HD_I64, (int64_t *)out.data + 2, 1)), HD_ERROR_ALIAS,
                "overlaps");
    }
}

// What only the device sees comes out when it is waited for.
static void test_negative(void)
{
    int32_t bad[3] = {2, -1, 3};
    int64_t viewed = -1;
    hd_view in = put(HD_VIEW(bad, 3)), out = put(HD_VIEW(wide, N)), to = put(HD_VIEW(&viewed, 1));
    CHECK_OK(ctx, hd_expand(ctx, hd_iota(3), in, out, to, NULL));
    refused(hd_sync(ctx), HD_ERROR_VALUE, "hd_expand: length 1 is negative");
    CHECK_OK(ctx, hd_sync(ctx));
    hd_free(ctx, &in), hd_free(ctx, &out), hd_free(ctx, &to);
}

static void test_context(void)
{
    test_call(0, HD_VIEW(x, N), HD_I32);
    test_call(1, HD_VIEW(x, N), HD_I32);
    test_call(2, HD_VIEW(x, N), HD_I64);
    test_call(3, HD_VIEW(lengths, RUNS), HD_I64);
    test_errors();
    if (device) test_negative();
}

static void on_gpu(hd_backend which)
{
    device = true;
    ctx = check_open(which, 2, NULL);
    test_context();
    hd_close(ctx);
}

int main(void)
{
    uint64_t r = check_seed();
    for (int i = 0; i < N; i++) x[i] = (int32_t)check_below(&r, 3);
    for (int i = 0; i < RUNS; i++) lengths[i] = (int32_t)check_below(&r, N / RUNS);
    static const hd_backend hosts[] = {HD_SERIAL, HD_CPU};
    for (int k = 0; k < 2; k++) {
        ctx = check_open(hosts[k], 2, NULL);
        test_context();
        hd_close(ctx);
    }
    const int code = check_on_gpus(on_gpu);
    return code == CHECK_SKIP ? check_finish() : code;
}
