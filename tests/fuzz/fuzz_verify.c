// SPDX-License-Identifier: Apache-2.0
//
// The check behind heddle scan --verify: any scan of the library passes it, and any scan with one
// element changed does not. The first bytes choose operator, type, kind and what is changed; the
// rest are the elements.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "heddle.h"
#include "cli/run/verify.h"

enum { MAX = 128 };

typedef struct trial {
    const hd_operator *op;
    hd_type type;
    bool exclusive;
    int64_t n;
    unsigned char in[MAX * 8], out[MAX * 8];
} trial;

// The index of the first element that is refused, or -1.
static int64_t check(const trial *t)
{
    verifier v;
    const size_t size = hd_type_size(t->type);
    verify_begin(&v, t->op, t->type, t->type, t->exclusive, NULL);
    for (int64_t i = 0; i < t->n; i++) {
        if (verify_next(&v, t->in + (size_t)i * size, t->out + (size_t)i * size)) continue;
        if (v.text[0] == '\0') abort();
        return i;
    }
    return -1;
}

// Small whole numbers, so that float sums and products of a few are what they seem.
static void fill(trial *t, const uint8_t *data)
{
    for (int64_t i = 0; i < t->n; i++) {
        const int8_t x = (int8_t)data[i];
        switch (t->type) {
        case HD_F32: ((float *)t->in)[i] = 0.125f * (float)x; break;
        case HD_F64: ((double *)t->in)[i] = 0.125 * x; break;
        case HD_I32: ((int32_t *)t->in)[i] = x * 15790321; break;
        case HD_U64: ((uint64_t *)t->in)[i] = (uint64_t)x * UINT64_C(72340172838076673); break;
        default: t->in[i] = (uint8_t)x; break;
        }
    }
}

// Changes element k by more than rounding explains.
static void spoil(trial *t, int64_t k, int bit)
{
    float *f = (float *)t->out + k;
    double *d = (double *)t->out + k;
    switch (t->type) { // an empty max is -inf, which nothing can be added to
    case HD_F32: *f = isinf(*f) ? 0 : *f + (bit & 1 ? 1e4f : -1e4f); break;
    case HD_F64: *d = isinf(*d) ? 0 : *d + (bit & 1 ? 1e-3 : -1e-3); break;
    default: {
        const size_t size = hd_type_size(t->type);
        t->out[(size_t)k * size + (size_t)(bit / 8) % size] ^= (unsigned char)(1 << bit % 8);
    }
    }
}

static void run(trial *t, uint8_t where, uint8_t bit)
{
    static hd_context *ctx;
    if (ctx == NULL && hd_open(&ctx, &(hd_context_options){.backend = HD_SERIAL}) != HD_OK) abort();
    const hd_scan_options options = {.exclusive = t->exclusive};
    const hd_view in = hd_view_of(t->type, t->in, t->n), out = hd_view_of(t->type, t->out, t->n);
    if (hd_scan(ctx, in, t->op, out, &options) != HD_OK) abort();
    if (check(t) != -1) abort();
    if (t->n == 0) return;
    const int64_t k = where % t->n;
    spoil(t, k, bit);
    if (check(t) != k) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hd_operator *const any[] = {HD_SUM, HD_PRODUCT, HD_MIN, HD_MAX, HD_AND, HD_OR, HD_XOR};
    const hd_type types[] = {HD_I32, HD_U64, HD_U8, HD_F32, HD_F64};
    trial t;
    if (size < 4) return 0;
    memset(&t, 0, sizeof t);
    t.type = types[data[0] % 5];
    t.exclusive = (data[0] & 128) != 0;
    // Floats: sums, min and max only; products of noise leave every range.
    const bool real = t.type == HD_F32 || t.type == HD_F64;
    t.op = any[real ? (data[1] % 3 == 0 ? 0 : 1 + data[1] % 3) : data[1] % 7];
    t.n = size - 4 < MAX ? (int64_t)(size - 4) : MAX;
    fill(&t, data + 4);
    run(&t, data[2], data[3]);
    return 0;
}
