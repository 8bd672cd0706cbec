// SPDX-License-Identifier: Apache-2.0
//
// What `auto` chooses for views of the host, by rates of machines that are made up, with the
// driver of the tests in the place of a card. A process finds its driver once: every case is a
// process of its own.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/apart.h"
#include "tests/support/check.h"
#include "core/choice/selector.h"
#include "gpu/cuda/driver.h"
#include "patterns/sort/sort.h"

enum { N = 60000 };

// Rates of which a case names some: nothing costs anything on the device.
#define FREE_DEVICE "heddle rates 1\nstart 0\nkernel 0\nlaunch 0\nto_device 0 0\nto_host 0 0\n"
// 37 ms for a sum on the cores, where it takes microseconds: it was never seen there.
#define SLOW_CORES "stream 160000000 160000000 0 0\n"

static float x[N], got[N], want[N];
static char told[1 << 16];
static hd_context *ctx;

static void listen(void *user, const char *line)
{
    (void)user;
    const size_t at = strlen(told);
    snprintf(told + at, sizeof told - at, "%s\n", line);
}

static void use_rates(const char *text)
{
    char file[] = "/tmp/heddle_auto_XXXXXX";
    const int made = mkstemp(file);
    CHECK(made >= 0 && write(made, text, strlen(text)) == (ssize_t)strlen(text), "%s", file);
    close(made);
    setenv("HEDDLE_RATES", file, 1);
}

// The rates are read by the first call.
static void drop_rates(void)
{
    if (getenv("HEDDLE_RATES") != NULL) unlink(getenv("HEDDLE_RATES"));
}

static void open_auto(hd_context_options options)
{
    options.threads = 1;
    options.trace = listen;
    CHECK(hd_open(&ctx, &options) == HD_OK, "%s", hd_error(ctx));
    check_fill(HD_F32, x, N, CHECK_LITTLE, check_seed());
}

// A sum of the host's, on this backend; the trace says so, and `says` of it.
static void sum_runs_on(hd_backend backend, const char *says)
{
    float sum = 0, right = 0;
    for (int k = 0; k < N; k++) right += x[k]; // exact
    told[0] = 0;
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(sum == right, "%g, not %g", (double)sum, (double)right);
    CHECK(hd_last_backend(ctx) == backend, "%s: %s", hd_backend_name(hd_last_backend(ctx)), told);
    CHECK(strstr(told, says) != NULL, "no '%s' in: %s", says, told);
}

// ---- By time ------------------------------------------------------------------------------------

static void test_fast_device(void)
{
    use_rates(FREE_DEVICE SLOW_CORES "scan 20000000000 20000000000 0 0\n");
    open_auto((hd_context_options){0});
    sum_runs_on(HD_CUDA, "reduce sum of 60000 f32: cuda (0.00 ms predicted; cpu 36.62)");
    hd_context *serial = check_open(HD_SERIAL, 1, NULL);
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(got, N), NULL));
    CHECK_OK(serial, hd_scan(serial, HD_VIEW(x, N), HD_SUM, HD_VIEW(want, N), NULL));
    CHECK_SAME(HD_F32, got, want, N, "scan");
    CHECK(hd_last_backend(ctx) == HD_CUDA, "%s", told);
    // Few elements are not looked at, whatever is predicted.
    told[0] = 0;
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, 1000), HD_SUM, HD_VIEW(got, 1000), NULL));
    CHECK(hd_last_backend(ctx) == HD_CPU && strstr(told, "scan sum of 1000 f32: cpu\n"), "%s",
          told);
    hd_close(serial);
}

static void test_slow_link(void)
{
    use_rates("heddle rates 1\nstart 0\nkernel 0\nlaunch 0\nto_device 320000000 320000000\n"
              "to_host 0 0\n" SLOW_CORES);
    open_auto((hd_context_options){0});
    sum_runs_on(HD_CPU, "reduce sum of 60000 f32: cpu (36.62 ms predicted; device 73.");
}

// The device is a thousand times slower than the rates have it: seen three times, it is left.
static void test_corrected(void)
{
    use_rates(FREE_DEVICE "stream 500000 500000 0 0\n");
    open_auto((hd_context_options){0});
    sum_runs_on(HD_CUDA, "cuda (0.00 ms predicted; cpu 0.11)"); // with its kernels: not counted
    int there[2] = {0, 0};
    float sum;
    for (int call = 0; call < 60; call++) {
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&sum, 1), NULL));
        there[call >= 30] += hd_last_backend(ctx) == HD_CUDA;
    }
    CHECK(there[0] == 3 && there[1] == 0, "%d, then %d calls", there[0], there[1]);
}

