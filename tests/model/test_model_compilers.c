// SPDX-License-Identifier: Apache-2.0
//
// NVRTC and clang as the model's compilers: files with host code, instances of templates, errors
// and their lines, and how good the mathematics is, against the host's wider functions. What is not
// here is left out; without both the test is skipped.
#include "tests/support/model_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- Host code in the file ----------------------------------------------------------------------

static int helped(int x)
{
    return x > 5 ? 5 : x;
}

// The text of a line of host.cu in a report.
static void check_text_of(const hd_model_report *r, int32_t line, const char *want)
{
    const char *got = NULL;
    for (int32_t k = 0; k < r->site_count; k++)
        if (r->sites[k].line == line && strstr(r->sites[k].file, "host.cu") != NULL)
            got = r->sites[k].text;
    CHECK(got != NULL && strcmp(got, want) == 0, "line %d: '%s'", (int)line, got ? got : "none");
}

// Lines of our own headers, heddle/hd_math.cuh and the like. Any file may lie in a folder that is
// called heddle, host.cu among them.
static int lines_of_our_headers(const hd_model_report *r)
{
    int count = 0;
    for (int32_t k = 0; k < r->site_count; k++)
        count += r->sites[k].file != NULL && strstr(r->sites[k].file, "heddle/hd_") != NULL;
    return count;
}

static void test_host_code(const char *compiler)
{
    enum { N = 300 };
    int in[N], out[N], last = 0;
    float sums[2], fs[256];
    int64_t bytes = 0;
    uint64_t at = 0;
    hd_model *model = model_open(&(hd_model_options){.threads = 2, .compiler = compiler});
    const hd_model_module *m = model_load(model, "cuda/host.cu");
    for (int k = 0; k < N; k++) in[k] = 7 * k % 101;
    const uint64_t x = model_new(model, in, sizeof in), y = model_new(model, NULL, sizeof out);
    const int n = N;
    const hd_model_report *r = model_run(model, m, "scale", 3, 128, &x, &y, &n, NULL);
    CHECK(model_line(r, "host.cu", 82).warp_instructions > 0, "%s: nothing in line 81", compiler);
    CHECK(model_line(r, "host.cu", 82).global_stores == 10, "%s: stores of line 82", compiler);
    check_text_of(r, 81, "const int t = blockIdx.x * blockDim.x + threadIdx.x; // line 81");
    CHECK(lines_of_our_headers(r) == 0, "%s: lines of our own headers", compiler);
    model_get(model, y, out, sizeof out);
    for (int k = 0; k < N; k++)
        CHECK(out[k] == in[k] * 3 + (k & 3) + 1 + helped(k) + 3, "%s, %d: %d", compiler, k, out[k]);
    MODEL_OK(model, hd_model_variable(model, m, "last", &at, &bytes));
    model_get(model, at, &last, 4);
    CHECK(bytes == 4 && last == N - 1, "%s: last %d", compiler, last);
    // Instances that main launches, by their names.
    for (int k = 0; k < 256; k++) fs[k] = (float)(k % 17);
    const uint64_t f = model_new(model, fs, sizeof fs), s = model_new(model, NULL, 8);
    model_run(model, m, "sum<float,128>", 2, 128, &f, &s, NULL);
    model_get(model, s, sums, sizeof sums);
    for (int b = 0; b < 2; b++) {
        float want = 0;
        for (int k = 0; k < 128; k++) want += fs[128 * b + k];
        CHECK(sums[b] == want, "%s: sum %d is %g, not %g", compiler, b, (double)sums[b],
              (double)want);
    }
    CHECK(hd_model_parameters(m, "sum<int, 128>") == 2, "%s: sum<int, 128>", compiler);
    CHECK(hd_model_parameters(m, "sum<int, 64>") == -1, "%s: sum<int, 64>", compiler);
    CHECK(hd_model_parameter_bytes(m, "inner::fill", 0) == 8, "%s: inner::fill", compiler);
    CHECK(hd_model_parameters(m, "fill") == 3, "%s: fill", compiler);
    hd_model_close(model);
}

static const char instances[] = "template <class T, int N, bool B> __global__ void k(T *x)\n"
                                "{ x[threadIdx.x] = (T)(N + B); }\n"
                                "__global__ void k2(unsigned char a, long b, const short *c) {}\n"
                                "template __global__ void k<char, 1, true>(char *x);\n";

