// SPDX-License-Identifier: Apache-2.0
//
// The backend cuda without a GPU: over a driver of the tests' own (fake/driver.c), which runs PTX
// on the model machine. Patterns give the right bits; each thing that can be missing or go wrong is
// a status with a text. A process finds its driver once: every case is a process of its own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/apart.h"
#include "tests/support/check.h"
#include "gpu/runtime/precompiled.h"
#include "gpu/cuda/driver.h"

enum { N = 3001 };

static hd_context *ctx;

#define SAYS(call, status, text)                                                                   \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s: status %d: %s", #call,  \
              (int)got, hd_error(ctx));                                                            \
    } while (0)

static hd_status open_cuda(int32_t device)
{
    hd_close(ctx);
    ctx = NULL;
    return hd_open(&ctx, &(hd_context_options){.backend = HD_CUDA, .threads = 1, .device = device});
}

static bool has_nvrtc(void)
{
    const char *why;
    return hd__gpu_nvrtc_of(&why) != NULL;
}

HD_OPERATOR(furthest, float, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a * a > b * b ? a : b; })

// ---- What works ---------------------------------------------------------------------------------

static void compare(hd_context *serial, hd_type type, const hd_operator *op)
{
    static _Alignas(8) unsigned char in[8 * N], got[8 * N], want[8 * N];
    check_fill(type, in, N, CHECK_ORDINARY, check_seed());
    const hd_view x = hd_view_of(type, in, N);
    CHECK_OK(ctx, hd_scan(ctx, x, op, hd_view_of(type, got, N), NULL));
    CHECK_OK(serial, hd_scan(serial, x, op, hd_view_of(type, want, N), NULL));
    CHECK_SAME(type, got, want, N, "scan of %s", hd_type_name(type));
    CHECK_OK(ctx, hd_reduce(ctx, x, op, hd_view_of(type, got, 1), NULL));
    CHECK_OK(serial, hd_reduce(serial, x, op, hd_view_of(type, want, 1), NULL));
    CHECK_SAME(type, got, want, 1, "reduce of %s", hd_type_name(type));
    CHECK(hd_last_backend(ctx) == HD_CUDA, "it ran on %s", hd_backend_name(hd_last_backend(ctx)));
}

// A tile of 48 KiB: with what the kernel has of its own it is more than comes without asking.
typedef struct triple {
    float x, y, z;
} triple;

static void test_large_tile(void)
{
    static triple in[N], out[N];
    static unsigned char flags[N];
    int64_t count = 0;
    if (!has_nvrtc()) return;
    for (int k = 0; k < N; k++) in[k].z = (float)k, flags[k] = k % 3 == 0;
    setenv("HEDDLE_TUNE", "select_small_rows=8", 1);
    CHECK_OK(ctx, open_cuda(0));
    CHECK_OK(ctx, hd_compact(ctx, HD_VIEW_OF(HD_TYPE(triple), in, N),
                             HD_VIEW_OF(HD_TYPE(triple), out, N), HD_VIEW(&count, 1),
                             &(hd_compact_options){.flags = HD_REF(HD_VIEW(flags, N))}));
    unsetenv("HEDDLE_TUNE");
    CHECK(count == (N + 2) / 3 && out[count - 1].z == (float)((N - 1) / 3 * 3), "%lld, %g",
          (long long)count, (double)out[count - 1].z);
}