// The cores are seen first unless the device is faster by far.
static void test_not_far(void)
{
    use_rates("heddle rates 1\nstart 0\nkernel 0\nlaunch 20000000\nto_device 0 0\nto_host 0 "
              "0\n" SLOW_CORES);
    open_auto((hd_context_options){0});
    sum_runs_on(HD_CPU, "cpu (36.62 ms predicted; device 20.00");
    sum_runs_on(HD_CPU, "cpu"); // which took no 20 ms
}

// ---- What comes first ---------------------------------------------------------------------------

// Calls of 10 ms that a device does in 1: it costs 25 to open it and 10 for a kernel.
static void test_rent(void)
{
    use_rates("heddle rates 1\nstart 25000000\nkernel 10000000\nlaunch 1000000\nto_device 0 0\n"
              "to_host 0 0\nsort 43690667 43690667 0 0\n");
    open_auto((hd_context_options){0});
    static uint32_t keys[N];
    const hd_view v = HD_VIEW(keys, N);
    const hd__sort_job job = {.n = N, .length = N, .keys = v, .out = v, .axis = -1};
    const hd__subject kinds[3] = {{"one", N, HD_U32}, {"two", N, HD_U32}, {"three", N, HD_U32}};
    char text[HD__REASON_TEXT];
    for (int call = 1; call <= 6; call++) {
        const hd__choice c = hd__select_backend(ctx, HD__SORT_PATTERN, &job, &kinds[0]);
        hd__reason(&c, text);
        CHECK((c.device != NULL) == (call >= 4), "call %d: %s", call, text);
        CHECK(c.cores > 9.9e6 && c.cores < 10.1e6, "%g", c.cores);
        if (call == 3)
            CHECK(strcmp(text, " (10.00 ms predicted; device 1.00 and 35 to begin with, 18 saved "
                               "by now)") == 0,
                  "%s", text);
        hd__learn(ctx, &c, c.device != NULL, c.device != NULL ? 1e6 : 10e6);
    }
    // The device is open. Kernels of another kind cost what was guessed, until two kinds were seen
    // whose kernels cost nothing: the median counts.
    static const int first_there[2] = {2, 1};
    for (int k = 0; k < 2; k++)
        for (int call = 1; call <= 4; call++) {
            const hd__choice c = hd__select_backend(ctx, HD__SORT_PATTERN, &job, &kinds[k + 1]);
            CHECK((c.device != NULL) == (call >= first_there[k]), "kind %d, call %d: %g", k, call,
                  c.first);
            hd__learn(ctx, &c, c.device != NULL, c.device != NULL ? 1e6 : 10e6);
        }
}

// The slower place is tried again, now and then.
static void test_trials(void)
{
    use_rates(FREE_DEVICE "sort 43690667 43690667 0 0\n");
    open_auto((hd_context_options){0});
    static uint32_t keys[N];
    const hd_view v = HD_VIEW(keys, N);
    const hd__sort_job job = {.n = N, .length = N, .keys = v, .out = v, .axis = -1};
    const hd__subject kind = {"", N, HD_U32};
    int there = 0, last = 0, calls = 0;
    for (; calls < 2000; calls++) {
        const hd__choice c = hd__select_backend(ctx, HD__SORT_PATTERN, &job, &kind);
        there += c.device != NULL;
        if (c.device != NULL) last = calls;
        hd__learn(ctx, &c, c.device != NULL, c.device != NULL ? 15e6 : 10e6);
    }
    CHECK(there >= 3 && there < calls / 32, "%d of %d calls", there, calls);
    CHECK(last > calls / 2, "the last was call %d", last);
}

