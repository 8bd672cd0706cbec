// SPDX-License-Identifier: Apache-2.0
//
// The hardware's side of the model against cases counted by hand: occupancy, registers, caches,
// what bounds a kernel. The kernels are those of bench/model and a few lines of PTX.
#include "model/counters/cache.h"
#include "model/counters/occupancy.h"
#include "tests/support/model_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- Occupancy ----------------------------------------------------------------------------------

// Blocks a multiprocessor holds, as the vendor's occupancy calculator gives them.
static void test_occupancy(void)
{
    static const struct {
        int arch, threads, registers, shared, blocks, warps;
        const char *limit;
    } cases[] = {
        {90, 256, 32, 0, 8, 64, "threads"},
        {90, 256, 16, 2048, 8, 64, "threads"},
        {90, 32, 16, 0, 32, 32, "blocks"},
        {90, 1024, 64, 0, 1, 32, "registers"}, // 64 * 32 a warp: 32 warps
        {90, 256, 255, 0, 1, 8, "registers"},
        {90, 256, 40, 0, 6, 48, "registers"},         // 1280 a warp: 12 of each scheduler
        {90, 256, 33, 0, 6, 48, "registers"},         // rounded up to 40
        {90, 128, 32, 49152, 4, 16, "shared memory"}, // 48 + 1 KiB of 228
        {90, 128, 32, 227 * 1024, 1, 4, "shared memory"},
        {90, 128, 32, 228 * 1024, 0, 0, "shared memory"}, // more than a block may have
        {80, 256, 32, 0, 8, 64, "threads"},
        {80, 96, 16, 0, 21, 63, "threads"}, // 3 warps: one place of 64 is left over
        {80, 512, 32, 40 * 1024, 4, 64, "threads"},
        {80, 512, 32, 48 * 1024, 3, 48, "shared memory"},
        {86, 1024, 32, 0, 1, 32, "threads"}, // 1536 threads: two thirds
        {86, 128, 32, 0, 12, 48, "threads"},
        {86, 64, 32, 0, 16, 32, "blocks"},
        {89, 64, 32, 0, 24, 48, "threads"},
        {75, 256, 32, 0, 4, 32, "threads"},
        {75, 1024, 64, 0, 1, 32, "threads"},
        {75, 128, 32, 32 * 1024, 2, 8, "shared memory"}, // nothing is reserved before sm_80
        {70, 128, 64, 0, 8, 32, "registers"},
        {70, 256, 32, 12 * 1024, 8, 64, "threads"},
        {100, 256, 32, 0, 8, 64, "threads"},
        {103, 256, 32, 0, 8, 64, "threads"}, // counts as 100
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const occupancy o =
            hd__model_occupancy(hd__model_architecture(cases[k].arch), cases[k].threads,
                                cases[k].registers, cases[k].shared);
        CHECK(o.blocks == cases[k].blocks && o.warps == cases[k].warps,
              "sm_%d, %d threads, %d registers, %d bytes: %d blocks, %d warps, expected %d, %d",
              cases[k].arch, cases[k].threads, cases[k].registers, cases[k].shared, (int)o.blocks,
              (int)o.warps, cases[k].blocks, cases[k].warps);
        CHECK(strcmp(o.limit, cases[k].limit) == 0, "case %d: limited by %s, expected %s", (int)k,
              o.limit, cases[k].limit);
    }
    CHECK(hd__model_architecture(90)->arch == 90 && hd__model_architecture(95)->arch == 90 &&
              hd__model_architecture(50)->arch == 70,
          "architectures between those of the table");
}

// Every multiprocessor gets blocks, and none two of the first 128.
static void test_places(void)
{
    const architecture *a = hd__model_architecture(90);
    int count[132] = {0}, most = 0, none = 0;
    for (int64_t b = 0; b < 128; b++) {
        const int32_t p = hd__model_multiprocessor_of(a, b);
        CHECK(p >= 0 && p < 132, "block %d on %d", (int)b, (int)p);
        if (++count[p] > most) most = count[p];
    }
    CHECK(most == 1, "%d blocks on one", most);
    for (int64_t b = 128; b < 132 * 8; b++) count[hd__model_multiprocessor_of(a, b)]++;
    for (int p = 0; p < 132; p++) none += count[p] == 0;
    CHECK(none == 0, "%d have none", none);
}

// ---- One cache ----------------------------------------------------------------------------------

