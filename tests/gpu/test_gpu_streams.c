// SPDX-License-Identifier: Apache-2.0
//
// Contexts on the streams of a caller that uses CUDA itself: the legacy default stream, that of the
// thread, streams it made, another one between calls, and one that is captured. The fake driver's
// streams are as late as they may be, so that work which is not ordered is seen to be wrong.
#define _GNU_SOURCE
#include "tests/support/cuda_caller.h"

enum { BYTES = 3001 };

static hd_view bytes_of(unsigned long long at, int64_t n)
{
    hd_view v = hd_view_of(HD_U8, (void *)(uintptr_t)at, n);
    v.space = HD_DEVICE;
    return v;
}

static unsigned long long room(size_t bytes)
{
    unsigned long long at = 0;
    CU(allocate(&at, bytes));
    return at;
}

static hd_context *open_on(hd_context_options options)
{
    hd_context *ctx = NULL;
    options.backend = HD_CUDA;
    options.threads = 1;
    CHECK_OK(ctx, hd_open(&ctx, &options));
    return ctx;
}

// What the caller writes on its stream, and the context reads after it: each time another byte.
static void sees(hd_context *ctx, void *written_on, unsigned long long at, const char *what)
{
    static unsigned char value;
    uint64_t sum = 0;
    for (int turn = 0; turn < 3; turn++) {
        value = (unsigned char)(value % 100 + 1);
        CU(fill(at, value, BYTES, written_on));
        CHECK_OK(ctx, hd_reduce(ctx, bytes_of(at, BYTES), HD_SUM, HD_VIEW(&sum, 1), NULL));
        CHECK(sum == (uint64_t)value * BYTES, "%s: %llu, not %llu", what, (unsigned long long)sum,
              (unsigned long long)value * BYTES);
    }
}

static void *handle_of(hd_context *ctx)
{
    void *stream = NULL;
    CHECK_OK(ctx, hd_stream(ctx, &stream));
    return stream;
}

static void test_default_streams(unsigned long long at)
{
    hd_context *ctx = open_on((hd_context_options){0});
    sees(ctx, NULL, at, "options left zero, arrays filled on the default stream");
    CHECK(handle_of(ctx) != NULL, "a stream of its own");
    hd_close(ctx);
    ctx = open_on((hd_context_options){.stream_given = true});
    sees(ctx, NULL, at, "stream 0 as another library has it");
    CHECK(handle_of(ctx) == HD_STREAM_LEGACY, "%p", handle_of(ctx));
    hd_close(ctx);
    ctx = open_on((hd_context_options){.stream = HD_STREAM_LEGACY});
    sees(ctx, NULL, at, "HD_STREAM_LEGACY");
    hd_close(ctx);
    ctx = open_on((hd_context_options){.stream = HD_STREAM_PER_THREAD});
    sees(ctx, HD_STREAM_PER_THREAD, at, "HD_STREAM_PER_THREAD");
    CHECK(handle_of(ctx) == HD_STREAM_PER_THREAD, "%p", handle_of(ctx));
    hd_close(ctx);
}

static void test_other_streams(unsigned long long at)
{
    void *a, *b, *own;
    CU(stream(&a, 1));
    CU(stream(&b, 1));
    hd_context *ctx = open_on((hd_context_options){.stream = a});
    CHECK_OK(ctx, hd_set_stream(ctx, b)); // before the device is opened
    CHECK_OK(ctx, hd_set_stream(ctx, a));
    sees(ctx, a, at, "a stream of the caller's");
    CHECK_OK(ctx, hd_set_stream(ctx, b));
    sees(ctx, b, at, "another one");
    CHECK(handle_of(ctx) == b, "%p", handle_of(ctx));
    CHECK_OK(ctx, hd_set_stream(ctx, NULL));
    sees(ctx, NULL, at, "the default one");
    CHECK_OK(ctx, hd_set_stream(ctx, HD_STREAM_OWN));
    own = handle_of(ctx);
    sees(ctx, NULL, at, "its own");
    CHECK(own != a && own != b && own != NULL && own != HD_STREAM_LEGACY, "%p", own);
    CHECK_OK(ctx, hd_set_stream(ctx, a));
    CHECK_OK(ctx, hd_set_stream(ctx, HD_STREAM_OWN));
    CHECK(handle_of(ctx) == own, "the same again");
    hd_close(ctx);
    CU(end_stream(a));
    CU(end_stream(b));
}