// Times that are up to four times off what the rates say, in both places, with noise, and a call in
// fifty that takes five times as long: after half a second no kind of call takes more than 1.15
// times what the better place does.
static void test_settles(void)
{
    enum { KINDS = 300, LEAST = 1500 };
    uint64_t state = check_seed();
    char file[HD__RATES_TEXT], name[20];
    hd__rates rates = hd__usual_rates(16);
    rates.start = rates.kernel = 5000000;
    hd__write_rates(&rates, file);
    use_rates(file);
    open_auto((hd_context_options){0});
    double worst = 0;
    int kinds[2] = {0, 0};
    for (int k = 0; k < KINDS; k++) {
        const int64_t n = (int64_t)1 << (14 + check_below(&state, 13));
        const hd_view v = hd_view_of(HD_U32, NULL, n); // nobody reads it
        const hd__sort_job job = {.n = n, .length = n, .keys = v, .out = v, .axis = -1};
        snprintf(name, sizeof name, "kind %d", k);
        const hd__subject kind = {name, n, HD_U32};
        const hd__cost cost = hd__costs[HD__SORT_PATTERN](&job);
        const double off = 1.0 / 64;
        const double cores =
            hd__predict_cores(&rates, &cost) * off * (double)(16 + check_below(&state, 241));
        const double device =
            hd__predict_device(&rates, &cost) * off * (double)(16 + check_below(&state, 241));
        double took = 0, best[2] = {0, 0};
        const int seconds = 1, calls = LEAST + (int)(seconds * 1e9 / cores);
        int there = 0;
        for (int call = 0; call < calls; call++) {
            const double noise = (1 + 0.001 * (double)check_below(&state, 100)) *
                                 (check_below(&state, 50) == 0 ? 5 : 1);
            const hd__choice c = hd__select_backend(ctx, HD__SORT_PATTERN, &job, &kind);
            const bool on_device = c.device != NULL;
            const double kernels = on_device && !c.kind->has_kernels ? 5e6 : 0;
            const double ns = noise * (on_device ? device : cores);
            hd__learn(ctx, &c, on_device, ns + kernels);
            if (call < calls / 2) continue;
            took += ns, best[0] += noise * cores, best[1] += noise * device;
            there += on_device;
        }
        kinds[there > calls / 4]++;
        const double ratio = took / (best[0] < best[1] ? best[0] : best[1]);
        if (ratio > worst) worst = ratio;
        CHECK(ratio <= 1.15, "%s of %lld: %.2f; cores %.2f ms, device %.2f", name, (long long)n,
              ratio, 1e-6 * cores, 1e-6 * device);
    }
    CHECK(kinds[0] > KINDS / 8 && kinds[1] > KINDS / 8, "%d and %d kinds", kinds[0], kinds[1]);
    if (getenv("HEDDLE_TEST_WORDS") != NULL) printf("the worst ratio is %.3f\n", worst);
}

// ---- Predictions that are wrong by far ----------------------------------------------------------

// A machine that is made up: what calls of one size take on it, hot.
typedef struct machine {
    double cores, device;
    double asleep; // beside it where the call before ran on the device: threads that sleep
    bool last_on_device;
} machine;

// Calls of one kind and size: their time over the better place's.
static double run_calls(machine *m, const hd__sort_job *job, const char *name, int calls)
{
    const hd__subject kind = {name, job->n, HD_U32};
    const double better = m->cores < m->device ? m->cores : m->device;
    double took = 0;
    for (int call = 0; call < calls; call++) {
        const hd__choice c = hd__select_backend(ctx, HD__SORT_PATTERN, job, &kind);
        const bool on_device = c.device != NULL;
        const double ns = on_device ? m->device : m->cores + (m->last_on_device ? m->asleep : 0);
        hd__learn(ctx, &c, on_device, ns);
        m->last_on_device = on_device;
        took += ns;
    }
    return took / (better * calls);
}

static hd__sort_job job_of(int64_t n)
{
    const hd_view v = hd_view_of(HD_U32, NULL, n); // nobody reads it
    return (hd__sort_job){.n = n, .length = n, .keys = v, .out = v, .axis = -1};
}

