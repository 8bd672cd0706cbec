// SPDX-License-Identifier: Apache-2.0
//
// The calls by which `auto` is measured are what the library thinks they cost: their class of work
// and its amount. Else their rates would be those of something else.
#define _GNU_SOURCE
#include "bench/choice/sample_calls.c"
#include "bench/harness/indices.c"

#include <stdio.h>
#include <unistd.h>

#include "tests/support/check.h"

enum { N = 1 << 16, NS_A_UNIT = 1000 };

static char told[1000];

static void listen(void *user, const char *line)
{
    (void)user;
    snprintf(told, sizeof told, "%s", line);
}

// Rates by which only this class of work takes time on the cores, and the device is out of reach.
static void use_rates(const char *path, const char *work_class)
{
    static const char *const names[] = {
#define WORK(name, NAME, cores, call, each) #name,
#include "core/choice/work_classes.def"
#undef WORK
    };
    FILE *f = fopen(path, "w");
    CHECK(f != NULL, "%s", path);
    if (f == NULL) return;
    fprintf(f, "heddle rates 1\nlaunch 1000000000000000\n");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const long long ns = strcmp(names[k], work_class) == 0 ? (long long)NS_A_UNIT << 20 : 0;
        fprintf(f, "%s %lld %lld 0 0\n", names[k], ns, ns);
    }
    fclose(f);
    setenv("HEDDLE_RATES", path, 1);
}

static void test_call(const sample_call *call, const sample_arrays *a, const char *path)
{
    const hd_context_options options = {.threads = 1, .trace = listen};
    hd_context *ctx = NULL;
    use_rates(path, call->work_class);
    CHECK_OK(ctx, hd_open(&ctx, &options));
    told[0] = 0;
    CHECK_OK(ctx, call->run(ctx, a));
    const double expected = 1e-6 * NS_A_UNIT * sample_units(call, N); // milliseconds
    const char *at = strstr(told, "cpu (");
    const double got = at != NULL ? atof(at + strlen("cpu (")) : 0;
    CHECK(got > 0.999 * expected && got < 1.001 * expected, "%s: expected %.2f ms: %s", call->name,
          expected, told);
    hd_close(ctx);
}

int main(void)
{
    char path[] = "/tmp/heddle_choice_XXXXXX";
    sample_arrays arrays;
    const int made = mkstemp(path);
    CHECK(made >= 0 && sample_arrays_make(&arrays, N), "%s", path);
    if (made < 0 || arrays.n != N) return check_finish();
    close(made);
    unsetenv("HEDDLE_BACKEND");
    for (int k = 0; k < SAMPLE_CALLS; k++)
        if (sample_calls[k].work_class != NULL) test_call(&sample_calls[k], &arrays, path);
    sample_arrays_drop(&arrays);
    unlink(path);
    return check_finish();
}
