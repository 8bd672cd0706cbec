// SPDX-License-Identifier: Apache-2.0
//
// Counts of the model that follow from the kernels of tests/kernels by hand: requests, sectors,
// wavefronts, branches, chains of atomics. They are the same for every number of host threads and
// every order of warps, and where CUDA C can be compiled, for what the compiler makes of it.
#include "tests/support/model_check.h"

#include <string.h>

static hd_model_counts total(const hd_model_report *report)
{
    return report != NULL ? report->total : (hd_model_counts){0};
}

// Loads alone: the counts of the lines add loads and stores together, so they are told apart by
// kernels in which a line only loads; here the three steps differ in the loads of the loop.
static void test_reduce(hd_model *model, const char *file)
{
    static const struct {
        const char *kernel;
        int line; // of the loop's addition
        int64_t loads, load_wavefronts;
    } steps[] = {{"reduce_modulo", 11, 95, 95},
                 {"reduce_strided", 25, 25, 95},
                 {"reduce_sequential", 38, 25, 25}};
    enum { BLOCKS = 3, N = 256 * BLOCKS };
    int x[N], sums[BLOCKS];
    const hd_model_module *module = model_load(model, file);
    for (int k = 0; k < N; k++) x[k] = k * k % 1009;
    const uint64_t from = model_new(model, x, sizeof x);
    for (int k = 0; k < 3; k++) {
        const uint64_t to = model_new(model, NULL, sizeof sums);
        const hd_model_report *r =
            model_run(model, module, steps[k].kernel, BLOCKS, 256, &from, &to, NULL);
        const hd_model_counts all = total(r);
        model_get(model, to, sums, sizeof sums);
        for (int b = 0; b < BLOCKS; b++) {
            int want = 0;
            for (int t = 0; t < 256; t++) want += x[256 * b + t];
            CHECK(sums[b] == want, "%s of %s, block %d: %d, expected %d", steps[k].kernel, file, b,
                  sums[b], want);
        }
        CHECK(all.shared_loads == BLOCKS * steps[k].loads, "%s: %lld loads", steps[k].kernel,
              (long long)all.shared_loads);
        // Each of the loop's additions reads twice and writes once, the first store is a row, the
        // last load one word.
        const hd_model_counts at = model_line(r, "reduce.cu", steps[k].line);
        const int64_t writes = BLOCKS * (steps[k].loads - 1) / 2;
        CHECK(at.shared_stores == writes && at.shared_loads == 2 * writes,
              "%s: line %d has %lld loads and %lld stores, expected %lld", steps[k].kernel,
              steps[k].line, (long long)at.shared_loads, (long long)at.shared_stores,
              (long long)writes);
        const int64_t of_loads = BLOCKS * (steps[k].load_wavefronts - 1);
        CHECK(at.wavefronts == of_loads + of_loads / 2, "%s: %lld wavefronts, expected %lld",
              steps[k].kernel, (long long)at.wavefronts, (long long)(of_loads + of_loads / 2));
        CHECK(all.barriers == BLOCKS * 8 * 9, "%s: %lld barriers", steps[k].kernel,
              (long long)all.barriers);
        CHECK(all.global_loads == 8 * BLOCKS && all.sectors == BLOCKS * (8 * 4 + 1),
              "%s: %lld loads, %lld sectors", steps[k].kernel, (long long)all.global_loads,
              (long long)all.sectors);
        CHECK(r->finding_count == 0, "%s: %s", steps[k].kernel,
              r->finding_count > 0 ? r->findings[0].text : "");
    }
}

static void test_transpose(hd_model *model, const char *file)
{
    enum { N = 64, TILES = 4 };
    static float x[N * N], y[N * N];
    static const struct {
        const char *kernel;
        int64_t sectors, wavefronts; // a tile
    } ways[] = {{"transpose_naive", 32 * (4 + 32), 0},
                {"transpose_tiled", 32 * (4 + 4), 32 + 1024},
                {"transpose_padded", 32 * (4 + 4), 32 + 32}};
    const hd_model_module *module = model_load(model, file);
    const int n = N;
    for (int k = 0; k < N * N; k++) x[k] = (float)k;
    const uint64_t from = model_new(model, x, sizeof x);
    for (int k = 0; k < 3; k++) {
        const uint64_t to = model_new(model, NULL, sizeof y);
        const hd_model_report *r;
        MODEL_OK(model, hd_model_launch(model, module, ways[k].kernel,
                                        (hd_model_shape){{2, 2}, {32, 32}, 0},
                                        (const void *[]){&from, &to, &n}, 3, &r));
        model_get(model, to, y, sizeof y);
        for (int i = 0; i < N * N; i++)
            CHECK(y[i] == x[i % N * N + i / N], "%s at %d", ways[k].kernel, i);
        CHECK(r->total.sectors == TILES * ways[k].sectors, "%s: %lld sectors", ways[k].kernel,
              (long long)r->total.sectors);
        CHECK(r->total.wavefronts == TILES * ways[k].wavefronts, "%s: %lld wavefronts",
              ways[k].kernel, (long long)r->total.wavefronts);
        CHECK(r->total.ideal_sectors == TILES * 32 * 8, "%s: %lld", ways[k].kernel,
              (long long)r->total.ideal_sectors);
        if (k > 0) CHECK(r->total.shared_loads == TILES * 32, "%s", ways[k].kernel);
    }
}