// Calls of a size that need a kernel which smaller ones do not: the one that compiles it tells
// nothing of the others.
static void test_kernels_of_sizes(void)
{
    enum { CALLS = 20, SIZES = 4, COMPILED = 200000000 };
    char file[HD__RATES_TEXT];
    hd__rates rates = hd__usual_rates(16);
    rates.start = rates.kernel = 0;
    hd__write_rates(&rates, file);
    use_rates(file);
    open_auto((hd_context_options){0});
    for (int size = 0; size < SIZES; size++) {
        const hd__sort_job job = job_of((int64_t)1 << (26 - 2 * size));
        const hd__subject kind = {"", job.n, HD_U32};
        const hd__cost cost = hd__costs[HD__SORT_PATTERN](&job);
        const double device = hd__predict_device(&rates, &cost);
        int there = 0;
        for (int call = 0; call < CALLS; call++) {
            const hd__choice c = hd__select_backend(ctx, HD__SORT_PATTERN, &job, &kind);
            const bool on_device = c.device != NULL;
            hd__learn(ctx, &c, on_device,
                      on_device ? device + (there == 0 ? COMPILED : 0) : 6 * device);
            there += on_device;
        }
        CHECK(there >= CALLS - 6, "size %d: %d of %d calls", size, there, CALLS);
    }
}

// Rates of either place that are 16 times too high or too low, or right, and threads that take 0.3
// ms to wake: of 1000 calls the worse place gets six at first, or what adds up to a third of the
// better one's; the next 1000 take 1.1 times the better one's time.
static void test_wrong_by_far(void)
{
    enum { CALLS = 1000, OFFS = 9, FIRST = 14, LAST = 26 };
    static const double off[3] = {1.0 / 16, 1, 16};
    char file[HD__RATES_TEXT], name[40];
    hd__rates rates = hd__usual_rates(16);
    rates.start = rates.kernel = 0;
    hd__write_rates(&rates, file);
    use_rates(file);
    open_auto((hd_context_options){0});
    const hd__sort_job large = job_of((int64_t)1 << 30);
    run_calls(&(machine){.cores = 1e10, .device = 1e9}, &large, "opens the device", 4);
    CHECK(hd__selector_of(ctx)->kind[0].has_kernels, "the device is open");
    for (int k = 0; k < OFFS * (LAST - FIRST); k++) {
        const hd__sort_job job = job_of((int64_t)3 << (FIRST - 1 + k / OFFS));
        const hd__cost cost = hd__costs[HD__SORT_PATTERN](&job);
        machine m = {.cores = hd__predict_cores(&rates, &cost) * off[k % 3],
                     .device = hd__predict_device(&rates, &cost) * off[k / 3 % 3],
                     .asleep = 300000,
                     .last_on_device = true};
        snprintf(name, sizeof name, "kind %d", k);
        const double first = run_calls(&m, &job, name, CALLS);
        const double then = run_calls(&m, &job, name, CALLS);
        const double few = 6 * (m.cores > m.device ? m.cores / m.device : m.device / m.cores);
        CHECK(first <= 1.33 + few / CALLS && then <= 1.1,
              "%s: cores %.1f us, device %.1f: %.2f, then %.2f", name, 1e-3 * m.cores,
              1e-3 * m.device, first, then);
    }
}

// ---- Who is not asked ---------------------------------------------------------------------------

static void test_none(void)
{
    setenv("HEDDLE_RATES", "none", 1);
    open_auto((hd_context_options){0});
    sum_runs_on(HD_CPU, "reduce sum of 60000 f32: cpu\n");
}

static void test_stream(void)
{
    use_rates(FREE_DEVICE SLOW_CORES);
    open_auto((hd_context_options){.stream = HD_STREAM_LEGACY});
    sum_runs_on(HD_CPU, "reduce sum of 60000 f32: cpu\n");
}

static void test_named(void)
{
    use_rates(FREE_DEVICE SLOW_CORES);
    open_auto((hd_context_options){.backend = HD_CPU});
    sum_runs_on(HD_CPU, "reduce sum of 60000 f32: cpu\n");
}

// A carry's tree would have what a failed call added to it.
static void test_carry(void)
{
    use_rates(FREE_DEVICE SLOW_CORES);
    open_auto((hd_context_options){0});
    hd_carry *carry = NULL;
    float sum;
    CHECK_OK(ctx, hd_carry_open(ctx, &carry));
    const hd_reduce_options options = {.carry = carry};
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&sum, 1), &options));
    CHECK(hd_last_backend(ctx) == HD_CPU, "%s", told);
    hd_carry_close(ctx, carry);
}

// Without a driver auto does not take the model machine; the driver is looked for once.
static void test_absent(void)
{
    use_rates(FREE_DEVICE SLOW_CORES);
    open_auto((hd_context_options){0});
    sum_runs_on(HD_CPU, "auto stays on the cores: no CUDA driver (none)");
    sum_runs_on(HD_CPU, "reduce sum of 60000 f32: cpu\n");
    CHECK(strstr(told, "no CUDA driver") == NULL, "%s", told);
}

