// SPDX-License-Identifier: Apache-2.0
//
// Kernels of tests/kernels whose results C computes as well: ways that part and meet, calls, local
// memory, shuffles and votes, atomics, locks, flags, named barriers, printing. From optimised PTX,
// from PTX for debuggers, and from CUDA C where it can be compiled.
#include "tests/support/model_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct setting {
    const char *suffix;
    hd_model_options options;
} setting;

static hd_model_module *load(hd_model *model, const char *stem, const char *suffix)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", stem, suffix);
    return model_load(model, name);
}

// ---- Ways that part and meet --------------------------------------------------------------------

static int branches(const int *x, int *y, int t)
{
    const int v = x[t];
    if (v % 2 == 0) return v % 3 == 0 ? v * 7 + y[t] : v - y[t] * 5;
    return y[t] / (v | 1);
}

static int loops(const int *x, const int *y, int t)
{
    int sum = 0;
    for (int i = 0; i < (x[t] & 31); i++) {
        if (((i ^ x[t]) & 7) == 5) continue;
        for (int j = i; j < 40 && (j * x[t] & 15) != 9; j++) sum += j * y[(t + j) & 63];
        if (sum > 20000) break;
    }
    return sum;
}

static int collatz(int v)
{
    int steps = 0;
    for (; v > 1; steps++) v = v % 2 ? 3 * v + 1 : v / 2;
    return steps;
}

static int choices(int x, int v)
{
    switch (x & 7) {
    case 0: return v + 3;
    case 1: return v * 5 - x;
    case 2: return v - x;
    case 3: return v ^ 0x55;
    case 4: return v << 3;
    case 5: return 1;
    case 6: return ~v;
    default: return 0;
    }
}

static int square_plus(int a, int b)
{
    return a > b ? a * a + b : b * b - a;
}

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int calls(int x, int t)
{
    const int v = square_plus(x & 15, t) + (x & 1 ? fibonacci(x & 7) : 0);
    return v + 1 + (int)(0.25 * t * 2);
}

static int local_arrays(const int *x, int t)
{
    int mine[20], sum = 0;
    for (int k = 0; k < 20; k++) mine[k] = x[(t + k) & 63] + k;
    for (int k = 0; k < 20; k++) {
        const int other = (x[t] + 3 * k) & 15, keep = mine[k];
        mine[k] = mine[other], mine[other] = keep;
    }
    for (int k = 0; k < 20; k++) sum = (int)((unsigned)sum * 31u + (unsigned)mine[k]);
    return sum;
}

static void test_flow(const setting *s, const char *stem)
{
    static const char *const kernels[] = {"branches", "loops", "early_return",
                                          "choices",  "calls", "local_arrays"};
    hd_model *model = model_open(&s->options);
    const hd_model_module *module = load(model, stem, s->suffix);
    uint64_t state = check_seed();
    for (int k = 0; k < 6; k++)
        for (int round = 0; round < 3; round++) {
            int x[64], y[128], got[128];
            for (int t = 0; t < 64; t++) x[t] = (int)check_below(&state, 1000);
            for (int t = 0; t < 128; t++) y[t] = k == 2 ? 0 : (int)check_below(&state, 100);
            const uint64_t from = model_new(model, x, sizeof x), to = model_new(model, y, sizeof y);
            const int n = 50;
            const hd_model_report *r =
                model_run(model, module, kernels[k], 2, 32, &from, &to, k == 2 ? &n : NULL, NULL);
            model_get(model, to, got, sizeof got);
            for (int t = 0; t < 64; t++) {
                const int want = k == 0   ? branches(x, y, t)
                                 : k == 1 ? loops(x, y, t)
                                 : k == 2 ? (t < n ? collatz(x[t]) : 0)
                                 : k == 3 ? choices(x[t], y[t])
                                 : k == 4 ? calls(x[t], t)
                                          : local_arrays(x, t);
                const int g = got[k == 1 ? 64 + t : t];
                CHECK(g == want, "%s of %s%s, x %d, thread %d: %d, expected %d", kernels[k], stem,
                      s->suffix, x[t], t, g, want);
            }
            CHECK(r->finding_count == 0, "%s: %s", kernels[k], r->findings[0].text);
        }
    hd_model_close(model);
}

