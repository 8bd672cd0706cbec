// SPDX-License-Identifier: Apache-2.0
//
// Single requests of one warp: what the counters of an H200 say of them, by ncu, for the same PTX
// (bench/model/kernels/probes.ptx). The launches are those of bench/model/probes.txt.
#include "tests/support/model_check.h"

#include <stdio.h>
#include <stdlib.h>

static hd_model_counts run(const hd_model_module *module, hd_model *model, const char *kernel,
                           const void *const *arguments, int32_t count)
{
    const hd_model_report *r = NULL;
    MODEL_OK(model, hd_model_launch(model, module, kernel, (hd_model_shape){{1}, {32}, 0},
                                    arguments, count, &r));
    CHECK(r->finding_count == 0, "%s: %s", kernel, r->finding_count > 0 ? r->findings[0].text : "");
    return r->total;
}

// Lanes of `same` add to one word, lanes of `near` to its neighbour, others to sectors of their
// own.
static void test_atomics(hd_model *model, const hd_model_module *module)
{
    static const struct {
        uint32_t same, near;
        int64_t sectors;
    } cases[] = {{0x3, 0, 32},     {0x10001, 0, 32}, {0x7, 0, 32},        {0xff, 0, 32},
                 {0x30003, 0, 32}, {1, 2, 31},       {1, 0x10000, 31},    {3, 0xc, 30},
                 {3, 0x30000, 30}, {3, 0x10, 31},    {0xffffffff, 0, 32}, {0, 0, 32}};
    const uint64_t bins = model_new(model, NULL, 2048), old = model_new(model, NULL, 128);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const void *arguments[] = {&bins, &cases[k].same, &cases[k].near, &old};
        const int64_t words = run(module, model, "red_words", arguments, 3).sectors;
        const int64_t floats = run(module, model, "red_floats", arguments, 3).sectors;
        const int64_t atoms = run(module, model, "atom_words", arguments, 4).sectors;
        CHECK(words == cases[k].sectors && floats == cases[k].sectors &&
                  atoms == cases[k].sectors + 4,
              "same %x, near %x: %lld, %lld, %lld sectors, expected %lld", cases[k].same,
              cases[k].near, (long long)words, (long long)floats, (long long)atoms,
              (long long)cases[k].sectors);
    }
}

// Lane t reads, or adds to, element (t >> shift) * stride + (t & with) of shared memory; what comes
// beside it is 32 wavefronts, for atomics 64.
static void test_shared(hd_model *model, const hd_model_module *module)
{
    static const struct {
        int32_t shift, stride, with;
        int64_t pairs, fours, atomics; // wavefronts; 0: not measured
    } cases[] = {
        {5, 0, 0, 1, 2, 32},   {4, 1, 0, 1, 2, 0},   {3, 1, 0, 1, 2, 0},   {2, 1, 0, 1, 2, 4},
        {1, 1, 0, 1, 2, 2},    {0, 1, 0, 2, 4, 1},   {5, 0, 1, 1, 2, 16},  {5, 0, 2, 1, 2, 0},
        {5, 0, 3, 2, 4, 0},    {5, 0, 4, 1, 2, 0},   {5, 0, 7, 2, 4, 0},   {5, 0, 8, 1, 4, 0},
        {5, 0, 16, 2, 2, 0},   {5, 0, 24, 2, 4, 0},  {0, 2, 0, 4, 8, 2},   {1, 2, 0, 2, 4, 2},
        {1, 16, 0, 16, 16, 0}, {0, 8, 0, 16, 32, 0}, {5, 0, 5, 1, 2, 0},   {4, 8, 1, 1, 2, 0},
        {4, 8, 2, 1, 2, 0},    {4, 16, 3, 2, 4, 0},  {0, 32, 0, 0, 0, 32}, {3, 32, 0, 0, 0, 32},
        {4, 32, 1, 0, 0, 16},
    };
    const uint64_t x = model_new(model, NULL, 4096), y = model_new(model, NULL, 4096);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const void *reads[] = {&x, &y, &cases[k].shift, &cases[k].stride, &cases[k].with};
        const struct {
            const char *kernel;
            int64_t expected, beside;
        } kernels[] = {{"read_pairs", cases[k].pairs, 32},
                       {"read_fours", cases[k].fours, 32},
                       {"add_words", cases[k].atomics, 64}};
        for (int j = 0; j < 3; j++) {
            if (kernels[j].expected == 0) continue;
            const hd_model_counts c =
                run(module, model, kernels[j].kernel, j < 2 ? reads : reads + 1, j < 2 ? 5 : 4);
            CHECK(c.wavefronts == kernels[j].beside + kernels[j].expected,
                  "%s %d %d %d: %lld wavefronts, expected %lld", kernels[j].kernel,
                  (int)cases[k].shift, (int)cases[k].stride, (int)cases[k].with,
                  (long long)(c.wavefronts - kernels[j].beside), (long long)kernels[j].expected);
        }
    }
}

int main(void)
{
    char path[4096];
    const char *source = getenv("SOURCE");
    hd_model *model = model_open(NULL);
    hd_model_module *module = NULL;
    snprintf(path, sizeof path, "%s/bench/model/kernels/probes.ptx", source != NULL ? source : ".");
    MODEL_OK(model, hd_model_load(model, path, NULL, &module));
    if (module != NULL) {
        test_atomics(model, module);
        test_shared(model, module);
    }
    hd_model_close(model);
    return check_finish();
}