static void test_cache(void)
{
    cache c;
    cache_line gone;
    CHECK(hd__model_cache_open(&c, 64 * 1024), "no memory");
    int found = 0;
    for (int round = 0; round < 2; round++)
        for (uint64_t line = 0; line < 64; line++) { // an eighth of it
            if (hd__model_cache_find(&c, line) != NULL)
                found++;
            else
                CHECK(hd__model_cache_put(&c, line, &gone)->here == 0 && gone.tag == 0, "%d",
                      (int)line);
        }
    CHECK(found == 64, "%d found again", found);
    hd__model_cache_drop(&c, 5);
    CHECK(hd__model_cache_find(&c, 5) == NULL && hd__model_cache_find(&c, 6) != NULL,
          "line 5 was taken out");
    found = 0;
    for (int round = 0; round < 2; round++)
        for (uint64_t line = 0; line < 2048; line++) { // four times what it holds
            if (hd__model_cache_find(&c, line) != NULL)
                found += round;
            else
                hd__model_cache_put(&c, line, &gone);
        }
    CHECK(found < 20, "%d of 2048 found again", found);
    hd__model_cache_close(&c);
    CHECK(hd__model_cache_open(&c, 0) && hd__model_cache_find(&c, 1) == NULL &&
              hd__model_cache_put(&c, 1, &gone) == NULL,
          "an empty cache");
    hd__model_cache_close(&c);
}

// ---- Launches -----------------------------------------------------------------------------------

#define HEAD                                                                                       \
    ".version 8.0\n.target sm_70\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 p, .param .u32 rounds)\n{\n"                                    \
    ".reg .pred %q<2>; .reg .b32 %r<9>; .reg .b64 %d<5>;\n"                                        \
    "ld.param.u64 %d1, [p]; ld.param.u32 %r5, [rounds];\n"                                         \
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %ctaid.x;\n"                          \
    "mad.lo.u32 %r4, %r2, %r3, %r1;\n"

// Blocks in one row read all of it, `rounds` times: each thread its word of every round.
static const char reads[] = HEAD "mov.u32 %r8, %nctaid.x; mul.lo.u32 %r8, %r8, %r2;\n"
                                 "ROUND:\n"
                                 "mul.wide.u32 %d2, %r4, 4; add.s64 %d3, %d1, %d2;\n"
                                 "ld.global.u32 %r6, [%d3];\n"
                                 "sub.u32 %r5, %r5, 1; setp.ne.u32 %q1, %r5, 0;\n"
                                 "@%q1 bra ROUND;\nret;\n}\n";

// The same block reads word after word of a buffer: round r its r-th part.
static const char walks[] = HEAD "ROUND:\n"
                                 "mul.wide.u32 %d2, %r4, 4; add.s64 %d3, %d1, %d2;\n"
                                 "ld.global.u32 %r6, [%d3];\n"
                                 "add.u32 %r4, %r4, %r2; and.b32 %r4, %r4, MASK;\n"
                                 "sub.u32 %r5, %r5, 1; setp.ne.u32 %q1, %r5, 0;\n"
                                 "@%q1 bra ROUND;\nret;\n}\n";

static const char writes[] = HEAD "mul.wide.u32 %d2, %r4, 4; add.s64 %d3, %d1, %d2;\n"
                                  "st.global.u32 [%d3], %r4;\nret;\n}\n";

static const char strides[] = HEAD "mul.lo.u32 %r4, %r4, 32;\n"
                                   "mul.wide.u32 %d2, %r4, 4; add.s64 %d3, %d1, %d2;\n"
                                   "ld.global.u32 %r6, [%d3];\nret;\n}\n";

static const char counts_up[] = HEAD "mov.u32 %r6, 1;\n"
                                     "red.global.add.u32 [%d1], %r6;\nret;\n}\n";

// Every lane sends by itself: the address is the same, but not to be seen as such. Words MASK + 1.
#define MEET                                                                                       \
    "and.b32 %r7, %r4, MASK; mul.wide.u32 %d2, %r7, SIZE; add.s64 %d3, %d1, %d2;\n"                \
    "mov.u32 %r6, 1; mov.u64 %d4, 1;\n"

