// SPDX-License-Identifier: Apache-2.0
//
// What the model says of wrong kernels, wrong PTX and wrong calls: the exact texts.
#include "tests/support/model_check.h"

#include <stdio.h>
#include <string.h>

static const hd_model_report *launch(hd_model *model, const hd_model_module *module,
                                     const char *kernel, int32_t threads, hd_status expected,
                                     const void *const *arguments, int32_t count)
{
    const hd_model_report *report = NULL;
    const hd_model_shape shape = {{1}, {threads}, 0};
    MODEL_FAILS(model, expected,
                hd_model_launch(model, module, kernel, shape, arguments, count, &report));
    return report;
}

// One finding, with its text, line and how often.
static void check_finding(const hd_model_report *r, hd_model_hazard hazard, const char *text,
                          int line, int64_t times)
{
    CHECK(r->finding_count == 1, "%d findings", (int)r->finding_count);
    if (r->finding_count < 1) return;
    const hd_model_finding *f = &r->findings[0];
    CHECK(f->hazard == (int32_t)hazard && f->line == line && f->times == times,
          "hazard %d, line %d, %lld times: %s", (int)f->hazard, (int)f->line, (long long)f->times,
          f->text);
    CHECK(strcmp(f->text, text) == 0, "\"%s\", expected \"%s\"", f->text, text);
}

static void test_findings(void)
{
    hd_model *model = model_open(&(hd_model_options){.threads = 1});
    const hd_model_module *m = model_load(model, "wrong.ptx");
    char text[200];
    const int n = 40;
    const uint64_t x = model_new(model, NULL, 160), y = model_new(model, NULL, 256);
    check_finding(launch(model, m, "behind", 64, HD_OK, (const void *[]){&x, &n}, 2),
                  HD_HAZARD_OUTSIDE,
                  "thread 40 of block (0,0,0) writes 4 bytes at 0 bytes behind the end of "
                  "allocation 0 (160 bytes)",
                  12, 1);
    check_finding(
        launch(model, m, "nowhere", 32, HD_OK, (const void *[]){&y}, 1), HD_HAZARD_OUTSIDE,
        "thread 0 of block (0,0,0) reads 4 bytes at address 0x10, where nothing is", 17, 1);
    snprintf(text, sizeof text,
             "thread 0 of block (0,0,0) reads 4 bytes at address 0x%llx, which is no multiple of 4",
             (unsigned long long)x + 2);
    check_finding(launch(model, m, "misaligned", 32, HD_OK, (const void *[]){&x, &y}, 2),
                  HD_HAZARD_UNALIGNED, text, 22, 1);
    check_finding(launch(model, m, "shared_behind", 32, HD_OK, (const void *[]){&y}, 1),
                  HD_HAZARD_OUTSIDE,
                  "thread 31 of block (0,0,0) reads 4 bytes at byte 128 of 128 bytes of shared "
                  "memory, index 32 of 'part' (32 elements of 4 bytes in shared memory)",
                  30, 1);
    MODEL_OK(model, hd_model_free(model, x));
    const hd_model_report *r = launch(model, m, "behind", 32, HD_OK, (const void *[]){&x, &n}, 2);
    check_finding(r, HD_HAZARD_OUTSIDE,
                  "thread 0 of block (0,0,0) writes 4 bytes at allocation 0, which was freed", 12,
                  1);
    hd_model_close(model);
}

static void test_failures(void)
{
    hd_model *model = model_open(&(hd_model_options){.threads = 1, .max_steps = 100000});
    const hd_model_module *m = model_load(model, "wrong.ptx");
    const hd_model_module *order = model_load(model, "order.ptx");
    int x[64] = {0};
    x[35] = 5;
    const uint64_t from = model_new(model, x, sizeof x);
    const void *const one[] = {&from};
    launch(model, m, "trapped", 64, HD_ERROR_DEVICE, one, 1);
    MODEL_SAYS(model, "trap in block (0,0,0), thread 35");
    launch(model, m, "asserted", 64, HD_ERROR_DEVICE, one, 1);
    MODEL_SAYS(model, "assertion 'x[threadIdx.x] != 5' failed at wrong.cu:");
    MODEL_SAYS(model, "block (0,0,0), thread 35");
    launch(model, order, "deadlock", 64, HD_ERROR_DEVICE, one, 1);
    MODEL_SAYS(model, "wait at this barrier for threads that never come (0 of 64 threads have "
                      "ended)");
    launch(model, order, "forever", 32, HD_ERROR_DEVICE, one, 1);
    MODEL_SAYS(model, "forever: stopped after ");
    launch(model, m, "bounded", 65, HD_ERROR_ARGUMENT, one, 1);
    MODEL_SAYS(model, "bounded: a block of 65 threads, more than its launch bounds allow (64)");
    launch(model, m, "bounded", 64, HD_OK, one, 1);
    launch(model, m, "bounded", 64, HD_ERROR_ARGUMENT, one, 0);
    MODEL_SAYS(model, "bounded takes 1 arguments, got 0");
    launch(model, m, "bounded", 64, HD_ERROR_ARGUMENT, NULL, 1);
    MODEL_SAYS(model, "bounded: argument 0 is NULL");
    launch(model, m, "nobody", 64, HD_ERROR_ARGUMENT, one, 1);
    MODEL_SAYS(model, "no kernel 'nobody'");
    hd_model_close(model);
}

