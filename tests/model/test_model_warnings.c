// SPDX-License-Identifier: Apache-2.0
//
// Warnings of the model machine: variables that nobody set, lanes that left the kernel before a
// barrier; each with what must not be warned of. PTX, so that no compiler is needed.
#include "tests/support/model_check.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static hd_model *model;

static const hd_model_report *launch(const hd_model_module *module, const char *kernel, int threads,
                                     uint64_t at, uint32_t n)
{
    return model_run(model, module, kernel, 2, threads, &at, &n, NULL);
}

static void expect(const hd_model_report *r, int32_t count, const char *what)
{
    CHECK(r->warning_count == count, "%s: %d warnings, expected %d: %s", what,
          (int)r->warning_count, (int)count, r->warning_count > 0 ? r->warnings[0].text : "");
    CHECK(r->finding_count == 0, "%s: a warning is no hazard: %s", what,
          r->finding_count > 0 ? r->findings[0].text : "");
}

static void expect_text(const hd_model_report *r, int32_t k, const char *text)
{
    if (k >= r->warning_count) return; // expect has failed
    CHECK(strstr(r->warnings[k].text, text) != NULL, "\"%s\" has no \"%s\"", r->warnings[k].text,
          text);
}

// ---- Variables ----------------------------------------------------------------------------------

#define HEAD ".version 8.0\n.target sm_70\n.address_size 64\n"
#define REGISTERS                                                                                  \
    "(.param .u64 p, .param .u32 n)\n{\n"                                                          \
    ".reg .pred %q<2>; .reg .b32 %r<9>; .reg .b64 %d<5>;\n"                                        \
    "ld.param.u64 %d1, [p]; ld.param.u32 %r5, [n]; mov.u32 %r1, %tid.x;\n"

static const char variables[] = HEAD
    ".const .align 4 .b8 mask[20];\n.const .align 4 .u32 given = 7;\n"
    ".global .align 4 .u32 total;\n.global .align 4 .u32 never;\n"
    ".visible .entry reads" REGISTERS "ld.const.u32 %r2, [mask+4]; ld.const.u32 %r3, [given];\n"
    "add.u32 %r2, %r2, %r3; st.global.u32 [%d1], %r2;\nret;\n}\n"
    ".visible .entry asks" REGISTERS "ld.global.u32 %r2, [total]; st.global.u32 [%d1], %r2;\n"
    "ret;\n}\n"
    ".visible .entry counts" REGISTERS "red.global.add.u32 [total], 1;\nret;\n}\n";

static void test_variables(void)
{
    const hd_model_module *module = model_load_ptx(model, variables, "v.ptx");
    const uint64_t at = model_new(model, NULL, 256);
    uint64_t mask;
    int64_t bytes;
    const hd_model_report *r = launch(module, "reads", 1, at, 0);
    expect(r, 1, "a constant nobody set");
    expect_text(r, 0, "nobody set 'mask' (20 bytes of constant memory): it is all zeros");
    CHECK(r->warning_count == 1 && r->warnings[0].kind == HD_WARNING_UNSET &&
              strcmp(r->warnings[0].variable, "mask") == 0,
          "which variable");
    CHECK(strcmp(hd_model_warning_name(HD_WARNING_UNSET), "unset variable") == 0, "its name");
    // Set in part or whole by the host.
    MODEL_OK(model, hd_model_variable(model, module, "mask", &mask, &bytes));
    MODEL_OK(model, hd_model_fill(model, mask, 0, bytes));
    expect(launch(module, "reads", 1, at, 0), 0, "zeros that the host wrote");
    // A counter that begins at zero is no mistake: a kernel writes it, then and later.
    expect(launch(module, "asks", 1, at, 0), 1, "a total nobody added to");
    expect(launch(module, "counts", 32, at, 0), 0, "a counter");
    expect(launch(module, "asks", 1, at, 0), 0, "a counter that was counted up");
    // Names by number.
    CHECK(strcmp(hd_model_variable_name(module, 0), "mask") == 0 &&
              strcmp(hd_model_variable_name(module, 3), "never") == 0 &&
              hd_model_variable_name(module, 4) == NULL,
          "names of variables");
}