static hd_model_report launch(hd_model_options options, const char *text, int64_t bytes, int blocks,
                              int threads, int32_t rounds)
{
    hd_model *model = model_open(&options);
    const hd_model_module *module = model_load_ptx(model, text, "k.ptx");
    const uint64_t at = model_new(model, NULL, bytes);
    const hd_model_report *r = model_run(model, module, "k", blocks, threads, &at, &rounds, NULL);
    const hd_model_report copy = *r;
    hd_model_close(model);
    return copy;
}

static void expect(const char *what, int64_t got, int64_t low, int64_t high)
{
    CHECK(got >= low && got <= high, "%s: %lld, expected %lld to %lld", what, (long long)got,
          (long long)low, (long long)high);
}

static void test_l1(void)
{
    char text[2048];
    const hd_model_options options = {.arch = 90, .checks = HD_MODEL_CACHES};
    // One block of 256 walks twice over 64 KiB, which its L1 (224 KiB) holds: the second time all
    // is there.
    const char *mask = strstr(walks, "MASK");
    snprintf(text, sizeof text, "%.*s16383%s", (int)(mask - walks), walks, mask + 4);
    hd_model_report r = launch(options, text, 65536, 1, 256, 2 * 64);
    expect("hits of a buffer that fits", r.l1_hits, 2048, 2048);
    expect("misses of it", r.l1_misses, 2048, 2048);
    expect("its bytes of DRAM", r.dram_read, 65536, 65536);
    // 512 KiB are never there still.
    snprintf(text, sizeof text, "%.*s131071%s", (int)(mask - walks), walks, mask + 4);
    r = launch(options, text, 512 * 1024, 1, 256, 2 * 512);
    expect("hits of a buffer that does not fit", r.l1_hits, 0, 1600);
    expect("misses of it in the L2", r.l2_misses, 16384 / 2, 16384);
    expect("its bytes of DRAM", r.dram_read, 512 * 1024, 512 * 1024);
}

// A T4 has 4 MiB of L2.
static void test_l2(void)
{
    const hd_model_options options = {.arch = 75, .checks = HD_MODEL_CACHES};
    const int64_t mib = 1 << 20;
    hd_model_report r = launch(options, writes, 2 * mib, 2048, 256, 1);
    expect("written back of what fits", r.dram_written, 0, mib / 100);
    expect("its bytes to the L2", r.l2_bytes, 2 * mib, 2 * mib);
    r = launch(options, writes, 8 * mib, 8192, 256, 1);
    expect("written back of 8 MiB", r.dram_written, 4 * mib - mib / 8, 4 * mib + mib / 8);
    expect("read for whole sectors", r.dram_read, 0, 0);
    // One word of every line: 64 bytes come, 32 of them through the L1.
    r = launch(options, strides, 4 * mib, 128, 256, 1);
    expect("read for a word of each line", r.dram_read, 2 * mib, 2 * mib);
    expect("bytes to the L1", r.l2_bytes, mib, mib);
}

static void test_l2_rounds(void)
{
    const hd_model_options options = {.arch = 90, .checks = HD_MODEL_CACHES};
    // Every round reads the same words: from the L1 after the first.
    const hd_model_report r = launch(options, reads, 1 << 20, 1024, 256, 3);
    expect("hits of rounds", r.l1_hits, 2 * 32768, 2 * 32768);
    expect("misses of rounds", r.l1_misses, 32768, 32768);
    expect("bytes of rounds", r.dram_read, 1 << 20, 1 << 20);
}

static void test_atomics(void)
{
    const hd_model_options options = {.arch = 90, .checks = HD_MODEL_CACHES};
    const hd_model_report r = launch(options, counts_up, 4, 4096, 256, 1);
    expect("atomics that warps send", r.l2_bytes, 32 * 32768, 32 * 32768);
    CHECK(strcmp(r.bound, "atomics") == 0, "bound by %s", r.bound);
    CHECK(r.predicted_seconds > 20e-6 && r.predicted_seconds < 40e-6, "%g s", r.predicted_seconds);
}

