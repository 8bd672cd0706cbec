// SPDX-License-Identifier: Apache-2.0
//
// Calls recorded in a CUDA graph on the caller's stream and played again on new data, memory of
// another library's making, and contexts of several host threads at once. Where there is no card,
// graphs are those of the fake driver (fake/driver.c), and small.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "gpu/cuda/driver.h"
#include "gpu/move/scatter.h"

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
    ROW(end_play, "cuGraphExecDestroy", (void *))                                                  \
    ROW(end_graph, "cuGraphDestroy", (void *))                                                     \
    ROW(end_stream, "cuStreamDestroy_v2", (void *))                                                \
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
    const char *named = getenv("HEDDLE_CUDA_DRIVER");
    void *library = dlopen(named != NULL ? named : "libcuda.so.1", RTLD_NOW), *symbol;
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

enum { N = 300007, OFFSETS = 4, WAYS = 5, MANY = 1000, RUNS = 1000 };

static int64_t n = N; // less on the fake driver

typedef struct arrays {
    float x[N], twice[N], sum[1], scan[N], parts[OFFSETS - 1];
} arrays;

HD_FUNCTION(doubled, float, HD_NO_SOURCE, (float, x), { return x + x; })

static int64_t offsets[OFFSETS];

static void all_calls(hd_context *ctx, hd_view x, hd_view twice, hd_view sum, hd_view scan,
                      hd_view parts, hd_view segments)
{
    CHECK_OK(ctx, hd_map(ctx, x, doubled, twice, NULL));
    CHECK_OK(ctx, hd_reduce(ctx, twice, HD_SUM, sum, NULL));
    CHECK_OK(ctx, hd_scan(ctx, twice, HD_SUM, scan, NULL));
    CHECK_OK(ctx,
             hd_reduce(ctx, x, HD_MAX, parts, &(hd_reduce_options){.segments = HD_REF(segments)}));
}

static void expected(arrays *a)
{
    hd_context *serial = check_open(HD_SERIAL, 0, NULL);
    all_calls(serial, HD_VIEW(a->x, n), HD_VIEW(a->twice, n), HD_VIEW(a->sum, 1),
              HD_VIEW(a->scan, n), HD_VIEW(a->parts, OFFSETS - 1), HD_VIEW(offsets, OFFSETS));
    hd_close(serial);
}

// ---- Graphs -------------------------------------------------------------------------------------

// A view of memory that the driver gave, not Heddle.
static hd_view foreign(hd_type type, int64_t count)
{
    unsigned long long at = 0;
    works(cu.allocate(&at, hd_type_size(type) * (size_t)count), "cuMemAlloc");
    hd_view v = hd_view_of(type, (void *)(uintptr_t)at, count);
    v.space = HD_DEVICE;
    return v;
}

static void *use_driver(void)
{
    void *context, *stream;
    int device;
    works(cu.device(&device, 0), "cuDeviceGet");
    works(cu.retain(&context, device), "cuDevicePrimaryCtxRetain");
    works(cu.use(context), "cuCtxSetCurrent");
    works(cu.stream(&stream, 1), "cuStreamCreate");
    return stream;
}

static void end_graph(void *graph, void *playable)
{
    works(cu.end_play(playable), "cuGraphExecDestroy");
    works(cu.end_graph(graph), "cuGraphDestroy");
}

