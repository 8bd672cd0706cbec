// SPDX-License-Identifier: Apache-2.0
//
// The kernels that a context keeps in memory: no more than its bound, the ones used last; what goes
// comes back when it is wanted; nothing is unloaded that may still run, that a graph may hold, or
// while a stream records. Over a driver table of its own, whose kernels are counted.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "gpu/gpu.h"

struct hd__gpu_kernel {
    char text[64];
};

static int loaded, compiled, waits;
static bool records, busy, faulty; // busy: something was launched and not waited for

static const hd__gpu_properties *properties(const hd__gpu_device *d)
{
    static const hd__gpu_properties none;
    (void)d;
    return &none;
}

static const char *compiler(const hd__gpu_device *d)
{
    (void)d;
    return ""; // nothing is kept on disk
}

static bool compiles(const hd__gpu_device *d, const char **why)
{
    (void)d, (void)why;
    return true;
}

static hd_status compile(hd_context *ctx, hd__gpu_device *d, const char *text, void **image,
                         size_t *bytes)
{
    (void)ctx, (void)d;
    *bytes = strlen(text) + 1;
    *image = check_memory(*bytes);
    memcpy(*image, text, *bytes);
    compiled++;
    return HD_OK;
}

static hd_status load(hd_context *ctx, hd__gpu_device *d, const void *image, size_t bytes,
                      const char *name, hd__gpu_kernel **kernel)
{
    (void)ctx, (void)d, (void)bytes, (void)name;
    *kernel = check_memory(sizeof **kernel);
    snprintf((*kernel)->text, sizeof(*kernel)->text, "%s", (const char *)image);
    loaded++;
    return HD_OK;
}

static void unload(hd__gpu_device *d, hd__gpu_kernel *kernel)
{
    (void)d;
    CHECK(!busy, "%s is unloaded while it may run", kernel->text);
    CHECK(!records, "%s is unloaded while the stream records", kernel->text);
    free(kernel);
    loaded--;
}

static hd_status await_all(hd_context *ctx, hd__gpu_device *d)
{
    (void)d;
    CHECK(!records, "a stream that records is waited for");
    if (faulty) return hd_fail(ctx, HD_ERROR_DEVICE, "a fault");
    busy = false;
    waits++;
    return HD_OK;
}

static bool recording(const hd__gpu_device *d)
{
    (void)d;
    return records;
}

static const hd__gpu_driver driver = {.properties = properties,
                                      .compiler = compiler,
                                      .compiles = compiles,
                                      .compile = compile,
                                      .load = load,
                                      .unload = unload,
                                      .wait = await_all,
                                      .recording = recording};
static hd_context *ctx;
static hd__gpu gpu = {.driver = &driver};

// Asks for kernel `number`, as a pass does: by its short key, else by its text.
static hd__gpu_kernel *ask(int number)
{
    char source[40];
    hd__gpu_text text = {0};
    hd__gpu_kernel *kernel = hd__gpu_kernel_of_key(&gpu, &number, sizeof number);
    snprintf(source, sizeof source, "kernel %d", number);
    if (kernel == NULL) {
        hd__gpu_emit_verbatim(&text, source);
        CHECK_OK(ctx, hd__gpu_kernel_of_text(ctx, &gpu, &text, "entry", &kernel));
        hd__gpu_kernel_remember(&gpu, &number, sizeof number, kernel);
        hd__gpu_text_drop(&text);
    }
    CHECK(strcmp(kernel->text, source) == 0, "%s in the place of %s", kernel->text, source);
    busy = true;
    return kernel;
}

static void end(void)
{
    busy = records = faulty = false;
    hd__gpu_kernel_cache_close(&gpu);
    CHECK(loaded == 0, "%d kernels are left", loaded);
    compiled = waits = 0;
}

static void test_bound(void)
{
    for (int k = 0; k < 3 * HD__GPU_KERNELS_MAX; k++) {
        ask(k);
        CHECK(loaded <= HD__GPU_KERNELS_MAX, "%d kernels", loaded);
        ask(0); // used all the time: it stays
    }
    CHECK(loaded == HD__GPU_KERNELS_MAX && compiled == 3 * HD__GPU_KERNELS_MAX, "%d, %d made",
          loaded, compiled);
    const int before = compiled;
    for (int k = 2 * HD__GPU_KERNELS_MAX + 1; k < 3 * HD__GPU_KERNELS_MAX; k++) ask(k);
    CHECK(compiled == before, "the latest are there");
    ask(1);
    CHECK(compiled == before + 1, "one that went is made again");
    CHECK(waits == compiled - HD__GPU_KERNELS_MAX, "%d waits", waits);
    end();
}

static void test_graphs(void)
{
    records = true;
    hd__gpu_kernel *const held = ask(0);
    records = false;
    for (int k = 1; k < 2 * HD__GPU_KERNELS_MAX; k++) ask(k);
    CHECK(loaded == HD__GPU_KERNELS_MAX + 1, "the bound, and the one that is held: %d", loaded);
    const int before = compiled;
    CHECK(ask(0) == held && compiled == before, "it is the same one");
    records = true; // nothing goes now
    for (int k = 1; k <= 10; k++) ask(k);
    CHECK(loaded == HD__GPU_KERNELS_MAX + 11, "%d kernels", loaded);
    end();
}

// A fault of the device is not that of the call that makes room.
static void test_fault(void)
{
    for (int k = 0; k < HD__GPU_KERNELS_MAX; k++) ask(k);
    faulty = true;
    ask(HD__GPU_KERNELS_MAX);
    CHECK(hd_error(ctx)[0] == 0, "%s", hd_error(ctx));
    CHECK(loaded == HD__GPU_KERNELS_MAX + 1, "%d kernels", loaded);
    end();
}

int main(void)
{
    unsetenv("HEDDLE_LOAD_KERNEL"), unsetenv("HEDDLE_DUMP_KERNEL");
    ctx = check_open(HD_SERIAL, 1, NULL);
    test_bound();
    test_graphs();
    test_fault();
    hd_close(ctx);
    return check_finish();
}
