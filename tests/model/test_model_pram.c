// SPDX-License-Identifier: Apache-2.0
//
// Work, time and access rule of kernels, by hand; a rule that is asked for and broken.
#include "tests/support/model_runs.h"

#include <string.h>

static void test_counts(void)
{
    static const char text[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
                               ".visible .entry two_steps()\n{\n"
                               ".reg .b32 %r<3>; .reg .pred %p<2>;\n"
                               "mov.u32 %r1, %tid.x;\n"
                               "setp.ne.u32 %p1, %r1, 0;\n"
                               "bar.sync 0;\n"
                               "@%p1 bra DONE;\n"
                               "add.s32 %r2, %r1, 1;\n"
                               "add.s32 %r2, %r2, 1;\n"
                               "DONE:\nret;\n}\n";
    for (int blocks = 1; blocks <= 5; blocks += 4) {
        hd_model *model = model_open(&(hd_model_options){.checks = HD_MODEL_PRAM});
        const hd_model_module *module = model_load_ptx(model, text, "two_steps.ptx");
        const hd_model_report *r = model_run(model, module, "two_steps", blocks, 64, NULL);
        // Three of each thread; then a branch of 63, two additions of the other, an end of all. The
        // longest thread has 3 in the first step and 3 in the second.
        CHECK(r->work == blocks * (3 * 64 + 63 + 2 + 64), "%d blocks: work %lld", blocks,
              (long long)r->work);
        CHECK(r->work == r->total.thread_instructions, "%lld", (long long)r->work);
        CHECK(r->steps == 6, "%d blocks: time %lld", blocks, (long long)r->steps);
        CHECK(r->rule == 0 && r->finding_count == 0, "rule %d", (int)r->rule);
        hd_model_close(model);
    }
}

static void test_rules(void)
{
    static const struct {
        const char *file, *kernel;
        int blocks, threads, rule;
    } rows[] = {
        {"races", "out_of_place", 4, 64, 0},        // each word is read once
        {"reduce", "reduce_sequential", 2, 256, 0}, // a tree, a barrier a level
        {"reduce", "reduce_modulo", 2, 256, 0},
        {"lectures", "scan_minus", 1, 64, 0},     // Kogge and Stone, two barriers a level
        {"races", "neighbour_waits", 2, 64, 1},   // blocks read the same words
        {"races", "all_agree", 2, 64, 2},         // all write 7
        {"races", "who_wins", 1, 32, 3},          // each writes its own
        {"lectures", "hist_corrected", 4, 64, 3}, // atomics
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int asked = 0; asked <= 4; asked++) {
            char file[40];
            hd_model *model =
                model_open(&(hd_model_options){.checks = HD_MODEL_PRAM, .rule = asked});
            strcat(strcpy(file, rows[k].file), ".ptx");
            const hd_model_module *module = model_load(model, file);
            model_run_line run = {.what = "", .arguments = "xy"};
            strcpy(run.kernel, rows[k].kernel);
            run.blocks = rows[k].blocks, run.threads[0] = rows[k].threads, run.threads[1] = 1;
            const hd_model_report *r = model_run_by_line(model, module, &run);
            CHECK(r->rule == rows[k].rule, "%s: rule %d, expected %d", rows[k].kernel, (int)r->rule,
                  rows[k].rule);
            const bool broken = asked > 0 && rows[k].rule >= asked;
            CHECK((r->finding_count > 0) == broken, "%s: %d findings where rule %d was asked for",
                  rows[k].kernel, (int)r->finding_count, asked);
            for (int f = 0; f < r->finding_count; f++)
                CHECK(r->findings[f].hazard == HD_HAZARD_RULE && r->findings[f].line > 0, "%s",
                      r->findings[f].text);
            hd_model_close(model);
        }
}

// The least of all threads' numbers, by an atomic or by whoever stores last; bytes beside each
// other.
static void test_priority(void)
{
    static const char text[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
                               ".visible .entry least(.param .u64 p)\n{\n"
                               ".reg .b32 %r<3>; .reg .b64 %d<2>;\n"
                               "ld.param.u64 %d1, [p];\n"
                               "mov.u32 %r1, %tid.x;\n"
                               "red.global.min.u32 [%d1], %r1;\n"
                               "ret;\n}\n"
                               ".visible .entry bytes(.param .u64 p)\n{\n"
                               ".reg .b32 %r<3>; .reg .b64 %d<4>;\n"
                               "ld.param.u64 %d1, [p];\n"
                               "mov.u32 %r1, %tid.x;\n"
                               "cvt.u64.u32 %d2, %r1;\n"
                               "add.s64 %d3, %d1, %d2;\n"
                               "st.global.u8 [%d3], %r1;\n"
                               "ret;\n}\n";
    for (int asked = 0; asked <= 5; asked++) {
        hd_model *model = model_open(&(hd_model_options){.checks = HD_MODEL_PRAM, .rule = asked});
        const hd_model_module *module = model_load_ptx(model, text, "least.ptx");
        uint64_t p;
        CHECK(hd_model_alloc(model, 64, &p) == HD_OK && hd_model_fill(model, p, 1, 64) == HD_OK,
              "%s", hd_model_error(model));
        const hd_model_report *r = model_run(model, module, "least", 1, 64, &p, NULL);
        CHECK(r->rule == 4 && (r->finding_count > 0) == (asked > 0 && asked < 5),
              "rule %d, asked %d: %d findings", (int)r->rule, asked, (int)r->finding_count);
        if (asked == 4)
            CHECK(strstr(r->findings[0].text, "priority CRCW, where arbitrary CRCW was asked for"),
                  "%s", r->findings[0].text);
        r = model_run(model, module, "bytes", 1, 64, &p, NULL);
        CHECK(r->rule == 0 && r->finding_count == 0, "bytes: rule %d", (int)r->rule);
        hd_model_close(model);
    }
}

static void test_text(void)
{
    hd_model *model = model_open(&(hd_model_options){.checks = HD_MODEL_PRAM, .rule = 2});
    const hd_model_module *module = model_load(model, "races.ptx");
    const model_run_line run = {
        .kernel = "who_wins", .arguments = "xy", .blocks = 1, .threads = {32, 1}};
    const hd_model_report *r = model_run_by_line(model, module, &run);
    CHECK(r->finding_count == 1 &&
              strcmp(r->findings[0].text,
                     "thread 1 of block (0,0,0) writes byte 4 of allocation 1 in the same step as "
                     "thread 0 of block 0: arbitrary CRCW, where CREW was asked for") == 0,
          "%d findings: %s", (int)r->finding_count,
          r->finding_count > 0 ? r->findings[0].text : "");
    hd_model_close(model);
    hd_model *wrong = NULL;
    CHECK(hd_model_open(&wrong, &(hd_model_options){.rule = 6}) == HD_ERROR_ARGUMENT, "rule 6");
    MODEL_SAYS(wrong, "rule 6; expected 0 to 5");
    hd_model_close(wrong);
}

int main(void)
{
    test_counts();
    test_rules();
    test_priority();
    test_text();
    return check_finish();
}
