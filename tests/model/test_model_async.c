// SPDX-License-Identifier: Apache-2.0
//
// Copies that run by themselves, mbarriers and clusters, with kernels of
// tests/kernels/execution/async.cu.
#include "tests/support/model_check.h"

#include <string.h>

enum { ROUNDS = 5 };

static void test_pipeline(hd_model *model, const hd_model_module *module)
{
    static int x[ROUNDS * 64][4];
    int y[64];
    const int rounds = ROUNDS;
    for (int k = 0; k < ROUNDS * 64; k++)
        for (int j = 0; j < 4; j++) x[k][j] = k * 7 + j * j;
    const uint64_t from = model_new(model, x, sizeof x), to = model_new(model, NULL, sizeof y);
    const hd_model_report *r =
        model_run(model, module, "pipeline", 1, 64, &from, &to, &rounds, NULL);
    model_get(model, to, y, sizeof y);
    for (int t = 0; t < 64; t++) {
        int want = 0;
        for (int k = 0; k < ROUNDS; k++)
            for (int j = 0; j < 4; j++) want += (j + 1) * x[k * 64 + 63 - t][j];
        CHECK(y[t] == want, "pipeline, thread %d: %d, expected %d", t, y[t], want);
    }
    // Each round: two warps load 512 bytes, 16 sectors.
    CHECK(r->total.global_loads == 2 * ROUNDS && r->total.sectors == 2 * 16 * ROUNDS + 8,
          "%lld loads, %lld sectors", (long long)r->total.global_loads,
          (long long)r->total.sectors);
}

static void test_partly(hd_model *model, const hd_model_module *module)
{
    int x[32], y[64];
    for (int t = 0; t < 32; t++) x[t] = 100 + t;
    const uint64_t from = model_new(model, x, sizeof x), to = model_new(model, NULL, sizeof y);
    model_run(model, module, "partly", 1, 32, &from, &to, NULL);
    model_get(model, to, y, sizeof y);
    for (int t = 0; t < 32; t++)
        CHECK(y[t] == -1 && y[32 + t] == (t % 3 == 0 ? 0 : x[t]), "partly, thread %d: %d, %d", t,
              y[t], y[32 + t]);
}

static void test_bulk(hd_model *model, const hd_model_module *module)
{
    enum { BLOCKS = 3, N = BLOCKS * ROUNDS * 256 };
    static int x[N], y[N];
    const int rounds = ROUNDS;
    for (int k = 0; k < N; k++) x[k] = k ^ k / 7;
    const uint64_t from = model_new(model, x, sizeof x), to = model_new(model, NULL, sizeof y);
    const hd_model_report *r =
        model_run(model, module, "bulk", BLOCKS, 256, &from, &to, &rounds, NULL);
    model_get(model, to, y, sizeof y);
    for (int k = 0; k < N; k++)
        CHECK(y[k] == 2 * x[k] + k / 256 % ROUNDS, "bulk, %d: %d, expected %d", k, y[k],
              2 * x[k] + k / 256 % ROUNDS);
    // A kibibyte is eight pieces of 128 bytes, each way.
    CHECK(r->total.global_loads == 8 * BLOCKS * ROUNDS &&
              r->total.global_stores == 8 * BLOCKS * ROUNDS &&
              r->total.sectors == 64 * BLOCKS * ROUNDS,
          "%lld loads, %lld stores, %lld sectors", (long long)r->total.global_loads,
          (long long)r->total.global_stores, (long long)r->total.sectors);
    CHECK(r->finding_count == 0, "%s", r->findings[0].text);
}

static void test_tokens(hd_model *model, const hd_model_module *module)
{
    int y[65], all = 0;
    const uint64_t to = model_new(model, NULL, sizeof y);
    model_run(model, module, "tokens", 1, 64, &to, NULL);
    model_get(model, to, y, sizeof y);
    for (int t = 0; t < 64; t++) all += t + 1;
    for (int t = 0; t < 64; t++) CHECK(y[t] == (63 - t) * (63 - t), "tokens, %d: %d", t, y[t]);
    CHECK(y[64] == all, "arrivals still expected, added up: %d, not %d", y[64], all);
}

static void test_ring(hd_model *model, const hd_model_module *module, int blocks)
{
    enum { BLOCKS = 16 };
    int x[BLOCKS * 64], y[BLOCKS * 64];
    for (int k = 0; k < BLOCKS * 64; k++) x[k] = 3 * k + 1;
    const uint64_t from = model_new(model, x, sizeof x), to = model_new(model, NULL, sizeof y);
    MODEL_OK(model, hd_model_cluster(model, blocks, 1, 1));
    model_run(model, module, "ring", BLOCKS, 64, &from, &to, NULL);
    MODEL_OK(model, hd_model_cluster(model, 0, 0, 0));
    model_get(model, to, y, sizeof y);
    for (int k = 0; k < BLOCKS * 64; k++) {
        const int first = k / 64 / blocks * blocks, rank = k / 64 - first;
        // Block r is two after the one that adds to it, which adds what the block between has.
        const int added = (rank - 2 + 2 * blocks) % blocks, read = (added + 1) % blocks;
        const int want = x[(first + read) * 64 + k % 64] * 16 + rank;
        CHECK(y[k] == want, "ring of %d, %d: %d, expected %d", blocks, k, y[k], want);
    }
}

static void test_clusters(hd_model *model, const hd_model_module *module)
{
    int y[8];
    const uint64_t to = model_new(model, NULL, sizeof y);
    for (int blocks = 1; blocks <= 16; blocks *= 2) test_ring(model, module, blocks);
    model_run(model, module, "pairs", 8, 40, &to, NULL);
    model_get(model, to, y, sizeof y);
    for (int k = 0; k < 8; k++) CHECK(y[k] == k % 2 + 10 * (k / 2), "pairs, %d: %d", k, y[k]);
    const void *arguments[] = {&to};
    MODEL_FAILS(model, HD_ERROR_ARGUMENT,
                hd_model_launch(model, module, "pairs", (hd_model_shape){{7}, {32}, 0}, arguments,
                                1, NULL));
    MODEL_SAYS(model, "clusters of 2 blocks do not divide the grid's 7");
    MODEL_FAILS(
        model, HD_ERROR_DEVICE,
        hd_model_launch(model, module, "wild", (hd_model_shape){{1}, {32}, 0}, arguments, 1, NULL));
    MODEL_SAYS(model, "this mbarrier has not been initialised");
    MODEL_FAILS(model, HD_ERROR_ARGUMENT, hd_model_cluster(model, 17, 1, 1));
}

int main(void)
{
    static const hd_model_options options[] = {
        {.threads = 1},
        {.threads = 2},
        {.threads = 3, .resident = 1},
        {.threads = 1, .seed = 5},
        {.threads = 2, .seed = 6, .resident = 3},
    };
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        hd_model *model = model_open(&options[k]);
        const hd_model_module *module = model_load(model, "async.ptx");
        test_pipeline(model, module);
        test_partly(model, module);
        test_bulk(model, module);
        test_tokens(model, module);
        test_clusters(model, module);
        hd_model_close(model);
    }
    return check_finish();
}