// ---- What goes wrong ----------------------------------------------------------------------------

static void test_wait(void)
{
    use_rates(FREE_DEVICE SLOW_CORES);
    open_auto((hd_context_options){0});
    sum_runs_on(HD_CPU, "after a failure of the device: cuda: ");
    CHECK(strstr(told, "reduce sum of 60000 f32: cpu, after a decline: it failed\n"), "%s", told);
    CHECK(hd_error(ctx)[0] == 0, "%s", hd_error(ctx));
    sum_runs_on(HD_CPU, "reduce sum of 60000 f32: cpu\n"); // it is not asked again
    // Had results come back, the cores might have read them as inputs.
    hd__call_kind kind = {0};
    const hd__choice choice = {.kind = &kind};
    hd__set_written(ctx, true);
    CHECK(!hd__falls_back(ctx, &choice, HD_ERROR_DEVICE), "results had come back");
    hd__set_written(ctx, false);
    CHECK(!hd__falls_back(ctx, &choice, HD_ERROR_CANCELLED), "the caller wants no more");
    CHECK(hd__falls_back(ctx, &choice, HD_ERROR_DEVICE) && !kind.refused, "nothing had");
}

static void test_memory(void)
{
    use_rates(FREE_DEVICE SLOW_CORES);
    open_auto((hd_context_options){0});
    sum_runs_on(HD_CPU, "allocating");
    CHECK(hd_error(ctx)[0] == 0, "%s", hd_error(ctx));
}

HD_OPERATOR(furthest, float, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a * a > b * b ? a : b; })

// A text that does not compile is refused once.
static void test_compile(void)
{
    float sum = 0;
    hd_operator bad = *furthest;
    bad.body_text = "{\n    return a ++++ nonsense;\n}";
    use_rates(FREE_DEVICE SLOW_CORES);
    open_auto((hd_context_options){0});
    for (int k = 0; k < 2; k++) {
        told[0] = 0;
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), &bad, HD_VIEW(&sum, 1), NULL));
        CHECK(hd_last_backend(ctx) == HD_CPU && hd_error(ctx)[0] == 0, "%s", hd_error(ctx));
        CHECK((strstr(told, "after a failure of the device") != NULL) == (k == 0), "%s", told);
    }
}

// Errors of data are those of the cores.
static void test_errors(void)
{
    static int32_t bucket[N];
    char device[4096], cores[4096];
    int64_t counts[4];
    bucket[N / 2] = 7;
    use_rates(FREE_DEVICE "select 160000000 160000000 0 0\n");
    open_auto((hd_context_options){0});
    const hd_partition_options options = {.buckets = HD_REF(HD_VIEW(bucket, N)), .ways = 4};
    CHECK(hd_partition(ctx, HD_VIEW(x, N), HD_VIEW(got, N), HD_VIEW(counts, 4), &options) ==
              HD_ERROR_VALUE,
          "%s", hd_error(ctx));
    snprintf(device, sizeof device, "%s", hd_error(ctx));
    CHECK(strstr(told, "after a failure of the device") != NULL, "%s", told);
    hd_context *cpu = check_open(HD_CPU, 1, NULL);
    CHECK(hd_partition(cpu, HD_VIEW(x, N), HD_VIEW(got, N), HD_VIEW(counts, 4), &options) ==
              HD_ERROR_VALUE,
          "%s", hd_error(cpu));
    snprintf(cores, sizeof cores, "%s", hd_error(cpu));
    CHECK(strcmp(device, cores) == 0, "%s, not %s", device, cores);
    hd_close(cpu);
}

// The driver serves the parent alone.
static void test_fork(void)
{
    use_rates(FREE_DEVICE SLOW_CORES);
    open_auto((hd_context_options){0});
    sum_runs_on(HD_CUDA, "cuda");
    const pid_t child = fork();
    if (child == 0) {
        sum_runs_on(HD_CPU, "used before a fork()");
        _exit(check_finish());
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0, "the child: %d", status);
}

// ---- Measured once ------------------------------------------------------------------------------

