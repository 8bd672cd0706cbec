// SPDX-License-Identifier: Apache-2.0
//
// A student's file, cuda/course.cu, by both compilers, optimised and not: every kernel's results,
// and that nothing is found in it.
#include "tests/support/model_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Running ------------------------------------------------------------------------------------

typedef struct course {
    hd_model *model;
    const hd_model_module *module;
    const char *how;
    bool optimised;
} course;

static uint64_t new_buffer(const course *c, const void *from, size_t bytes)
{
    void *zeros = calloc(1, bytes);
    const uint64_t at = model_new(c->model, from != NULL ? from : zeros, (int64_t)bytes);
    free(zeros);
    return at;
}

static void run(const course *c, const char *kernel, hd_model_shape shape, const void **args,
                int count)
{
    const hd_model_report *r = NULL;
    const hd_status status = hd_model_launch(c->model, c->module, kernel, shape, args, count, &r);
    CHECK(status == HD_OK, "%s, %s: %s", c->how, kernel, hd_model_error(c->model));
    if (status == HD_OK)
        CHECK(r->finding_count == 0, "%s, %s: %s", c->how, kernel, r->findings[0].text);
}

static void check_ints(const course *c, const char *kernel, uint64_t at, const int *want, int n)
{
    int got[1024];
    model_get(c->model, at, got, n * 4);
    for (int k = 0; k < n; k++)
        CHECK(got[k] == want[k], "%s, %s: element %d is %d, expected %d", c->how, kernel, k, got[k],
              want[k]);
}

static void check_floats(const course *c, const char *kernel, uint64_t at, const double *want,
                         int n, double tolerance)
{
    float got[1024];
    model_get(c->model, at, got, n * 4);
    for (int k = 0; k < n; k++)
        CHECK(fabs((double)got[k] - want[k]) <= tolerance * fmax(1, fabs(want[k])),
              "%s, %s: element %d is %g, expected %g", c->how, kernel, k, (double)got[k], want[k]);
}

static int ints[1024], wanted[1024];
static float floats[1024];
static double reals[1024];

static void fill(void)
{
    for (int k = 0; k < 1024; k++) ints[k] = k, floats[k] = (float)k;
}

// ---- Floats -------------------------------------------------------------------------------------

static void test_matmul(const course *c)
{
    const int n = 20;
    const uint64_t a = new_buffer(c, floats, 1600), b = new_buffer(c, floats, 1600);
    const uint64_t to = new_buffer(c, NULL, 1600);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            reals[i * n + j] = 0;
            for (int k = 0; k < n; k++) reals[i * n + j] += (double)(i * n + k) * (k * n + j);
        }
    run(c, "matmul_tiled", (hd_model_shape){{2, 2}, {16, 16}, 0}, (const void *[]){&a, &b, &to, &n},
        4);
    check_floats(c, "matmul_tiled", to, reals, n * n, 1e-6);
}

static void test_rows(const course *c)
{
    enum { ROWS = 3, N = 50 };
    const int n = N;
    const uint64_t x = new_buffer(c, floats, 600), y = new_buffer(c, NULL, 600);
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;
        for (int i = 0; i < N; i++) sum += exp(i - (N - 1.0));
        for (int i = 0; i < N; i++) reals[r * N + i] = exp(i - (N - 1.0)) / sum;
    }
    run(c, "softmax_rows", (hd_model_shape){{ROWS}, {32}, 128}, (const void *[]){&x, &y, &n}, 3);
    check_floats(c, "softmax_rows", y, reals, ROWS * N, 1e-5);
    const double mean = (N - 1) / 2.0;
    double variance = 0;
    for (int i = 0; i < N; i++) variance += (i - mean) * (i - mean) / N;
    for (int k = 0; k < ROWS * N; k++)
        reals[k] = (k % N - mean) / sqrt(variance + 1e-5) * (k % N) + k % N;
    run(c, "layernorm", (hd_model_shape){{ROWS}, {64}, 0}, (const void *[]){&x, &x, &x, &y, &n}, 5);
    check_floats(c, "layernorm", y, reals, ROWS * N, 1e-4);
}