#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"

static void test_ptx(void)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {HEAD ".visible .entry k()\n{\n.reg .b32 %r<2>;\nfrobnicate.b32 %r1, %r1;\nret;\n}\n",
         "line 7: "},
        {HEAD ".visible .entry k()\n{\n.reg .b32 %r<2>;\nfrobnicate.b32 %r1, %r1;\nret;\n}\n",
         "frobnicate"},
        {HEAD ".visible .entry k()\n{\n.reg .b32 %r<2>;\nadd.s32 %r1, %r7, 1;\nret;\n}\n", "%r7"},
        {HEAD ".visible .entry k()\n{\n.reg .b32 %r<2>;\nbra NOWHERE;\nret;\n}\n", "NOWHERE"},
        {HEAD ".visible .entry k()\n{\n.reg .b32 %r<2>;\nadd.s32 %r1,", "line "},
        {HEAD ".visible .entry k(", "line "},
        {"hello", "line 1: "},
    };
    hd_model *model = model_open(NULL);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        hd_model_module *module = NULL;
        const hd_model_load_options options = {.name = "bad.ptx", .ptx = true};
        MODEL_FAILS(model, HD_ERROR_COMPILE,
                    hd_model_load_text(model, rows[k].text, (int64_t)strlen(rows[k].text), &options,
                                       &module));
        MODEL_SAYS(model, rows[k].says);
        CHECK(module == NULL, "a module of bad text");
    }
    hd_model_close(model);
}