static void test_graph(void)
{
    void *graph, *playable, *stream = use_driver();
    hd_context *ctx = NULL;
    CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){.backend = HD_CUDA, .stream = stream}));
    hd_view v[6] = {foreign(HD_F32, n), foreign(HD_F32, n), foreign(HD_F32, 1),
                    foreign(HD_F32, n), foreign(HD_F32, 3), foreign(HD_I64, OFFSETS)};
    arrays *want = check_memory(sizeof *want), *got = check_memory(sizeof *got);
    check_fill(HD_F32, want->x, n, CHECK_ORDINARY, check_seed());
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(want->x, n), NULL, v[0], NULL));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(offsets, OFFSETS), NULL, v[5], NULL));
    all_calls(ctx, v[0], v[1], v[2], v[3], v[4], v[5]); // memory grows, kernels are compiled
    CHECK_OK(ctx, hd_sync(ctx));
    works(cu.begin(stream, 2), "cuStreamBeginCapture");
    all_calls(ctx, v[0], v[1], v[2], v[3], v[4], v[5]);
    works(cu.end(stream, &graph), "cuStreamEndCapture");
    works(cu.instantiate(&playable, graph, 0), "cuGraphInstantiate");
    for (int turn = 0; turn < 4; turn++) {
        check_fill(HD_F32, want->x, n, CHECK_ORDINARY, check_seed() + (uint64_t)turn);
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW(want->x, n), NULL, v[0], NULL));
        expected(want);
        for (int again = 0; again < 3; again++) works(cu.launch(playable, stream), "cuGraphLaunch");
        works(cu.wait(stream), "cuStreamSynchronize");
        CHECK_OK(ctx, hd_map(ctx, v[2], NULL, HD_VIEW(got->sum, 1), NULL));
        CHECK_OK(ctx, hd_map(ctx, v[3], NULL, HD_VIEW(got->scan, n), NULL));
        CHECK_OK(ctx, hd_map(ctx, v[4], NULL, HD_VIEW(got->parts, 3), NULL));
        CHECK_SAME(HD_F32, got->sum, want->sum, 1, "sum of turn %d", turn);
        CHECK_SAME(HD_F32, got->scan, want->scan, n, "scan of turn %d", turn);
        CHECK_SAME(HD_F32, got->parts, want->parts, 3, "segments of turn %d", turn);
    }
    end_graph(graph, playable);
    for (int k = 0; k < 6; k++) works(cu.release((uintptr_t)v[k].data), "cuMemFree");
    hd_close(ctx);
    works(cu.end_stream(stream), "cuStreamDestroy");
    free(want), free(got);
}

// ---- Graphs of calls that choose and move -------------------------------------------------------

// Outputs of one of these calls, of at most n i32 each, and the count, or n.
typedef hd_status mover(hd_context *ctx, const hd_view *in, hd_view out, hd_view count);

static hd_status compact(hd_context *ctx, const hd_view *in, hd_view out, hd_view count)
{
    return hd_compact(ctx, in[0], out, count, NULL);
}

static hd_status unique(hd_context *ctx, const hd_view *in, hd_view out, hd_view count)
{
    return hd_unique(ctx, in[0], out, count, NULL);
}

static hd_status run_lengths(hd_context *ctx, const hd_view *in, hd_view out, hd_view count)
{
    return hd_run_lengths(ctx, in[0], HD_EMPTY, out, count, NULL);
}

static hd_status expand(hd_context *ctx, const hd_view *in, hd_view out, hd_view count)
{
    const hd_view values = hd_slice(in[1], 0, 0, RUNS, 1), lengths = hd_slice(in[0], 0, 0, RUNS, 1);
    return hd_expand(ctx, values, lengths, out, count, NULL);
}

static hd_status two_ways(hd_context *ctx, const hd_view *in, hd_view out, hd_view count)
{
    (void)count;
    return hd_partition(ctx, in[1], out, HD_EMPTY, &(hd_partition_options){.flags = HD_REF(in[0])});
}

static hd_status few_ways(hd_context *ctx, const hd_view *in, hd_view out, hd_view count)
{
    (void)count;
    return hd_partition(ctx, in[1], out, HD_EMPTY,
                        &(hd_partition_options){.buckets = HD_REF(in[0]), .ways = WAYS});
}

static hd_status many_ways(hd_context *ctx, const hd_view *in, hd_view out, hd_view count)
{
    (void)count;
    return hd_partition(ctx, in[0], out, HD_EMPTY,
                        &(hd_partition_options){.buckets = HD_REF(in[2]), .ways = MANY});
}