static void test_small_floats(const course *c)
{
    static const double filter[] = {1, 2, 3, 2, 1};
    const int n = 40;
    const uint64_t x = new_buffer(c, floats, 1600), y = new_buffer(c, NULL, 400);
    for (int i = 0; i < n; i++) {
        reals[i] = 0;
        for (int k = 0; k < 5; k++)
            if (i + k >= 2 && i + k - 2 < n) reals[i] += filter[k] * (i + k - 2);
    }
    run(c, "conv1d", (hd_model_shape){{2}, {32}, 0}, (const void *[]){&x, &y, &n}, 3);
    check_floats(c, "conv1d", y, reals, n, 0);
    for (int k = 0; k < 32; k++) ints[k] = k % 3;
    const uint64_t which = new_buffer(c, ints, 128);
    for (int k = 0; k < 32; k++) reals[k] = k % 3 == 0 ? k + k : k % 3 == 1 ? k * k : k;
    run(c, "apply_ops", (hd_model_shape){{1}, {32}, 0}, (const void *[]){&x, &x, &y, &which}, 4);
    check_floats(c, "apply_ops", y, reals, 32, 0);
    for (int k = 0; k < 32; k++) reals[k] = k % 2 ? k * k : 3 * k * k;
    run(c, "areas", (hd_model_shape){{1}, {32}, 0}, (const void *[]){&y}, 1);
    check_floats(c, "areas", y, reals, 32, 0);
    const int m = 70;
    const float two = 2;
    for (int k = 0; k < m; k++) reals[k] = 3 * k;
    run(c, "with_lambda", (hd_model_shape){{1}, {32}, 0}, (const void *[]){&x, &m, &two}, 3);
    check_floats(c, "with_lambda", x, reals, m, 0);
    struct {
        int n;
        float scale;
        short k;
        double bias;
        float dir[3];
    } p = {10, 2, 3, 0.5, {1, 2, 3}};
    for (int k = 0; k < 10; k++) reals[k] = 2 * k + 5.5;
    run(c, "by_struct", (hd_model_shape){{1}, {32}, 0}, (const void *[]){&p, &y}, 2);
    check_floats(c, "by_struct", y, reals, 10, 0);
    fill();
}

static void test_doubles(const course *c)
{
    double x[64], sum;
    const int n = 64;
    for (int k = 0; k < n; k++) x[k] = k;
    const uint64_t from = new_buffer(c, x, sizeof x), to = new_buffer(c, NULL, 8);
    run(c, "dsum", (hd_model_shape){{1}, {64}, 0}, (const void *[]){&from, &to, &n}, 3);
    // Not optimised, the load of the loop's first guess cannot be told from others.
    if (c->optimised)
        run(c, "dsum_cas", (hd_model_shape){{1}, {64}, 0}, (const void *[]){&from, &to, &n}, 3);
    model_get(c->model, to, &sum, 8);
    CHECK(sum == (c->optimised ? 4032 : 2016), "%s, dsum: %g", c->how, sum);
}

// ---- Integers -----------------------------------------------------------------------------------

static void test_radix(const course *c)
{
    const int n = 200, shift = 4;
    int at = 0;
    for (int k = 0; k < n; k++) ints[k] = k * 7919 % 251;
    for (int k = n; k < 256; k++) ints[k] = -1;
    for (int digit = 0; digit < 16; digit++)
        for (int k = 0; k < 256; k++)
            if ((ints[k] >> shift & 15) == digit) wanted[at++] = ints[k];
    const uint64_t x = new_buffer(c, ints, 800), y = new_buffer(c, NULL, 1024);
    run(c, "radix_pass", (hd_model_shape){{1}, {256}, 0}, (const void *[]){&x, &y, &n, &shift}, 4);
    check_ints(c, "radix_pass", y, wanted, 256);
    fill();
}