// A block may have no more than 64 KiB, of which a kernel takes some for itself.
static void test_small_tile(void)
{
    static float in[40000], got[40000], want[40000];
    static int32_t at[40000];
    enum { MANY = 40000 };
    int64_t counts[2] = {0, 0};
    if (!has_nvrtc()) return;
    for (int k = 0; k < MANY; k++) in[k] = (float)(k % 7 - 2), at[k] = k * 7919 % MANY;
    hd_context *serial = check_open(HD_SERIAL, 1, NULL);
    setenv("HEDDLE_TUNE", "scan_small_rows=8 select_small_rows=8 scatter_from=4 scatter_locality=0",
           1);
    CHECK_OK(ctx, open_cuda(0));
    const hd_view x = HD_VIEW(in, MANY), i = HD_VIEW(at, MANY), a = HD_VIEW(got, MANY),
                  b = HD_VIEW(want, MANY);
    CHECK_OK(ctx, hd_scan(ctx, x, HD_SUM, a, NULL));
    CHECK_OK(serial, hd_scan(serial, x, HD_SUM, b, NULL));
    CHECK_SAME(HD_F32, got, want, MANY, "scan");
    CHECK_OK(ctx, hd_compact(ctx, x, a, HD_VIEW(&counts[0], 1),
                             &(hd_compact_options){.flags = HD_REF(i)}));
    CHECK_OK(serial, hd_compact(serial, x, b, HD_VIEW(&counts[1], 1),
                                &(hd_compact_options){.flags = HD_REF(i)}));
    CHECK(counts[0] == counts[1], "%lld, not %lld", (long long)counts[0], (long long)counts[1]);
    CHECK_SAME(HD_F32, got, want, counts[1], "compact");
    CHECK_OK(ctx, hd_scatter(ctx, x, i, a, NULL));
    CHECK_OK(serial, hd_scatter(serial, x, i, b, NULL));
    CHECK_SAME(HD_F32, got, want, MANY, "scatter");
    unsetenv("HEDDLE_TUNE");
    hd_close(serial);
}

static void test_works(void)
{
    test_large_tile();
    CHECK_OK(ctx, open_cuda(0));
    hd_context *serial = check_open(HD_SERIAL, 1, NULL);
    compare(serial, HD_F32, HD_SUM);
    compare(serial, HD_U8, HD_MAX);
    if (has_nvrtc()) compare(serial, HD_F32, furthest);
    hd_close(serial);
    const int64_t n = N;
    int64_t sum = 0;
    hd_view v;
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_I64, 1, &n, &v));
    static const int64_t ones[N];
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(ones, N), NULL, v, NULL));
    CHECK_OK(ctx, hd_reduce(ctx, v, HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK_OK(ctx, hd_sync(ctx));
    CHECK_OK(ctx, hd_free(ctx, &v));
    CHECK_OK(ctx, hd_sync(ctx));
    CHECK(open_cuda(1) == HD_OK, "%s", hd_error(ctx)); // the first call opens the device
    SAYS(hd_alloc_device(ctx, HD_I64, 1, &n, &v), HD_ERROR_ARGUMENT, "cuda: device 1; there are 1");
}

static void test_fork(void)
{
    const int64_t n = 5;
    hd_view v;
    CHECK_OK(ctx, open_cuda(0));
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_I64, 1, &n, &v));
    const pid_t child = fork();
    if (child == 0) {
        int64_t host[5] = {0}, sum = 0;
        hd_view w = v;
        SAYS(hd_alloc_device(ctx, HD_I64, 1, &n, &w), HD_ERROR_DEVICE, "used before a fork()");
        SAYS(hd_reduce(ctx, HD_VIEW(host, 5), HD_SUM, HD_VIEW(&sum, 1), NULL), HD_ERROR_DEVICE,
             "used before a fork()");
        SAYS(hd_map(ctx, v, NULL, HD_VIEW(host, 5), NULL), HD_ERROR_DEVICE, "used before a fork()");
        SAYS(hd_sync(ctx), HD_ERROR_DEVICE, "used before a fork()");
        CHECK_OK(ctx, hd_free(ctx, &v)); // the array stays the parent's
        const char *why = "";
        CHECK(!hd_backend_available(HD_CUDA, &why) && strstr(why, "started before a fork()"), "%s",
              why);
        SAYS(open_cuda(0), HD_ERROR_BACKEND, "started before a fork()");
        hd_close(ctx);
        _exit(check_finish());
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0, "the child: %d", status);
}

// ---- What is missing ----------------------------------------------------------------------------

