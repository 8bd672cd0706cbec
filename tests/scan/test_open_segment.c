// SPDX-License-Identifier: Apache-2.0
//
// A scan with a carry that begins at element s has the bits of a scan with segments of which one
// begins there, in whatever pieces: reduced, scanned, packed and joined.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

HD_MONOID(affine, double, HD_NO_SOURCE, HD_ASSOCIATIVE, 1.0, { return 0.5 * a + b; })
HD_SOURCE(
    lines, typedef struct { int32_t scale, shift; } line;)
HD_OPERATOR(after, line, lines, HD_ASSOCIATIVE, {
    line c;
    c.scale = (int32_t)((uint32_t)a.scale * (uint32_t)b.scale);
    c.shift = (int32_t)((uint32_t)a.shift * (uint32_t)b.scale + (uint32_t)b.shift);
    return c;
})

static const check_target *targets;
static int target_count;

typedef struct sequence {
    const hd_operator *op;
    hd_type type, out;
    int64_t n, s; // the segment has elements s .. n - 1
    bool exclusive;
    char *x, *want, *got;
} sequence;

static hd_view at(hd_type type, char *x, int64_t i, int64_t n)
{
    return HD_VIEW_OF(type, x + (size_t)i * hd_type_size(type), n);
}

// Adds elements i .. i + m - 1 by a carry of their own, which is packed and joined.
static void join(hd_context *ctx, const sequence *s, hd_carry *carry, int64_t i, int64_t m)
{
    hd_carry *piece;
    CHECK_OK(ctx, hd_carry_open_at(ctx, &piece, i));
    CHECK_OK(ctx, hd_reduce(ctx, at(s->type, s->x, i, m), s->op, HD_VIEW_OF(s->out, NULL, 0),
                            &(hd_reduce_options){.carry = piece}));
    const int64_t n = hd_carry_bytes(piece);
    unsigned char *bytes = check_memory((size_t)n);
    CHECK_OK(ctx, hd_carry_pack(ctx, piece, HD_VIEW(bytes, n)));
    CHECK_OK(ctx, hd_carry_join(ctx, carry, HD_VIEW(bytes, n)));
    hd_carry_close(ctx, piece);
    free(bytes);
}

// What the carry has seen in the end, behind the elements before it, is the sum of all.
static void check_carry(hd_context *ctx, const sequence *s, hd_carry *carry, const char *name)
{
    _Alignas(16) unsigned char want[16], got[16];
    join(ctx, s, carry, 0, s->s);
    CHECK_OK(ctx,
             hd_reduce(ctx, at(s->type, s->x, 0, s->n), s->op, HD_VIEW_OF(s->out, want, 1), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, at(s->type, s->x, 0, 0), s->op, HD_VIEW_OF(s->out, got, 1),
                            &(hd_reduce_options){.carry = carry}));
    CHECK(memcmp(got, want, hd_type_size(s->out)) == 0,
          "%s of %" PRId64 " %s from %" PRId64 ", the sum of all on %s", hd_operator_name(s->op),
          s->n, hd_type_name(s->type), s->s, name);
}

static void scan_chunks(const check_target *t, const sequence *s, uint64_t *state)
{
    hd_carry *carry;
    const size_t size = hd_type_size(s->out);
    CHECK_OK(t->ctx, hd_carry_open_at(t->ctx, &carry, s->s));
    const hd_scan_options o = {.carry = carry, .exclusive = s->exclusive};
    CHECK_OK(t->ctx,
             hd_scan(t->ctx, at(s->type, s->x, s->s, 0), s->op, at(s->out, s->got, 0, 0), &o));
    for (int64_t i = s->s, m; i < s->n; i += m) {
        m = check_below(state, 3) ? s->n - i : 1 + check_below(state, s->n - i);
        if (i + m < s->n && check_below(state, 2)) {
            join(t->ctx, s, carry, i, m);
            continue;
        }
        CHECK_OK(t->ctx,
                 hd_scan(t->ctx, at(s->type, s->x, i, m), s->op, at(s->out, s->got, i, m), &o));
        CHECK(memcmp(s->got + (size_t)i * size, s->want + (size_t)i * size, (size_t)m * size) == 0,
              "%s of %" PRId64 " %s from %" PRId64 " and %" PRId64 " on %s",
              hd_operator_name(s->op), s->n, hd_type_name(s->type), s->s, i, t->name);
    }
    check_carry(t->ctx, s, carry, t->name);
    hd_carry_close(t->ctx, carry);
}

static void try_sequence(const hd_operator *op, hd_type type, hd_type out, int64_t n, int64_t from,
                         uint64_t *state)
{
    hd_context *serial = check_open(HD_SERIAL, 1, NULL);
    sequence s = {.op = op, .type = type, .out = out, .n = n, .s = from};
    s.x = check_memory((size_t)n * hd_type_size(type));
    s.want = check_memory((size_t)n * hd_type_size(out));
    s.got = check_memory((size_t)n * hd_type_size(out));
    s.exclusive = op != after && check_below(state, 2);
    if (type < HD_STRUCTURE)
        check_fill(type, s.x, n, CHECK_ORDINARY, (uint64_t)check_next(state));
    else
        check_fill(HD_I32, s.x, 2 * n, CHECK_ORDINARY, (uint64_t)check_next(state));
    CHECK_OK(serial, hd_scan(serial, at(type, s.x, 0, n), op, at(out, s.want, 0, n),
                             &(hd_scan_options){.segments = HD_REF(HD_VIEW(&from, 1)),
                                                .exclusive = s.exclusive}));
    for (int t = 0; t < target_count; t++) scan_chunks(&targets[t], &s, state);
    hd_close(serial);
    free(s.x), free(s.want), free(s.got);
}

int main(void)
{
    uint64_t state = check_seed();
    target_count = check_targets(&targets);
    const hd_type pair = HD_STRUCT(line);
    static const int64_t sizes[] = {2, 9, 64, 257, 1000, 4097};
    for (int k = 0; k < 18; k++) {
        const int64_t n = sizes[k % 6], s = 1 + check_below(&state, n - 1);
        try_sequence(HD_SUM, HD_F32, HD_F32, n, s, &state);
        try_sequence(HD_SUM, HD_F16, HD_F32, n, s, &state);
        try_sequence(HD_SUM_COMPENSATED, HD_F64, HD_F64, n, s, &state);
        try_sequence(HD_SUM_EXACT, HD_F32, HD_F32, n, s, &state);
        try_sequence(HD_VARIANCE, HD_F32, HD_F64, n, s, &state);
        try_sequence(HD_ARGMIN, HD_I16, HD_I64, n, s, &state);
        try_sequence(HD_SUM, HD_U8, HD_U64, n, s, &state);
        try_sequence(affine, HD_F64, HD_F64, n, s, &state);
        try_sequence(after, pair, pair, n, s, &state);
    }
    if (!check_small()) try_sequence(HD_SUM, HD_F32, HD_F32, 300007, 100001, &state);
    return check_finish();
}
