// SPDX-License-Identifier: Apache-2.0
//
// mma and ldmatrix: products of small whole numbers, which every order of adding makes exactly, and
// the errors of forms and shapes that are not known.
#include "core/convert.h"
#include "tests/support/model_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { M = 16, N = 8 };

typedef struct product {
    const char *kernel;
    int k, row; // of a used, and how many a row of a has
    char type;  // h f16, b bf16, t f32, c s8
} product;

static void store(char type, void *at, int i, int value)
{
    switch (type) {
    case 'h': ((uint16_t *)at)[i] = hd__f32_to_f16((float)value); break;
    case 'b': ((uint16_t *)at)[i] = hd__f32_to_bf16((float)value); break;
    case 't': ((float *)at)[i] = (float)value; break;
    default: ((int8_t *)at)[i] = (int8_t)value;
    }
}

static void test_product(hd_model *model, const hd_model_module *module, const product *p)
{
    static float a[M * 32], b[32 * N], c[M * N], got[M * N];
    int va[M][32], vb[32][N];
    uint64_t r = check_seed();
    for (int i = 0; i < M; i++)
        for (int k = 0; k < p->row; k++)
            store(p->type, a, i * p->row + k, va[i][k] = (int)check_below(&r, 17) - 8);
    for (int k = 0; k < p->row; k++)
        for (int j = 0; j < N; j++)
            store(p->type, b, p->type == 'c' ? j * p->row + k : k * N + j,
                  vb[k][j] = (int)check_below(&r, 17) - 8);
    for (int i = 0; i < M * N; i++) c[i] = (float)check_below(&r, 100);
    const uint64_t x = model_new(model, a, sizeof a), y = model_new(model, b, sizeof b);
    const uint64_t z = model_new(model, c, sizeof c), out = model_new(model, NULL, sizeof got);
    const hd_model_report *report =
        model_run(model, module, p->kernel, 1, 32, &x, &y, &z, &out, NULL);
    CHECK(report->finding_count == 0, "%s: %s", p->kernel, report->findings[0].text);
    model_get(model, out, got, sizeof got);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float want = c[i * N + j];
            for (int k = 0; k < p->k; k++) want += (float)(va[i][k] * vb[k][j]);
            CHECK(got[i * N + j] == want, "%s: element %d, %d is %g, expected %g", p->kernel, i, j,
                  got[i * N + j], want);
        }
}

static void test_doubles(hd_model *model, const hd_model_module *module)
{
    double a[8][4], b[4][8], c[8][8], got[8][8];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 4; k++) a[i][k] = 1.0 / (1 + i + 3 * k), b[k][i] = (i - 3) * 0.7 + k;
    for (int i = 0; i < 64; i++) c[i / 8][i % 8] = i * 1e-3;
    const uint64_t x = model_new(model, a, sizeof a), y = model_new(model, b, sizeof b);
    const uint64_t z = model_new(model, c, sizeof c), out = model_new(model, NULL, sizeof got);
    const hd_model_report *r = model_run(model, module, "of_f64", 1, 32, &x, &y, &z, &out, NULL);
    CHECK(r->finding_count == 0, "of_f64: %s", r->findings[0].text);
    model_get(model, out, got, sizeof got);
    for (int i = 0; i < 64; i++) {
        double want = c[i / 8][i % 8];
        for (int k = 0; k < 4; k++) want = fma(a[i / 8][k], b[k][i % 8], want);
        CHECK(got[i / 8][i % 8] == want, "of_f64: element %d is %g, expected %g", i,
              got[i / 8][i % 8], want);
    }
}

static void test_counts(hd_model *model, const hd_model_module *module)
{
    // Rows of 32 bytes: of 8 lanes two each meet on the banks, so that 32 of them take 8 wavefronts
    // where 4 would do. Rows of 16 bytes lie together: 16 lanes take 2.
    const uint64_t x = model_new(model, NULL, 1024), z = model_new(model, NULL, 1024);
    const hd_model_report *r = model_run(model, module, "of_f16", 1, 32, &x, &x, &z, &z, NULL);
    CHECK(r->total.shared_loads == 2, "%lld loads", (long long)r->total.shared_loads);
    // 12 stores of 64 bytes besides.
    CHECK(r->total.wavefronts == 12 + 8 + 2, "%lld wavefronts", (long long)r->total.wavefronts);
}