static void refused(const char *text)
{
    const char *why = "";
    CHECK(!hd_backend_available(HD_CUDA, &why) && strstr(why, text), "%s", why);
    SAYS(open_cuda(0), HD_ERROR_BACKEND, text);
    // Whoever asks for nothing in particular is served by the cores.
    float x[3] = {1, 2, 3}, sum = 0;
    hd_close(ctx);
    ctx = NULL;
    CHECK(hd_open(&ctx, NULL) == HD_OK, "auto");
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(sum == 6 && hd_last_backend(ctx) != HD_CUDA, "%g", sum);
}

static void test_absent(void)
{
    refused("no CUDA driver (none)");
}

static void test_old(void)
{
    refused("the CUDA driver is too old: it has no cuMemPoolCreate (11.2 or newer is needed)");
}

static void test_no_device(void)
{
    refused("the CUDA driver has no device");
}

static void test_mismatch(void)
{
    refused("the CUDA driver does not start: system has unsupported display driver");
}

static void test_unknown(void)
{
    refused("the CUDA driver does not start: unknown error");
}

// HEDDLE_NVRTC: none, or one that is too old.
static void without_compiler(const char *text)
{
    float x[3] = {1, 2, 3}, y = 0;
    if (hd__gpu_precompiled_kernels()->head->ptx == 0) {
        refused(text);
        return;
    }
    test_works();
    CHECK_OK(ctx, open_cuda(0));
    SAYS(hd_reduce(ctx, HD_VIEW(x, 3), furthest, HD_VIEW(&y, 1), NULL), HD_ERROR_BACKEND, text);
    CHECK(strstr(hd_error(ctx), "precompiled kernels"), "%s", hd_error(ctx));
}

static void test_no_nvrtc(void)
{
    without_compiler("no run-time compiler is to be used");
}

static void test_old_nvrtc(void)
{
    without_compiler("NVRTC is too old: it has no nvrtcCreateProgram");
}

// HEDDLE_NVRTC: one that does not know every option.
static void test_plain_nvrtc(void)
{
    void *image = NULL;
    size_t bytes = 0;
    char name[160];
    CHECK_OK(ctx, open_cuda(0));
    CHECK_OK(ctx, hd__gpu_nvrtc_compile(ctx, 90, "a text", &image, &bytes));
    CHECK(image != NULL && strcmp(image, "4 options: a text") == 0, "%s", (const char *)image);
    free(image);
    CHECK(!hd__gpu_nvrtc_name(90, name, sizeof name) &&
              strstr(name, "nvrtc 10.1 --gpu-architecture=compute_80 --fmad=false") == name,
          "%s", name);
}

// ---- What goes wrong ----------------------------------------------------------------------------

static void test_memory(void)
{
    const int64_t n = 1 << 20;
    hd_view v = HD_EMPTY;
    CHECK_OK(ctx, open_cuda(0));
    SAYS(hd_alloc_device(ctx, HD_F32, 1, &n, &v), HD_ERROR_MEMORY,
         "cuda: allocating 4194304 bytes; 1000000 of 1000000 are free: out of memory "
         "(CUDA_ERROR_OUT_OF_MEMORY)");
    CHECK(v.data == NULL, "a view of nothing");
}

static void test_load(void)
{
    float x[3] = {1, 2, 3}, sum;
    CHECK_OK(ctx, open_cuda(0));
    SAYS(hd_reduce(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(&sum, 1), NULL), HD_ERROR_DEVICE,
         "cuda: loading a kernel: a PTX JIT compilation failed (CUDA_ERROR_INVALID_PTX)");
}

static void test_wait(void)
{
    float x[3] = {1, 2, 3}, sum;
    CHECK_OK(ctx, open_cuda(0));
    SAYS(hd_reduce(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(&sum, 1), NULL), HD_ERROR_DEVICE,
         "unspecified launch failure (CUDA_ERROR_LAUNCH_FAILED)");
}