static hd_status gather(hd_context *ctx, const hd_view *in, hd_view out, hd_view count)
{
    (void)count;
    return hd_gather(ctx, in[0], in[1], out, NULL);
}

static hd_status scatter(hd_context *ctx, const hd_view *in, hd_view out, hd_view count)
{
    (void)count;
    return hd_scatter(ctx, in[0], in[1], out, NULL);
}

static const struct {
    const char *name;
    mover *call;
    bool counts;
} movers[] = {
    {"compact", compact, true}, {"unique", unique, true},        {"run lengths", run_lengths, true},
    {"expand", expand, true},   {"two ways", two_ways, false},   {"few ways", few_ways, false},
    {"gather", gather, false},  {"many ways", many_ways, false}, {"scatter", scatter, false}};

// Numbers below WAYS; a permutation, at random or in order; numbers below MANY.
static void fill(int32_t *in[3], uint64_t seed, bool in_order)
{
    for (int64_t i = 0; i < n; i++) {
        in[0][i] = (int32_t)check_below(&seed, WAYS);
        in[1][i] = (int32_t)i;
        in[2][i] = (int32_t)check_below(&seed, MANY);
    }
    for (int64_t i = n - 1; i > 0 && !in_order; i--) {
        const int64_t j = check_below(&seed, i + 1);
        const int32_t swapped = in[1][i];
        in[1][i] = in[1][j], in[1][j] = swapped;
    }
}

// A recorded scatter decides anew each time whether it parts its sources: random ones, not those in
// order.
static void check_choice(hd_context *ctx, bool in_order)
{
    hd__gpu *gpu;
    uint32_t at_once = 7;
    CHECK_OK(ctx, hd__gpu_of(ctx, &gpu));
    CHECK_OK(ctx,
             gpu->driver->download(ctx, gpu->device, &at_once,
                                   gpu->workspace[HD__GPU_LOCALITY].at + HD__GPU_LOCALITY_BUCKETED,
                                   sizeof at_once));
    CHECK(at_once == in_order, "scatter %s: the word is %u", in_order ? "in order" : "at random",
          at_once);
}

static void test_mover(hd_context *ctx, void *stream, int k, int32_t *const host[3],
                       const hd_view *in, hd_view out, hd_view count)
{
    void *graph, *playable;
    const hd_view on_host[3] = {HD_VIEW(host[0], n), HD_VIEW(host[1], n), HD_VIEW(host[2], n)};
    int32_t *want = check_memory(4 * N), *got = check_memory(4 * N);
    CHECK_OK(ctx, movers[k].call(ctx, in, out, count));
    CHECK_OK(ctx, hd_sync(ctx));
    works(cu.begin(stream, 2), "cuStreamBeginCapture");
    CHECK_OK(ctx, movers[k].call(ctx, in, out, count));
    works(cu.end(stream, &graph), movers[k].name);
    works(cu.instantiate(&playable, graph, 0), movers[k].name);
    hd_context *serial = check_open(HD_SERIAL, 0, NULL);
    for (int turn = 0; turn < 2; turn++) {
        int64_t m = n, right = n;
        fill((int32_t **)(uintptr_t)host, check_seed() + (uint64_t)turn, turn == 1);
        memset(want, 0, 4 * N);
        for (int j = 0; j < 3; j++) CHECK_OK(ctx, hd_map(ctx, on_host[j], NULL, in[j], NULL));
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW(want, n), NULL, out, NULL));
        CHECK_OK(serial, movers[k].call(serial, on_host, HD_VIEW(want, n), HD_VIEW(&right, 1)));
        for (int again = 0; again < 2; again++) works(cu.launch(playable, stream), movers[k].name);
        works(cu.wait(stream), "cuStreamSynchronize");
        if (movers[k].call == scatter) check_choice(ctx, turn == 1);
        if (movers[k].counts) CHECK_OK(ctx, hd_map(ctx, count, NULL, HD_VIEW(&m, 1), NULL));
        CHECK_OK(ctx, hd_map(ctx, out, NULL, HD_VIEW(got, n), NULL));
        CHECK(m == right, "%s, turn %d: %lld, expected %lld", movers[k].name, turn, (long long)m,
              (long long)right);
        CHECK_SAME(HD_I32, got, want, right, "%s of turn %d", movers[k].name, turn);
    }
    hd_close(serial);
    end_graph(graph, playable);
    free(want), free(got);
}

