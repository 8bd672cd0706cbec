// SPDX-License-Identifier: Apache-2.0
//
// Blocks on several host threads, in turns and in shuffled orders: results and counts that must not
// depend on it; calls through pointers; PTX that asks for too much.
#include "tests/support/model_check.h"

#include <stdio.h>
#include <string.h>

// ---- Calls --------------------------------------------------------------------------------------

static int applied(int which, int a, int b)
{
    return which == 0 ? a + b : which == 1 ? a - b : a * b;
}

static void test_pointers(const hd_model_options *options)
{
    enum { N = 96 };
    int y[N] = {0};
    hd_model *model = model_open(options);
    const hd_model_module *module = model_load(model, "schedule.ptx");
    const uint64_t at = model_new(model, y, sizeof y);
    model_run(model, module, "pointers", 1, N, &at, NULL);
    model_get(model, at, y, sizeof y);
    for (int t = 0; t < N; t++) {
        int want = applied((t * 7 + 3) % 3, t, 5);
        if (t & 1) want += applied(t / 2 % 3, want, 3);
        CHECK(y[t] == want, "pointers, thread %d: %d, expected %d", t, y[t], want);
    }
    model_run(model, module, "virtuals", 1, N, &at, NULL);
    model_get(model, at, y, sizeof y);
    for (int t = 0; t < N; t++) {
        const int want = t % 3 ? t * t + t : 3 * (t + 1) - t;
        CHECK(y[t] == want, "virtuals, thread %d: %d, expected %d", t, y[t], want);
    }
    const void *arguments[] = {&at};
    MODEL_FAILS(model, HD_ERROR_DEVICE,
                hd_model_launch(model, module, "astray", (hd_model_shape){{1}, {1}, 0}, arguments,
                                1, NULL));
    MODEL_SAYS(model, "where no function with these parameters is");
    hd_model_close(model);
}

// ---- Waiting ------------------------------------------------------------------------------------

static int64_t test_look_back(const hd_model_options *options)
{
    enum { BLOCKS = 50, N = 64 * BLOCKS };
    static int x[N], y[N];
    int sum = 0;
    hd_model *model = model_open(options);
    const hd_model_module *module = model_load(model, "schedule.ptx");
    for (int k = 0; k < N; k++) x[k] = k * 5 % 11;
    const uint64_t from = model_new(model, x, sizeof x), to = model_new(model, NULL, sizeof y);
    const uint64_t state = model_new(model, NULL, BLOCKS * 4);
    const hd_model_report *r =
        model_run(model, module, "look_back", BLOCKS, 64, &from, &state, &to, NULL);
    const int64_t sectors = r->total.shared_loads;
    model_get(model, to, y, sizeof y);
    for (int k = 0; k < N; k++) {
        sum += x[k];
        CHECK(y[k] == sum, "%d host threads, %d resident, seed %d, %d: %d, expected %d",
              (int)options->threads, (int)options->resident, (int)options->seed, k, y[k], sum);
    }
    hd_model_close(model);
    return sectors;
}

// Whatever the host does, what does not wait is counted the same.
static void test_waiting(void)
{
    int64_t first = -1;
    for (int threads = 1; threads <= 3; threads++)
        for (int resident = 1; resident <= 8; resident++) {
            const hd_model_options options = {
                .threads = threads, .resident = resident, .seed = (uint64_t)(resident % 3)};
            const int64_t loads = test_look_back(&options);
            if (first < 0) first = loads;
            CHECK(loads == first, "%d threads, %d resident: %lld loads of shared memory, not %lld",
                  threads, resident, (long long)loads, (long long)first);
        }
}

static void test_counts(void)
{
    enum { BLOCKS = 40 };
    static int x[256 * BLOCKS];
    hd_model_counts first[3];
    static const char *const kernels[] = {"reduce_modulo", "reduce_strided", "reduce_sequential"};
    for (int run = 0; run < 12; run++) {
        const hd_model_options options = {
            .threads = 1 + run % 4, .resident = 1 + run * 5 % 9, .seed = (uint64_t)(run / 4)};
        hd_model *model = model_open(&options);
        const hd_model_module *module = model_load(model, "reduce.ptx");
        const uint64_t from = model_new(model, x, sizeof x);
        const uint64_t to = model_new(model, NULL, BLOCKS * 4);
        for (int k = 0; k < 3; k++) {
            const hd_model_report *r =
                model_run(model, module, kernels[k], BLOCKS, 256, &from, &to, NULL);
            if (run == 0) first[k] = r->total;
            CHECK(memcmp(&first[k], &r->total, sizeof first[k]) == 0,
                  "%s: counts differ with %d threads, %d resident, seed %d", kernels[k],
                  (int)options.threads, (int)options.resident, (int)options.seed);
        }
        hd_model_close(model);
    }
}