static void test_compile(void)
{
    float x[3] = {1, 2, 3}, y;
    if (!has_nvrtc()) return;
    hd_operator bad = *furthest;
    bad.body_text = "{\n    return a ++++ nonsense;\n}";
    CHECK_OK(ctx, open_cuda(0));
    SAYS(hd_reduce(ctx, HD_VIEW(x, 3), &bad, HD_VIEW(&y, 1), NULL), HD_ERROR_COMPILE, "nonsense");
    CHECK(strstr(hd_error(ctx), "operator furthest(2): error"), "the operator and its line: %s",
          hd_error(ctx));
}

static char told[4096];

static void listen(void *user, const char *line)
{
    (void)user;
    strncat(told, line, sizeof told - strlen(told) - 2);
}

static void test_cache(void)
{
    float x[3] = {1, 2, 3}, sum = 0;
    if (!has_nvrtc()) return;
    CHECK(hd_open(&ctx, &(hd_context_options){.backend = HD_CUDA, .threads = 1, .trace = listen}) ==
              HD_OK,
          "%s", hd_error(ctx));
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(sum == 6, "%g", sum);
    CHECK(strstr(told, "kernel reduce_tiles is not kept on disk"), "%s", told);
}

// ---- Kernels that begin while the one before still ends -----------------------------------------

static long long early_launches(void)
{
    void *library = dlopen(getenv("HEDDLE_CUDA_DRIVER"), RTLD_NOW),
         *symbol = library ? dlsym(library, "fake_count") : NULL;
    long long (*counter)(int);
    memcpy(&counter, &symbol, sizeof symbol);
    return symbol != NULL ? counter(4) : -1;
}

// Whether the kernel of a sum is launched to begin early.
static bool sums_early(void)
{
    float x[3] = {1, 2, 3}, sum = 0;
    const long long before = early_launches();
    CHECK_OK(ctx, open_cuda(0));
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(sum == 6, "%g", sum);
    return early_launches() > before;
}

static void replace(const char *file, const char *what, const char *by)
{
    static char text[1 << 20];
    FILE *f = fopen(file, "r+");
    CHECK(f != NULL, "%s is there", file);
    if (f == NULL) return;
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    char *at = strstr(text, what);
    CHECK(at != NULL && strlen(by) == strlen(what), "%s", what);
    if (at != NULL) memcpy(at, by, strlen(by));
    rewind(f);
    fputs(text, f);
    fclose(f);
}

// A kernel that does not say that it awaits what is before it is never begun early.
static void test_early(void)
{
    char file[] = "/tmp/heddle_early_XXXXXX";
    if (!has_nvrtc()) return;
    CHECK(sums_early(), "by a driver that can");
    const int made = mkstemp(file);
    if (made < 0) return;
    close(made);
    setenv("HEDDLE_DUMP_KERNEL", file, 1);
    CHECK(sums_early(), "dumped");
    unsetenv("HEDDLE_DUMP_KERNEL");
    setenv("HEDDLE_LOAD_KERNEL", file, 1);
    CHECK(sums_early(), "loaded");
    replace(file, "hk_begins_early", "hk_begins_later");
    CHECK(!sums_early(), "loaded, without the variable");
    unsetenv("HEDDLE_LOAD_KERNEL");
    unlink(file);
}

static void test_late(void)
{
    if (has_nvrtc()) CHECK(!sums_early(), "by a driver that cannot in graphs");
}

// ---- Precompiled machine code -------------------------------------------------------------------

// What a context tells of the kernels of a reduction and a scan.
static void tell_of_kernels(void)
{
    float x[3] = {1, 2, 3}, y[3];
    const hd_context_options options = {.backend = HD_CUDA, .threads = 1, .trace = listen};
    told[0] = 0;
    hd_close(ctx);
    CHECK(hd_open(&ctx, &options) == HD_OK, "%s", hd_error(ctx));
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(y, 1), NULL));
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(y, 3), NULL));
}

