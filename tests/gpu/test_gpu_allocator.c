// SPDX-License-Identifier: Apache-2.0
//
// Device memory of the caller's allocator: all of a context's, with the device and the stream it is
// for; given back as it was taken; where it fails, calls fail or do with less, and the next ones
// are right.
#define _GNU_SOURCE
#include "tests/support/cuda_caller.h"

enum { N = 3001, BLOCKS = 4096 };

static struct {
    unsigned long long at;
    size_t bytes;
} blocks[BLOCKS];
static int64_t taken, given, failing = -1; // the allocation that fails, counted from 0
static bool crooked;                       // addresses are no multiple of the alignment
static void *expected_stream;

static void *take(void *user, size_t bytes, size_t alignment, int32_t device, void *stream)
{
    unsigned long long at = 0;
    CHECK(user == &blocks && alignment == 256 && device == 0 && stream == expected_stream,
          "user %p, alignment %zu, device %d, stream %p", user, alignment, (int)device, stream);
    if (taken++ == failing) return NULL;
    if (cu.allocate(&at, bytes + 256) != 0) return NULL;
    if (crooked) at += 8;
    for (int k = 0; k < BLOCKS; k++)
        if (blocks[k].at == 0) {
            blocks[k].at = at, blocks[k].bytes = bytes;
            return (void *)(uintptr_t)at;
        }
    return NULL;
}

static void give(void *user, void *memory, size_t bytes, int32_t device, void *stream)
{
    const unsigned long long at = (uintptr_t)memory;
    CHECK(user == &blocks && device == 0 && stream == expected_stream, "device %d, stream %p",
          (int)device, stream);
    for (int k = 0; k < BLOCKS; k++) {
        if (blocks[k].at != at) continue;
        CHECK(blocks[k].bytes == bytes, "%zu bytes were asked for, %zu given back", blocks[k].bytes,
              bytes);
        blocks[k].at = 0;
        given++;
        CU(wait(stream)); // cuMemFree knows no stream
        CU(release(crooked ? at - 8 : at));
        return;
    }
    CHECK(false, "%p was never taken", memory);
}

static int64_t held(void)
{
    int64_t count = 0;
    for (int k = 0; k < BLOCKS; k++) count += blocks[k].at != 0;
    return count;
}

static hd_context *open_with(void *stream)
{
    hd_context *ctx = NULL;
    expected_stream = stream;
    CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){.backend = HD_CUDA,
                                                      .threads = 1,
                                                      .stream = stream,
                                                      .device_allocator = {take, give, &blocks}}));
    return ctx;
}

// ---- Calls of each kind, on arrays of the host and of the device --------------------------------

static float in[N], got[N], want[N];
static int32_t index_of[N], flags[N];

static hd_status call(hd_context *ctx, int which, float *out, int64_t *count)
{
    const hd_view x = HD_VIEW(in, N), i = HD_VIEW(index_of, N), y = HD_VIEW(out, N);
    *count = N;
    switch (which) {
    case 0: return hd_scan(ctx, x, HD_SUM, y, NULL);
    case 1: return hd_gather(ctx, x, i, y, NULL);
    case 2: return hd_scatter(ctx, x, i, y, NULL);
    case 3: return hd_scatter(ctx, x, i, y, HD_OPTIONS(hd_scatter_options, .combine = HD_SUM));
    case 4:
        return hd_compact(ctx, x, y, HD_VIEW(count, 1),
                          HD_OPTIONS(hd_compact_options, .flags = HD_REF(HD_VIEW(flags, N))));
    case 5: *count = 1; return hd_reduce(ctx, x, HD_SUM, HD_VIEW(out, 1), NULL);
    default: return hd_map(ctx, x, NULL, y, NULL);
    }
}
enum { CALLS = 7 };

static void all_right(hd_context *ctx, hd_context *serial)
{
    for (int which = 0; which < CALLS; which++) {
        int64_t count, right;
        memset(got, 0, sizeof got), memset(want, 0, sizeof want);
        CHECK_OK(ctx, call(ctx, which, got, &count));
        CHECK_OK(serial, call(serial, which, want, &right));
        CHECK(count == right, "call %d: %lld", which, (long long)count);
        CHECK_SAME(HD_F32, got, want, right, "call %d", which);
    }
}

static void test_works(hd_context *serial)
{
    void *stream;
    const int64_t n = N;
    hd_view v;
    CU(stream(&stream, 1));
    hd_context *ctx = open_with(stream);
    all_right(ctx, serial);
    CHECK(taken > CALLS && taken == given + held(), "%lld taken, %lld given", (long long)taken,
          (long long)given);
    const int64_t before = held();
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_F32, 1, &n, &v));
    CHECK(held() == before + 1, "an array of the caller's is of it, too");
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(in, N), NULL, v, NULL));
    CHECK_OK(ctx, hd_set_stream(ctx, NULL));
    expected_stream = HD_STREAM_LEGACY;
    CHECK_OK(ctx, hd_free(ctx, &v));
    all_right(ctx, serial);
    hd_close(ctx);
    CHECK(held() == 0, "%lld blocks are left", (long long)held());
    CU(end_stream(stream));
}

// Each allocation of each call fails once.
static void test_failing(hd_context *serial)
{
    int64_t count, failed = 0;
    for (int which = 0; which < CALLS; which++)
        for (int64_t k = 0;; k++) {
            hd_context *ctx = open_with(HD_STREAM_LEGACY);
            taken = 0, failing = k;
            const hd_status status = call(ctx, which, got, &count);
            const bool reached = taken > k;
            CHECK(status == HD_OK || (status == HD_ERROR_MEMORY &&
                                      strstr(hd_error(ctx), "the device allocator could not")),
                  "call %d, allocation %lld: status %d: %s", which, (long long)k, (int)status,
                  hd_error(ctx));
            failed += status != HD_OK;
            failing = -1;
            if (k == 0) all_right(ctx, serial);
            hd_close(ctx);
            CHECK(held() == 0, "call %d, allocation %lld: %lld blocks are left", which,
                  (long long)k, (long long)held());
            if (!reached) break;
        }
    CHECK(failed > 0, "none failed");
}

static void test_refused(void)
{
    hd_context *ctx = NULL;
    const hd_context_options one = {.backend = HD_CUDA, .device_allocator = {.allocate = take}};
    CHECK(hd_open(&ctx, &one) == HD_ERROR_ARGUMENT &&
              strstr(hd_error(ctx), "both allocate and release"),
          "%s", hd_error(ctx));
    hd_close(ctx);
    int64_t count;
    ctx = open_with(HD_STREAM_LEGACY);
    crooked = true;
    CHECK(call(ctx, 2, got, &count) == HD_ERROR_MEMORY &&
              strstr(hd_error(ctx), "expected a multiple of 256"),
          "%s", hd_error(ctx));
    crooked = false;
    hd_close(ctx);
    CHECK(held() == 0, "%lld blocks are left", (long long)held());
}

int main(int argc, char **argv)
{
    const char *why = "";
    (void)argc;
    if (!cuda_caller_begin(argv, &why)) {
        printf("cuda: %s\n", why);
        return CHECK_SKIP;
    }
    for (int k = 0; k < N; k++)
        in[k] = (float)(k % 17), index_of[k] = k * 7919 % N, flags[k] = k % 3 == 0;
    setenv("HEDDLE_TUNE", "scatter_from=4 scatter_bucket=256 scatter_window=256", 1);
    hd_context *serial = check_open(HD_SERIAL, 1, NULL);
    test_works(serial);
    test_failing(serial);
    test_refused();
    hd_close(serial);
    return check_finish();
}
