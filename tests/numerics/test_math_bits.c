// SPDX-License-Identifier: Apache-2.0
// compile: -O3 -std=gnu11 -ffp-contract=$<IF:$<C_COMPILER_ID:GNU>,fast,on>
//
// The functions of heddle/math.h in users' functions and operators: the same bits on serial and cpu
// with any instruction set and number of threads, on the model machine with each of its compilers,
// on a GPU, and in kernels of one's own: those whose hashes math.def has.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/math_arguments.h"
#include "tests/support/model_check.h"

enum { N = MATH_ARGUMENTS };

static double x[N], y[N];
static float xf[N], yf[N];

static void fill(void)
{
    for (int k = 0; k < N; k++) {
        x[k] = math_argument(k, 1), y[k] = math_argument(k, 2);
        xf[k] = math_float_argument(k, 1), yf[k] = math_float_argument(k, 2);
    }
}

// ---- On every backend ---------------------------------------------------------------------------

// All functions at once: one kernel for doubles and one for floats. A function's results come out
// by its number.
HD_SOURCE(
    results, typedef struct { double r[17]; } doubles; typedef struct { float r[17]; } floats;
    static inline double more(double v) { return hd_exp(v); })

HD_FUNCTION(all_doubles, doubles, results, (double, v, double, w), {
    doubles d;
    d.r[0] = hd_sqrt(v);
    d.r[1] = hd_cbrt(v);
    d.r[2] = hd_hypot(v, w);
    d.r[3] = more(v);
    d.r[4] = hd_exp2(v);
    d.r[5] = hd_expm1(v);
    d.r[6] = hd_tanh(v);
    d.r[7] = hd_log(v);
    d.r[8] = hd_log2(v);
    d.r[9] = hd_log10(v);
    d.r[10] = hd_log1p(v);
    d.r[11] = hd_pow(v, w);
    d.r[12] = hd_sin(v);
    d.r[13] = hd_cos(v);
    d.r[14] = hd_tan(v);
    d.r[15] = hd_atan(v);
    d.r[16] = hd_atan2(v, w);
    return d;
})

HD_FUNCTION(all_floats, floats, results, (float, v, float, w), {
    floats f;
    f.r[0] = hd_sqrtf(v);
    f.r[1] = hd_cbrtf(v);
    f.r[2] = hd_hypotf(v, w);
    f.r[3] = hd_expf(v);
    f.r[4] = hd_exp2f(v);
    f.r[5] = hd_expm1f(v);
    f.r[6] = hd_tanhf(v);
    f.r[7] = hd_logf(v);
    f.r[8] = hd_log2f(v);
    f.r[9] = hd_log10f(v);
    f.r[10] = hd_log1pf(v);
    f.r[11] = hd_powf(v, w);
    f.r[12] = hd_sinf(v);
    f.r[13] = hd_cosf(v);
    f.r[14] = hd_tanf(v);
    f.r[15] = hd_atanf(v);
    f.r[16] = hd_atan2f(v, w);
    return f;
})

typedef struct row {
    const char *name;
    uint64_t bits, bits_f;
} row;

static const row rows[] = {
#define ONE(name, bound, bits, bits_f) {#name, bits, bits_f},
#define TWO                            ONE
#include "math.def"
#undef ONE
#undef TWO
};

static doubles got[N];
static floats got_f[N];

static void compare(const char *where)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        uint64_t bits = 0, bits_f = 0;
        for (int k = 0; k < N; k++) {
            bits = math_hash(bits, got[k].r[r]);
            bits_f = math_hash(bits_f, (double)got_f[k].r[r]);
        }
        CHECK(bits == rows[r].bits, "hd_%s on %s: hash 0x%016" PRIx64, rows[r].name, where, bits);
        CHECK(bits_f == rows[r].bits_f, "hd_%sf on %s: hash 0x%016" PRIx64, rows[r].name, where,
              bits_f);
    }
}

static void expect(hd_context *ctx, const char *where)
{
    memset(got, 0, sizeof got);
    memset(got_f, 0, sizeof got_f);
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(x, N), all_doubles, HD_VIEW_OF(HD_TYPE(doubles), got, N),
                         &(hd_map_options){.with = HD_VIEWS(HD_VIEW(y, N))}));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(xf, N), all_floats, HD_VIEW_OF(HD_TYPE(floats), got_f, N),
                         &(hd_map_options){.with = HD_VIEWS(HD_VIEW(yf, N))}));
    compare(where);
}

// ---- In operators, and beside kernels that need none of it --------------------------------------

