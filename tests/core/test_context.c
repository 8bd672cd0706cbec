// SPDX-License-Identifier: Apache-2.0
//
// Contexts: options and environment variables, names that do not exist, trace, calls without a
// context, and what a context tells about itself.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/check.h"

static void clear_environment(void)
{
    static const char *names[] = {"HEDDLE_BACKEND", "HEDDLE_THREADS", "HEDDLE_ISA", "HEDDLE_TRACE"};
    for (int k = 0; k < 4; k++) unsetenv(names[k]);
}

// Opens, expects the status and, in the text, a word; a context that failed refuses calls.
static void expect_open(const hd_context_options *options, hd_status expected, const char *word)
{
    hd_context *ctx = NULL;
    const hd_status status = hd_open(&ctx, options);
    CHECK(status == expected, "%s instead of %s: %s", hd_status_name(status),
          hd_status_name(expected), hd_error(ctx));
    CHECK(ctx != NULL, "no context");
    CHECK(strstr(hd_error(ctx), word) != NULL, "'%s' does not say '%s'", hd_error(ctx), word);
    if (status != HD_OK) {
        int32_t x = 0;
        const hd_view v = HD_VIEW(&x, 1);
        CHECK(hd_reduce(ctx, v, HD_SUM, v, NULL) != HD_OK, "a failed context works");
        CHECK(hd_sync(ctx) != HD_OK, "a failed context syncs");
    } else {
        CHECK(hd_error(ctx)[0] == 0, "text after success: %s", hd_error(ctx));
    }
    hd_close(ctx);
}

static void test_options(void)
{
    CHECK(hd_open(NULL, NULL) == HD_ERROR_ARGUMENT, "nowhere to put it");
    expect_open(NULL, HD_OK, "");
    expect_open(&(hd_context_options){.backend = HD_CPU, .threads = 1024}, HD_OK, "");
    expect_open(&(hd_context_options){.backend = 99}, HD_ERROR_ARGUMENT, "99");
    expect_open(&(hd_context_options){.backend = -1}, HD_ERROR_ARGUMENT, "-1");
    expect_open(&(hd_context_options){.threads = 1025}, HD_ERROR_ARGUMENT, "1025");
    expect_open(&(hd_context_options){.threads = -1}, HD_ERROR_ARGUMENT, "-1");
    expect_open(&(hd_context_options){.isa = "z80"}, HD_ERROR_BACKEND, "z80");
}

static void *refuse(void *user, size_t bytes, size_t alignment)
{
    (void)user, (void)bytes, (void)alignment;
    return NULL;
}

static void drop(void *user, void *memory, size_t bytes)
{
    (void)user, (void)memory, (void)bytes;
}

static void test_half_an_allocator(void)
{
    expect_open(&(hd_context_options){.allocator = {refuse, NULL, NULL}}, HD_ERROR_ARGUMENT,
                "allocator");
    expect_open(&(hd_context_options){.allocator = {NULL, drop, NULL}}, HD_ERROR_ARGUMENT,
                "allocator");
}

static void test_what_it_says(void)
{
    for (int32_t k = 0; hd_isa_name(k); k++) {
        if (!hd_isa_runs(k)) {
            expect_open(&(hd_context_options){.isa = hd_isa_name(k)}, HD_ERROR_BACKEND,
                        hd_isa_name(k));
            continue;
        }
        hd_context *ctx = check_open(HD_CPU, 7, hd_isa_name(k));
        CHECK(hd_threads(ctx) == 7, "%d threads", (int)hd_threads(ctx));
        CHECK(strcmp(hd_isa(ctx), hd_isa_name(k)) == 0, "%s", hd_isa(ctx));
        hd_close(ctx);
    }
    int32_t x[3] = {1, 2, 3};
    for (int b = HD_SERIAL; b <= HD_CPU; b++) {
        hd_context *ctx = check_open((hd_backend)b, 0, NULL);
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(x, 3), NULL));
        CHECK(hd_last_backend(ctx) == (hd_backend)b, "%d ran", (int)hd_last_backend(ctx));
        CHECK_OK(ctx, hd_sync(ctx));
        hd_close(ctx);
    }
    hd_context *ctx = check_open(HD_AUTO, 0, NULL);
    CHECK(hd_threads(ctx) >= 1, "%d", (int)hd_threads(ctx));
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(x, 3), NULL));
    CHECK(hd_last_backend(ctx) != HD_AUTO, "auto is not a backend that runs");
    hd_close(ctx);
}