static void test_movers(void)
{
    void *stream = use_driver();
    hd_context *ctx = NULL;
    int32_t *host[3];
    hd_view in[3], out = foreign(HD_I32, n), count = foreign(HD_I64, 1);
    CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){.backend = HD_CUDA, .stream = stream}));
    for (int j = 0; j < 3; j++) host[j] = check_memory(4 * N);
    fill(host, check_seed(), false);
    for (int j = 0; j < 3; j++) {
        in[j] = foreign(HD_I32, n);
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW(host[j], n), NULL, in[j], NULL));
    }
    for (int k = 0; k < (int)(sizeof movers / sizeof *movers); k++)
        test_mover(ctx, stream, k, host, in, out, count);
    for (int j = 0; j < 3; j++)
        free(host[j]), works(cu.release((uintptr_t)in[j].data), "cuMemFree");
    works(cu.release((uintptr_t)out.data), "cuMemFree");
    works(cu.release((uintptr_t)count.data), "cuMemFree");
    hd_close(ctx);
    works(cu.end_stream(stream), "cuStreamDestroy");
}

// ---- Threads ------------------------------------------------------------------------------------

// One thread with a context of its own.
static void *work(void *argument)
{
    const uint64_t seed = check_seed() + *(int *)argument;
    arrays *want = check_memory(sizeof *want), *got = check_memory(sizeof *got);
    hd_context *ctx = NULL;
    check_fill(HD_F32, want->x, n, CHECK_ORDINARY, seed);
    expected(want);
    CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){.backend = HD_CUDA}));
    for (int turn = 0; turn < 20; turn++) {
        all_calls(ctx, HD_VIEW(want->x, n), HD_VIEW(got->twice, n), HD_VIEW(got->sum, 1),
                  HD_VIEW(got->scan, n), HD_VIEW(got->parts, OFFSETS - 1),
                  HD_VIEW(offsets, OFFSETS));
        CHECK_SAME(HD_F32, got->sum, want->sum, 1, "sum of a thread");
        CHECK_SAME(HD_F32, got->scan, want->scan, n, "scan of a thread");
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

// The fake driver, in a process that begins with it.
static int start_fake(char **arguments)
{
    setenv("HEDDLE_CUDA_DRIVER", HEDDLE_FAKE_DIR "/driver.so", 1);
    setenv("HEDDLE_CACHE_DIR", "none", 0); // what other tests have compiled will do
    setenv("HEDDLE_PTXAS", "none", 1);
    execv("/proc/self/exe", arguments);
    return CHECK_SKIP;
}

int main(int argc, char **argv)
{
    const char *why = "";
    const bool fake = getenv("HEDDLE_CUDA_DRIVER") != NULL;
    (void)argc;
    if (!fake && !hd_backend_available(HD_CUDA, &why)) return start_fake(argv);
    if (!find_driver() || hd__gpu_nvrtc_of(&why) == NULL) {
        printf("cuda: %s\n", why);
        return CHECK_SKIP;
    }
    if (fake) n = 4099;
    offsets[1] = 17, offsets[2] = n / 6 * 5, offsets[3] = n;
    works(cu.init(0), "cuInit");
    test_graph();
    setenv("HEDDLE_TUNE", "scatter_from=4 scatter_bucket=256 scatter_window=256",
           1); // large outputs are small
    test_movers();
    unsetenv("HEDDLE_TUNE");
    if (!fake) test_threads();
    return check_finish();
}
