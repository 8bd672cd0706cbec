// SPDX-License-Identifier: Apache-2.0
//
// What the detectors keep beside memory: at most 8 bytes for each byte that was allocated and
// touched, by the most pages that a process had at once, with every check on and with none.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/model_check.h"

enum { THREADS = 256 };

// Two arrays and where the second one ends; the number of a thread is in %r4.
#define HEAD                                                                                       \
    ".version 8.0\n.target sm_75\n.address_size 64\n"                                              \
    ".visible .entry turn(.param .u64 p, .param .u64 q, .param .u64 end)\n{\n"                     \
    ".reg .b32 %r<6>; .reg .b64 %d<9>;\n"                                                          \
    "ld.param.u64 %d1, [p];\n"                                                                     \
    "ld.param.u64 %d2, [q];\n"                                                                     \
    "ld.param.u64 %d3, [end];\n"                                                                   \
    "mov.u32 %r1, %tid.x;\n"                                                                       \
    "mov.u32 %r2, %ctaid.x;\n"                                                                     \
    "mov.u32 %r3, %ntid.x;\n"                                                                      \
    "mad.lo.s32 %r4, %r2, %r3, %r1;\n"

// Each thread reads a word and writes another of a second array, as far from it as can be.
static const char words[] = HEAD "mul.wide.u32 %d4, %r4, 4;\n"
                                 "add.s64 %d5, %d1, %d4;\n"
                                 "ld.global.u32 %r5, [%d5];\n"
                                 "sub.s64 %d6, %d3, %d4;\n"
                                 "add.s64 %d7, %d2, %d6;\n"
                                 "st.global.u32 [%d7], %r5;\n"
                                 "ret;\n}\n";

// Each thread has a byte here and there of both arrays, whose words are of several blocks: the
// worst for the detector of races.
static const char scatter[] = HEAD "mul.wide.u32 %d4, %r4, 1234567;\n"
                                   "and.b64 %d4, %d4, %d3;\n"
                                   "add.s64 %d5, %d1, %d4;\n"
                                   "ld.global.u8 %r5, [%d5];\n"
                                   "st.global.u8 [%d5], %r1;\n"
                                   "add.s64 %d7, %d2, %d4;\n"
                                   "st.global.u8 [%d7], %r5;\n"
                                   "ret;\n}\n";

// Runs one, there and back, in a process of its own; the most bytes that one had, or -1.
static int64_t most_bytes(const char *text, int64_t bytes, int width, uint32_t checks)
{
    const pid_t child = fork();
    if (child == 0) {
        hd_model *model = model_open(&(hd_model_options){.threads = 2, .checks = checks});
        const hd_model_module *module = model_load_ptx(model, text, "turn.ptx");
        uint64_t p = model_new(model, NULL, bytes / 2), q;
        const uint64_t end = (uint64_t)(bytes / 2 - (width == 4 ? 4 : 1));
        CHECK(hd_model_alloc(model, bytes / 2, &q) == HD_OK, "%s", hd_model_error(model));
        for (int k = 0; k < 2; k++) {
            const hd_model_report *r =
                model_run(model, module, "turn", (int32_t)(bytes / 2 / width / THREADS), THREADS,
                          k == 0 ? &p : &q, k == 0 ? &q : &p, &end, NULL);
            CHECK(r->finding_count == 0, "%s", r->findings[0].text);
        }
        hd_model_close(model);
        _exit(check_finish());
    }
    int status = 0;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0) return -1;
    return (int64_t)used.ru_maxrss * 1024;
}

// A sanitizer keeps several bytes of its own for each, and what was freed; and takes its time.
#if defined __has_feature
#define HAS(feature) __has_feature(feature)
#else
#define HAS(feature) 0
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || HAS(address_sanitizer) ||       \
    HAS(thread_sanitizer)
enum { MAX = 1024, LESS = 4 };
#else
enum { MAX = 8, LESS = 1 };
#endif

static void check_ratio(const char *text, int megabytes, int width, uint32_t checks)
{
    const int64_t bytes = (int64_t)megabytes << 20;
    const int64_t without = most_bytes(text, bytes, width, HD_MODEL_NONE);
    const int64_t with = most_bytes(text, bytes, width, checks);
    CHECK(without > 0 && with > without, "%lld and %lld bytes", (long long)without,
          (long long)with);
    const double ratio = (double)(with - without) / (double)bytes;
    printf("%.2f bytes are kept for a byte\n", ratio);
    CHECK(ratio > 2 && ratio <= MAX, "%.2f bytes are kept for a byte", ratio);
}

int main(void)
{
    check_ratio(words, 32 / LESS, 4, HD_MODEL_ALL);
    // Requests that are written down for the caches go by what a chip holds at once, not by memory.
    check_ratio(scatter, 4 / LESS, 1, HD_MODEL_ALL & ~(uint32_t)HD_MODEL_CACHES);
    return check_finish();
}