static void test_environment(void)
{
    setenv("HEDDLE_BACKEND", "serial", 1);
    setenv("HEDDLE_THREADS", "3", 1);
    int32_t isa = 0;
    while (!hd_isa_runs(isa)) isa++;
    setenv("HEDDLE_ISA", hd_isa_name(isa), 1);
    hd_context *ctx = check_open(HD_AUTO, 0, NULL);
    int32_t x = 5;
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(&x, 1), HD_SUM, HD_VIEW(&x, 1), NULL));
    CHECK(hd_last_backend(ctx) == HD_SERIAL, "HEDDLE_BACKEND");
    CHECK(hd_threads(ctx) == 3, "HEDDLE_THREADS");
    CHECK(strcmp(hd_isa(ctx), hd_isa_name(isa)) == 0, "HEDDLE_ISA");
    hd_close(ctx);
    ctx = check_open(HD_CPU, 2, NULL); // options come before the environment
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(&x, 1), HD_SUM, HD_VIEW(&x, 1), NULL));
    CHECK(hd_last_backend(ctx) == HD_CPU && hd_threads(ctx) == 2, "options");
    hd_close(ctx);
    clear_environment();
}

static void test_bad_environment(void)
{
    static const struct {
        const char *name, *value;
        hd_status status;
    } bad[] = {{"HEDDLE_BACKEND", "loom", HD_ERROR_BACKEND},
               {"HEDDLE_THREADS", "0", HD_ERROR_ARGUMENT},
               {"HEDDLE_THREADS", "-2", HD_ERROR_ARGUMENT},
               {"HEDDLE_THREADS", "4x", HD_ERROR_ARGUMENT},
               {"HEDDLE_THREADS", "1025", HD_ERROR_ARGUMENT},
               {"HEDDLE_THREADS", "99999999999999999999", HD_ERROR_ARGUMENT},
               {"HEDDLE_THREADS", "many", HD_ERROR_ARGUMENT},
               {"HEDDLE_ISA", "mmx", HD_ERROR_BACKEND},
               {"HEDDLE_TRACE", "/nowhere/at/all", HD_ERROR_ARGUMENT}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        setenv(bad[k].name, bad[k].value, 1);
        expect_open(NULL, bad[k].status, bad[k].value);
        unsetenv(bad[k].name);
    }
    setenv("HEDDLE_BACKEND", "", 1); // set but empty is not set
    setenv("HEDDLE_THREADS", "", 1);
    setenv("HEDDLE_ISA", "", 1);
    setenv("HEDDLE_TRACE", "", 1);
    expect_open(NULL, HD_OK, "");
    clear_environment();
}

// ---- The trace ------------------------------------------------------------------------------

typedef struct lines {
    int count;
    char last[400];
} lines;

static void listen(void *user, const char *line)
{
    lines *heard = user;
    heard->count++;
    snprintf(heard->last, sizeof heard->last, "%s", line);
}

static void test_trace(void)
{
    for (int b = HD_AUTO; b <= HD_CPU; b++) {
        lines heard = {0};
        hd_context *ctx = NULL;
        float x[100] = {0};
        const hd_view v = HD_VIEW(x, 100);
        const hd_context_options options = {
            .backend = (hd_backend)b, .trace = listen, .trace_user = &heard};
        CHECK_OK(ctx, hd_open(&ctx, &options));
        heard.count = 0;
        CHECK_OK(ctx, hd_scan(ctx, v, HD_SUM, v, NULL));
        CHECK(heard.count == 1, "%d lines for one call", heard.count);
        CHECK(strstr(heard.last, hd_backend_name(hd_last_backend(ctx))), "no backend: %s",
              heard.last);
        CHECK(strstr(heard.last, "scan"), "no pattern: %s", heard.last);
        CHECK(!strchr(heard.last, '\n'), "a line has no end: %s", heard.last);
        float out = 0;
        CHECK_OK(ctx, hd_reduce(ctx, v, HD_MAX, HD_VIEW(&out, 1), NULL));
        CHECK(strstr(heard.last, "reduce"), "no pattern: %s", heard.last);
        hd_close(ctx);
    }
}

