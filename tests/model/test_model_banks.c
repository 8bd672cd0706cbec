// SPDX-License-Identifier: Apache-2.0
//
// Wavefronts of single requests to shared memory, of 1 to 16 bytes a lane: what the counters of an
// H200 say of them (ncu, smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld and _st), for
// the same PTX (bench/model/kernels/banks.ptx). The launches are those of "bench/model/tables.py
// banks".
#include "tests/support/model_check.h"

#include <stdio.h>
#include <stdlib.h>

enum { WIDTHS = 5, STRIDES = 34, RANDOM = 12, BESIDE = 136, NUMBERS = 4096 }; // beside: filling it

static const int widths[WIDTHS] = {8, 16, 32, 64, 128}; // bits

// Lanes 0, 1, 2, ... elements apart.
static const uint8_t strides[2][WIDTHS][STRIDES] = {
    {
        {1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 4,
         2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 8, 1},
        {1, 1, 1, 2, 2, 2, 1, 2, 4, 2, 1, 2, 2, 2, 1, 2,  8,
         2, 1, 2, 2, 2, 1, 2, 4, 2, 1, 2, 2, 2, 1, 2, 16, 1},
        {1, 1, 2, 1, 4, 1, 2, 1, 8, 1, 2, 1, 4, 1, 2, 1,  16,
         1, 2, 1, 4, 1, 2, 1, 8, 1, 2, 1, 4, 1, 2, 1, 32, 1},
        {1, 2, 4, 2, 8, 2, 4, 2,  16, 2, 4, 2, 8, 2, 4, 2,  32,
         2, 4, 2, 8, 2, 4, 2, 16, 2,  4, 2, 8, 2, 4, 2, 32, 2},
        {2, 4, 8, 4,  16, 4, 8, 4,  32, 4, 8, 4,  16, 4, 8, 4,  32,
         4, 8, 4, 16, 4,  8, 4, 32, 4,  8, 4, 16, 4,  8, 4, 32, 4},
    },
    {
        {1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 4,
         2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 8, 1},
        {1, 1, 1, 2, 2, 2, 1, 2, 4, 2, 1, 2, 2, 2, 1, 2,  8,
         2, 1, 2, 2, 2, 1, 2, 4, 2, 1, 2, 2, 2, 1, 2, 16, 1},
        {1, 1, 2, 1, 4, 1, 2, 1, 8, 1, 2, 1, 4, 1, 2, 1,  16,
         1, 2, 1, 4, 1, 2, 1, 8, 1, 2, 1, 4, 1, 2, 1, 32, 1},
        {2, 2, 4, 2, 8, 2, 4, 2,  16, 2, 4, 2, 8, 2, 4, 2,  32,
         2, 4, 2, 8, 2, 4, 2, 16, 2,  4, 2, 8, 2, 4, 2, 32, 2},
        {4, 4, 8, 4,  16, 4, 8, 4,  32, 4, 8, 4,  16, 4, 8, 4,  32,
         4, 8, 4, 16, 4,  8, 4, 32, 4,  8, 4, 16, 4,  8, 4, 32, 4},
    }};

// Anywhere in 16 KiB, then 4 KiB, in turns; the last four with some lanes only. 0: two counters of
// the card differ.
static const uint8_t anywhere[2][WIDTHS][RANDOM] = {{
                                                        {4, 4, 4, 2, 5, 3, 5, 2, 3, 3, 3, 2},
                                                        {3, 4, 3, 3, 4, 2, 4, 4, 3, 2, 2, 3},
                                                        {4, 3, 4, 3, 6, 2, 3, 4, 2, 2, 4, 2},
                                                        {6, 3, 4, 4, 7, 4, 5, 4, 3, 3, 4, 2},
                                                        {10, 11, 13, 8, 12, 12, 11, 10, 5, 0, 9, 3},
                                                    },
                                                    {
                                                        {4, 4, 4, 2, 5, 3, 5, 2, 3, 3, 3, 2},
                                                        {3, 4, 3, 3, 4, 2, 4, 4, 3, 2, 2, 3},
                                                        {4, 3, 4, 3, 6, 2, 3, 4, 2, 2, 4, 2},
                                                        {7, 5, 6, 5, 9, 5, 7, 7, 3, 4, 5, 2},
                                                        {10, 11, 13, 8, 12, 12, 11, 10, 5, 6, 9, 3},
                                                    }};

// Columns of padded tiles: bits, bytes of a row, offset, wavefronts of a read and of a write.
static const int columns[][4] = {
    {16, 66, 0, 1}, {16, 66, 2, 2}, {16, 66, 4, 1}, {16, 66, 6, 2}, {16, 68, 0, 1}, {16, 68, 2, 1},
    {16, 68, 4, 1}, {16, 68, 6, 1}, {8, 33, 0, 1},  {8, 33, 1, 2},  {8, 33, 2, 2},  {8, 33, 3, 2},
    {8, 36, 0, 1},  {8, 36, 1, 1},  {8, 36, 2, 1},  {8, 36, 3, 1},  {8, 65, 0, 2},  {8, 65, 1, 2},
    {8, 65, 2, 2},  {8, 65, 3, 2},  {8, 129, 0, 4}, {8, 129, 1, 4}, {8, 129, 2, 4}, {8, 129, 3, 4}};

