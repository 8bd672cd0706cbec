// SPDX-License-Identifier: Apache-2.0
//
// What only a card can show: calls recorded in a CUDA graph on the caller's stream and played again on new
// data, memory of another library's making, and contexts of several host threads at once. Skipped
// where there is no CUDA.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

// The few functions of the driver that a caller with graphs of its own uses.
#define FUNCTIONS(ROW)                                                                             \
    ROW(init, "cuInit", (unsigned))                                                                \
    ROW(device, "cuDeviceGet", (int *, int))                                                       \
    ROW(retain, "cuDevicePrimaryCtxRetain", (void **, int))                                        \
    ROW(use, "cuCtxSetCurrent", (void *))                                                          \
    ROW(stream, "cuStreamCreate", (void **, unsigned))                                             \
    ROW(begin, "cuStreamBeginCapture_v2", (void *, int))                                           \
    ROW(end, "cuStreamEndCapture", (void *, void **))                                              \
    ROW(instantiate, "cuGraphInstantiateWithFlags", (void **, void *, unsigned long long))         \
    ROW(launch, "cuGraphLaunch", (void *, void *))                                                 \
    ROW(wait, "cuStreamSynchronize", (void *))                                                     \
    ROW(allocate, "cuMemAlloc_v2", (unsigned long long *, size_t))                                 \
    ROW(release, "cuMemFree_v2", (unsigned long long))

static struct {
#define ROW(name, symbol, parameters) int(*name) parameters;
    FUNCTIONS(ROW)
#undef ROW
} cu;

static bool find_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW), *symbol;
    bool all = library != NULL;
#define ROW(name, text, parameters)                                                                \
    symbol = library ? dlsym(library, text) : NULL;                                                \
    memcpy(&cu.name, &symbol, sizeof symbol);                                                      \
    all = all && symbol != NULL;
    FUNCTIONS(ROW)
#undef ROW
    return all;
}

static void works(int result, const char *what)
{
    CHECK(result == 0, "%s gives %d", what, result);
}

enum { N = 300007, OFFSETS = 4 };

typedef struct arrays {
    float x[N], twice[N], sum[1], scan[N], parts[OFFSETS - 1];
} arrays;

HD_FUNCTION(doubled, float, HD_NO_SOURCE, (float, x), { return x + x; })

static const int64_t offsets[OFFSETS] = {0, 17, 250000, N};

static void all_calls(hd_context *ctx, hd_view x, hd_view twice, hd_view sum, hd_view scan,
                      hd_view parts, hd_view segments)
{
    CHECK_OK(ctx, hd_map(ctx, x, doubled, twice, NULL));
    CHECK_OK(ctx, hd_reduce(ctx, twice, HD_SUM, sum, NULL));
    CHECK_OK(ctx, hd_scan(ctx, twice, HD_SUM, scan, NULL));
    CHECK_OK(ctx, hd_reduce(ctx, x, HD_MAX, parts, &(hd_reduce_options){.segments = segments}));
}

static void expected(arrays *a)
{
    hd_context *serial = check_open(HD_SERIAL, 0, NULL);
    all_calls(serial, HD_VIEW(a->x, N), HD_VIEW(a->twice, N), HD_VIEW(a->sum, 1),
              HD_VIEW(a->scan, N), HD_VIEW(a->parts, OFFSETS - 1), HD_VIEW(offsets, OFFSETS));
    hd_close(serial);
}

// A view of memory that the driver gave, not Heddle.
static hd_view foreign(hd_type type, int64_t n)
{
    unsigned long long at = 0;
    works(cu.allocate(&at, hd_type_size(type) * (size_t)n), "cuMemAlloc");
    hd_view v = hd_view_of(type, (void *)(uintptr_t)at, n);
    v.place = HD_DEVICE;
    return v;
}