static void test_trace_to_a_file(void)
{
    char name[] = "/tmp/heddle_trace_XXXXXX", text[1000] = "";
    const int file = mkstemp(name);
    CHECK(file >= 0, "cannot make %s", name);
    setenv("HEDDLE_TRACE", name, 1);
    hd_context *ctx = check_open(HD_SERIAL, 0, NULL);
    int32_t x[4] = {1, 2, 3, 4};
    for (int k = 0; k < 3; k++)
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, 4), HD_SUM, HD_VIEW(x, 4), NULL));
    hd_close(ctx);
    unsetenv("HEDDLE_TRACE");
    const ssize_t got = read(file, text, sizeof text - 1);
    int ends = 0;
    for (ssize_t k = 0; k < got; k++) ends += text[k] == '\n';
    CHECK(ends == 3, "three calls, %d lines: %s", ends, text);
    CHECK(strstr(text, "serial") && strstr(text, "scan"), "%s", text);
    close(file);
    unlink(name);
}

// ---- No context -----------------------------------------------------------------------------

static void test_no_context(void)
{
    int32_t x = 7;
    const hd_view v = HD_VIEW(&x, 1);
    hd_view made = v;
    hd_carry *carry = NULL;
    CHECK(hd_reduce(NULL, v, HD_SUM, v, NULL) == HD_ERROR_ARGUMENT, "reduce");
    CHECK(hd_scan(NULL, v, HD_SUM, v, NULL) == HD_ERROR_ARGUMENT, "scan");
    CHECK(hd_check_operator(NULL, HD_SUM, v, NULL) == HD_ERROR_ARGUMENT, "check");
    CHECK(hd_sync(NULL) == HD_ERROR_ARGUMENT, "sync");
    CHECK(hd_alloc(NULL, HD_I32, 1, (int64_t[]){3}, &made) == HD_ERROR_ARGUMENT, "alloc");
    CHECK(hd_free(NULL, &made) == HD_ERROR_ARGUMENT, "free");
    CHECK(hd_carry_open(NULL, &carry) == HD_ERROR_ARGUMENT, "carry");
    CHECK(hd_error(NULL)[0] != 0, "the text of no context");
    CHECK(x == 7, "written to: %d", (int)x);
    hd_close(NULL);
    (void)hd_threads(NULL), (void)hd_isa(NULL), (void)hd_last_backend(NULL);
}

static void test_the_text_is_cleared(void)
{
    hd_context *ctx = check_open(HD_AUTO, 0, NULL);
    int32_t x = 7;
    const hd_view v = HD_VIEW(&x, 1);
    CHECK(hd_scan(ctx, v, NULL, v, NULL) != HD_OK && hd_error(ctx)[0] != 0, "no operator");
    CHECK_OK(ctx, hd_scan(ctx, v, HD_SUM, v, NULL));
    CHECK(hd_error(ctx)[0] == 0, "after success: %s", hd_error(ctx));
    hd_close(ctx);
}

// Lines for a reader that has gone: the calls go on, SIGPIPE ends nobody and is not left behind.
static void trace_to_nobody(void)
{
    int ends[2];
    sigset_t mask, pending;
    hd_context *ctx = NULL;
    float x[3] = {1, 2, 3}, sum = 0;
    signal(SIGPIPE, SIG_DFL);
    CHECK(pipe(ends) == 0 && dup2(ends[1], STDERR_FILENO) >= 0 && close(ends[0]) == 0, "a pipe");
    setenv("HEDDLE_TRACE", "1", 1);
    CHECK(hd_open(&ctx, NULL) == HD_OK, "%s", hd_error(ctx));
    for (int k = 0; k < 2; k++)
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(&sum, 1), NULL));
    hd_close(ctx);
    CHECK(sum == 6, "%g", (double)sum);
    CHECK(pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0 && sigismember(&mask, SIGPIPE) == 0,
          "the mask is as it was");
    CHECK(sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 0, "no signal waits");
}

