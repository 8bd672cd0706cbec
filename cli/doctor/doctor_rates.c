// SPDX-License-Identifier: Apache-2.0
// heddle doctor --tune-auto: measures the rates by which `auto` chooses, of the cores and of the
// device, and keeps them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/choice/sample_calls.h"
#include "bench/support/clock.h"
#include "cli/command.h"
#include "cli/support/escaped.h"
#include "doctor.h"
#include "program.h"

// Rates of few bytes and of many (HD__RATE_SMALL, HD__RATE_LARGE): elements of 4 bytes, in and out.
enum { SIZES = 2, SMALL_SHARE = 256 };
#define ELEMENTS ((int64_t)1 << 23)

typedef struct tuning {
    const char *command;
    int64_t elements[SIZES];
    hd_context *cores, *device; // device: NULL where there is none
    double cores_ns[SAMPLE_CALLS][SIZES], device_ns[SAMPLE_CALLS][SIZES]; // of a call
    double kernels_ns; // what the first calls took longer than the others, of all
    int32_t kernels;
    hd__rates rates;
} tuning;

static int measure_call(tuning *t, int k, int size, const sample_arrays *host,
                        const sample_arrays *device)
{
    const sample_call *call = &sample_calls[k];
    double ns = 0, first = 0;
    hd_status status = sample_time(t->cores, call, host, &ns, &first);
    if (status != HD_OK) return library_failed(t->command, t->cores, status);
    t->cores_ns[k][size] = ns;
    if (t->device == NULL) return EXIT_DONE;
    if (sample_time(t->device, call, device, &ns, &first) != HD_OK) {
        printf("%s on the device: %s: its usual rate stays\n", call->name,
               shown(hd_error(t->device)));
        return EXIT_DONE;
    }
    t->device_ns[k][size] = ns;
    if (size == 0) t->kernels_ns += first > ns ? first - ns : 0, t->kernels++;
    return EXIT_DONE;
}

static int measure_size(tuning *t, int size)
{
    sample_arrays host, device = {0};
    int code = EXIT_DONE;
    if (!sample_arrays_make(&host, t->elements[size]))
        return fail(EXIT_IO, t->command, "no memory");
    if (t->device != NULL) {
        const hd_status status = sample_arrays_send(t->device, &host, &device);
        if (status != HD_OK) code = library_failed(t->command, t->device, status);
    }
    for (int k = 0; code == EXIT_DONE && k < SAMPLE_CALLS; k++) {
        if (sample_calls[k].work_class == NULL) continue;
        if (isatty(2)) fprintf(stderr, "\r%-40s", sample_calls[k].name);
        code = measure_call(t, k, size, &host, &device);
    }
    if (t->device != NULL) sample_arrays_free(t->device, &device);
    sample_arrays_drop(&host);
    return code;
}

static int measure_link(tuning *t, int64_t begin)
{
    const hd__backend *cuda = hd__backend_of(HD_CUDA);
    hd_status status = cuda->ready(t->device, t->rates.name, sizeof t->rates.name);
    t->rates.start = clock_now() - begin;
    if (status == HD_OK) status = cuda->measure(t->device, &t->rates, HD__RATE_LARGE);
    return status == HD_OK ? EXIT_DONE : library_failed(t->command, t->device, status);
}

static int open_contexts(tuning *t, const hd_context *ctx)
{
    const char *why = "";
    hd_context_options options = {
        .backend = HD_CPU, .threads = hd_threads(ctx), .isa = hd_isa(ctx)};
    hd_status status = hd_open(&t->cores, &options);
    if (status != HD_OK) return library_failed(t->command, t->cores, status);
    const int64_t begin = clock_now();
    if (!hd_backend_available(HD_CUDA, &why)) {
        printf("cuda is not here (%s): the cores alone are measured\n", shown(why));
        return EXIT_DONE;
    }
    options.backend = HD_CUDA;
    status = hd_open(&t->device, &options);
    if (status != HD_OK) return library_failed(t->command, t->device, status);
    return measure_link(t, begin);
}

// 2^20 units in a call of either size.
static double units_of(const tuning *t, int k, int size)
{
    return sample_units(&sample_calls[k], t->elements[size]) / (1 << 20);
}