// ---- Lanes --------------------------------------------------------------------------------------

static void check_lanes(const char *kernel, int part, const uint32_t *got, const uint32_t *want)
{
    for (int t = 0; t < 32; t++)
        CHECK(got[32 * part + t] == want[t], "%s, part %d, lane %d: %x, expected %x", kernel, part,
              t, got[32 * part + t], want[t]);
}

static void test_shuffles(hd_model *model, const hd_model_module *module, const uint32_t *x,
                          uint64_t from)
{
    uint32_t got[192], want[6][32];
    const uint64_t to = model_new(model, NULL, sizeof got);
    model_run(model, module, "shuffles", 1, 32, &from, &to, NULL);
    model_get(model, to, got, sizeof got);
    for (int t = 0; t < 32; t++) {
        want[0][t] = x[(t * 5 + 3) & 31];
        want[1][t] = x[t >= 3 ? t - 3 : t];
        want[2][t] = x[t % 8 + 5 < 8 ? t + 5 : t];
        want[3][t] = x[t ^ 9];
        want[4][t] = x[(t & 16) + 6];
        want[5][t] = x[t ^ 1] + (uint32_t)(t ^ 1);
    }
    for (int k = 0; k < 6; k++) check_lanes("shuffles", k, got, want[k]);
}

static void test_votes(hd_model *model, const hd_model_module *module, const uint32_t *x,
                       uint64_t from)
{
    uint32_t got[224], want[7][32] = {{0}}, odd = 0, two = 0, any = 0, high = 0;
    const uint64_t to = model_new(model, NULL, sizeof got);
    model_run(model, module, "votes", 1, 32, &from, &to, NULL);
    model_get(model, to, got, sizeof got);
    for (int t = 0; t < 32; t++) {
        odd |= (x[t] & 1) << t, two |= (x[t] >> 1 & 1) << t;
        any |= (uint32_t)(x[t] == 1), high |= (x[t] >> 31) << t;
    }
    const bool same = high == 0 || high == ~0u;
    for (int t = 0; t < 32; t++) {
        want[0][t] = odd, want[1][t] = !any, want[2][t] = any;
        for (int l = 0; l < 32; l++) want[3][t] |= (uint32_t)((x[l] & 3) == (x[t] & 3)) << l;
        want[4][t] = same ? ~0u + 1 : 0;
        if (x[t] & 1) want[5][t] = odd, want[6][t] = (uint32_t)__builtin_popcount(odd & two);
    }
    for (int k = 0; k < 7; k++) check_lanes("votes", k, got, want[k]);
}

static void test_partial(hd_model *model, const hd_model_module *module, const uint32_t *x,
                         uint64_t from)
{
    uint32_t got[64], want[2][32];
    const uint64_t to = model_new(model, NULL, sizeof got);
    model_run(model, module, "partial", 1, 32, &from, &to, NULL);
    model_get(model, to, got, sizeof got);
    for (int t = 0; t < 32; t++) {
        want[0][t] = x[t < 16 ? (t < 15 ? t + 1 : t) : (t >= 18 ? t - 2 : t)];
        want[1][t] = 1;
    }
    for (int k = 0; k < 2; k++) check_lanes("partial", k, got, want[k]);
}

static void test_tiles(hd_model *model, const hd_model_module *module, const uint32_t *x,
                       uint64_t from)
{
    uint32_t got[192], want[6][32] = {{0}};
    const uint64_t to = model_new(model, NULL, sizeof got);
    model_run(model, module, "tiles", 1, 32, &from, &to, NULL);
    model_get(model, to, got, sizeof got);
    for (int t = 0; t < 32; t++) {
        const int first = t / 8 * 8;
        want[2][t] = 1;
        for (int l = first; l < first + 8; l++) {
            want[0][t] |= (x[l] & 1) << l;
            want[1][t] |= (x[l] & 15) == 3;
            want[2][t] &= (x[l] & 3) != 0;
            want[3][t] |= (uint32_t)((x[l] & 3) == (x[t] & 3)) << l;
        }
        want[4][t] = x[t ^ 5];
        for (int k = 0; k <= t / 8; k++) {
            want[5][t] <<= 8;
            for (int l = 0; l < 8; l++) want[5][t] |= (x[first + l] >> k & 1) << l;
        }
    }
    for (int k = 0; k < 6; k++) check_lanes("tiles", k, got, want[k]);
}