// Each call reads what the one before it wrote, on another stream, and shares its scratch.
static void test_handed_over(unsigned long long at, unsigned long long to)
{
    enum { STREAMS = 3, TURNS = 12 };
    void *streams[STREAMS] = {NULL, NULL, HD_STREAM_OWN};
    uint64_t sum = 0;
    CU(stream(&streams[0], 1));
    hd_context *ctx = open_on((hd_context_options){0});
    CU(fill(at, 1, BYTES, NULL));
    CU(wait(NULL));
    for (int turn = 0; turn < TURNS; turn++) {
        CHECK_OK(ctx, hd_set_stream(ctx, streams[turn % STREAMS]));
        CHECK_OK(ctx, hd_scan(ctx, bytes_of(turn % 2 ? to : at, BYTES), HD_MAX,
                              bytes_of(turn % 2 ? at : to, BYTES), NULL));
        CHECK_OK(ctx, hd_map(ctx, bytes_of(turn % 2 ? at : to, BYTES), NULL,
                             bytes_of(turn % 2 ? to : at, BYTES), NULL));
        CHECK_OK(ctx, hd_map(ctx, hd_constant_of(HD_U8, &(uint8_t){(uint8_t)turn}, 1), NULL,
                             bytes_of(turn % 2 ? to : at, 1), NULL));
        CHECK_OK(ctx, hd_map(ctx, hd_constant_of(HD_U8, &(uint8_t){(uint8_t)turn}, 1), NULL,
                             bytes_of(turn % 2 ? at : to, 1), NULL));
    }
    CHECK_OK(ctx, hd_set_stream(ctx, streams[0]));
    CHECK_OK(ctx, hd_scan(ctx, bytes_of(at, BYTES), HD_MAX, bytes_of(to, BYTES), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, bytes_of(to, BYTES), HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(sum == (TURNS - 1) * (uint64_t)BYTES, "%llu", (unsigned long long)sum);
    CHECK_OK(ctx, hd_sync(ctx));
    hd_close(ctx);
    CU(end_stream(streams[0]));
}

// A stream that is captured takes over, and hands back.
static void test_captured(unsigned long long at, unsigned long long to)
{
    void *a, *b, *graph;
    CU(stream(&a, 1));
    CU(stream(&b, 1));
    hd_context *ctx = open_on((hd_context_options){.stream = a});
    CU(fill(at, 1, BYTES, a));
    CHECK_OK(ctx, hd_map(ctx, bytes_of(at, BYTES), NULL, bytes_of(to, BYTES), NULL));
    CU(begin(b, 2));
    CHECK_OK(ctx, hd_set_stream(ctx, b));
    CHECK_OK(ctx, hd_map(ctx, bytes_of(at, BYTES), NULL, bytes_of(to, BYTES), NULL));
    CHECK_OK(ctx, hd_set_stream(ctx, a));
    CU(end(b, &graph));
    sees(ctx, a, at, "after a capture");
    hd_close(ctx);
    CU(end_graph(graph));
    CU(end_stream(a));
    CU(end_stream(b));
}

static void test_refused(void)
{
    hd_context *ctx = check_open(HD_CPU, 1, NULL);
    void *stream = &stream;
    CHECK(hd_set_stream(ctx, NULL) == HD_ERROR_BACKEND, "%s", hd_error(ctx));
    CHECK(strstr(hd_error(ctx), "hd_set_stream: backend cpu has no device"), "%s", hd_error(ctx));
    CHECK(hd_stream(ctx, &stream) == HD_ERROR_BACKEND && stream == NULL, "%s", hd_error(ctx));
    CHECK(hd_stream(ctx, NULL) == HD_ERROR_ARGUMENT, "%s", hd_error(ctx));
    hd_close(ctx);
}

int main(int argc, char **argv)
{
    const char *why = "";
    (void)argc;
    if (!cuda_caller_begin(argv, &why)) {
        printf("cuda: %s\n", why);
        return CHECK_SKIP;
    }
    const unsigned long long at = room(BYTES), to = room(BYTES);
    test_refused();
    test_default_streams(at);
    test_other_streams(at);
    test_handed_over(at, to);
    test_captured(at, to);
    CU(release(at));
    CU(release(to));
    return check_finish();
}