// Sectors of one load and one store of a warp of 4-byte words, by stride and offset.
static void test_copies(hd_model *model, const char *file)
{
    static const struct {
        int stride, offset;
        int64_t sectors, lines; // of the load
    } rows[] = {{1, 0, 4, 1},  {1, 1, 5, 2},  {1, 8, 4, 2},    {2, 0, 8, 2},
                {4, 0, 16, 4}, {8, 0, 32, 8}, {32, 0, 32, 32}, {0, 5, 1, 1}};
    static int x[2048], y[32];
    const hd_model_module *module = model_load(model, file);
    for (int k = 0; k < 2048; k++) x[k] = k;
    const uint64_t from = model_new(model, x, sizeof x), to = model_new(model, NULL, sizeof y);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const hd_model_counts c = total(model_run(model, module, "copy_strided", 1, 32, &from, &to,
                                                  &rows[k].stride, &rows[k].offset, NULL));
        model_get(model, to, y, sizeof y);
        for (int t = 0; t < 32; t++) CHECK(y[t] == t * rows[k].stride + rows[k].offset, "%d", t);
        CHECK(c.sectors - 4 == rows[k].sectors && c.lines - 1 == rows[k].lines,
              "stride %d, offset %d: %lld sectors, %lld lines", rows[k].stride, rows[k].offset,
              (long long)c.sectors - 4, (long long)c.lines - 1);
        CHECK(c.ideal_sectors == (rows[k].stride == 0 ? 1 : 4) + 4, "stride %d: ideal %lld",
              rows[k].stride, (long long)c.ideal_sectors);
        CHECK(c.bytes_read == 128 && c.bytes_written == 128, "bytes");
    }
    const uint64_t other = model_new(model, NULL, sizeof x);
    hd_model_counts c = total(model_run(model, module, "copy_vectors", 2, 32, &from, &other, NULL));
    CHECK(c.global_loads == 2 && c.global_stores == 2 && c.sectors == 64 && c.lines == 16,
          "vectors: %lld sectors, %lld lines", (long long)c.sectors, (long long)c.lines);
    c = total(model_run(model, module, "copy_bytes", 1, 64, &from, &other, NULL));
    CHECK(c.global_loads == 2 && c.sectors == 4 && c.bytes_read == 64, "bytes: %lld sectors",
          (long long)c.sectors);
}

static void test_variables(hd_model *model, const char *file)
{
    int weights[64], y[64], seven = 0;
    uint64_t address;
    int64_t bytes;
    const hd_model_module *module = model_load(model, file);
    for (int k = 0; k < 64; k++) weights[k] = 100 + k;
    MODEL_OK(model, hd_model_variable(model, module, "weights", &address, &bytes));
    CHECK(bytes == sizeof weights, "%lld", (long long)bytes);
    MODEL_OK(model, hd_model_write(model, address, weights, bytes));
    MODEL_OK(model, hd_model_variable(model, module, "counter", &address, &bytes));
    model_get(model, address, &seven, sizeof seven);
    CHECK(seven == 7 && bytes == 4, "%d, %lld bytes", seven, (long long)bytes);
    const uint64_t to = model_new(model, NULL, sizeof y);
    const hd_model_counts c = total(model_run(model, module, "use_constants", 1, 64, &to, NULL));
    model_get(model, to, y, sizeof y);
    for (int k = 0; k < 64; k++) CHECK(y[k] == 207 + k, "%d: %d", k, y[k]);
    CHECK(c.constant_requests == 4 && c.global_loads == 2, "%lld constant requests, %lld loads",
          (long long)c.constant_requests, (long long)c.global_loads);
    MODEL_OK(model, hd_model_launch(model, module, "use_dynamic", (hd_model_shape){{1}, {64}, 256},
                                    (const void *[]){&to}, 1, NULL));
    model_get(model, to, y, sizeof y);
    for (int k = 0; k < 64; k++) CHECK(y[k] == 207 + 63 - k, "%d: %d", k, y[k]);
}