static void test_trace_to_nobody(void)
{
    const pid_t child = fork();
    if (child == 0) {
        trace_to_nobody();
        signal(SIGPIPE, SIG_IGN); // for what a failed check has to say
        _exit(check_finish());
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0, "the child: status %d%s", status,
          WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE ? ", SIGPIPE" : "");
}

// Every constant of hd_backend is in the list of backends, under a name of its own.
static void test_every_backend_is_listed(void)
{
    for (int b = HD_AUTO; b < HD_BACKEND_COUNT; b++) {
        const char *name = hd_backend_name((hd_backend)b), *why = NULL;
        CHECK(hd_backend_named(name) == b, "%d is '%s'", b, name);
        const bool available = hd_backend_available((hd_backend)b, &why);
        CHECK(available || (why != NULL && why[0] != 0), "%s: not here, and no reason", name);
    }
}

// A context without a device neither makes nor frees memory of one.
static void test_no_device(void)
{
    int32_t number = 0;
    hd_view v = HD_VIEW(&number, 1);
    hd_context *ctx = check_open(HD_CPU, 1, NULL);
    v.space = HD_DEVICE;
    CHECK(hd_free(ctx, &v) == HD_ERROR_BACKEND && strstr(hd_error(ctx), "device"), "hd_free: %s",
          hd_error(ctx));
    CHECK(v.data == &number, "the view was changed");
    CHECK(hd_alloc_device(ctx, HD_F32, 1, &(int64_t){1}, &v) == HD_ERROR_BACKEND, "alloc: %s",
          hd_error(ctx));
    hd_close(ctx);
}

// ---- Two threads --------------------------------------------------------------------------------

// One thread stays in a call, in its trace, until the other has tried.
typedef struct meeting {
    hd_context *ctx;
    pthread_barrier_t met;
    hd_status first, second;
} meeting;

static void wait_there(void *user, const char *line)
{
    meeting *m = user;
    (void)line;
    pthread_barrier_wait(&m->met);
    pthread_barrier_wait(&m->met);
}

static void *call_first(void *user)
{
    meeting *m = user;
    int32_t x[2] = {1, 2}, y = 0;
    m->first = hd_reduce(m->ctx, HD_VIEW(x, 2), HD_SUM, HD_VIEW(&y, 1), NULL);
    CHECK(y == 3, "%d", (int)y);
    return NULL;
}

static void test_two_threads(void)
{
    meeting m;
    pthread_t thread;
    int32_t x[2] = {5, 6}, y = 7;
    pthread_barrier_init(&m.met, NULL, 2);
    if (hd_open(&m.ctx, &(hd_context_options){.backend = HD_SERIAL,
                                              .trace = wait_there,
                                              .trace_user = &m}) != HD_OK ||
        pthread_create(&thread, NULL, call_first, &m) != 0) {
        CHECK(false, "no context or no thread");
        return;
    }
    pthread_barrier_wait(&m.met);
    m.second = hd_reduce(m.ctx, HD_VIEW(x, 2), HD_SUM, HD_VIEW(&y, 1), NULL);
    CHECK(m.second == HD_ERROR_BUSY && y == 7, "%s, %d", hd_status_name(m.second), (int)y);
    CHECK(hd_sync(m.ctx) == HD_ERROR_BUSY, "hd_sync");
    pthread_barrier_wait(&m.met);
    pthread_join(thread, NULL);
    CHECK(m.first == HD_OK, "%s", hd_status_name(m.first));
    CHECK(hd_sync(m.ctx) == HD_OK, "nobody is in a call any more");
    hd_close(m.ctx);
    pthread_barrier_destroy(&m.met);
}

int main(void)
{
    clear_environment();
    test_two_threads();
    test_every_backend_is_listed();
    test_no_device();
    test_options();
    test_half_an_allocator();
    test_what_it_says();
    test_environment();
    test_bad_environment();
    test_trace();
    test_trace_to_a_file();
    test_trace_to_nobody();
    test_no_context();
    test_the_text_is_cleared();
    return check_finish();
}
