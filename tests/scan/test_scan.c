// SPDX-License-Identifier: Apache-2.0
//
// Scans of everything: every backend, thread count and instruction set, every type, operator and
// output type; inclusive, exclusive, backward, with init, in place; sizes, layouts and patterns,
// against the reference. Axes, segments and keys are in test_scan_parts.c.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

typedef struct question {
    const hd_operator *op;
    hd_type type, out_type;
    int64_t n;
    check_pattern pattern;
    ref_how how;
    bool in_place;
    check_layout in_layout, out_layout;
} question;

static bool is_arg(const hd_operator *op)
{
    return op == HD_ARGMIN || op == HD_ARGMAX;
}

// The arrays of one question; want and got are dense.
typedef struct arrays {
    check_array in, out, values;
    void *x, *want, *want_values, *got;
} arrays;

static void ask(const question *q, const check_target *target, const arrays *a)
{
    const hd_scan_options options = {.exclusive = q->how.exclusive,
                                     .backward = q->how.backward,
                                     .ddof = q->how.ddof,
                                     .init = q->how.init,
                                     .values =
                                         HD_REF(is_arg(q->op) ? a->values.view : (hd_view){0})};
    const check_array *out = q->in_place ? &a->in : &a->out;
    check_put(&a->in, a->x);
    CHECK_OK(target->ctx, hd_scan(target->ctx, a->in.view, q->op, out->view, &options));
    check_get(out, a->got);
    CHECK_SAME(q->out_type, a->got, a->want, q->n,
               "%s of %" PRId64 " %s (%s, %s) as %s (%s)%s%s%s%s on %s", hd_operator_name(q->op),
               q->n, hd_type_name(q->type), check_pattern_name(q->pattern),
               check_layout_name(q->in_layout), hd_type_name(q->out_type),
               check_layout_name(q->out_layout), q->how.exclusive ? " exclusive" : "",
               q->how.backward ? " backward" : "", q->how.init ? " init" : "",
               q->in_place ? " in place" : "", target->name);
    CHECK(check_gaps(out), "%s of %" PRId64 " %s wrote between elements (%s) on %s",
          hd_operator_name(q->op), q->n, hd_type_name(q->type), check_layout_name(q->out_layout),
          target->name);
    if (!is_arg(q->op)) return;
    check_get(&a->values, a->got);
    CHECK_SAME(q->type, a->got, a->want_values, q->n, "values of %s of %" PRId64 " %s on %s",
               hd_operator_name(q->op), q->n, hd_type_name(q->type), target->name);
}

// out must have in's shape: both in the same layout, or both of one dimension.
static check_layout partner(check_layout in, check_layout wish)
{
    return in <= CHECK_REVERSED ? (wish <= CHECK_REVERSED ? wish : CHECK_DENSE) : in;
}

static void try(question q, uint64_t seed, int one_target)
{
    const size_t n = (size_t)q.n;
    q.out_layout = partner(q.in_layout, q.out_layout);
    arrays a = {.in = check_new(q.type, q.n, q.in_layout, seed & 1),
                .out = check_new(q.out_type, q.n, q.out_layout, seed & 2),
                .values = check_new(q.type, q.n, q.in_layout, seed & 4),
                .x = check_memory(hd_type_size(q.type) * n),
                .want = check_memory(8 * n),
                .want_values = check_memory(8 * n),
                .got = check_memory(8 * n)};
    check_fill(q.type, a.x, q.n, q.pattern, seed);
    ref_scan(q.op, q.type, a.x, q.n, q.out_type, a.want, is_arg(q.op) ? a.want_values : NULL,
             &q.how);
    for (int t = 0; t < target_count; t++)
        if (one_target < 0 || t == 0 || t == 1 + one_target % (target_count - 1))
            ask(&q, &targets[t], &a);
    check_drop(&a.in);
    check_drop(&a.out);
    check_drop(&a.values);
    free(a.x);
    free(a.want);
    free(a.want_values);
    free(a.got);
}

static check_pattern pattern_for(const hd_operator *op, int k)
{
    static const check_pattern other[] = {CHECK_ORDINARY, CHECK_WIDE,     CHECK_SPECIAL, CHECK_TIES,
                                          CHECK_ZEROS,    CHECK_ORDINARY, CHECK_LITTLE};
    if (op == HD_PRODUCT) return k % 3 ? CHECK_UNITS : CHECK_SPECIAL;
    if (op == HD_ALL || op == HD_ANY) return k % 2 ? CHECK_LITTLE : CHECK_TIES;
    return other[k % 7];
}