// Words of shared memory over 4 banks, by warps of 4; a burst of 16 bytes at stride 2.
static void test_lectures(const char *file)
{
    static const struct {
        int words[4];
        int64_t wavefronts;
    } rows[] = {{{0, 1, 2, 3}, 1},  {{0, 5, 10, 15}, 1}, {{0, 2, 4, 6}, 2},
                {{0, 4, 8, 12}, 4}, {{7, 7, 7, 7}, 1},   {{3, 2, 1, 0}, 1}};
    hd_model *model = model_open(
        &(hd_model_options){.banks = 4, .warp_lanes = 4, .sector_bytes = 16, .line_bytes = 64});
    const hd_model_module *module = model_load(model, file);
    int y[4], x[64] = {0};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const uint64_t words = model_new(model, rows[k].words, sizeof rows[k].words);
        const uint64_t to = model_new(model, NULL, sizeof y);
        const hd_model_report *r = model_run(model, module, "read_words", 1, 4, &words, &to, NULL);
        model_get(model, to, y, sizeof y);
        for (int t = 0; t < 4; t++) CHECK(y[t] == 3 * rows[k].words[t], "word %d", t);
        // 256 rows of the table are written first, each in one.
        CHECK(r->total.wavefronts - 256 == rows[k].wavefronts, "words %d %d %d %d: %lld",
              rows[k].words[0], rows[k].words[1], rows[k].words[2], rows[k].words[3],
              (long long)r->total.wavefronts - 256);
        CHECK(r->total.conflicts == rows[k].wavefronts - 1, "%lld conflicts",
              (long long)r->total.conflicts);
    }
    const uint64_t from = model_new(model, x, sizeof x), to = model_new(model, NULL, sizeof x);
    for (int stride = 1; stride <= 4; stride++) {
        const int none = 0;
        const hd_model_counts c =
            total(model_run(model, module, "copy_strided", 1, 4, &from, &to, &stride, &none, NULL));
        CHECK(c.sectors - 1 == stride, "stride %d: %lld transactions", stride,
              (long long)c.sectors - 1);
    }
    hd_model_close(model);
}

static void test_atomics(hd_model *model, const char *file)
{
    const hd_model_module *module = model_load(model, file);
    for (int spread = 1; spread <= 32; spread *= 2) {
        const uint64_t at = model_new(model, NULL, 128);
        int got[32];
        const hd_model_counts c =
            total(model_run(model, module, "chain", 2, 64, &at, &spread, NULL));
        model_get(model, at, got, sizeof got);
        CHECK(got[0] == 128 / spread, "spread %d: %d", spread, got[0]);
        CHECK(c.global_atomics == 4 && c.atomic_steps == 4 * 32 / spread, "spread %d: %lld steps",
              spread, (long long)c.atomic_steps);
    }
}

// Parity parts every warp once; a whole warp's condition parts none.
static void test_branches(hd_model *model, const char *file)
{
    int x[64], y[64] = {0};
    const hd_model_module *module = model_load(model, file);
    for (int t = 0; t < 64; t++) x[t] = 8;
    const uint64_t from = model_new(model, x, sizeof x), to = model_new(model, y, sizeof y);
    hd_model_counts c = total(model_run(model, module, "branches", 1, 64, &from, &to, NULL));
    CHECK(c.divergent_branches == 0 && c.branches > 0, "%lld of %lld",
          (long long)c.divergent_branches, (long long)c.branches);
    for (int t = 0; t < 64; t++) x[t] = t < 32 ? 8 : t;
    MODEL_OK(model, hd_model_write(model, from, x, sizeof x));
    c = total(model_run(model, module, "branches", 1, 64, &from, &to, NULL));
    CHECK(c.divergent_branches >= 1 && c.divergent_branches <= 2, "%lld divergent",
          (long long)c.divergent_branches);
}

static void run_all(hd_model *model, const char *suffix)
{
    char name[64];
#define NAMED(stem) (strcpy(name, stem), strcat(name, suffix))
    test_reduce(model, NAMED("reduce"));
    test_transpose(model, NAMED("transpose"));
    test_copies(model, NAMED("copies"));
    test_variables(model, NAMED("copies"));
    test_lectures(NAMED("copies"));
    test_atomics(model, NAMED("atomics"));
    test_branches(model, NAMED("flow"));
}

int main(void)
{
    static const int threads[] = {1, 2, 5};
    for (int k = 0; k < 3; k++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            hd_model *model = model_open(
                &(hd_model_options){.threads = threads[k], .seed = seed, .resident = 1 + k});
            run_all(model, ".ptx");
            hd_model_close(model);
        }
    static const char *const compilers[] = {"nvrtc", "clang"};
    for (int k = 0; k < 2; k++) {
        if (!model_compiles_by(compilers[k])) continue;
        hd_model *model = model_open(&(hd_model_options){.compiler = compilers[k]});
        run_all(model, ".cu");
        hd_model_close(model);
    }
    return check_finish();
}
