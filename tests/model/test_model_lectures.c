// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with kernels of the lectures where no access shows it: what the compiler refuses,
// by line; a result that is never stored; and the interleavings of an increment without atomics.
// The others are in tests/kernels/hazards/lectures.cu.
#include "tests/support/model_check.h"

#include <stdio.h>
#include <string.h>

static void test_refused(void)
{
    static const struct {
        const char *text, *line, *says;
    } rows[] = {
        // two names for one array
        {"extern \"C\" __global__ void histo_kernel(unsigned *histo)\n"
         "{\n"
         "    __shared__ unsigned histo_private[7];\n"
         "    if (threadIdx.x < 7) histo_private[threadIdx.x] = 0;\n"
         "    __syncthreads();\n"
         "    if (threadIdx.x < 7) atomicAdd(&histo[threadIdx.x], private_histo[threadIdx.x]);\n"
         "}\n",
         "6", "private_histo"},
        // blockDim for blockDim.x
        {"extern \"C\" __global__ void reduce(int *input)\n"
         "{\n"
         "    __shared__ int partialSum[128];\n"
         "    const unsigned t = threadIdx.x, start = 2 * blockIdx.x * blockDim.x;\n"
         "    partialSum[t] = input[start + t];\n"
         "    partialSum[blockDim + t] = input[start + blockDim.x + t];\n"
         "    __syncthreads();\n"
         "    input[t] = partialSum[t];\n"
         "}\n",
         "6", "+"},
        // __restrict__ before the star
        {"extern \"C\" __global__ void convolution_2D_kernel(float *P,\n"
         "    float *N, int height, int width, int channels,\n"
         "    const float __restrict__ *M)\n"
         "{\n"
         "    P[threadIdx.x] = M[threadIdx.x] * N[threadIdx.x];\n"
         "}\n",
         "3", "restrict"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char at[40];
        hd_model *model = model_open(NULL);
        hd_model_module *module = NULL;
        const hd_model_load_options options = {.name = "lecture.cu"};
        MODEL_FAILS(model, HD_ERROR_COMPILE,
                    hd_model_load_text(model, rows[k].text, (int64_t)strlen(rows[k].text), &options,
                                       &module));
        MODEL_SAYS(model, rows[k].says);
        snprintf(at, sizeof at, "lecture.cu(%s)", rows[k].line); // NVRTC's way
        const bool nvrtc = strstr(hd_model_error(model), at) != NULL;
        snprintf(at, sizeof at, "lecture.cu:%s:", rows[k].line); // clang's
        CHECK(nvrtc || strstr(hd_model_error(model), at) != NULL, "line %s: %s", rows[k].line,
              hd_model_error(model));
        hd_model_close(model);
    }
}

// The sum is never stored, and the compiler drops all of it: the kernel has no effect, and what the
// host reads nobody wrote.
static void test_missing_store(void)
{
    static const char basic[] =
        ".version 8.0\n.target sm_75\n.address_size 64\n"
        ".visible .entry convolution_1D_basic_kernel(.param .u64 N, .param .u64 M, .param .u64 P,"
        " .param .u32 Mask_Width, .param .u32 Width)\n"
        "{\n.loc 1 12 1\nret;\n}\n.file 1 \"lecture.cu\"\n";
    hd_model *model = model_open(NULL);
    const hd_model_module *module = model_load_ptx(model, basic, "lecture.cu");
    const hd_model_report *r = NULL;
    float p[64], n[64] = {0}, m[5] = {0};
    const int five = 5, width = 64;
    const uint64_t N = model_new(model, n, sizeof n), M = model_new(model, m, sizeof m);
    uint64_t P;
    MODEL_OK(model, hd_model_alloc(model, sizeof p, &P));
    MODEL_OK(model, hd_model_launch(model, module, "convolution_1D_basic_kernel",
                                    (hd_model_shape){{1}, {64}, 0},
                                    (const void *[]){&N, &M, &P, &five, &width}, 5, &r));
    CHECK(r->finding_count == 1 && r->findings[0].hazard == HD_HAZARD_UNINITIALISED &&
              r->findings[0].line == 12 && strstr(r->findings[0].text, "stores nothing") != NULL,
          "%d findings, %s", (int)r->finding_count,
          r->finding_count > 0 ? r->findings[0].text : "");
    model_get(model, P, p, sizeof p);
    MODEL_OK(model, hd_model_free(model, N));
    MODEL_OK(model, hd_model_free(model, M));
    MODEL_OK(model, hd_model_check_leaks(model, &r));
    CHECK(r->finding_count == 2, "%d findings", (int)r->finding_count);
    if (r->finding_count == 2) {
        CHECK(strcmp(r->findings[0].text, "the host read 256 bytes of allocation 2, from byte 0 "
                                          "on, which nobody wrote") == 0,
              "%s", r->findings[0].text);
        CHECK(strcmp(r->findings[1].text, "allocation 2 of 256 bytes was never freed") == 0, "%s",
              r->findings[1].text);
    }
    MODEL_OK(model, hd_model_free(model, P));
    hd_model_close(model);
}

// What is stored in shared memory alone is lost as well: the last such store is named.
static void test_shared_store(void)
{
    static const char scan[] =
        ".version 8.0\n.target sm_75\n.address_size 64\n"
        ".visible .entry scan(.param .u64 X, .param .u64 Y)\n{\n"
        ".reg .b32 %r<2>; .reg .b64 %d<3>;\n.shared .align 4 .b8 XY[4];\n"
        "ld.param.u64 %d1, [X];\nld.param.u64 %d2, [Y];\nld.global.u32 %r1, [%d1];\n"
        ".loc 1 7 1\nst.shared.u32 [XY], %r1;\n"
        ".loc 1 9 1\nSTORE\nret;\n}\n.file 1 \"lecture.cu\"\n";
    for (int lasts = 0; lasts < 2; lasts++) {
        char text[sizeof scan + 64];
        const char *hole = strstr(scan, "STORE");
        snprintf(text, sizeof text, "%.*s%s%s", (int)(hole - scan), scan,
                 lasts ? "st.global.u32 [%d2], %r1;" : "st.shared.u32 [XY], %r1;", hole + 5);
        hd_model *model = model_open(NULL);
        const hd_model_module *module = model_load_ptx(model, text, "lecture.cu");
        const hd_model_report *r = NULL;
        int x = 3;
        const uint64_t X = model_new(model, &x, sizeof x), Y = model_new(model, &x, sizeof x);
        MODEL_OK(model, hd_model_launch(model, module, "scan", (hd_model_shape){{1}, {1}, 0},
                                        (const void *[]){&X, &Y}, 2, &r));
        CHECK(r->finding_count == 1 - lasts, "%d findings", (int)r->finding_count);
        if (r->finding_count == 1)
            CHECK(r->findings[0].line == 9 &&
                      strcmp(r->findings[0].text, "scan stores nothing in global memory: whatever "
                                                  "it computes is lost") == 0,
                  "line %d: %s", (int)r->findings[0].line, r->findings[0].text);
        hd_model_close(model);
    }
}

static void test_no_leaks(void)
{
    hd_model *model = model_open(NULL);
    const hd_model_report *r = NULL;
    int x[4] = {0}, y[4];
    const uint64_t a = model_new(model, x, sizeof x);
    model_get(model, a, y, sizeof y);
    MODEL_OK(model, hd_model_free(model, a));
    MODEL_OK(model, hd_model_check_leaks(model, &r));
    CHECK(r->finding_count == 0, "%s", r->findings[0].text);
    hd_model_close(model);
}

// Two threads of two warps, a load, an addition and a store each: one after the other gives 2, both
// orders; one within the other gives 1, whoever begins. Seeds reach all four.
static void test_interleavings(void)
{
    bool seen[4] = {false};
    static const char increment[] =
        ".version 8.0\n.target sm_75\n.address_size 64\n"
        ".visible .entry increment(.param .u64 x)\n{\n"
        ".reg .b32 %r<4>; .reg .b64 %d<2>; .reg .pred %p<2>;\n"
        "mov.u32 %r2, %tid.x;\nand.b32 %r3, %r2, 31;\nsetp.ne.u32 %p1, %r3, 0;\n@%p1 ret;\n"
        "ld.param.u64 %d1, [x];\nld.global.u32 %r1, [%d1];\nadd.s32 %r1, %r1, 1;\n"
        "st.global.u32 [%d1], %r1;\nret;\n}\n";
    for (uint64_t seed = 1; seed <= 400; seed++) {
        hd_model *model =
            model_open(&(hd_model_options){.threads = 1, .seed = seed, .max_events = 8});
        const hd_model_module *module = model_load_ptx(model, increment, "increment.ptx");
        int x = 0;
        const uint64_t at = model_new(model, &x, sizeof x);
        const hd_model_report *r = model_run(model, module, "increment", 1, 64, &at, NULL);
        model_get(model, at, &x, sizeof x);
        CHECK(r->event_count == 4, "%d events", (int)r->event_count);
        const bool apart = r->events[0].thread == r->events[1].thread;
        CHECK(x == (apart ? 2 : 1), "seed %d: %d", (int)seed, x);
        CHECK(r->finding_count > 0 && r->findings[0].hazard == HD_HAZARD_RACE, "seed %d: no race",
              (int)seed);
        seen[2 * !apart + (r->events[0].thread != 0)] = true;
        hd_model_close(model);
    }
    for (int k = 0; k < 4; k++)
        CHECK(seen[k], "no seed gave %d with warp %d first", k < 2 ? 2 : 1, k % 2);
}

int main(void)
{
    if (model_compiles()) test_refused();
    test_missing_store();
    test_shared_store();
    test_no_leaks();
    test_interleavings();
    return check_finish();
}
