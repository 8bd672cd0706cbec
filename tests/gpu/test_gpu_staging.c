// SPDX-License-Identifier: Apache-2.0
//
// Arrays of the host that go through the device in pieces, and devices with little memory: over the
// fake driver (fake/driver.c), whose streams run as late as they may, so that a copy that nothing
// waited for is seen; and on the model machine. The bits are the serial backend's. Every case is a
// process of its own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/apart.h"
#include "tests/support/check.h"
#include "gpu/runtime/precompiled.h"
#include "gpu/cuda/driver.h"

#define DRIVER HEDDLE_FAKE_DIR "/driver.so"

enum { N = 17011, HALF = N / 2 };

static hd_context *ctx, *serial;
static hd_backend backend;
static int64_t told, told_all, tells;

static bool tell(void *user, int64_t done, int64_t all)
{
    CHECK(user == &told && (done >= told || done == 0) && done <= all, "%lld after %lld",
          (long long)done, (long long)told);
    told = done;
    told_all = all;
    tells++;
    return true;
}

static void open_context(void)
{
    const hd_context_options o = {
        .backend = backend, .threads = 2, .progress = tell, .progress_user = &told};
    CHECK_OK(ctx, hd_open(&ctx, &o));
}

// What the fake driver counts: bytes of the device, pinned ones; copies of pinned memory, of other.
static long long count(int which)
{
    void *library = dlopen(DRIVER, RTLD_NOW),
         *symbol = library ? dlsym(library, "fake_count") : NULL;
    long long (*counter)(int);
    memcpy(&counter, &symbol, sizeof symbol);
    return symbol != NULL ? counter(which) : -1;
}

static bool has_compiler(void)
{
    const char *why;
    return backend == HD_MODEL || hd__gpu_nvrtc_of(&why) != NULL;
}

// ---- The same bits ------------------------------------------------------------------------------

static float x[N], got[N], want[N];

static void fill(uint64_t turn)
{
    check_fill(HD_F32, x, N, CHECK_ORDINARY, check_seed() + turn);
    memset(got, 0x55, sizeof got);
    told = tells = 0;
}

static void test_reduce(void)
{
    float sum = 0, right = 1;
    fill(1);
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK_OK(serial, hd_reduce(serial, HD_VIEW(x, N), HD_SUM, HD_VIEW(&right, 1), NULL));
    CHECK_SAME(HD_F32, &sum, &right, 1, "sum");
    CHECK(tells > 3 && told_all == N, "%d tells, of %d", (int)tells, (int)told_all);
    // Every second element, from the last one on.
    const hd_view every = hd_slice(HD_VIEW(x, N), 0, N - 1, HALF, -2);
    if (!has_compiler()) return;
    told = 0;
    CHECK_OK(ctx, hd_reduce(ctx, every, HD_MAX, HD_VIEW(&sum, 1), NULL));
    CHECK_OK(serial, hd_reduce(serial, every, HD_MAX, HD_VIEW(&right, 1), NULL));
    CHECK_SAME(HD_F32, &sum, &right, 1, "max");
}

static void test_scan(void)
{
    for (int way = 0; way < 3; way++) { // inclusive, exclusive, in place
        const hd_scan_options o = {.exclusive = way == 1};
        fill(2 + (uint64_t)way);
        CHECK_OK(serial, hd_scan(serial, HD_VIEW(x, N), HD_SUM, HD_VIEW(want, N), &o));
        float *to = way == 2 ? x : got;
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(to, N), &o));
        CHECK_SAME(HD_F32, to, want, N, "scan %d", way);
        CHECK(tells > 3 && told_all == N, "%d tells, of %d", (int)tells, (int)told_all);
    }
}

// Pieces of the caller's, each in pieces.
static void test_carry(void)
{
    hd_carry *carry = NULL;
    fill(5);
    CHECK_OK(serial, hd_scan(serial, HD_VIEW(x, N), HD_SUM, HD_VIEW(want, N), NULL));
    CHECK_OK(ctx, hd_carry_open(ctx, &carry));
    const hd_scan_options o = {.carry = carry};
    for (int at = 0, m = 7001; at < N; at += m) {
        if (m > N - at) m = N - at;
        told = 0;
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x + at, m), HD_SUM, HD_VIEW(got + at, m), &o));
    }
    CHECK_SAME(HD_F32, got, want, N, "scan after a carry");
    hd_carry_close(ctx, carry);
}

static void test_map(void)
{
    static double wide[N], right[N];
    fill(6);
    const hd_view back = hd_slice(HD_VIEW(wide, N), 0, N - 1, N, -1);
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(x, N), NULL, HD_VIEW(got, N), NULL));
    CHECK_SAME(HD_F32, got, x, N, "a copy");
    if (!has_compiler()) return;
    told = 0;
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(x, N), NULL, back, NULL));
    for (int i = 0; i < N; i++) right[i] = (double)x[N - 1 - i];
    CHECK_SAME(HD_F64, wide, right, N, "wider, backwards");
}

