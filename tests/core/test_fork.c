// SPDX-License-Identifier: Apache-2.0
//
// Processes made by fork(), as servers and Python's multiprocessing make them: calls with threads
// in the child, on the parent's context, on a new one and in a child of the child, give the bits of
// the parent. libgomp's threads are not there any more; a child that waits for them is ended by an
// alarm.
#define _GNU_SOURCE
#include <heddle_model.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/check.h"

enum { N = 1 << 17, THREADS = 4, SECONDS = 300 };

static float in[N], out[N], expected[N];
static int32_t keys[N], sorted[N], sorted_expected[N];
static float sum_expected;

static hd_context *open_threads(hd_backend backend)
{
    hd_context *ctx = NULL;
    CHECK(hd_open(&ctx, &(hd_context_options){.backend = backend, .threads = THREADS}) == HD_OK,
          "%s", hd_error(ctx));
    return ctx;
}

// Calls with several shapes of parallel regions, and one that is too small for a team.
static void use(hd_context *ctx, const char *whose)
{
    float sum = 0;
    memset(out, 0, sizeof out);
    memset(sorted, 0, sizeof sorted);
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(in, N), HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK_SAME(HD_F32, &sum, &sum_expected, 1, "sum of %s", whose);
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(in, N), HD_SUM, HD_VIEW(out, N), NULL));
    CHECK_SAME(HD_F32, out, expected, N, "scan of %s", whose);
    CHECK_OK(ctx, hd_sort(ctx, HD_VIEW(keys, N), HD_VIEW(sorted, N), HD_NO_VALUES, NULL));
    CHECK_SAME(HD_I32, sorted, sorted_expected, N, "sort of %s", whose);
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(in, 7), HD_SUM, HD_VIEW(out, 7), NULL));
    CHECK_SAME(HD_F32, out, expected, 7, "small scan of %s", whose);
    CHECK(hd_threads(ctx) == THREADS, "%d threads", (int)hd_threads(ctx));
}

static void in_child(void (*run)(hd_context *ctx), hd_context *ctx)
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        run(ctx);
        hd_close(ctx);
        _exit(check_finish());
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0, "the child ended with %d%s", status,
          WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? ": it hung" : "");
}

static void use_all(hd_context *ctx)
{
    use(ctx, "the parent's context");
    hd_context *own = open_threads(HD_CPU);
    use(own, "a new context");
    hd_close(own);
}

static void use_and_fork(hd_context *ctx)
{
    use_all(ctx);
    in_child(use_all, ctx);
    use(ctx, "a context whose child has ended");
}

static void test_cpu(void)
{
    hd_context *ctx = open_threads(HD_CPU);
    use(ctx, "a context before any fork");
    in_child(use_and_fork, ctx);
    use(ctx, "the parent, afterwards");
    hd_close(ctx);
}

// ---- The model machine --------------------------------------------------------------------------

static const char count_blocks[] = ".version 7.0\n"
                                   ".target sm_70\n"
                                   ".address_size 64\n"
                                   ".visible .entry count(.param .u64 to)\n"
                                   "{\n"
                                   "    .reg .b64 %rd<3>;\n"
                                   "    .reg .b32 %r<2>;\n"
                                   "    ld.param.u64 %rd1, [to];\n"
                                   "    cvta.to.global.u64 %rd2, %rd1;\n"
                                   "    atom.global.add.u32 %r1, [%rd2], 1;\n"
                                   "    ret;\n"
                                   "}\n";

enum { BLOCKS = 64, LANES = 32 };

static hd_model *model;
static hd_model_module *module;

static void launch(hd_context *unused)
{
    uint64_t at = 0;
    uint32_t seen = 0;
    const void *arguments[] = {&at};
    (void)unused;
    CHECK(hd_model_alloc(model, sizeof seen, &at) == HD_OK, "%s", hd_model_error(model));
    CHECK(hd_model_fill(model, at, 0, sizeof seen) == HD_OK, "%s", hd_model_error(model));
    CHECK(hd_model_launch(model, module, "count", (hd_model_shape){{BLOCKS}, {LANES}, 0}, arguments,
                          1, NULL) == HD_OK,
          "%s", hd_model_error(model));
    CHECK(hd_model_read(model, at, &seen, sizeof seen) == HD_OK, "%s", hd_model_error(model));
    CHECK(seen == BLOCKS * LANES, "%u", (unsigned)seen);
    CHECK(hd_model_free(model, at) == HD_OK, "%s", hd_model_error(model));
}

static void test_model(void)
{
    CHECK(hd_model_open(&model, &(hd_model_options){.threads = THREADS}) == HD_OK, "%s",
          hd_model_error(model));
    CHECK(hd_model_load_text(model, count_blocks, (int64_t)strlen(count_blocks),
                             &(hd_model_load_options){.ptx = true}, &module) == HD_OK,
          "%s", hd_model_error(model));
    launch(NULL);
    in_child(launch, NULL);
    launch(NULL);
    hd_model_close(model);
}

int main(void)
{
    hd_context *serial = NULL;
    CHECK(hd_open(&serial, &(hd_context_options){.backend = HD_SERIAL}) == HD_OK, "serial");
    check_fill(HD_F32, in, N, CHECK_ORDINARY, check_seed());
    check_fill(HD_I32, keys, N, CHECK_ORDINARY, check_seed());
    CHECK_OK(serial, hd_reduce(serial, HD_VIEW(in, N), HD_SUM, HD_VIEW(&sum_expected, 1), NULL));
    CHECK_OK(serial, hd_scan(serial, HD_VIEW(in, N), HD_SUM, HD_VIEW(expected, N), NULL));
    CHECK_OK(serial,
             hd_sort(serial, HD_VIEW(keys, N), HD_VIEW(sorted_expected, N), HD_NO_VALUES, NULL));
    hd_close(serial);
    test_cpu();
    test_model();
    return check_finish();
}
