// SPDX-License-Identifier: Apache-2.0
//
// How fast the model machine is: thread instructions a second for the ladder of reductions over
// 2^20 numbers, with all checks on, by the clock and by the time of the processors.
//
//     model_speed [HOST THREADS [CHECKS]]
//
// Every sum is compared with the host's before a figure is printed.
#include <heddle_model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 1 << 20, ROUNDS = 5 };

typedef struct step {
    const char *kernel;
    int32_t blocks, shared;
    bool has_length; // between the numbers and the sums
    int per_block;   // numbers that one block adds; 0: it takes turns over all
} step;

static const step steps[] = {
    {"reduce_modulo", N / 256, 1024, false, 256},
    {"reduce_strided", N / 256, 1024, false, 256},
    {"reduce_sequential", N / 256, 1024, false, 256},
    {"reduce_first_add", N / 512, 1024, false, 512},
    {"reduce_shuffle", 64, 0, true, 0},
};

static int fail(hd_model *model, const char *what)
{
    fprintf(stderr, "%s: %s\n", what, hd_model_error(model));
    return 1;
}

static bool is_right(const int *sums, const step *r)
{
    long long got = 0, want = 0;
    for (int k = 0; k < r->blocks; k++) got += sums[k];
    for (int k = 0; k < N; k++) want += k % 7;
    return got == want;
}

static int measure(hd_model *model, const hd_model_module *module, const step *r, uint64_t x,
                   uint64_t y)
{
    static int sums[N / 256];
    const int n = N;
    const void *arguments[] = {&x, r->has_length ? (const void *)&n : &y, &y};
    const hd_model_shape shape = {{r->blocks}, {256}, r->shared};
    const hd_model_report *report;
    double best = 1e30, busy = 1e30;
    for (int k = 0; k < ROUNDS; k++) {
        const clock_t start = clock();
        if (hd_model_launch(model, module, r->kernel, shape, arguments, r->has_length ? 3 : 2,
                            &report) != HD_OK)
            return fail(model, r->kernel);
        const double used = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (report->seconds < best) best = report->seconds;
        if (used < busy) busy = used;
    }
    if (hd_model_read(model, y, sums, (int64_t)r->blocks * 4) != HD_OK || !is_right(sums, r)) {
        fprintf(stderr, "%s: the sums are wrong\n", r->kernel);
        return 1;
    }
    const double count = (double)report->total.thread_instructions;
    printf("%-18s %7.1f M %9.3f s %7.2f G/s %9.3f s %7.2f G/s %5d\n", r->kernel, count * 1e-6, best,
           count / best * 1e-9, busy, count / busy * 1e-9, (int)report->finding_count);
    return 0;
}

int main(int argc, char **argv)
{
    const hd_model_options options = {.threads = argc > 1 ? atoi(argv[1]) : 0,
                                      .checks = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 0) : 0};
    static int numbers[N];
    hd_model *model;
    hd_model_module *module;
    uint64_t x, y;
    if (hd_model_open(&model, &options) != HD_OK) return fail(model, "open");
    for (int k = 0; k < N; k++) numbers[k] = k % 7;
    if (hd_model_load(model, HEDDLE_SOURCE_DIR "/bench/model/kernels/reduce.ptx", NULL, &module) !=
            HD_OK ||
        hd_model_alloc(model, sizeof numbers, &x) != HD_OK ||
        hd_model_alloc(model, N / 256 * 4, &y) != HD_OK ||
        hd_model_write(model, x, numbers, sizeof numbers) != HD_OK)
        return fail(model, "load");
    printf("%-18s %9s %11s %11s %11s %11s %5s\n", "2^20 numbers", "instr.", "by clock", "",
           "of processors", "a core", "found");
    int failed = 0;
    for (size_t k = 0; k < sizeof steps / sizeof *steps && !failed; k++)
        failed = measure(model, module, &steps[k], x, y);
    hd_model_close(model);
    return failed;
}