// The driver takes it, and no compiler is asked.
static void test_code(void)
{
    if (hd__gpu_precompiled_kernels()->head->count == hd__gpu_precompiled_kernels()->head->ptx)
        return;
    tell_of_kernels();
    CHECK(strstr(told, "kernel reduce_tiles is precompiled ("), "%s", told);
    CHECK(strstr(told, "kernel scan_tiles is precompiled ("), "%s", told);
    setenv("HEDDLE_PRECOMPILED", "none", 1);
    tell_of_kernels();
    CHECK(strstr(told, has_nvrtc() ? "kernel scan_tiles is compiled ("
                                   : "kernel scan_tiles is precompiled PTX ("),
          "%s", told);
}

// The driver does not, as one that is older than the compiler that made it: PTX is left.
static void test_code_refused(void)
{
    if (hd__gpu_precompiled_kernels()->head->ptx == 0) return;
    test_works();
    tell_of_kernels();
    CHECK(strstr(told, "kernel scan_tiles is precompiled PTX ("), "%s", told);
}

// ---- Each in a process --------------------------------------------------------------------------

#define NEW HEDDLE_FAKE_DIR "/driver.so"

static const struct {
    const char *name;
    void (*run)(void);
    const char *driver, *trouble, *nvrtc, *cache; // environment; NULL: as usual
} cases[] = {
    {"works", test_works, NEW, NULL, NULL, NULL},
    {"small_tile", test_small_tile, NEW, "shared=65536", NULL, NULL},
    {"fork", test_fork, NEW, NULL, NULL, NULL},
    {"absent", test_absent, "none", NULL, NULL, NULL},
    {"old", test_old, HEDDLE_FAKE_DIR "/old_driver.so", NULL, NULL, NULL},
    {"no_device", test_no_device, NEW, "devices=0", NULL, NULL},
    {"mismatch", test_mismatch, NEW, "init=803", NULL, NULL},
    {"unknown", test_unknown, NEW, "init=999", NULL, NULL},
    {"no_nvrtc", test_no_nvrtc, NEW, NULL, "none", NULL},
    {"old_nvrtc", test_old_nvrtc, NEW, NULL, HEDDLE_FAKE_DIR "/old_nvrtc.so", NULL},
    {"plain_nvrtc", test_plain_nvrtc, NEW, NULL, HEDDLE_FAKE_DIR "/plain_nvrtc.so", NULL},
    {"memory", test_memory, NEW, "memory=1000000", NULL, NULL},
    {"load", test_load, NEW, "load=218", NULL, NULL},
    {"wait", test_wait, NEW, "wait=719", NULL, NULL},
    {"compile", test_compile, NEW, NULL, NULL, NULL},
    {"cache", test_cache, NEW, NULL, NULL, "/proc/heddle"},
    {"early", test_early, NEW, NULL, NULL, NULL},
    {"late", test_late, NEW, "version=12020", NULL, NULL},
    {"code", test_code, NEW, "arch=90 code=0", NULL, NULL},
    {"code_refused", test_code_refused, NEW, "arch=90", "none", NULL},
};

static void prepare(int k)
{
    setenv("HEDDLE_CUDA_DRIVER", cases[k].driver, 1);
    apart_set("FAKE_CUDA", cases[k].trouble);
    apart_set("HEDDLE_NVRTC", cases[k].nvrtc);
    setenv("HEDDLE_CACHE_DIR", cases[k].cache != NULL ? cases[k].cache : "none", 1);
    setenv("HEDDLE_PTXAS", "none", 1);
    unsetenv("HEDDLE_BACKEND");
}

int main(int argc, char **argv)
{
    const int count = (int)(sizeof cases / sizeof *cases);
    for (int k = 0; argc > 1 && k < count; k++)
        if (strcmp(argv[1], cases[k].name) == 0) {
            cases[k].run();
            hd_close(ctx);
            return check_finish();
        }
    for (int k = 0; k < count; k++) apart_run(argv[0], cases[k].name, prepare, k);
    return check_finish();
}