static void test_lanes(const setting *s)
{
    hd_model *model = model_open(&s->options);
    const hd_model_module *module = load(model, "warp", s->suffix);
    uint64_t state = check_seed();
    for (int round = 0; round < 4; round++) {
        uint32_t x[32];
        for (int t = 0; t < 32; t++) x[t] = (uint32_t)check_next(&state) >> (round % 2 ? 1 : 0);
        if (round == 3) x[5] = 1;
        const uint64_t from = model_new(model, x, sizeof x);
        test_shuffles(model, module, x, from);
        test_votes(model, module, x, from);
        test_partial(model, module, x, from);
        test_tiles(model, module, x, from);
    }
    hd_model_close(model);
}

// ---- Atomics ------------------------------------------------------------------------------------

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static void test_atomics(const setting *s)
{
    enum { N = 512 };
    hd_model *model = model_open(&s->options);
    const hd_model_module *module = load(model, "atomics", s->suffix);
    static int values[N];
    int at[14] = {0}, want[14] = {0}, bins[8] = {0};
    int64_t wide[9] = {0}, wide_want[9] = {0};
    float f = 0;
    double d = 0, sum = 0;
    uint64_t state = check_seed();
    at[4] = -1, want[4] = -1, at[9] = -1, want[9] = -1;
    wide[1] = -1, wide_want[1] = -1, wide[3] = -1, wide_want[3] = -1;
    for (int k = 0; k < N; k++) {
        const int v = values[k] = (int)(check_next(&state) >> 40) - (1 << 23);
        want[0] += v, want[1] -= v, want[2] = MIN(want[2], v), want[3] = MAX(want[3], v);
        want[4] &= v, want[5] |= v, want[6] ^= v;
        want[7] = want[7] >= 100 ? 0 : want[7] + 1;
        want[8] = want[8] == 0 || want[8] > 90 ? 90 : want[8] - 1;
        want[9] = (int)MIN((unsigned)want[9], (unsigned)v);
        want[10] = (int)MAX((unsigned)want[10], (unsigned)v);
        want[11] += 3, want[12] = want[13] = 1;
        const int64_t w = v;
        wide_want[0] += w, wide_want[3] &= w, wide_want[4] |= w, wide_want[5] ^= w;
        wide_want[1] = (int64_t)MIN((uint64_t)wide_want[1], (uint64_t)w);
        wide_want[2] = (int64_t)MAX((uint64_t)wide_want[2], (uint64_t)w);
        wide_want[6] = MIN(wide_want[6], w), wide_want[7] = MAX(wide_want[7], w);
        wide_want[8] += 5;
        sum += v & 255, bins[v & 7]++;
    }
    const uint64_t from = model_new(model, values, sizeof values);
    const uint64_t ints = model_new(model, at, sizeof at),
                   wides = model_new(model, wide, sizeof wide);
    const uint64_t fs = model_new(model, &f, 4), ds = model_new(model, &d, 8);
    const uint64_t counts = model_new(model, NULL, sizeof bins);
    model_run(model, module, "atomics_int", 4, 128, &ints, &from, NULL);
    model_run(model, module, "atomics_wide", 4, 128, &wides, &from, NULL);
    model_run(model, module, "atomics_float", 4, 128, &fs, &ds, &from, NULL);
    model_run(model, module, "histogram", 4, 128, &from, &counts, NULL);
    model_get(model, ints, at, sizeof at);
    model_get(model, wides, wide, sizeof wide);
    model_get(model, fs, &f, 4);
    model_get(model, ds, &d, 8);
    for (int k = 0; k < 14; k++) CHECK(at[k] == want[k], "place %d: %d, not %d", k, at[k], want[k]);
    for (int k = 0; k < 9; k++)
        CHECK(wide[k] == wide_want[k], "wide place %d: %llx, not %llx", k, (long long)wide[k],
              (long long)wide_want[k]);
    CHECK((double)f == sum && d == sum / 4, "%g, %g of %g", (double)f, d, sum);
    int got[8];
    model_get(model, counts, got, sizeof got);
    for (int k = 0; k < 8; k++) CHECK(got[k] == bins[k], "bin %d: %d, not %d", k, got[k], bins[k]);
    hd_model_close(model);
}