// Shared memory that no multiprocessor has.
static void test_shared(void)
{
    static const char text[] = HEAD ".visible .entry fits()\n{\n.shared .b8 x[49152];\nret;\n}\n"
                                    ".visible .entry own()\n{\n.shared .b8 x[49168];\nret;\n}\n"
                                    ".visible .entry none()\n{\nret;\n}\n";
    static const struct {
        const char *kernel;
        int32_t arch;
        int64_t dynamic;
        const char *says; // NULL: it runs
    } rows[] = {
        {"fits", 75, 0, NULL},
        {"own", 75, 0,
         "own: 49168 bytes of shared memory in variables; at most 49152, more must be dynamic"},
        {"none", 75, 10000, NULL},
        {"none", 75, 17000, "bytes of shared memory a block; sm_75 has 65536"},
        {"none", 90, 180000, NULL},
        {"none", 90, 190000, "bytes of shared memory a block; sm_90 has 232448"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        hd_model *model = model_open(&(hd_model_options){.arch = rows[k].arch});
        const hd_model_module *module = model_load_ptx(model, text, "shared.ptx");
        const hd_model_shape shape = {{1}, {32}, rows[k].dynamic};
        MODEL_FAILS(model, rows[k].says == NULL ? HD_OK : HD_ERROR_ARGUMENT,
                    hd_model_launch(model, module, rows[k].kernel, shape, NULL, 0, NULL));
        if (rows[k].says != NULL) MODEL_SAYS(model, rows[k].says);
        hd_model_close(model);
    }
}

// An index below 0 is told as one, not as 4294967288.
static void test_before(void)
{
    static const char text[] =
        HEAD ".visible .entry before(.param .u64 y)\n{\n.reg .b32 %r<3>; .reg .b64 %d<2>;\n"
             ".shared .align 4 .b8 x[128];\nmov.u32 %r1, x;\nadd.s32 %r1, %r1, -8;\n"
             "st.shared.u32 [x], %r1;\nld.shared.u32 %r2, [%r1];\nld.param.u64 %d1, [y];\n"
             "st.global.u32 [%d1], %r2;\nret;\n}\n";
    hd_model *model = model_open(&(hd_model_options){.threads = 1});
    const hd_model_module *m = model_load_ptx(model, text, "before.ptx");
    const uint64_t y = model_new(model, NULL, 4);
    const hd_model_report *r = launch(model, m, "before", 1, HD_OK, (const void *[]){&y}, 1);
    CHECK(r->finding_count == 1 &&
              strcmp(r->findings[0].text, "thread 0 of block (0,0,0) reads 4 bytes at 8 bytes "
                                          "before the 128 bytes of shared memory, index -2 of "
                                          "'x' (32 elements of 4 bytes in shared memory)") == 0,
          "%s", r->finding_count > 0 ? r->findings[0].text : "nothing");
    hd_model_close(model);
}

// Compilers write quotes, backslashes and bytes beyond ASCII of a file's name with backslashes.
static void test_file_names(void)
{
    static const char text[] =
        HEAD ".visible .entry k(.param .u64 y)\n{\n.reg .b64 %d<2>;\n.loc 1 7 1\n"
             "ld.param.u64 %d1, [y];\nst.global.u64 [%d1], %d1;\nret;\n}\n"
             ".file 1 \"/a folder/it's \\303\\274/\\\"b\\\\c\\\".cu\"\n";
    hd_model *model = model_open(&(hd_model_options){.threads = 1});
    hd_model_module *m = NULL;
    const hd_model_load_options how = {.name = "k.ptx", .ptx = true};
    MODEL_OK(model, hd_model_load_text(model, text, sizeof text - 1, &how, &m));
    const uint64_t y = model_new(model, NULL, 8);
    const hd_model_report *r = launch(model, m, "k", 1, HD_OK, (const void *[]){&y}, 1);
    CHECK(r->site_count == 1 &&
              strcmp(r->sites[0].file, "/a folder/it's \303\274/\"b\\c\".cu") == 0,
          "%d sites, %s", (int)r->site_count, r->site_count > 0 ? r->sites[0].file : "none");
    hd_model_close(model);
}

static void test_calls(void)
{
    hd_model *model = model_open(NULL), *other = NULL;
    uint64_t a = 0;
    char bytes[8] = {0};
    MODEL_FAILS(model, HD_ERROR_ARGUMENT, hd_model_alloc(model, -1, &a));
    MODEL_OK(model, hd_model_alloc(model, 8, &a));
    CHECK(a != 0 && a % 512 == 0, "%llx", (unsigned long long)a);
    MODEL_FAILS(model, HD_ERROR_ARGUMENT, hd_model_write(model, a + 4, bytes, 8));
    MODEL_SAYS(model, "are not in one allocation");
    MODEL_FAILS(model, HD_ERROR_ARGUMENT, hd_model_read(model, 5, bytes, 1));
    MODEL_FAILS(model, HD_ERROR_ARGUMENT, hd_model_read(model, a, NULL, 8));
    MODEL_FAILS(model, HD_ERROR_ARGUMENT, hd_model_fill(model, a, 0, 9));
    MODEL_FAILS(model, HD_ERROR_ARGUMENT, hd_model_free(model, a + 1));
    MODEL_OK(model, hd_model_free(model, a));
    MODEL_FAILS(model, HD_ERROR_ARGUMENT, hd_model_free(model, a));
    MODEL_FAILS(model, HD_ERROR_ARGUMENT, hd_model_write(model, a, bytes, 8));
    MODEL_OK(model, hd_model_free(model, 0));
    MODEL_FAILS(model, HD_ERROR_ARGUMENT, hd_model_load(model, "not/there.ptx", NULL, NULL));
    hd_model_module *module = NULL;
    MODEL_FAILS(model, HD_ERROR_ARGUMENT, hd_model_load(model, "not/there.ptx", NULL, &module));
    MODEL_SAYS(model, "cannot be read");
    MODEL_FAILS(model, HD_ERROR_ARGUMENT, hd_model_variable(model, NULL, "x", &a, NULL));
    CHECK(hd_model_open(&other, &(hd_model_options){.banks = 3}) == HD_ERROR_ARGUMENT, "3 banks");
    MODEL_SAYS(other, "powers of two");
    hd_model_close(other);
    hd_model_close(NULL);
    const hd_model_module *m = model_load(model, "wrong.ptx");
    CHECK(hd_model_parameters(m, "behind") == 2 && hd_model_parameters(m, "nobody") == -1, "count");
    CHECK(hd_model_parameter_bytes(m, "behind", 0) == 8 &&
              hd_model_parameter_bytes(m, "behind", 1) == 4 &&
              hd_model_parameter_bytes(m, "behind", 2) == -1,
          "bytes of parameters");
    CHECK(hd_model_kernel(m, 0) != NULL && hd_model_kernel(m, 99) == NULL, "kernels");
    CHECK(strstr(hd_model_ptx(m), ".entry behind") != NULL, "its PTX");
    CHECK(strcmp(hd_model_hazard_name(HD_HAZARD_RACE), "race") == 0, "a hazard's name");
    hd_model_close(model);
}

int main(void)
{
    test_findings();
    test_failures();
    test_ptx();
    test_shared();
    test_before();
    test_file_names();
    test_calls();
    return check_finish();
}