// By CUDA's mma.h, of every shape: a by rows or columns, b too, sums in f32 or f16, strides wider
// than a row.
static void test_wmma(void)
{
    static const struct {
        const char *kernel;
        int m, n, k;
        char type;
        bool columns;
    } rows[] = {{"wmma_f16", 16, 16, 16, 'h', false},  {"wmma_turned", 16, 16, 16, 'h', true},
                {"wmma_tall", 32, 8, 16, 'h', false},  {"wmma_flat", 8, 32, 16, 'h', false},
                {"wmma_half", 16, 16, 16, 'h', false}, {"wmma_bf16", 16, 16, 16, 'b', false},
                {"wmma_tf32", 16, 16, 8, 't', false},  {"wmma_s8", 16, 16, 16, 'c', false}};
    enum { APART = 40 };
    hd_model *model = model_open(&(hd_model_options){.threads = 1});
    const hd_model_module *module = model_load(model, "wmma.ptx");
    for (size_t t = 0; t < sizeof rows / sizeof *rows; t++) {
        static float a[32 * APART], b[32 * APART], got[32 * 32];
        int va[32][16], vb[16][32];
        const int m = rows[t].m, n = rows[t].n, k = rows[t].k;
        uint64_t r = check_seed();
        memset(a, 0, sizeof a), memset(b, 0, sizeof b);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < k; j++)
                store(rows[t].type, a, rows[t].columns ? j * APART + i : i * APART + j,
                      va[i][j] = (int)check_below(&r, 9) - 4);
        for (int i = 0; i < k; i++)
            for (int j = 0; j < n; j++)
                store(rows[t].type, b, rows[t].columns ? j * APART + i : i * APART + j,
                      vb[i][j] = (int)check_below(&r, 9) - 4);
        const uint64_t x = model_new(model, a, sizeof a), y = model_new(model, b, sizeof b);
        const uint64_t out = model_new(model, NULL, sizeof got);
        const hd_model_report *report =
            model_run(model, module, rows[t].kernel, 1, 32, &x, &y, &out, NULL);
        CHECK(report->finding_count == 0, "%s: %s", rows[t].kernel, report->findings[0].text);
        model_get(model, out, got, sizeof got);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                float want = 1; // what the sums begin with
                for (int q = 0; q < k; q++) want += (float)(va[i][q] * vb[q][j]);
                CHECK(got[i * n + j] == want, "%s: element %d, %d is %g, expected %g",
                      rows[t].kernel, i, j, got[i * n + j], want);
            }
    }
    hd_model_close(model);
}

// The text of one instruction, with registers for it, is loaded and, perhaps, run by half a warp.
static void test_wrong(const char *instruction, const char *error, int threads)
{
    char text[1000];
    hd_model *model = model_open(NULL);
    hd_model_module *module = NULL;
    const hd_model_load_options options = {.name = "wrong.ptx", .ptx = true};
    snprintf(text, sizeof text,
             ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
             ".reg .b32 %%r<9>; .reg .b64 %%d<3>;\n.shared .align 16 .b8 s[1024];\n%s\nret;\n}\n",
             instruction);
    hd_status status = hd_model_load_text(model, text, (int64_t)strlen(text), &options, &module);
    if (status == HD_OK)
        status =
            hd_model_launch(model, module, "k", (hd_model_shape){{1}, {threads}, 0}, NULL, 0, NULL);
    CHECK(status != HD_OK, "%s", instruction);
    MODEL_SAYS(model, error);
    hd_model_close(model);
}

#define PRODUCT_OF(form, d, a, b, c) "mma.sync.aligned." form " " d ", " a ", " b ", " c ";"

int main(void)
{
    static const product products[] = {{"of_f16", 16, 16, 'h'},
                                       {"of_bf16", 16, 16, 'b'},
                                       {"to_f16", 8, 16, 'h'},
                                       {"of_tf32", 8, 8, 't'},
                                       {"of_s8", 32, 32, 'c'}};
    hd_model *model = model_open(&(hd_model_options){.threads = 1});
    const hd_model_module *module = model_load(model, "matrix.ptx");
    for (size_t k = 0; k < sizeof products / sizeof *products; k++)
        test_product(model, module, &products[k]);
    test_counts(model, module);
    test_doubles(model, module);
    hd_model_close(model);
#define FOUR "{%r1,%r2,%r3,%r4}"
#define TWO  "{%r5,%r6}"
    test_wrong(PRODUCT_OF("m16n8k16.row.col.f32.f16.f16.f32", FOUR, FOUR, TWO, FOUR),
               "16 lanes of a warp; all 32 must take part", 16);
    test_wrong(PRODUCT_OF("m16n8k16.row.col.f32.f16.f16.f32", FOUR, TWO, TWO, FOUR),
               "line 8: 'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32': expected 4 values",
               32);
    test_wrong(PRODUCT_OF("m16n8k16.row.row.f32.f16.f16.f32", FOUR, FOUR, TWO, FOUR),
               "the model does not know this form", 32);
    test_wrong(PRODUCT_OF("m16n8k8.row.col.f32.f64.f64.f32", FOUR, FOUR, TWO, FOUR),
               "line 8: 'mma.sync.aligned.m16n8k8.row.col.f32.f64.f64.f32'", 32);
    test_wrong(PRODUCT_OF("m8n8k4.row.col.f64.f64.f64.f64", FOUR, FOUR, TWO, FOUR), "m8n8k4", 32);
    test_wrong("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2}, [s];", "expected 4 values", 32);
    test_wrong("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [s];",
               "8 lanes of a warp; all 32 must take part", 8);
    test_wrong("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1}, [s];",
               "line 8: 'wmma.load.a.sync.aligned.row.m16n16k16.shared.f16': expected 8 values",
               32);
    test_wrong("wmma.load.a.sync.aligned.row.m8n8k4.shared.f64 {%d1}, [s];",
               "line 8: 'wmma.load.a.sync.aligned.row.m8n8k4.shared.f64': the model does not", 32);
    test_wrong("ld.shared %r1, [s];", "line 8: 'ld.shared': what is moved has no type", 32);
    test_wrong("wgmma.fence.sync.aligned;", "instruction 'wgmma.fence.sync.aligned' is not known",
               32);
    test_wmma();
    return check_finish();
}