// Compilers leave zeros out of PTX: the source tells which were meant.
static void test_source(void)
{
    static const char source[] = "// __constant__ int plain = 4;\n"
                                 "__constant__ int zeroed[2] = {0}, plain, braced{0};\n"
                                 "namespace in { static __device__ float called(0.0f); }\n"
                                 "__device__ int twice(int x) { int plain2 = x; return plain2; }\n"
                                 "__device__ int plain2[3];\n"
                                 "__global__ void all(int *p, int plain) { plain = 3; }\n";
    static const char text[] =
        HEAD ".file 1 \"initial_values.cu\"\n"
             ".const .align 4 .b8 zeroed[8];\n.const .align 4 .u32 plain;\n"
             ".const .align 4 .u32 braced;\n.global .align 4 .f32 _ZN2in6calledE;\n"
             ".global .align 4 .b8 plain2[12];\n"
             ".visible .entry all" REGISTERS ".loc 1 6 1\n"
             "ld.const.u32 %r2, [zeroed]; ld.const.u32 %r2, [plain];\n"
             "ld.const.u32 %r2, [braced]; ld.global.u32 %r2, [_ZN2in6calledE];\n"
             "ld.global.u32 %r2, [plain2+4]; st.global.u32 [%d1], %r2;\nret;\n}\n";
    FILE *f = fopen("initial_values.cu", "w");
    CHECK(f != NULL && fputs(source, f) >= 0 && fclose(f) == 0, "cannot write the source");
    const hd_model_module *module = model_load_ptx(model, text, "all.ptx");
    const hd_model_report *r = launch(module, "all", 32, model_new(model, NULL, 256), 0);
    expect(r, 2, "initial values");
    expect_text(r, 0, "'plain'");
    expect_text(r, 1, "'plain2'");
    CHECK(r->warning_count == 2 && r->warnings[0].line == 6, "the line of the read");
    unlink("initial_values.cu");
}

// ---- Barriers -----------------------------------------------------------------------------------

// Threads from n on leave, at a branch or at a return, before a barrier or behind it.
static const char barriers[] = HEAD
    ".visible .entry leaves" REGISTERS "setp.ge.u32 %q1, %r1, %r5;\n@%q1 bra DONE;\n"
    "bar.sync 0;\nst.global.u32 [%d1], 1;\nDONE:\nret;\n}\n"
    ".visible .entry returns" REGISTERS "setp.ge.u32 %q1, %r1, %r5;\n@%q1 ret;\n"
    "bar.sync 0;\nbar.sync 0;\nst.global.u32 [%d1], 1;\nret;\n}\n"
    ".visible .entry after" REGISTERS "bar.sync 0;\nsetp.ge.u32 %q1, %r1, %r5;\n@%q1 bra DONE;\n"
    "st.global.u32 [%d1], 1;\nDONE:\nret;\n}\n";

static void test_barriers(void)
{
    const hd_model_module *module = model_load_ptx(model, barriers, "b.ptx");
    const uint64_t at = model_new(model, NULL, 256);
    const hd_model_report *r = launch(module, "leaves", 128, at, 103);
    expect(r, 1, "lanes that leave before a barrier");
    expect_text(r, 0, "lanes 7 to 31 of warp 3 of block (0,0,0) left the kernel at PTX line 9,");
    CHECK(r->warning_count == 1 && r->warnings[0].kind == HD_WARNING_EARLY_EXIT &&
              r->warnings[0].times == 2 && r->warnings[0].variable == NULL,
          "once a barrier, of both blocks");
    r = launch(module, "returns", 64, at, 63);
    expect(r, 2, "a return, two barriers");
    expect_text(r, 0, "lane 31 of warp 1 of block (0,0,0) left the kernel at PTX line");
    expect(launch(module, "leaves", 128, at, 96), 0, "whole warps that leave");
    expect(launch(module, "leaves", 128, at, 128), 0, "nobody leaves");
    expect(launch(module, "leaves", 100, at, 100), 0, "a block whose last warp is not whole");
    expect(launch(module, "after", 64, at, 7), 0, "lanes that leave behind the barrier");
}

// The same on any number of host threads, and nothing where it was not asked for.
static void test_options(void)
{
    const uint32_t checks[] = {HD_MODEL_ALL, HD_MODEL_NONE};
    for (int k = 0; k < 2; k++)
        for (int threads = 1; threads <= 3; threads++) {
            const hd_model_options options = {.threads = threads, .checks = checks[k]};
            hd_model *other = model_open(&options);
            const hd_model_module *b = model_load_ptx(other, barriers, "b.ptx");
            const uint64_t at = model_new(other, NULL, 256);
            const uint32_t n = 33;
            const hd_model_report *r = model_run(other, b, "leaves", 9, 64, &at, &n, NULL);
            CHECK(r->warning_count == (k == 0), "%d warnings", (int)r->warning_count);
            if (r->warning_count == 1)
                CHECK(r->warnings[0].times == 9 &&
                          strstr(r->warnings[0].text, "block (0,0,0)") != NULL,
                      "%d threads: %s", threads, r->warnings[0].text);
            hd_model_close(other);
        }
}

int main(void)
{
    model = model_open(NULL);
    test_variables();
    test_source();
    test_barriers();
    test_options();
    hd_model_close(model);
    return check_finish();
}