static void test_instances(const char *compiler)
{
    hd_model *model = model_open(&(hd_model_options){.threads = 1, .compiler = compiler});
    hd_model_module *m = NULL;
    hd_model_load_options o = {.instantiate = (const char *const[]){
                                   "k<double, 5, true>", "k<unsigned int,-2,false>", "k2", NULL}};
    MODEL_OK(model, hd_model_load_text(model, instances, sizeof instances - 1, &o, &m));
    const uint64_t x = model_new(model, NULL, 8);
    double d = 0;
    int i = 0;
    model_run(model, m, "k<double,5,true>", 1, 1, &x, NULL);
    model_get(model, x, &d, 8);
    model_run(model, m, "k<unsigned, -2, false>", 1, 1, &x, NULL);
    model_get(model, x, &i, 4);
    CHECK(d == 6 && i == -2, "%s: %g, %d", compiler, d, i);
    CHECK(hd_model_parameters(m, "k2") == 3, "%s: k2", compiler);
    o.instantiate = (const char *const[]){"k<nonsense, 5, true>", NULL};
    MODEL_FAILS(model, HD_ERROR_COMPILE,
                hd_model_load_text(model, instances, sizeof instances - 1, &o, &m));
    MODEL_SAYS(model, "nonsense");
    hd_model_close(model);
}

// ---- Errors -------------------------------------------------------------------------------------

static void test_errors(const char *compiler)
{
    hd_model *model = model_open(&(hd_model_options){.compiler = compiler});
    hd_model_module *m = NULL;
    char path[4096];
    const char *source = getenv("SOURCE");
    snprintf(path, sizeof path, "%s/tests/kernels/cuda/wrong_line.cu", source ? source : ".");
    MODEL_FAILS(model, HD_ERROR_COMPILE, hd_model_load(model, path, NULL, &m));
    MODEL_SAYS(model, strcmp(compiler, "clang") == 0 ? "wrong_line.cu:11:" : "wrong_line.cu(11)");
    MODEL_SAYS(model, "undefined_name");
    static const char text[] = "#include <somewhere/else.h>\n__global__ void k(gone *x) {}\n";
    MODEL_FAILS(model, HD_ERROR_COMPILE,
                hd_model_load_text(model, text, sizeof text - 1, NULL, &m));
    MODEL_SAYS(model, "not found and are taken as empty: <somewhere/else.h>");
    static const char *const odd[] = {"",           "}",          "{",
                                      "(",          "#include",   "#include \"",
                                      "/*",         "\"",         "'",
                                      "__global__", "template <", "class {",
                                      "struct x",   "R\"(",       "#if 1\n#else\n",
                                      "x = {",      "a::b(",      "enum {",
                                      "\\",         "#"};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
        const hd_status status =
            hd_model_load_text(model, odd[k], (int64_t)strlen(odd[k]), NULL, &m);
        CHECK(status == HD_OK || status == HD_ERROR_COMPILE, "%s: '%s': %s", compiler, odd[k],
              hd_model_error(model));
    }
    hd_model_close(model);
}

static void test_absent(void)
{
    static const char text[] = "__global__ void k() {}\n";
    hd_model_module *m = NULL;
    hd_model *model = model_open(&(hd_model_options){.compiler = "clang"});
    setenv("HEDDLE_MODEL_CLANG", "/not/here/clang", 1);
    MODEL_FAILS(model, HD_ERROR_BACKEND,
                hd_model_load_text(model, text, sizeof text - 1, NULL, &m));
    MODEL_SAYS(model, "clang is not here");
    setenv("HEDDLE_MODEL_CLANG", "/bin/false", 1);
    MODEL_FAILS(model, HD_ERROR_COMPILE,
                hd_model_load_text(model, text, sizeof text - 1, NULL, &m));
    unsetenv("HEDDLE_MODEL_CLANG");
    hd_model_close(model);
    model = model_open(&(hd_model_options){.compiler = "gcc"});
    MODEL_FAILS(model, HD_ERROR_ARGUMENT,
                hd_model_load_text(model, text, sizeof text - 1, NULL, &m));
    MODEL_SAYS(model, "expected nvrtc or clang");
    hd_model_close(model);
}