static void test_graph(void)
{
    void *context, *stream, *graph, *playable;
    int device;
    works(cu.device(&device, 0), "cuDeviceGet");
    works(cu.retain(&context, device), "cuDevicePrimaryCtxRetain");
    works(cu.use(context), "cuCtxSetCurrent");
    works(cu.stream(&stream, 1), "cuStreamCreate");
    hd_context *ctx = NULL;
    CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){.backend = HD_CUDA, .stream = stream}));
    hd_view v[6] = {foreign(HD_F32, N), foreign(HD_F32, N), foreign(HD_F32, 1),
                    foreign(HD_F32, N), foreign(HD_F32, 3), foreign(HD_I64, OFFSETS)};
    arrays *want = check_memory(sizeof *want), *got = check_memory(sizeof *got);
    check_fill(HD_F32, want->x, N, CHECK_ORDINARY, check_seed());
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(want->x, N), NULL, v[0], NULL));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(offsets, OFFSETS), NULL, v[5], NULL));
    all_calls(ctx, v[0], v[1], v[2], v[3], v[4], v[5]); // memory grows, kernels are compiled
    CHECK_OK(ctx, hd_sync(ctx));
    works(cu.begin(stream, 2), "cuStreamBeginCapture");
    all_calls(ctx, v[0], v[1], v[2], v[3], v[4], v[5]);
    works(cu.end(stream, &graph), "cuStreamEndCapture");
    works(cu.instantiate(&playable, graph, 0), "cuGraphInstantiate");
    for (int turn = 0; turn < 4; turn++) {
        check_fill(HD_F32, want->x, N, CHECK_ORDINARY, check_seed() + (uint64_t)turn);
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW(want->x, N), NULL, v[0], NULL));
        expected(want);
        for (int again = 0; again < 3; again++) works(cu.launch(playable, stream), "cuGraphLaunch");
        works(cu.wait(stream), "cuStreamSynchronize");
        CHECK_OK(ctx, hd_map(ctx, v[2], NULL, HD_VIEW(got->sum, 1), NULL));
        CHECK_OK(ctx, hd_map(ctx, v[3], NULL, HD_VIEW(got->scan, N), NULL));
        CHECK_OK(ctx, hd_map(ctx, v[4], NULL, HD_VIEW(got->parts, 3), NULL));
        CHECK_SAME(HD_F32, got->sum, want->sum, 1, "sum of turn %d", turn);
        CHECK_SAME(HD_F32, got->scan, want->scan, N, "scan of turn %d", turn);
        CHECK_SAME(HD_F32, got->parts, want->parts, 3, "segments of turn %d", turn);
    }
    for (int k = 0; k < 6; k++) works(cu.release((uintptr_t)v[k].data), "cuMemFree");
    hd_close(ctx);
    free(want), free(got);
}

// One thread with a context of its own.
static void *work(void *argument)
{
    const uint64_t seed = check_seed() + *(int *)argument;
    arrays *want = check_memory(sizeof *want), *got = check_memory(sizeof *got);
    hd_context *ctx = NULL;
    check_fill(HD_F32, want->x, N, CHECK_ORDINARY, seed);
    expected(want);
    CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){.backend = HD_CUDA}));
    for (int turn = 0; turn < 20; turn++) {
        all_calls(ctx, HD_VIEW(want->x, N), HD_VIEW(got->twice, N), HD_VIEW(got->sum, 1),
                  HD_VIEW(got->scan, N), HD_VIEW(got->parts, OFFSETS - 1),
                  HD_VIEW(offsets, OFFSETS));
        CHECK_SAME(HD_F32, got->sum, want->sum, 1, "sum of a thread");
        CHECK_SAME(HD_F32, got->scan, want->scan, N, "scan of a thread");
        CHECK_SAME(HD_F32, got->parts, want->parts, 3, "segments of a thread");
    }
    hd_close(ctx);
    free(want), free(got);
    return NULL;
}

static void test_threads(void)
{
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    int number[THREADS];
    for (int k = 0; k < THREADS; k++) {
        number[k] = k;
        CHECK(pthread_create(&thread[k], NULL, work, &number[k]) == 0, "a thread begins");
    }
    for (int k = 0; k < THREADS; k++) pthread_join(thread[k], NULL);
}

int main(void)
{
    const char *why;
    if (!hd_backend_available(HD_CUDA, &why) || !find_driver()) {
        printf("cuda: %s\n", why);
        return CHECK_SKIP;
    }
    works(cu.init(0), "cuInit");
    test_graph();
    test_threads();
    return check_finish();
}