// Views that are on the device whole: through the same slots.
static void test_whole(void)
{
    static int32_t index[N];
    uint64_t r = check_seed();
    fill(7);
    if (!has_compiler()) return;
    for (int i = 0; i < N; i++) index[i] = (int32_t)check_below(&r, N);
    CHECK_OK(ctx, hd_gather(ctx, HD_VIEW(x, N), HD_VIEW(index, N), HD_VIEW(got, N), NULL));
    for (int i = 0; i < N; i++) want[i] = x[index[i]];
    CHECK_SAME(HD_F32, got, want, N, "a gather");
    int64_t kept = 0;
    const hd_view half = hd_slice(HD_VIEW(got, N), 0, 0, HALF, 2);
    memset(got, 0, sizeof got);
    CHECK_OK(ctx, hd_compact(ctx, HD_VIEW(x, HALF), half, HD_VIEW(&kept, 1), NULL));
    for (int i = 0, k = 0; i < HALF; i++)
        if (x[i] != 0) CHECK(got[2 * k++] == x[i], "element %d of a compaction", i);
}

static void all_calls(void)
{
    test_reduce();
    test_scan();
    test_carry();
    test_map();
    test_whole();
}

static void run_all(void)
{
    open_context();
    all_calls();
}

static void test_pinned(void)
{
    run_all();
    CHECK(count(1) > 0 && count(2) > 100, "%lld pinned, %lld copies", count(1), count(2));
}

// Without pinned memory it goes as well.
static void test_pageable(void)
{
    run_all();
    CHECK(count(1) == 0 && count(2) == 0 && count(3) > 100, "%lld copies", count(3));
}

// ---- Little memory ------------------------------------------------------------------------------

// Each view alone is more than an allocation may be, so that slots shrink until they fit.
static void test_largest(void)
{
    run_all();
}

static void test_refused(void)
{
    static int64_t index[N];
    open_context();
    fill(8);
    float sum = 0, right = 1;
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK_OK(serial, hd_reduce(serial, HD_VIEW(x, N), HD_SUM, HD_VIEW(&right, 1), NULL));
    CHECK_SAME(HD_F32, &sum, &right, 1, "sum");
    if (!has_compiler()) return;
    for (int i = 0; i < N; i++) index[i] = i;
    const hd_status status =
        hd_gather(ctx, HD_VIEW(x, N), HD_VIEW(index, N), HD_VIEW(got, N), NULL);
    CHECK(status == HD_ERROR_MEMORY && strstr(hd_error(ctx), "cuda: allocating 136088 bytes; ") &&
              strstr(hd_error(ctx), " of 200000 are free: out of memory"),
          "status %d: %s", (int)status, hd_error(ctx));
    CHECK_OK(ctx, hd_gather(ctx, HD_VIEW(x, 99), HD_VIEW(index, 99), HD_VIEW(got, 99), NULL));
    CHECK_SAME(HD_F32, got, x, 99, "a small one");
}

// Not even a slot of 4 KiB.
static void test_nothing(void)
{
    open_context();
    fill(9);
    float sum;
    const hd_status status = hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&sum, 1), NULL);
    CHECK(status == HD_ERROR_MEMORY && strstr(hd_error(ctx), "out of memory"), "status %d: %s",
          (int)status, hd_error(ctx));
}

// ---- Each in a process --------------------------------------------------------------------------

static const struct {
    const char *name;
    hd_backend backend;
    void (*run)(void);
    const char *trouble, *tune;
} cases[] = {
    {"pinned", HD_CUDA, test_pinned, NULL, "stage_bytes=4096 stage_slot=8192"},
    {"pageable", HD_CUDA, test_pageable, "pinned=0", "stage_bytes=4096 stage_slot=8192"},
    {"largest", HD_CUDA, test_largest, "largest=140000", "stage_bytes=4096 stage_slot=65536"},
    {"refused", HD_CUDA, test_refused, "memory=200000", NULL},
    {"nothing", HD_CUDA, test_nothing, "largest=20000", NULL},
    {"model", HD_MODEL, run_all, NULL, "stage_bytes=4096 stage_slot=8192"},
};

static void prepare(int k)
{
    setenv("HEDDLE_CUDA_DRIVER", DRIVER, 1);
    apart_set("FAKE_CUDA", cases[k].trouble);
    apart_set("HEDDLE_TUNE", cases[k].tune);
    setenv("HEDDLE_CACHE_DIR", "none", 0); // what other tests have compiled will do
    setenv("HEDDLE_PTXAS", "none", 1);
    unsetenv("HEDDLE_BACKEND");
}

static int run_case(int k)
{
    const char *why;
    backend = cases[k].backend;
    serial = check_open(HD_SERIAL, 1, NULL);
    // Precompiled kernels are of the usual numbers alone: with others a compiler is needed.
    if (hd_backend_available(backend, &why) && (has_compiler() || cases[k].tune == NULL)) {
        cases[k].run();
        hd_close(ctx);
        if (backend == HD_CUDA)
            CHECK(count(0) == 0 && count(1) == 0, "%lld, %lld bytes left", count(0), count(1));
    }
    hd_close(serial);
    return check_finish();
}

int main(int argc, char **argv)
{
    const int all = (int)(sizeof cases / sizeof *cases);
    for (int k = 0; argc > 1 && k < all; k++)
        if (strcmp(argv[1], cases[k].name) == 0) return run_case(k);
    for (int k = 0; k < all; k++) apart_run(argv[0], cases[k].name, prepare, k);
    return check_finish();
}