// ---- Mathematics --------------------------------------------------------------------------------

// Rows of cuda/functions.cu: the function in a wider type, and how far the result may be off, in
// units of its last place: of clang's header (1 where it says 0 or 1; the host's functions 1 to 2),
// and of CUDA, as its manual has it.
typedef struct row {
    const char *name;
    long double (*one)(long double);
    long double (*two)(long double, long double);
    int way; // 0: x, 1: y, 2: |x|, 3: |x| + 1, 4: x and y, 5: |x| and y
    double ulp, cuda_ulp;
} row;

static long double ten_to(long double x)
{
    return powl(10, x);
}

static long double reciprocal_root(long double x)
{
    return 1 / sqrtl(x);
}

static long double times_8(long double x)
{
    return 8 * x;
}

static long double of_pi(long double x)
{
    return sinl(3.14159265358979323846264338327950288L * x);
}

static long double cosine_of_pi(long double x)
{
    return cosl(3.14159265358979323846264338327950288L * x);
}

static const row rows[] = {
    {"sin", sinl, NULL, 0, 1, 2},
    {"cos", cosl, NULL, 0, 1, 2},
    {"tan", tanl, NULL, 0, 2, 4},
    {"asin", asinl, NULL, 1, 1, 2},
    {"acos", acosl, NULL, 1, 1, 2},
    {"atan", atanl, NULL, 0, 1, 2},
    {"sinh", sinhl, NULL, 0, 2, 3},
    {"cosh", coshl, NULL, 0, 2, 2},
    {"tanh", tanhl, NULL, 0, 3, 2},
    {"asinh", asinhl, NULL, 0, 3, 3},
    {"acosh", acoshl, NULL, 3, 3, 4},
    {"atanh", atanhl, NULL, 1, 3, 3},
    {"exp", expl, NULL, 0, 1.5, 2},
    {"exp2", exp2l, NULL, 0, 1, 2},
    {"exp10", ten_to, NULL, 1, 2, 2},
    {"expm1", expm1l, NULL, 0, 2, 2},
    {"log", logl, NULL, 2, 1, 1},
    {"log2", log2l, NULL, 2, 1, 2},
    {"log10", log10l, NULL, 2, 2, 3},
    {"log1p", log1pl, NULL, 2, 1.5, 1},
    {"cbrt", cbrtl, NULL, 0, 4, 1},
    {"erf", erfl, NULL, 0, 1.5, 2},
    {"erfc", erfcl, NULL, 0, 4, 5},
    {"sqrt", sqrtl, NULL, 2, 0.5, 0.5},
    {"rsqrt", reciprocal_root, NULL, 2, 2, 2},
    {"pow", NULL, powl, 5, 1.5, 4},
    {"atan2", NULL, atan2l, 4, 1.5, 3},
    {"fmod", NULL, fmodl, 4, 0, 0},
    {"hypot", NULL, hypotl, 4, 1.5, 3},
    {"remainder", NULL, remainderl, 4, 0, 0},
    {"floor", floorl, NULL, 0, 0, 0},
    {"ceil", ceill, NULL, 0, 0, 0},
    {"trunc", truncl, NULL, 0, 0, 0},
    {"rint", rintl, NULL, 0, 0, 0},
    {"round", roundl, NULL, 0, 0, 0},
    {"fdim", NULL, fdiml, 4, 0.5, 0.5},
    {"ldexp", times_8, NULL, 0, 0, 0},
    {"scalbn", NULL, NULL, 0, 0.5, 0.5},
    {"sinpi", of_pi, NULL, 1, 2, 2},
    {"cospi", cosine_of_pi, NULL, 1, 2, 2},
};
enum { ROWS = sizeof rows / sizeof *rows, COUNT = 512 };

static long double expected(const row *r, double x, double y, bool narrow)
{
    const long double a = r->way == 1   ? y
                          : r->way == 2 ? fabs(x)
                          : r->way == 3 ? (narrow ? (double)(fabsf((float)x) + 1) : fabs(x) + 1)
                          : r->way == 5 ? fabs(x)
                                        : x;
    if (r->two != NULL) return r->two(a, (long double)y);
    if (r->one == NULL) return ldexpl(x, narrow ? -150 : -1060);
    return r->one(a);
}