static void test_groups(const course *c)
{
    const int n = 1000;
    const uint64_t x = new_buffer(c, ints, 4000), y = new_buffer(c, NULL, 256);
    run(c, "cg_tiles", (hd_model_shape){{1}, {64}, 0}, (const void *[]){&x, &y}, 2);
    for (int t = 0; t < 64; t++) {
        const int sum = 64 * (t / 8) + 28;
        wanted[t] = sum * 1000 + (sum > 100) * 110 + 4 + t / 8 * 1000000;
    }
    check_ints(c, "cg_tiles", y, wanted, 64);
    const uint64_t one = new_buffer(c, NULL, 4), count = new_buffer(c, NULL, 4);
    run(c, "cg_reduce", (hd_model_shape){{3}, {64}, 0}, (const void *[]){&x, &one, &n}, 3);
    check_ints(c, "cg_reduce", one, &(int){499500}, 1);
    int signs[100], kept[49], sum = 0;
    const int m = 100;
    for (int k = 0; k < m; k++) signs[k] = k - 50;
    const uint64_t from = new_buffer(c, signs, sizeof signs), to = new_buffer(c, NULL, sizeof kept);
    run(c, "filter_pos", (hd_model_shape){{2}, {64}, 0}, (const void *[]){&to, &count, &from, &m},
        4);
    check_ints(c, "filter_pos", count, &(int){49}, 1);
    model_get(c->model, to, kept, sizeof kept);
    for (int k = 0; k < 49; k++) sum += kept[k];
    CHECK(sum == 1225, "%s, filter_pos: %d", c->how, sum);
}

static int interpreted(int acc, const int *code, int n, int t)
{
    for (int i = 0; i < n; i++) switch ((code[i] + t) % 9) {
        case 0: acc += 3; break;
        case 1: acc = (int)((unsigned)acc * 2); break;
        case 2: acc -= 7; break;
        case 3: acc ^= 0x55; break;
        case 4: acc = acc > 100 ? acc - 100 : acc + 1; break;
        case 5: acc = (int)((unsigned)acc << 1); break;
        case 6: acc = ~acc; break;
        case 7: acc += acc >> 3; break;
        default: acc = (int)((unsigned)acc * (unsigned)acc) % 1009; break;
        }
    return acc;
}

static void test_calls(const course *c)
{
    int fib[12] = {0, 1};
    const int n = 20;
    for (int k = 2; k < 12; k++) fib[k] = fib[k - 1] + fib[k - 2];
    const uint64_t y = new_buffer(c, NULL, 256);
    for (int t = 0; t < 32; t++) wanted[t] = fib[t % 12];
    run(c, "fibs", (hd_model_shape){{1}, {32}, 0}, (const void *[]){&y}, 1);
    check_ints(c, "fibs", y, wanted, 32);
    for (int t = 0; t < 32; t++) wanted[t] = (1 << t % 6) - 1;
    run(c, "hanois", (hd_model_shape){{1}, {32}, 0}, (const void *[]){&y}, 1);
    check_ints(c, "hanois", y, wanted, 32);
    for (int k = 0; k < n; k++) ints[k] = k * 5 % 11;
    const uint64_t code = new_buffer(c, ints, 80);
    for (int t = 0; t < 64; t++) wanted[t] = interpreted(t, ints, n, t);
    run(c, "interpret", (hd_model_shape){{1}, {64}, 0}, (const void *[]){&code, &y, &n}, 3);
    check_ints(c, "interpret", y, wanted, 64);
    fill();
    const int ten = 10;
    const uint64_t x = new_buffer(c, ints, 120);
    for (int i = 0; i < 10; i++) wanted[i] = 27 * i * i + 18 * i + 5;
    run(c, "dots<int, 3>", (hd_model_shape){{1}, {32}, 0}, (const void *[]){&x, &x, &y, &ten}, 4);
    check_ints(c, "dots", y, wanted, 10);
    run(c, "uses_global", (hd_model_shape){{1}, {1}, 0}, (const void *[]){&y}, 1);
    check_ints(c, "uses_global", y, &(int){42}, 1);
}