static void test_measured(void)
{
    char folder[] = "/tmp/heddle_auto_XXXXXX", command[100];
    const char *trouble;
    hd__rates rates;
    CHECK(mkdtemp(folder) != NULL, "%s", folder);
    setenv("HEDDLE_CACHE_DIR", folder, 1);
    unsetenv("HEDDLE_RATES");
    open_auto((hd_context_options){0});
    rates = hd__usual_rates(1);
    const hd__rates usual = rates;
    rates.start = rates.kernel = 0;
    rates.cores[HD__STREAM_WORK] = (hd__rate){160000000, 160000000};
    rates.to_device = rates.to_host = (hd__rate){0, 0};
    strcpy(rates.name, "another card");
    trouble = hd__keep_rates(ctx, &rates);
    CHECK(trouble[0] == 0, "%s", trouble);
    float sum;
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(strstr(told, "the link to a fake device, sm_990, driver 12040: "), "%s", told);
    CHECK(hd__find_rates(ctx, &rates, &trouble), "%s", trouble);
    CHECK(strcmp(rates.name, "a fake device, sm_990, driver 12040") == 0, "%s", rates.name);
    CHECK(rates.start > 0 && rates.to_device.small > 0 && rates.to_host.large > 0 &&
              rates.launch != usual.launch,
          "measured");
    CHECK(rates.cores[HD__STREAM_WORK].small == 160000000, "the cores are the same");
    hd_close(ctx); // another context measures nothing
    told[0] = 0;
    open_auto((hd_context_options){0});
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(strstr(told, "the link to") == NULL, "%s", told);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0, "%s", command);
}

// ---- Each in a process --------------------------------------------------------------------------

#define FAKE_DRIVER HEDDLE_FAKE_DIR "/driver.so"

static const struct {
    const char *name;
    void (*run)(void);
    const char *driver, *trouble;
    bool compiles; // kernels, so that NVRTC is needed
} cases[] = {
    {"fast_device", test_fast_device, FAKE_DRIVER, NULL, true},
    {"slow_link", test_slow_link, FAKE_DRIVER, NULL, false},
    {"corrected", test_corrected, FAKE_DRIVER, NULL, true},
    {"not_far", test_not_far, FAKE_DRIVER, NULL, false},
    {"rent", test_rent, FAKE_DRIVER, NULL, false},
    {"settles", test_settles, FAKE_DRIVER, NULL, false},
    {"trials", test_trials, FAKE_DRIVER, NULL, false},
    {"kernels_of_sizes", test_kernels_of_sizes, FAKE_DRIVER, NULL, false},
    {"wrong_by_far", test_wrong_by_far, FAKE_DRIVER, NULL, false},
    {"none", test_none, FAKE_DRIVER, NULL, false},
    {"stream", test_stream, FAKE_DRIVER, NULL, false},
    {"named", test_named, FAKE_DRIVER, NULL, false},
    {"carry", test_carry, FAKE_DRIVER, NULL, false},
    {"absent", test_absent, "none", NULL, false},
    {"wait", test_wait, FAKE_DRIVER, "wait=719", true},
    {"memory", test_memory, FAKE_DRIVER, "memory=2000", false},
    {"compile", test_compile, FAKE_DRIVER, NULL, true},
    {"errors", test_errors, FAKE_DRIVER, NULL, true},
    {"fork", test_fork, FAKE_DRIVER, NULL, true},
    {"measured", test_measured, FAKE_DRIVER, NULL, false},
};

static void prepare(int k)
{
    setenv("HEDDLE_CUDA_DRIVER", cases[k].driver, 1);
    apart_set("FAKE_CUDA", cases[k].trouble);
    setenv("HEDDLE_CACHE_DIR", "none", 1);
    setenv("HEDDLE_PTXAS", "none", 1);
    unsetenv("HEDDLE_BACKEND");
    unsetenv("HEDDLE_RATES");
}

int main(int argc, char **argv)
{
    const int count = (int)(sizeof cases / sizeof *cases);
    for (int k = 0; argc > 1 && k < count; k++)
        if (strcmp(argv[1], cases[k].name) == 0) {
            cases[k].run();
            hd_close(ctx);
            drop_rates();
            return check_finish();
        }
    const char *why;
    for (int k = 0; k < count; k++)
        if (!cases[k].compiles || hd__gpu_nvrtc_of(&why) != NULL)
            apart_run(argv[0], cases[k].name, prepare, k);
    return check_finish();
}