static hd__rate cores_rate(const tuning *t, int k)
{
    const double *ns = t->cores_ns[k];
    return (hd__rate){(int64_t)(ns[0] / units_of(t, k, 0)), (int64_t)(ns[1] / units_of(t, k, 1))};
}

// A line through both times.
static hd__device_rate device_rate(const tuning *t, int k)
{
    const double few = units_of(t, k, 0), many = units_of(t, k, 1);
    const double *ns = t->device_ns[k];
    if (ns[0] <= 0 || ns[1] <= 0)
        return t->rates.device[hd__work_class_named(sample_calls[k].work_class)];
    const double each = (ns[1] - ns[0]) / (many - few), call = ns[0] - each * few;
    return (hd__device_rate){call > 0 ? (int64_t)call : 0, each > 0 ? (int64_t)each : 0};
}

static void take_rates(tuning *t)
{
    for (int k = 0; k < SAMPLE_CALLS; k++) {
        if (sample_calls[k].work_class == NULL) continue;
        const hd__work_class c = hd__work_class_named(sample_calls[k].work_class);
        t->rates.cores[c] = cores_rate(t, k);
        if (t->device != NULL) t->rates.device[c] = device_rate(t, k);
    }
    if (t->kernels > 0) t->rates.kernel = (int64_t)(t->kernels_ns / t->kernels);
}

static void print_rates(const tuning *t)
{
    printf("Nanoseconds for 2^20 units of work: of cores in few bytes and in many; of a device a "
           "call,\n"
           "and each 2^20\n\n%-11s %21s %21s\n",
           "", "cores", t->device != NULL ? "device" : "");
    for (int k = 0; k < SAMPLE_CALLS; k++) {
        const char *name = sample_calls[k].work_class;
        if (name == NULL) continue;
        const hd__work_class c = hd__work_class_named(name);
        printf("%-11s %10lld %10lld", name, (long long)t->rates.cores[c].small,
               (long long)t->rates.cores[c].large);
        if (t->device != NULL)
            printf(" %10lld %10lld", (long long)t->rates.device[c].call,
                   (long long)t->rates.device[c].each);
        putchar('\n');
    }
    if (t->device == NULL) return;
    printf("\n%s: %.1f ms to open, %.1f for a kernel, %.1f us a launch; %.1f GB/s there, %.1f "
           "back\n",
           shown(t->rates.name), 1e-6 * (double)t->rates.start, 1e-6 * (double)t->rates.kernel,
           1e-3 * (double)t->rates.launch, (1 << 20) / (double)(t->rates.to_device.large + 1),
           (1 << 20) / (double)(t->rates.to_host.large + 1));
}

static int measure_all(tuning *t, const hd_context *ctx)
{
    EXIT_TRY(open_contexts(t, ctx));
    for (int k = 0; k < SIZES; k++) EXIT_TRY(measure_size(t, k));
    if (isatty(2)) fputc('\r', stderr);
    take_rates(t);
    print_rates(t);
    const char *trouble = hd__keep_rates(ctx, &t->rates);
    if (trouble[0] != 0)
        printf("\nThey are not kept: %s\n", shown(trouble));
    else
        printf("\nThey are kept beside the kernels, for %d threads.\n", (int)hd_threads(ctx));
    return EXIT_DONE;
}

// HEDDLE_TUNE_ELEMENTS: fewer, to see that it works.
static int64_t elements_of_large_calls(void)
{
    const char *text = getenv("HEDDLE_TUNE_ELEMENTS");
    const long long asked = text != NULL ? strtoll(text, NULL, 10) : 0;
    return asked >= 2 * SMALL_SHARE && asked < ELEMENTS ? asked : ELEMENTS;
}

int doctor_tune_auto(const char *command, const hd_context *ctx)
{
    const int64_t large = elements_of_large_calls();
    tuning t = {.command = command,
                .elements = {large / SMALL_SHARE, large},
                .rates = hd__usual_rates(hd_threads(ctx))};
    const int code = measure_all(&t, ctx);
    hd_close(t.cores);
    hd_close(t.device);
    return code;
}
