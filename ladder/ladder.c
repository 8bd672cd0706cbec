// SPDX-License-Identifier: Apache-2.0
// One step of a ladder is run: its problem is made, and its answer checked.
#include "ladder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Problems -----------------------------------------------------------------------------------

uint64_t ladder_random(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u; // splitmix64
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

int32_t ladder_value(const ladder_case *c, int64_t i, int32_t random)
{
    switch (c->values) {
    case LADDER_ALIKE: return -1;
    case LADDER_EXTREMES: return i % 2 == 0 ? INT32_MIN : INT32_MAX;
    case LADDER_FALLING: return (int32_t)(c->n - i);
    default: return random;
    }
}

void *ladder_array(ladder_case *c, int32_t k, int64_t bytes)
{
    c->in_bytes[k] = bytes;
    return c->in[k] = malloc(bytes > 0 ? (size_t)bytes : 1);
}

bool ladder_answer(ladder_case *c, hd_type type, int64_t count)
{
    c->type = type;
    c->bytes = count * (int64_t)hd_type_size(type);
    c->expected = malloc(c->bytes > 0 ? (size_t)c->bytes : 1);
    c->got = malloc(c->bytes > 0 ? (size_t)c->bytes : 1);
    if (c->got != NULL) memset(c->got, 0xa5, (size_t)c->bytes);
    return c->expected != NULL && c->got != NULL;
}

void ladder_case_free(ladder_case *c)
{
    for (int k = 0; k < LADDER_ARRAYS; k++) free(c->in[k]);
    free(c->expected);
    free(c->got);
}

stage_shape ladder_shape(const ladder_case *c, int64_t threads)
{
    return (stage_shape){{(int32_t)((threads + c->block - 1) / c->block)}, {c->block}, 0};
}

void ladder_define_block(const ladder_case *c, char (*into)[64], int32_t most)
{
    if (most > 0) snprintf(into[0], sizeof *into, "BLOCK=%d", c->block);
}

// ---- Right or wrong -----------------------------------------------------------------------------

static double number_at(const ladder_case *c, const void *array, int64_t i)
{
    switch ((int)c->type) {
    case HD_F32: return ((const float *)array)[i];
    case HD_F64: return ((const double *)array)[i];
    case HD_I32: return ((const int32_t *)array)[i];
    case HD_U32: return ((const uint32_t *)array)[i];
    case HD_I64: return (double)((const int64_t *)array)[i];
    default: return ((const uint8_t *)array)[i];
    }
}

static bool differs(const ladder_case *c, int64_t i)
{
    const int64_t size = (int64_t)hd_type_size(c->type);
    if (c->tolerance <= 0)
        return memcmp((char *)c->got + i * size, (char *)c->expected + i * size, (size_t)size) != 0;
    const double want = number_at(c, c->expected, i), got = number_at(c, c->got, i);
    const double most = c->tolerance * (want < 0 ? 1 - want : 1 + want);
    return !(got - want <= most && want - got <= most);
}

static void judge(const ladder_case *c, ladder_result *result)
{
    const int64_t count = c->bytes / (int64_t)hd_type_size(c->type);
    for (int64_t i = 0; i < count; i++) {
        if (!differs(c, i)) continue;
        const double want = number_at(c, c->expected, i), got = number_at(c, c->got, i);
        if (count == 1)
            snprintf(result->answer, sizeof result->answer, "%.9g instead of %.9g", got, want);
        else
            snprintf(result->answer, sizeof result->answer, "element %lld is %.9g instead of %.9g",
                     (long long)i, got, want);
        return;
    }
    result->right = true;
}

// ---- Playing ------------------------------------------------------------------------------------

#define MAX_DEFINITIONS 8

static bool block_fits(const ladder_step *r, const ladder_case *c, ladder_result *result)
{
    const bool power = (c->block & (c->block - 1)) == 0 && c->block >= 64;
    if (!(r->flags & STEP_POWER_OF_TWO) || power) return true;
    snprintf(result->error, sizeof result->error,
             "needs a power of two threads in a block, at least 64, as with --block 128; got %d",
             c->block);
    return false;
}

static void play(const ladder *l, const ladder_step *r, const char *text, const char *name,
                 ladder_case *c, const stage_options *how, ladder_result *result)
{
    char definitions[MAX_DEFINITIONS][64] = {{0}};
    const char *define[MAX_DEFINITIONS + 1] = {NULL};
    stage_options options = *how;
    if (l->define != NULL) l->define(c, definitions, MAX_DEFINITIONS);
    for (int k = 0; k < MAX_DEFINITIONS && definitions[k][0] != 0; k++) define[k] = definitions[k];
    options.define = define;
    stage *s;
    stage_open(&s, text, name, &options);
    if (s == NULL) {
        snprintf(result->error, sizeof result->error, "no memory");
        return;
    }
    // On a card the first time warms up, and the fastest of some counts.
    for (int k = 0; k < (options.cuda ? STAGE_PLAYS : 1) && !stage_failed(s); k++) {
        stage_begin(s);
        r->play(s, c);
        if (k <= 1 || stage_sum(s)->device_seconds < result->totals.device_seconds)
            result->totals = *stage_sum(s);
    }
    result->ran = !stage_failed(s);
    result->status = stage_status(s);
    snprintf(result->error, sizeof result->error, "%s", stage_error(s));
    stage_close(s);
}

void ladder_run(const ladder *l, const ladder_step *r, const char *text, const char *text_name,
                const ladder_case *problem, const stage_options *how, ladder_result *result)
{
    ladder_case c = *problem;
    c.way = r->way;
    memset(result, 0, sizeof *result);
    result->totals.bound = result->totals.occupancy_limit = "";
    if (!block_fits(r, &c, result)) return;
    if (!l->prepare(&c))
        snprintf(result->error, sizeof result->error, "no memory");
    else if (r->call != NULL)
        ladder_run_own(r, &c, how, result);
    else
        play(l, r, text, text_name, &c, how, result);
    if (result->ran) judge(&c, result);
    ladder_case_free(&c);
}