HD_OPERATOR(log_sum, double, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE, {
    const double most = a > b ? a : b;
    const double least = a > b ? b : a;
    return most + hd_log1p(hd_exp(least - most));
})
HD_FUNCTION(logistic, float, HD_NO_SOURCE, (float, v), { return 1.0f / (1.0f + hd_expf(-v)); })
HD_FUNCTION(hd_expfold, float, HD_NO_SOURCE, (float, v), {
    const float hd_exps = v;
    return hd_exps + 1;
})

static void expect_operator(hd_context *ctx, const char *where)
{
    static double z[N], want[N], sums[N];
    hd_context *serial = check_open(HD_SERIAL, 0, NULL);
    float of[2], want_of[2];
    for (int k = 0; k < N; k++) z[k] = (double)((k * 37) % 101) * 0.25 - 10;
    CHECK_OK(serial, hd_scan(serial, HD_VIEW(z, N), log_sum, HD_VIEW(want, N), NULL));
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(z, N), log_sum, HD_VIEW(sums, N), NULL));
    CHECK_SAME(HD_F64, sums, want, N, "a scan of log_sum on %s", where);
    for (int k = 0; k < 2; k++) {
        const hd_reduce_options options = {.map = k == 0 ? logistic : hd_expfold};
        CHECK_OK(serial,
                 hd_reduce(serial, HD_VIEW(xf, 2000), HD_MAX, HD_VIEW(want_of + k, 1), &options));
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(xf, 2000), HD_MAX, HD_VIEW(of + k, 1), &options));
    }
    CHECK_SAME(HD_F32, of, want_of, 2, "reductions of functions on %s", where);
    hd_close(serial);
}

// Whether the text of the kernel that maps a function on the model machine has heddle/math.h in it.
static bool has_text(const hd_function *function)
{
    char file[] = "/tmp/heddle-math-XXXXXX", line[256];
    bool found = false;
    const int made = mkstemp(file);
    CHECK(made >= 0, "a file in /tmp");
    if (made >= 0) close(made);
    setenv("HEDDLE_DUMP_KERNEL", file, 1);
    hd_context *ctx = check_open(HD_MODEL, 0, NULL);
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW(xf, 5), function, HD_VIEW(yf, 5), NULL));
    hd_close(ctx);
    unsetenv("HEDDLE_DUMP_KERNEL");
    FILE *f = fopen(file, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        found = found || strstr(line, "heddle/math.h") != NULL;
    if (f != NULL) fclose(f);
    unlink(file);
    fill();
    return found;
}

// Texts that call none of the functions are what they were without them, and so are their keys on
// disk.
static void test_texts(void)
{
    CHECK(has_text(logistic), "the kernel of hd_expf has no heddle/math.h");
    CHECK(!has_text(hd_expfold), "a kernel without functions of heddle/math.h has its text");
}

static void test_backend(hd_backend which)
{
    hd_context *ctx = check_open(which, 0, NULL);
    expect(ctx, hd_backend_name(which));
    expect_operator(ctx, hd_backend_name(which));
    hd_close(ctx);
}

static void test_host(void)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    for (int t = 0; t < count; t++) {
        expect(targets[t].ctx, targets[t].name);
        expect_operator(targets[t].ctx, targets[t].name);
    }
}

// ---- In kernels of one's own --------------------------------------------------------------------

static void test_kernel(const char *compiler)
{
    hd_model *model = model_open(&(hd_model_options){.compiler = compiler});
    hd_model_module *module = model_load(model, "math.cu");
    const uint64_t a = model_new(model, x, sizeof x), b = model_new(model, y, sizeof y);
    const uint64_t c = model_new(model, xf, sizeof xf), d = model_new(model, yf, sizeof yf);
    const uint64_t out = model_new(model, NULL, sizeof got),
                   out_f = model_new(model, NULL, sizeof got_f);
    const int32_t n = N;
    model_run(model, module, "all_functions", (N + 127) / 128, 128, &a, &b, &c, &d, &out, &out_f,
              &n, NULL);
    model_get(model, out, got, sizeof got);
    model_get(model, out_f, got_f, sizeof got_f);
    compare(compiler);
    hd_model_close(model);
}

int main(void)
{
    static const char *const compilers[] = {"nvrtc", "clang"};
    fill();
    test_host();
    for (int b = HD_CUDA; b <= HD_MODEL; b++)
        if (hd_backend_available((hd_backend)b, NULL)) test_backend((hd_backend)b);
    if (hd_backend_available(HD_MODEL, NULL)) test_texts();
    for (int k = 0; k < 2; k++) {
        if (!model_compiles_by(compilers[k])) continue;
        test_kernel(compilers[k]);
        setenv("HEDDLE_MODEL_COMPILER", compilers[k], 1);
        if (hd_backend_available(HD_MODEL, NULL)) test_backend(HD_MODEL);
        unsetenv("HEDDLE_MODEL_COMPILER");
    }
    return check_finish();
}