// What an H200 took for 4096 blocks of 256 threads, one atomic each, on so many words (ncu):
// additions of floats to one word take turns of 1.76 ns, integers of 0.73 ns; on many words the
// L2's slices decide, and doubles take twice as long there.
static void test_atomic_times(void)
{
    static const struct {
        const char *what, *size;
        int words;
        double microseconds;
    } cases[] = {
        {"red.global.add.u32 [%d3], %r6", "4", 1, 768.7},
        {"red.global.max.s32 [%d3], %r6", "4", 1, 768.7},
        {"red.global.add.u64 [%d3], %d4", "8", 1, 768.7},
        {"red.global.add.f32 [%d3], 0f3F800000", "4", 1, 1842.6},
        {"red.global.add.f64 [%d3], 0d3FF0000000000000", "8", 1, 1842.7},
        {"atom.global.exch.b32 %r8, [%d3], %r6", "4", 1, 769.1},
        {"atom.global.add.f32 %r8, [%d3], 0f3F800000", "4", 1, 1843.0},
        {"red.global.add.u32 [%d3], %r6", "4", 2, 385.4},
        {"red.global.add.f32 [%d3], 0f3F800000", "4", 2, 922.0},
        {"red.global.add.u32 [%d3], %r6", "4", 32, 81.5},
        {"red.global.add.f32 [%d3], 0f3F800000", "4", 32, 81.7},
        {"red.global.add.u64 [%d3], %d4", "8", 32, 155.0},
        {"red.global.add.f64 [%d3], 0d3FF0000000000000", "8", 32, 308.2},
        {"red.global.add.f32 [%d3], 0f3F800000", "4", 1024, 14.9},
    };
    const hd_model_options options = {.arch = 90, .checks = HD_MODEL_CACHES};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[2048], mask[16];
        snprintf(mask, sizeof mask, "%d", cases[k].words - 1);
        const char *middle = strstr(MEET, "MASK"), *size = strstr(MEET, "SIZE");
        snprintf(text, sizeof text, "%s%.*s%s%.*s%s%s%s;\nret;\n}\n", HEAD, (int)(middle - MEET),
                 MEET, mask, (int)(size - middle) - 4, middle + 4, cases[k].size, size + 4,
                 cases[k].what);
        const hd_model_report r = launch(options, text, 8192, 4096, 256, 1);
        const double ratio = r.predicted_seconds * 1e6 / cases[k].microseconds;
        const double most = cases[k].words <= 2 ? 1.1 : 1.35;
        CHECK(ratio < most && ratio > 1 / most, "%s, %d words: %.1f us, an H200 took %.1f",
              cases[k].what, cases[k].words, r.predicted_seconds * 1e6, cases[k].microseconds);
        CHECK(strcmp(r.bound, "atomics") == 0, "bound by %s", r.bound);
    }
}

// Threads that add by compare and swap, all to one word: what an H200 took (ncu).
static void test_swap_times(void)
{
    static const char text[] =
        HEAD "ld.global.u32 %r6, [%d1];\nAGAIN:\nadd.u32 %r7, %r6, 1;\n"
             "atom.global.cas.b32 %r8, [%d1], %r6, %r7;\nsetp.ne.u32 %q1, %r8, %r6;\n"
             "mov.u32 %r6, %r8;\n@%q1 bra AGAIN;\nret;\n}\n";
    static const char one_try[] =
        HEAD "mov.u32 %r6, 7;\natom.global.cas.b32 %r8, [%d1], %r6, %r4;\nret;\n}\n";
    static const struct {
        int blocks;
        double microseconds;
    } cases[] = {{16, 2609.4}, {32, 8263.8}, {64, 29560.7}, {128, 98887.9}};
    const hd_model_options options = {.arch = 90, .checks = HD_MODEL_CACHES};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const hd_model_report r = launch(options, text, 4, cases[k].blocks, 256, 1);
        const double ratio = r.predicted_seconds * 1e6 / cases[k].microseconds;
        CHECK(ratio > 0.8 && ratio < 1.25, "%d blocks: %.1f us, an H200 took %.1f", cases[k].blocks,
              r.predicted_seconds * 1e6, cases[k].microseconds);
    }
    // Where none succeeds they are atomics as others, each lane by itself.
    const hd_model_report r = launch(options, one_try, 4, 4096, 256, 1);
    CHECK(fabs(r.predicted_seconds * 1e6 / 769.1 - 1) < 0.1, "%.1f us, an H200 took 769.1",
          r.predicted_seconds * 1e6);
}

// Counts do not depend on the host's threads, nor on which blocks it runs at once.
static void test_threads(void)
{
    hd_model_report first = {0};
    for (int threads = 1; threads <= 5; threads += 2) {
        const hd_model_options options = {
            .arch = 75, .checks = HD_MODEL_CACHES, .threads = threads, .resident = 3 * threads};
        const hd_model_report r = launch(options, writes, 8 << 20, 8192, 256, 1);
        if (threads == 1) first = r;
        CHECK(r.dram_written == first.dram_written && r.l2_hits == first.l2_hits &&
                  r.l1_misses == first.l1_misses &&
                  fabs(r.predicted_seconds - first.predicted_seconds) < 1e-12,
              "%d threads: %lld bytes, with one %lld", threads, (long long)r.dram_written,
              (long long)first.dram_written);
    }
}