// ---- Threads that wait --------------------------------------------------------------------------

static void test_order(const setting *s)
{
    hd_model *model = model_open(&s->options);
    const hd_model_module *module = load(model, "order", s->suffix);
    static const char *const locks[] = {"spin_lock", "spin_inside"};
    for (int k = 0; k < 2; k++) {
        int count = 0;
        const uint64_t lock = model_new(model, NULL, 4), at = model_new(model, NULL, 4);
        model_run(model, module, locks[k], 3, 64, &lock, &at, NULL);
        model_get(model, at, &count, 4);
        CHECK(count == 192, "%s: %d", locks[k], count);
    }
    int sums[40], y[128], x[64], want = 1;
    const uint64_t ticket = model_new(model, NULL, 4), all = model_new(model, NULL, sizeof sums);
    model_run(model, module, "in_order", 40, 32, &ticket, &all, NULL);
    model_get(model, all, sums, sizeof sums);
    for (int k = 0; k < 40; k++) CHECK(sums[k] == (want += k), "block %d: %d", k, sums[k]);
    const uint64_t to = model_new(model, NULL, sizeof y);
    model_run(model, module, "named", 1, 128, &to, NULL);
    model_get(model, to, y, sizeof y);
    for (int t = 0; t < 128; t++)
        CHECK(y[t] == (t ^ 32) * 3 + (t >= 96 ? 1000 + t - 96 : 0), "named, %d: %d", t, y[t]);
    for (int t = 0; t < 64; t++) x[t] = t % 5;
    const uint64_t from = model_new(model, x, sizeof x);
    model_run(model, module, "count_barriers", 1, 64, &from, &to, NULL);
    model_get(model, to, y, sizeof y);
    int odd = 0;
    for (int t = 0; t < 64; t++) odd += x[t] & 1;
    for (int t = 0; t < 64; t++) CHECK(y[t] == odd + 11000, "count, %d: %d", t, y[t]);
    model_run(model, module, "late_barrier", 1, 64, &to, NULL);
    hd_model_close(model);
}

// ---- Printing -----------------------------------------------------------------------------------

static void keep(void *user, const char *text)
{
    strcat(user, text);
}

static void test_print(const setting *s)
{
    char text[1000] = "";
    hd_model_options options = s->options;
    options.print = keep, options.print_user = text;
    hd_model *model = model_open(&options);
    const int n = 2;
    model_run(model, load(model, "wrong", s->suffix), "prints", 1, 32, &n, NULL);
    CHECK(strcmp(text, "0 of many:  0.00 1234567890123 a ff%\n"
                       "1 of many:  0.50 1234567890123 b 100%\n") == 0,
          "%s", text);
    hd_model_close(model);
}

static void run_all(const setting *s)
{
    test_flow(s, "flow");
    test_lanes(s);
    test_atomics(s);
    test_order(s);
    test_print(s);
}

int main(void)
{
    static const setting settings[] = {
        {".ptx", {.threads = 1}},
        {".ptx", {.threads = 2, .seed = 1}},
        {".ptx", {.threads = 5, .seed = 2, .resident = 2}},
        {".ptx", {.threads = 1, .seed = 3, .resident = 1}},
        {".ptx", {.threads = 1, .seed = 4, .checks = HD_MODEL_NONE}},
    };
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        run_all(&settings[k]);
        test_flow(&settings[k], "flow_debug");
    }
    static const char *const compilers[] = {"nvrtc", "clang"};
    for (int k = 0; k < 2; k++)
        if (model_compiles_by(compilers[k]))
            run_all(&(setting){".cu", {.threads = 2, .compiler = compilers[k]}});
        else
            printf("%s is not here: its part is left out\n", compilers[k]);
    return check_finish();
}
