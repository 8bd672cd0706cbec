// SPDX-License-Identifier: Apache-2.0
// heddle calc work and atomics: how much a method does, in how many steps.
#include "calc.h"

#include <math.h>
#include <stdio.h>

#include "cli/command.h"

typedef struct method {
    const char *name;
    double work, steps, peak; // operations, parallel steps, most at once
} method;

static int log2_up(int64_t n)
{
    int steps = 0;
    while (((int64_t)1 << steps) < n) steps++;
    return steps;
}

// Additions of the lectures' methods for n elements, exactly where n is a power of two.
static int methods_for(int64_t n, method *m)
{
    const double x = (double)n, steps = log2_up(n);
    int count = 0;
    m[count++] = (method){"reduce, one after the other", x - 1, x - 1, 1};
    m[count++] = (method){"reduce, tree", x - 1, steps, floor(x / 2)};
    m[count++] = (method){"scan, one after the other", x - 1, x - 1, 1};
    m[count++] = (method){"scan, each sums all before it", x * (x - 1) / 2, x - 1, x};
    m[count++] = (method){"scan, Kogge-Stone", x * steps - (x - 1), steps, x - 1};
    m[count++] = (method){"scan, Brent-Kung", n > 1 ? 2 * (x - 1) - steps : 0,
                          n > 1 ? 2 * steps - 1 : 0, floor(x / 2)};
    m[count++] = (method){"scan, Blelloch (exclusive)", 2 * (x - 1), 2 * steps, floor(x / 2)};
    m[count++] = (method){"list ranking, walk", x - 1, x - 1, 1};
    m[count++] = (method){"list ranking, Wyllie", x * steps, steps, x};
    m[count++] = (method){"roots of a forest, walk", x, x, 1};
    m[count++] = (method){"roots of a forest, jumping", x * steps, steps, x};
    return count;
}

int calc_work(const calc_args *args)
{
    const int64_t n = args->n.given ? args->n.value : 1000000;
    method m[16];
    const int count = methods_for(n, m);
    if (args->json) {
        json j = json_begin(stdout);
        json_text(&j, "calculator", "work");
        json_int(&j, "n", n);
        json_list(&j, "methods");
        for (int k = 0; k < count; k++) {
            json_object(&j, NULL);
            json_text(&j, "name", m[k].name);
            json_real(&j, "work", m[k].work);
            json_real(&j, "steps", m[k].steps);
            json_real(&j, "average_parallelism", m[k].steps > 0 ? m[k].work / m[k].steps : 0);
            json_real(&j, "peak_parallelism", m[k].peak);
            json_close(&j);
        }
        json_close(&j);
        json_end(&j);
        return EXIT_DONE;
    }
    printf("%lld elements; at most so many operations in so many parallel steps\n\n", (long long)n);
    printf("%-32s %16s %12s %14s %12s\n", "method", "work", "steps", "average", "peak");
    for (int k = 0; k < count; k++)
        printf("%-32s %16.0f %12.0f %14.0f %12.0f\n", m[k].name, m[k].work, m[k].steps,
               m[k].steps > 0 ? m[k].work / m[k].steps : 0, m[k].peak);
    return EXIT_DONE;
}

int calc_atomics(const calc_args *args)
{
    const int64_t n = args->n.given ? args->n.value : 1000000;
    const int64_t threads = args->threads.given ? args->threads.value : 1024;
    const int64_t bins = args->bins.given ? args->bins.value : 16;
    if (args->json) {
        json j = json_begin(stdout);
        json_text(&j, "calculator", "atomics");
        json_int(&j, "n", n);
        json_int(&j, "threads", threads);
        json_int(&j, "bins", bins);
        json_int(&j, "one_each", n);
        json_int(&j, "private_bins", threads * bins);
        json_end(&j);
        return EXIT_DONE;
    }
    printf("A histogram of %lld values: %lld atomics, one a value;\n"
           "with %lld threads that count in %lld bins of their own: %lld atomics to add them up\n",
           (long long)n, (long long)n, (long long)threads, (long long)bins,
           (long long)(threads * bins));
    return EXIT_DONE;
}