// The distance of two numbers of the narrow or wide type, in units of the last place there.
static double distance(double got, long double want, bool narrow)
{
    const double rounded = narrow ? (double)(float)want : (double)want;
    if (isnan(rounded) || isnan(got)) return isnan(rounded) && isnan(got) ? 0 : 1e9;
    if (got == rounded) return got == want ? 0 : 0.5;
    if (isinf(rounded) || isinf(got)) return 1e9;
    const double least = narrow ? 0x1p-126 : 0x1p-1022, size = fabs(rounded);
    const double unit = ldexp(1, ilogb(size > least ? size : least) - (narrow ? 23 : 52));
    return (double)(fabsl(want - (long double)got) / (long double)unit);
}

// Ordinary values, large and small ones, and the ends.
static double sample(int k, uint64_t *state)
{
    static const double special[] = {0,    -0.0,   1,     -1,   0.5,    3,      -2.5, 88.7,
                                     -103, 89.5,   -87.5, 1e-3, 1e-30,  1e-40,  1e30, 710,
                                     -745, 0.0625, 1e9,   1e15, 123456, -1e-10, 2,    10};
    const double unit = (double)(check_next(state) >> 11) * 0x1p-53;
    if (k < (int)(sizeof special / sizeof *special)) return special[k];
    return k % 3 == 0 ? 20 * unit - 10 : k % 3 == 1 ? 200 * unit - 100 : ldexp(unit, k % 60 - 30);
}

static void test_mathematics(const char *compiler, bool narrow)
{
    static double x[COUNT], y[COUNT], out[ROWS][COUNT];
    static float fx[COUNT], fy[COUNT], fout[ROWS][COUNT];
    const bool nvrtc = strcmp(compiler, "nvrtc") == 0;
    uint64_t state = check_seed();
    hd_model *model = model_open(&(hd_model_options){.threads = 2, .compiler = compiler});
    const hd_model_module *m = model_load(model, "cuda/functions.cu");
    for (int k = 0; k < COUNT; k++) {
        fx[k] = (float)sample(k, &state), x[k] = narrow ? (double)fx[k] : sample(k, &state);
        y[k] = (double)(check_next(&state) >> 40) * 0x1p-23 - 1;
        if (y[k] == 0) y[k] = 0.25;
        fy[k] = (float)y[k]; // exact
    }
    const uint64_t a = narrow ? model_new(model, fx, sizeof fx) : model_new(model, x, sizeof x);
    const uint64_t b = narrow ? model_new(model, fy, sizeof fy) : model_new(model, y, sizeof y);
    const uint64_t to = model_new(model, NULL, sizeof out);
    const int n = COUNT;
    model_run(model, m, narrow ? "floats" : "doubles", COUNT / 128, 128, &a, &b, &to, &n, NULL);
    if (narrow)
        model_get(model, to, fout, sizeof fout);
    else
        model_get(model, to, out, sizeof out);
    for (int row = 0; row < ROWS; row++) {
        const double most = nvrtc ? rows[row].cuda_ulp + 0.5 : rows[row].ulp;
        for (int k = 0; k < COUNT; k++) {
            const double got = narrow ? (double)fout[row][k] : out[row][k];
            const long double want = expected(&rows[row], x[k], y[k], narrow);
            const double off = distance(got, want, narrow);
            CHECK(off <= most, "%s, %s%s of %a, %a: %a, expected %La, off by %g", compiler,
                  rows[row].name, narrow ? "f" : "", x[k], y[k], got, want, off);
        }
    }
    hd_model_close(model);
}

int main(void)
{
    static const char *const compilers[] = {"nvrtc", "clang"};
    int here = 0;
    setenv("HEDDLE_CACHE_DIR", "none", 1); // they are what is tested
    for (int k = 0; k < 2; k++) {
        if (!model_compiles_by(compilers[k])) {
            printf("%s is not here: its part is left out\n", compilers[k]);
            continue;
        }
        here++;
        test_host_code(compilers[k]);
        test_instances(compilers[k]);
        test_errors(compilers[k]);
        test_mathematics(compilers[k], true);
        test_mathematics(compilers[k], false);
    }
    if (here == 0) return CHECK_SKIP;
    test_absent();
    return check_finish();
}