static void test_without(void)
{
    const hd_model_options options = {.checks = HD_MODEL_NONE};
    const hd_model_report r = launch(options, writes, 1 << 20, 1024, 256, 1);
    CHECK(r.l1_misses == 0 && r.dram_bytes == 0 && r.registers == 0 && r.bound == NULL,
          "nothing was asked for");
}

// ---- Registers ----------------------------------------------------------------------------------

// A program in ptxas' place says what it said.
static void test_ptxas(void)
{
    static const char script[] =
        "#!/bin/sh\necho \"ptxas info    : Compiling entry function 'k' for 'sm_90'\"\n"
        "echo 'ptxas info    : Used 77 registers, used 0 barriers'\n";
    const hd_model_options options = {.arch = 90, .checks = HD_MODEL_CACHES};
    char path[] = "./said_by_ptxas";
    FILE *f = fopen(path, "w");
    CHECK(f != NULL && fputs(script, f) >= 0 && fclose(f) == 0 && chmod(path, 0755) == 0,
          "cannot write %s", path);
    setenv("HEDDLE_PTXAS", path, 1);
    hd_model_report r = launch(options, writes, 1 << 20, 1024, 256, 1);
    CHECK(r.registers == 77, "%d registers", (int)r.registers);
    CHECK(r.resident_blocks == 3 && strcmp(r.occupancy_limit, "registers") == 0 &&
              fabs(r.occupancy - 24.0 / 64) < 1e-12,
          "%d blocks, limited by %s", (int)r.resident_blocks, r.occupancy_limit);
    unlink(path);
    setenv("HEDDLE_PTXAS", "./no_such_program", 1);
    r = launch(options, writes, 1 << 20, 1024, 256, 1);
    CHECK(r.registers < 0 && r.registers > -20, "an estimate: %d", (int)r.registers);
    setenv("HEDDLE_PTXAS", "none", 1);
    r = launch(options, writes, 1 << 20, 1024, 256, 1);
    CHECK(r.registers < 0 && r.resident_blocks == 8, "an estimate: %d", (int)r.registers);
}

// ---- Times --------------------------------------------------------------------------------------

static void test_bounds(void)
{
    const hd_model_options options = {.arch = 90, .checks = HD_MODEL_CACHES};
    // 4 MiB in blocks of 32 threads: the starts of blocks.
    hd_model_report r = launch(options, writes, 4 << 20, 32768, 32, 1);
    CHECK(strcmp(r.bound, "blocks") == 0 && r.block_seconds > r.memory_seconds, "%s", r.bound);
    // The same words many times, out of the L1.
    r = launch(options, reads, 1 << 20, 1024, 256, 200);
    CHECK(strcmp(r.bound, "issue") == 0, "%s", r.bound);
    CHECK(r.predicted_seconds >= r.issue_seconds &&
              r.predicted_seconds < 2 * r.issue_seconds + 9e-6,
          "%g s of which %g", r.predicted_seconds, r.issue_seconds);
    // An H200 moves 4200 GB a second: a chip of an older generation needs longer.
    const hd_model_options older = {.arch = 75, .checks = HD_MODEL_CACHES};
    const hd_model_report slow = launch(older, writes, 16 << 20, 16384, 256, 1);
    r = launch(options, writes, 16 << 20, 16384, 256, 1);
    CHECK(slow.predicted_seconds > r.predicted_seconds, "%g s against %g", slow.predicted_seconds,
          r.predicted_seconds);
    CHECK(strcmp(slow.bound, "memory") == 0, "%s", slow.bound);
    CHECK(r.dram_bytes == r.dram_read + r.dram_written, "bytes of DRAM");
}

int main(void)
{
    setenv("HEDDLE_PTXAS", "none", 1);
    test_occupancy();
    test_places();
    test_cache();
    test_l1();
    test_l2();
    test_l2_rounds();
    test_atomics();
    test_atomic_times();
    test_swap_times();
    test_threads();
    test_without();
    test_ptxas();
    test_bounds();
    return check_finish();
}