// ---- Too much -----------------------------------------------------------------------------------

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
#define BODY "{\n.reg .pred %p<3>; .reg .b16 %h<3>; .reg .b32 %r<4>; .reg .b64 %d<4>;\n"

// Kernels k without parameters that do not load, or do not run.
static void test_too_much(void)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {HEAD ".entry k()\n{\n.shared .b8 x[4294967296];\nret;\n}\n", "bytes of shared memory"},
        {HEAD ".entry k()\n{\n.local .b8 x[4294967295];\nret;\n}\n", "bytes of local memory"},
        {HEAD ".entry k()\n{\n.local .b8 x[-5];\nret;\n}\n", "too large"},
        {HEAD ".entry k()\n{\n.reg .b32 %r<100000000>;\nret;\n}\n", "too many registers"},
        {HEAD ".entry k()\n{\n.reg .b32 %r<100000>;\n.reg .b32 %s<100000>;\nret;\n}\n",
         "too many registers"},
        {HEAD ".func f(.param .b8 a[100000000])\n{\nret;\n}\n.entry k()\n{\nret;\n}\n",
         "bytes of parameters"},
        {HEAD ".global .b8 a[4294967296];\n.global .b8 b[4294967296];\n.global .b8 c[4294967296];\n"
              ".entry k()\n{\nret;\n}\n",
         "no memory for the variable c"},
        {HEAD ".func f()\n{\ncall f;\nret;\n}\n.entry k()\n{\ncall f;\nret;\n}\n",
         "calls too deep"},
        {HEAD ".entry k()\n" BODY "add.u64 %r1, %d1, %d2;\nret;\n}\n", ".b32 where .u64"},
        {HEAD ".entry k()\n" BODY "add.u32 %r1, %d1, %r2;\nret;\n}\n", ".b64 where .u32"},
        {HEAD ".entry k()\n" BODY "setp.eq.u32 %r1, %r2, %r3;\nret;\n}\n", ".b32 where .pred"},
        {HEAD ".entry k()\n" BODY "add.u32 %r1, %r2;\nret;\n}\n", "2 operands"},
        {HEAD ".entry k()\n" BODY "add.relu.f32 %r1, %r2, %r3;\nret;\n}\n", "does not know"},
        {HEAD ".entry k()\n" BODY "ld.shared.v2.u32 {%r1, 5}, [%r2];\nret;\n}\n", "no register"},
        {HEAD ".entry k()\n" BODY "ld.shared.v4.u32 {%r1, %r2}, [%r2];\nret;\n}\n", "2 values"},
        {HEAD ".entry k()\n" BODY "red.async.shared.add.u32 [%r1], %r2;\nret;\n}\n",
         "does not know"},
        {HEAD ".entry k()\n" BODY "mbarrier.pending_count.b64 %p1, %d1;\nret;\n}\n",
         "does not know"},
        {HEAD ".entry k()\n" BODY "bar.sync 17;\nret;\n}\n", "barrier 17"},
        {HEAD ".entry k()\n{\n.reg .b32 %r<3>;\nmov.u32 %r1, 9;\nT: .branchtargets A, B;\n"
              "brx.idx %r1, T;\nA: ret;\nB: ret;\n}\n",
         "index 9 of a list of 2"},
        {HEAD ".entry k()\n{\nA: bra A;\n}\n", "stopped after"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const hd_model_options options = {.threads = 1, .max_steps = 100000};
        const hd_model_load_options load = {.name = "k.ptx", .ptx = true};
        hd_model *model = model_open(&options);
        hd_model_module *module = NULL;
        const hd_status loaded =
            hd_model_load_text(model, rows[k].text, (int64_t)strlen(rows[k].text), &load, &module);
        const hd_status ran =
            loaded == HD_OK
                ? hd_model_launch(model, module, "k", (hd_model_shape){{2}, {40}, 0}, NULL, 0, NULL)
                : loaded;
        CHECK(ran == HD_ERROR_COMPILE || ran == HD_ERROR_DEVICE || ran == HD_ERROR_ARGUMENT,
              "row %d: status %d", (int)k, (int)ran);
        MODEL_SAYS(model, rows[k].says);
        hd_model_close(model);
    }
}

int main(void)
{
    test_pointers(&(hd_model_options){.threads = 1});
    test_pointers(&(hd_model_options){.threads = 1, .seed = 7});
    test_waiting();
    test_counts();
    test_too_much();
    return check_finish();
}