static void test_shared(const course *c)
{
    const int n = 64;
    const uint64_t y = new_buffer(c, NULL, 256);
    for (int t = 0; t < n; t++) wanted[t] = 4 * (63 - t) + (63 - t) / 2;
    run(c, "carve", (hd_model_shape){{1}, {64}, 64 * 14}, (const void *[]){&y, &n}, 2);
    check_ints(c, "carve", y, wanted, n);
    for (int k = 0; k < 128; k++) ints[(k * 77 + 5) % 128] = k * 3, wanted[k] = k * 3;
    const uint64_t x = new_buffer(c, ints, 512);
    run(c, "bitonic", (hd_model_shape){{1}, {128}, 512}, (const void *[]){&x}, 1);
    check_ints(c, "bitonic", x, wanted, 128);
    fill();
    const uint64_t z = new_buffer(c, ints, 256);
    for (int t = 0; t < 64; t++) wanted[t] = 5811;
    run(c, "counts", (hd_model_shape){{1}, {64}, 0}, (const void *[]){&z, &y}, 2);
    check_ints(c, "counts", y, wanted, 64);
}

static void test_bytes(const course *c)
{
    enum { W = 30, H = 10, N = W * H };
    const int w = W, h = H, n = N;
    uint8_t colours[3 * N], got[3 * N];
    int bins[256] = {0};
    for (int k = 0; k < 3 * N; k++) colours[k] = (uint8_t)(k * k + 7);
    const uint64_t x = new_buffer(c, colours, sizeof colours), y = new_buffer(c, NULL, N);
    run(c, "grey", (hd_model_shape){{2, 2}, {16, 8}, 0}, (const void *[]){&x, &y, &w, &h}, 4);
    model_get(c->model, y, got, N);
    for (int k = 0; k < N; k++) {
        const uint8_t *p = colours + 3 * k;
        CHECK(got[k] == (p[0] * 21 + p[1] * 72 + p[2] * 7) / 100, "%s, grey: %d", c->how, k);
    }
    const uint64_t to = new_buffer(c, NULL, 1024);
    const int all = 3 * N;
    for (int k = 0; k < all; k++) bins[colours[k]]++;
    run(c, "histo_private", (hd_model_shape){{2}, {64}, 0}, (const void *[]){&x, &to, &all}, 3);
    check_ints(c, "histo_private", to, bins, 256);
    run(c, "invert", (hd_model_shape){{5}, {64}, 0}, (const void *[]){&x, &n}, 2);
    model_get(c->model, x, got, sizeof got);
    for (int k = 0; k < all; k++) CHECK(got[k] == 255 - colours[k], "%s, invert: %d", c->how, k);
}

// ---- All of it ----------------------------------------------------------------------------------

static void test_course(const char *compiler, bool optimised)
{
    char how[40];
    snprintf(how, sizeof how, "%s%s", compiler, optimised ? "" : ", not optimised");
    // The toolkit's groups set fields of bits in memory that nobody wrote, if nothing is optimised.
    const bool bit_fields = !optimised && strcmp(compiler, "nvrtc") == 0;
    hd_model_module *module = NULL;
    char path[4096];
    const char *source = getenv("SOURCE");
    course c = {.how = how, .optimised = optimised};
    c.model = model_open(&(hd_model_options){.threads = 2, .compiler = compiler});
    snprintf(path, sizeof path, "%s/tests/kernels/cuda/course.cu", source != NULL ? source : ".");
    MODEL_OK(c.model,
             hd_model_load(c.model, path, &(hd_model_load_options){.no_optimisation = !optimised},
                           &module));
    c.module = module;
    fill();
    test_matmul(&c);
    test_rows(&c);
    test_small_floats(&c);
    test_doubles(&c);
    test_radix(&c);
    if (!bit_fields) test_groups(&c);
    test_calls(&c);
    test_shared(&c);
    test_bytes(&c);
    hd_model_close(c.model);
}

int main(void)
{
    static const char *const compilers[] = {"nvrtc", "clang"};
    int here = 0;
    for (int k = 0; k < 2; k++) {
        if (!model_compiles_by(compilers[k])) {
            printf("%s is not here: its part is left out\n", compilers[k]);
            continue;
        }
        here++;
        test_course(compilers[k], true);
        if (!check_small()) test_course(compilers[k], false);
    }
    return here == 0 ? CHECK_SKIP : check_finish();
}