// Options change from size to size; every target sees the small ones, the large ones go to the
// serial backend and one other in turn.
static void test_all(const hd_operator *op, hd_type type, hd_type out_type)
{
    static int turn;
    const bool usual = hd_default_output(op, type) == out_type || type == out_type;
    const bool takes_init = !is_arg(op) && op != HD_MEAN && op != HD_VARIANCE;
    const int64_t large = turn % 8 ? 4097 : 65537;
    const int64_t limit = check_small() ? 1025 : usual ? large : 2039;
    for (int k = 0; check_size(k, limit) >= 0; k++, turn++) {
        _Alignas(8) unsigned char init[8];
        question q = {op, type, out_type, check_size(k, limit), pattern_for(op, turn), {0},
                      0,  0,    0};
        check_fill(out_type, init, 1, CHECK_TIES, check_seed() + (uint64_t)turn);
        q.how.exclusive = turn % 2;
        q.how.backward = turn / 2 % 3 == 1;
        q.how.init = takes_init && turn / 3 % 3 == 1 ? init : NULL;
        q.how.ddof = op == HD_VARIANCE ? turn % 2 : 0;
        q.in_place = type == out_type && turn % 5 == 2;
        q.in_layout = (check_layout)(q.n > 5000 && turn % 2 ? CHECK_DENSE : turn % CHECK_LAYOUTS);
        q.out_layout = (check_layout)(turn / 5 % CHECK_LAYOUTS);
        if (q.in_place) q.out_layout = q.in_layout;
        try(q, check_seed() + (uint64_t)turn, q.n <= (check_small() ? 2 : 257) ? -1 : turn);
        if (q.n > 2048) continue; // once more, plain
        q.how = (ref_how){.exclusive = turn / 2 % 2};
        q.in_layout = q.out_layout = CHECK_DENSE;
        q.in_place = type == out_type && turn % 3 == 0;
        try(q, check_seed() + (uint64_t)turn, q.n <= (check_small() ? 2 : 65) ? -1 : turn + 3);
    }
}

// The sizes where threads divide the work, on every target.
static void test_threads(const hd_operator *op, hd_type type)
{
    static const int64_t sizes[] = {32771, 65536, 100003, 150001};
    const hd_type out_type = op == HD_SUM || op == HD_PRODUCT ? type : hd_default_output(op, type);
    for (int k = 0; k < 4; k++)
        for (int way = 0; way < 4; way++) {
            question q = {op, type, out_type, sizes[k], pattern_for(op, k), {0}, 0, 0, 0};
            q.how.exclusive = way & 1;
            q.how.backward = way & 2;
            q.in_place = type == out_type && (way + k) % 2;
            if (check_small() ? way == 1 && k == 0 : (op == HD_SUM && k % 2) || way == k)
                try(q, check_seed() + (uint64_t)(way + k), -1);
        }
}

static void test_large(void)
{
    static const struct {
        const hd_operator *op;
        hd_type type;
    } rows[] = {{HD_SUM, HD_F32}, {HD_SUM, HD_I32}, {HD_MAX, HD_F16}};
    if (check_small()) return;
    for (int k = 0; k < 3; k++) {
        question q = {rows[k].op,
                      rows[k].type,
                      rows[k].type,
                      k % 2 ? 4194305 : 4194301,
                      CHECK_ORDINARY,
                      {0},
                      k == 1,
                      0,
                      0};
        try(q, check_seed() + (uint64_t)k, -1);
    }
}

int main(void)
{
    target_count = check_targets(&targets);
    for (int32_t o = 0; hd_operator_at(o); o++)
        for (int t = 0; check_type(t); t++)
            for (int u = 0; check_type(u); u++)
                if (ref_accepts(hd_operator_at(o), check_type(t), check_type(u)) &&
                    hd_operator_at(o) != HD_DOT)
                    test_all(hd_operator_at(o), check_type(t), check_type(u));
    static const hd_type types[] = {HD_F32, HD_F64, HD_I32, HD_U8, HD_BF16, HD_I64};
    for (int t = 0; t < 6; t++) {
        test_threads(HD_SUM, types[t]);
        test_threads(HD_MAX, types[t]);
        if (t < 2) test_threads(HD_ARGMIN, types[t]), test_threads(HD_VARIANCE, types[t]);
    }
    test_large();
    return check_finish();
}