static hd_model *model;
static const hd_model_module *module;

typedef struct request {
    int bits, from, scale, stride, offset;
    uint32_t lanes, high;
    int more;
} request;

static uint64_t random_at(uint64_t k)
{
    uint64_t x = (k + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static void fill(uint64_t at, uint64_t limit)
{
    static uint32_t numbers[NUMBERS];
    for (uint64_t k = 0; k < NUMBERS; k++) numbers[k] = (uint32_t)((random_at(k) >> 20) % limit);
    MODEL_OK(model, hd_model_write(model, at, numbers, sizeof numbers));
}

static void expect(int write, const request *q, uint64_t at, uint64_t out, int expected)
{
    char kernel[16];
    const void *arguments[] = {&at,        &out,      &q->from, &q->scale, &q->stride,
                               &q->offset, &q->lanes, &q->high, &q->more};
    const hd_model_report *r = NULL;
    snprintf(kernel, sizeof kernel, "%s_%d", write ? "write" : "read", q->bits);
    MODEL_OK(model, hd_model_launch(model, module, kernel, (hd_model_shape){{1}, {32}, 0},
                                    arguments, 9, &r));
    CHECK(r->total.wavefronts - BESIDE == expected,
          "%s: from %d, stride %d, offset %d, lanes %x: %d wavefronts, an H200 took %d", kernel,
          q->from, q->stride, q->offset, (unsigned)q->lanes, (int)(r->total.wavefronts - BESIDE),
          expected);
    CHECK(r->finding_count == 0, "%s: %s", kernel, r->finding_count > 0 ? r->findings[0].text : "");
}

static void test_strides(uint64_t at, uint64_t out)
{
    for (int write = 0; write < 2; write++)
        for (int w = 0; w < WIDTHS; w++)
            for (int s = 0; s < STRIDES; s++)
                expect(write, &(request){widths[w], 0, 0, s * widths[w] / 8, 0, ~0u, 0, 0}, at, out,
                       strides[write][w][s]);
}

static void test_columns(uint64_t at, uint64_t out)
{
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        for (int write = 0; write < 2; write++)
            expect(write, &(request){columns[k][0], 0, 0, columns[k][1], columns[k][2], ~0u, 0, 0},
                   at, out, columns[k][3]);
}

// Two lanes at two words of one bank: whichever bytes of them, two wavefronts.
static void test_two(uint64_t at, uint64_t out)
{
    static const int others[] = {1, 2, 8, 16, 31};
    for (int w = 0; w < 2; w++)
        for (int k = 0; k < 5; k++)
            for (int a = 0; a < 4; a += widths[w] / 8)
                for (int b = 0; b < 4; b += widths[w] / 8) {
                    const uint32_t other = 1u << others[k];
                    const request q = {widths[w], 0, 0, 0, a, 1 | other, other, 128 + b - a};
                    expect(0, &q, at, out, 2);
                    expect(1, &q, at, out, 2);
                }
}

static void test_anywhere(uint64_t at, uint64_t out)
{
    static const uint32_t some[] = {0x0000ffff, 0x55555555, 0x13579bdf, 0xf00f00f1};
    for (int w = 0; w < WIDTHS; w++)
        for (int k = 0; k < RANDOM; k++) {
            const int bytes = widths[w] / 8;
            const request q = {widths[w], 32 * k, bytes, 0, 0, k < 8 ? ~0u : some[k - 8], 0, 0};
            fill(at, (uint64_t)(k % 2 ? 4096 : 16384) / (uint64_t)bytes);
            for (int write = 0; write < 2; write++)
                if (anywhere[write][w][k] != 0) expect(write, &q, at, out, anywhere[write][w][k]);
        }
}

int main(void)
{
    char path[4096];
    const char *source = getenv("SOURCE");
    hd_model_module *loaded = NULL;
    model = model_open(&(hd_model_options){.threads = 1, .checks = HD_MODEL_MEMORY});
    snprintf(path, sizeof path, "%s/bench/model/kernels/banks.ptx", source != NULL ? source : ".");
    MODEL_OK(model, hd_model_load(model, path, NULL, &loaded));
    module = loaded;
    if (module != NULL) {
        const uint64_t at = model_new(model, NULL, 4 * NUMBERS), out = model_new(model, NULL, 128);
        fill(at, 1);
        test_strides(at, out);
        test_columns(at, out);
        test_two(at, out);
        test_anywhere(at, out);
    }
    hd_model_close(model);
    return check_finish();
}
