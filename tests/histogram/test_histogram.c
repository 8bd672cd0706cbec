// SPDX-License-Identifier: Apache-2.0
//
// Histograms on every backend, thread count and instruction set: rules, types, sizes, layouts,
// skewed data, weights, two axes, accumulation, against the reference. Bad arguments are in
// test_histogram_errors.c.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>

#include "tests/support/histogram_reference.h"

static const check_target *targets;
static int target_count;

typedef struct question {
    axis first, second;
    int32_t axes;
    int64_t n;
    skew how;
    hd_type weight, out;
    bool add;
    check_layout layout, out_layout;
} question;

typedef struct arrays {
    check_array in, second, weights, out;
    void *x, *y, *w;                  // dense contents of the inputs
    void *before, *want, *got;        // of out
    int64_t *bin;                     // of each element, -1: outside
    int64_t outside, any_order_bound; // expected
} arrays;

static size_t size_of(hd_type type)
{
    return type ? hd_type_size(type) : 1;
}

// ---- The answer -----------------------------------------------------------------------------

static void expect_counts(const question *q, arrays *a, int64_t bins)
{
    const size_t size = size_of(q->out);
    for (int64_t b = 0; b < bins; b++) {
        uint64_t count = 0;
        if (q->add) memcpy(&count, (char *)a->before + (size_t)b * size, size);
        memcpy((char *)a->want + (size_t)b * size, &count, size);
    }
    for (int64_t i = 0; i < q->n; i++) {
        if (a->bin[i] < 0) continue;
        uint64_t count = 0;
        memcpy(&count, (char *)a->want + (size_t)a->bin[i] * size, size);
        count++;
        memcpy((char *)a->want + (size_t)a->bin[i] * size, &count, size);
    }
}

// Each bin is the reduction of its weights, in order, with what was there on the left.
static void expect_sums(const question *q, arrays *a, int64_t bins)
{
    const size_t size = size_of(q->out), weight = size_of(q->weight), n = (size_t)q->n;
    int64_t *at = check_memory(8 * (size_t)(bins + 1)); // where each bin's weights begin, then end
    char *sorted = check_memory(weight * (n + 1));
    memset(at, 0, 8 * (size_t)(bins + 1));
    for (size_t i = 0; i < n; i++)
        if (a->bin[i] >= 0) at[a->bin[i] + 1]++;
    for (int64_t b = 0; b < bins; b++) at[b + 1] += at[b];
    for (size_t i = 0; i < n; i++)
        if (a->bin[i] >= 0)
            memcpy(sorted + weight * (size_t)at[a->bin[i]]++, (char *)a->w + weight * i, weight);
    for (int64_t b = 0; b < bins; b++) {
        const int64_t begin = b > 0 ? at[b - 1] : 0, count = at[b] - begin;
        char *want = (char *)a->want + (size_t)b * size,
             *old = (char *)a->before + (size_t)b * size;
        const ref_how how = {.init = q->add ? old : NULL};
        if (count > 0)
            ref_reduce(HD_SUM, q->weight, sorted + weight * (size_t)begin, count, q->out, want,
                       NULL, &how);
        else if (q->add)
            memcpy(want, old, size);
        else
            memset(want, 0, size);
    }
    free(at);
    free(sorted);
}

static void expect_answer(const question *q, arrays *a)
{
    const int64_t columns = q->axes == 2 ? q->second.bins : 1;
    a->outside = 0;
    for (int64_t i = 0; i < q->n; i++) {
        int64_t b = bin_of(&q->first, (char *)a->x + (size_t)i * size_of(q->first.type));
        if (q->axes == 2 && b >= 0) {
            const int64_t c =
                bin_of(&q->second, (char *)a->y + (size_t)i * size_of(q->second.type));
            b = c < 0 ? -1 : b * columns + c;
        }
        a->bin[i] = b;
        a->outside += b < 0;
    }
    if (q->weight)
        expect_sums(q, a, q->first.bins * columns);
    else
        expect_counts(q, a, q->first.bins * columns);
}

// ---- The call -------------------------------------------------------------------------------

static hd_view edges_of(const axis *a)
{
    return a->rule == EDGES ? HD_VIEW_OF(a->edge_type, a->edges, a->bins + 1) : (hd_view){0};
}

// edges: room for those of both axes.
static hd_histogram_options options_of(const question *q, const arrays *a, const hd_view *outside,
                                       hd_view edges[2])
{
    const axis *f = &q->first, *s = &q->second;
    hd_histogram_options o = {.clamp = f->clamp, .add = q->add, .outside = outside};
    if (f->rule == EVEN) o.even = true, o.lower = f->lower, o.upper = f->upper;
    if (f->rule == INTEGERS) o.first = f->first;
    if (f->rule == LETTERS) o.letters = f->letters;
    edges[0] = edges_of(f), edges[1] = edges_of(s);
    o.edges = &edges[0];
    o.weights = q->weight ? &a->weights.view : NULL;
    if (q->axes == 1) return o;
    o.second = &a->second.view;
    if (s->rule == EVEN) o.second_even = true, o.second_lower = s->lower, o.second_upper = s->upper;
    if (s->rule == INTEGERS) o.second_first = s->first;
    o.second_edges = &edges[1];
    return o;
}

static void ask(const question *q, const check_target *target, const arrays *a)
{
    const int64_t bins = q->first.bins * (q->axes == 2 ? q->second.bins : 1);
    int64_t outside = -77;
    hd_view edges[2];
    const hd_histogram_options options = options_of(q, a, HD_REF(HD_VIEW(&outside, 1)), edges);
    check_put(&a->out, a->before);
    CHECK_OK(target->ctx, hd_histogram(target->ctx, a->in.view, a->out.view, &options));
    check_get(&a->out, a->got);
    CHECK_SAME(q->out, a->got, a->want, bins,
               "%" PRId64 " %s (%s, skew %d) rule %d, %" PRId64 " bins, %d axes, weights %s into "
               "%s (%s)%s%s on %s",
               q->n, hd_type_name(q->first.type), check_layout_name(q->layout), q->how,
               q->first.rule, q->first.bins, q->axes, q->weight ? hd_type_name(q->weight) : "none",
               hd_type_name(q->out), check_layout_name(q->out_layout), q->add ? " add" : "",
               q->first.clamp ? " clamp" : "", target->name);
    CHECK(outside == a->outside,
          "%" PRId64 " outside instead of %" PRId64 " of %" PRId64 " %s, rule %d on %s", outside,
          a->outside, q->n, hd_type_name(q->first.type), q->first.rule, target->name);
    CHECK(check_gaps(&a->out), "wrote between bins (%s) on %s", check_layout_name(q->out_layout),
          target->name);
}

// The bins of two axes need their two dimensions.
static check_array new_out(const question *q, bool front)
{
    if (q->axes == 1) return check_new(q->out, q->first.bins, q->out_layout, front);
    const int64_t shape[] = {q->first.bins, q->second.bins};
    int64_t stride[2];
    uint64_t state = (uint64_t)q->n;
    check_strides(2, shape, &state, stride);
    return check_new_nd(q->out, 2, shape, stride, front);
}

// Which targets answer: all, the serial one and a quarter of the others, or it and one other.
enum { ALL_TARGETS = -1, A_QUARTER = -2 };

static bool answers(int t, int one_target, uint64_t seed)
{
    if (t == 0 || one_target == ALL_TARGETS) return true;
    if (one_target == A_QUARTER) return (seed + (uint64_t)t) % 4 == 0;
    return t == 1 + one_target % (target_count - 1);
}

static void try(question q, uint64_t seed, int one_target)
{
    const size_t n = (size_t)q.n + 1;
    const int64_t bins = q.first.bins * (q.axes == 2 ? q.second.bins : 1);
    uint64_t state = seed;
    const hd_type weight = q.weight ? q.weight : HD_U8, y = q.axes == 2 ? q.second.type : HD_U8;
    arrays a = {.in = check_new(q.first.type, q.n, q.layout, seed & 1),
                .second = check_new(y, q.n, q.layout, seed & 2),
                .weights = check_new(weight, q.n, q.layout, seed & 4),
                .out = new_out(&q, seed & 8),
                .x = check_memory(n * size_of(q.first.type)),
                .y = check_memory(n * size_of(y)),
                .w = check_memory(n * size_of(weight)),
                .before = check_memory(8 * (size_t)bins),
                .want = check_memory(8 * (size_t)bins),
                .got = check_memory(8 * (size_t)bins),
                .bin = check_memory(8 * n)};
    fill_values(&q.first, a.x, q.n, q.how, &state);
    if (q.axes == 2) fill_values(&q.second, a.y, q.n, (skew)(seed % SKEWS), &state);
    check_fill(weight, a.w, q.n, CHECK_ORDINARY, seed);
    check_fill(q.out, a.before, bins, CHECK_ORDINARY, seed + 1);
    check_put(&a.in, a.x);
    check_put(&a.second, a.y);
    check_put(&a.weights, a.w);
    expect_answer(&q, &a);
    for (int t = 0; t < target_count; t++)
        if (answers(t, one_target, seed)) ask(&q, &targets[t], &a);
    check_drop(&a.in), check_drop(&a.second), check_drop(&a.weights), check_drop(&a.out);
    free(a.x), free(a.y), free(a.w), free(a.before), free(a.want), free(a.got), free(a.bin);
}

// ---- Rules ----------------------------------------------------------------------------------

enum { MAX_EDGES = 300 };
static _Alignas(8) unsigned char edge_room[2][8 * (MAX_EDGES + 1)];

// Rising edges of a type, irregular; the type's own range limits how many there can be.
static void make_edges(axis *a, int slot, uint64_t *state)
{
    const size_t size = size_of(a->edge_type);
    const int64_t most = a->edge_type == HD_BOOL ? 1 : size == 1 ? 60 : MAX_EDGES;
    if (a->bins > most) a->bins = most;
    double x =
        a->edge_type == HD_BOOL || !(check_is_float(a->edge_type) || check_is_signed(a->edge_type))
            ? 0
            : -(double)(a->bins / 2);
    for (int64_t k = 0; k <= a->bins; k++) {
        put_double(a->edge_type, edge_room[slot] + (size_t)k * size, x);
        x += a->edge_type == HD_BOOL ? 1 : (double)(1 + check_below(state, 3));
        if (a->edge_type == HD_F64 || a->edge_type == HD_F32) x += check_below(state, 4) / 4.0;
    }
    a->edges = edge_room[slot];
    a->first = (int64_t)double_of(a->edge_type, a->edges);
}

static axis axis_of(bin_rule rule, hd_type type, int64_t bins, int turn, int slot, uint64_t *state)
{
    static const hd_type edge_types[] = {HD_F64, HD_I64, HD_F32, HD_U64, HD_U8, HD_I16, HD_F16};
    axis a = {.type = type, .rule = rule, .bins = bins, .clamp = turn % 3 == 2};
    if (rule == INTEGERS) {
        a.first = turn % 2 ? (check_is_signed(type) ? -bins / 2 : 3) : 0;
    } else if (rule == EVEN) {
        a.lower = turn % 2 ? -1 : 0.25 * (turn % 5);
        a.upper = a.lower + (turn % 4 == 1 ? 2 : 7.1);
    } else if (rule == EDGES) {
        a.edge_type = turn % 2 ? type : edge_types[turn % 7];
        if (a.edge_type == HD_BF16) a.edge_type = HD_F64; // too few numbers that differ
        if (a.edge_type == HD_F16 && bins > 100) a.bins = 100;
        make_edges(&a, slot, state);
    } else {
        a.letters = 1 + turn % 26;
        a.bins = (26 + a.letters - 1) / a.letters;
        a.first = turn % 2 ? 'a' : 'A';
        a.clamp = false;
    }
    return a;
}

static bool takes(bin_rule rule, hd_type type)
{
    if (rule == INTEGERS) return !check_is_float(type);
    return rule != LETTERS || type == HD_U8 || type == HD_I8;
}

static hd_type count_type(int turn)
{
    static const hd_type types[] = {HD_U64, HD_U32, HD_I64, HD_I32};
    return types[turn % 4];
}

static void test_rules(bin_rule rule, hd_type type)
{
    static const int64_t bins[] = {1, 2, 7, 64, 255, 256, 257, 1000, 5000};
    static int turn;
    const int64_t limit = check_small() ? 1025 : turn % 4 ? 4097 : 65537;
    uint64_t state = check_seed() + (uint64_t)turn;
    for (int k = 0; check_size(k, limit) >= 0; k++, turn++) {
        question q = {.first = axis_of(rule, type, bins[turn % 9], turn, 0, &state), .axes = 1};
        q.n = check_size(k, limit);
        q.how = (skew)(turn / 2 % SKEWS);
        q.out = count_type(turn);
        q.add = turn % 3 == 1;
        q.layout = (check_layout)(turn / 3 % CHECK_LAYOUTS);
        q.out_layout = (check_layout)(turn / 7 % CHECK_LAYOUTS);
        if (q.n > 2000 && q.first.bins > 1000) q.first.bins = 1000; // the reference searches long
        if (rule == EDGES && q.n > 5000) continue;
        try(q, check_seed() + (uint64_t)turn,
            q.n <= (check_small() ? 33 : 129) ? ALL_TARGETS : turn);
    }
}

// Sizes where threads divide the work, all layouts of work: few bins, many, very many.
static void test_threads(hd_type type, bin_rule rule, int64_t bins, int64_t n, skew how)
{
    static int turn;
    uint64_t state = check_seed() + (uint64_t)turn;
    question q = {.first = axis_of(rule, type, bins, 2 * turn, 0, &state), .axes = 1, .n = n};
    q.how = how;
    q.out = count_type(turn);
    q.add = turn % 2;
    try(q, check_seed() + (uint64_t)turn++, check_small() ? A_QUARTER : ALL_TARGETS);
}

static void test_many(void)
{
    static const hd_type types[] = {HD_U8, HD_U32, HD_F32, HD_U16, HD_F64, HD_I64, HD_I8, HD_F16};
    const int64_t large = check_small() ? 20011 : 300007, usual = check_small() ? 20011 : 100003;
    for (int t = 0; t < 8; t++)
        for (skew how = 0; how < SKEWS; how++) {
            const bin_rule rule = check_is_float(types[t]) ? EVEN : INTEGERS;
            const int64_t n = hd_type_size(types[t]) == 2 ? large : usual;
            test_threads(types[t], rule, 256, n, how);
            if (t > 0 && t < 6) test_threads(types[t], rule, 65536, n, how);
            if (t % 2 && t < 6 && how % 2) test_threads(types[t], rule, (1 << 18) + 5, n, how);
        }
    test_threads(HD_U32, INTEGERS, 1 << 20, large, UNIFORM);
    test_threads(HD_F32, EVEN, 1 << 20, large, EQUAL);
    if (check_small()) return;
    for (skew how = 0; how < SKEWS; how++) // distributed by ranges
        test_threads(HD_U32, INTEGERS, (1 << 22) + (how % 2 ? 65536 : 70000), 1200007, how);
    test_threads(HD_U32, INTEGERS, HD_MAX_BINS, large, ZIPF); // far more bins than elements
    test_threads(HD_U32, INTEGERS, 65536, 2000003, ZIPF);
    test_threads(HD_U8, INTEGERS, 256, 4194301, UNIFORM);
    test_threads(HD_U8, INTEGERS, 256, 4194305, ZIPF);
}

// ---- Weights and two axes -------------------------------------------------------------------

static void test_weights(hd_type weight, hd_type out)
{
    static int turn;
    static const int64_t sizes[] = {0, 1, 33, 257, 1025, 10007, 70001};
    static const int64_t bins[] = {1, 5, 256, 1000, 70000};
    uint64_t state = check_seed() + (uint64_t)turn;
    for (int k = 0; k < (check_small() ? 5 : 7); k++, turn++) {
        const hd_type type = turn % 2 ? HD_U32 : HD_F32;
        question q = {
            .first = axis_of(turn % 2 ? INTEGERS : EVEN, type, bins[turn % 5], turn, 0, &state),
            .axes = 1,
            .n = sizes[k],
            .how = (skew)(turn % SKEWS),
            .weight = weight,
            .out = out,
            .add = turn % 3 == 0,
            .layout = (check_layout)(turn % CHECK_LAYOUTS),
            .out_layout = (check_layout)(turn / 2 % CHECK_LAYOUTS)};
        try(q, check_seed() + (uint64_t)turn,
            q.n <= (check_small() ? 33 : 1025) ? ALL_TARGETS : turn);
    }
}

static void test_two_axes(void)
{
    static const int64_t sizes[] = {0, 1, 17, 256, 1025, 4097, 66000};
    static const bin_rule rules[] = {INTEGERS, EVEN, EDGES};
    for (int turn = 0; turn < (check_small() ? 30 : 90); turn++) {
        uint64_t state = check_seed() + (uint64_t)turn;
        const hd_type x = check_type(turn % 13), y = check_type(turn * 5 % 13);
        const bin_rule r = rules[turn % 3], s = rules[turn / 3 % 3];
        if (!takes(r, x) || !takes(s, y)) continue;
        question q = {.first = axis_of(r, x, 1 + turn * 7 % 50, turn, 0, &state),
                      .second = axis_of(s, y, 1 + turn * 11 % 60, turn + 1, 1, &state),
                      .axes = 2,
                      .n = sizes[turn % 7],
                      .weight = turn % 4 == 3 ? HD_F32 : HD_NONE,
                      .out = turn % 4 == 3 ? HD_F64 : count_type(turn),
                      .add = turn % 5 == 0,
                      .layout = (check_layout)(turn % CHECK_LAYOUTS)};
        q.second.clamp = q.first.clamp;
        try(q, check_seed() + (uint64_t)turn, check_small() ? A_QUARTER : ALL_TARGETS);
    }
}

// ---- Functions ------------------------------------------------------------------------------

typedef struct point {
    float x, y;
} point;
HD_FUNCTION(ring, int32_t, HD_NO_SOURCE, (point, p), { return (int32_t)(p.x * p.x + p.y * p.y); })
HD_FUNCTION(difference, int8_t, HD_NO_SOURCE, (uint8_t, a, uint8_t, b), { return (int8_t)(a - b); })
HD_FUNCTION(half, double, HD_NO_SOURCE, (int16_t, v), { return v * 0.5; })

static void test_functions(int64_t n)
{
    point *p = check_memory((size_t)n * sizeof *p + 8);
    uint8_t *a = check_memory((size_t)n + 1), *b = check_memory((size_t)n + 1);
    int16_t *v = check_memory(2 * (size_t)n + 2);
    uint64_t state = check_seed();
    int64_t want[3][40] = {{0}}, strays[3] = {0};
    for (int64_t i = 0; i < n; i++) {
        p[i] = (point){(float)check_below(&state, 70) / 10, (float)check_below(&state, 40) / 10};
        a[i] = (uint8_t)check_next(&state), b[i] = (uint8_t)check_next(&state);
        v[i] = (int16_t)check_next(&state) % 30;
        const int k0 = (int)(p[i].x * p[i].x + p[i].y * p[i].y), k1 = (int8_t)(a[i] - b[i]);
        const int k2 = v[i] < -20 || v[i] > 20 ? -1 : v[i] == 20 ? 39 : v[i] + 20;
        const int k[] = {k0 < 40 ? k0 : -1, k1 >= 0 && k1 < 40 ? k1 : -1, k2};
        for (int j = 0; j < 3; j++)
            if (k[j] < 0)
                strays[j]++;
            else
                want[j][k[j]]++;
    }
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        int64_t got[40], outside;
        const hd_view out = HD_VIEW(got, 40);
        CHECK_OK(ctx, hd_histogram(ctx, HD_VIEW_OF(HD_TYPE(point), p, n), out,
                                   &(hd_histogram_options){
                                       .bin = ring, .outside = HD_REF(HD_VIEW(&outside, 1))}));
        CHECK_SAME(HD_I64, got, want[0], 40, "rings of %" PRId64 " on %s", n, targets[t].name);
        CHECK(outside == strays[0], "%" PRId64, outside);
        CHECK_OK(ctx,
                 hd_histogram(ctx, HD_VIEW(a, n), out,
                              &(hd_histogram_options){.bin = difference,
                                                      .with = HD_VIEWS(HD_VIEW(b, n)),
                                                      .outside = HD_REF(HD_VIEW(&outside, 1))}));
        CHECK_SAME(HD_I64, got, want[1], 40, "differences of %" PRId64, n);
        CHECK(outside == strays[1], "%" PRId64, outside);
        CHECK_OK(ctx,
                 hd_histogram(ctx, HD_VIEW(v, n), out,
                              &(hd_histogram_options){.map = half,
                                                      .even = true,
                                                      .lower = -10,
                                                      .upper = 10,
                                                      .outside = HD_REF(HD_VIEW(&outside, 1))}));
        CHECK_SAME(HD_I64, got, want[2], 40, "halves of %" PRId64, n);
        CHECK(outside == strays[2], "%" PRId64, outside);
    }
    free(p), free(a), free(b), free(v);
}

// ---- What the lectures have, and what else is known beforehand ---------------------------------

static void test_known(hd_context *ctx)
{
    // Counted by hand: programming massively parallel processors, letters a-d, e-h, ..., y-z.
    static const char text[] = "Programming Massively Parallel Processors";
    static const int64_t by_four[] = {5, 5, 6, 10, 10, 1, 1};
    int64_t got[7], outside;
    CHECK_OK(ctx, hd_histogram(ctx, HD_VIEW_OF(HD_U8, text, (int64_t)strlen(text)), HD_VIEW(got, 7),
                               &(hd_histogram_options){.letters = 4,
                                                       .outside = HD_REF(HD_VIEW(&outside, 1))}));
    CHECK_SAME(HD_I64, got, by_four, 7, "4-letter bins");
    CHECK(outside == 3, "%" PRId64 " outside", outside);

    // The last bin is closed, the others are half-open; NaN is outside, also where clamped.
    const double x[] = {0, 0.25, 0.5, 0.75, 1, -1, 2, NAN, INFINITY, -0.0};
    const uint32_t plain[] = {2, 1, 1, 2}, clamped[] = {3, 1, 1, 4};
    uint32_t four[4];
    CHECK_OK(ctx,
             hd_histogram(ctx, HD_VIEW(x, 10), HD_VIEW(four, 4),
                          &(hd_histogram_options){
                              .even = true, .upper = 1, .outside = HD_REF(HD_VIEW(&outside, 1))}));
    CHECK_SAME(HD_U32, four, plain, 4, "even");
    CHECK(outside == 4, "%" PRId64, outside);
    CHECK_OK(ctx, hd_histogram(ctx, HD_VIEW(x, 10), HD_VIEW(four, 4),
                               &(hd_histogram_options){.even = true,
                                                       .upper = 1,
                                                       .clamp = true,
                                                       .outside = HD_REF(HD_VIEW(&outside, 1))}));
    CHECK_SAME(HD_U32, four, clamped, 4, "clamped");
    CHECK(outside == 1, "%" PRId64, outside);

    // Past what f64 can tell apart.
    const int64_t far[] = {INT64_MAX, INT64_MAX - 1, INT64_MAX - 2, INT64_MIN};
    const int64_t edges[] = {INT64_MIN, INT64_MAX - 2, INT64_MAX - 1, INT64_MAX};
    const int64_t apart[] = {1, 1, 2};
    CHECK_OK(ctx, hd_histogram(ctx, HD_VIEW(far, 4), HD_VIEW(got, 3),
                               &(hd_histogram_options){.edges = HD_REF(HD_VIEW(edges, 4))}));
    CHECK_SAME(HD_I64, got, apart, 3, "exact edges");
    const uint64_t high[] = {UINT64_MAX, 0, 4};
    const int64_t none[] = {0, 0, 0, 0, 0, 1};
    CHECK_OK(ctx, hd_histogram(ctx, HD_VIEW(high, 3), HD_VIEW(got, 6),
                               &(hd_histogram_options){.first = -5,
                                                       .outside = HD_REF(HD_VIEW(&outside, 1))}));
    CHECK_SAME(HD_I64, got, none, 6, "u64 does not wrap into the bins");
    CHECK(outside == 2, "%" PRId64, outside);
    // Counts of 32 bits wrap.
    uint32_t full[1] = {UINT32_MAX};
    CHECK_OK(ctx,
             hd_histogram(ctx, hd_iota(1), HD_VIEW(full, 1), &(hd_histogram_options){.add = true}));
    CHECK(full[0] == 0, "%u", full[0]);
}

// Any order: sums of whole numbers, which are exact, must be right whatever the order.
static void test_any_order(void)
{
    const int64_t n = check_small() ? 20000 : 100000;
    float *w = check_memory((size_t)n * 4);
    uint16_t *x = check_memory((size_t)n * 2);
    uint64_t state = check_seed();
    double want[300] = {0}, got[300];
    for (int64_t i = 0; i < n; i++) {
        w[i] = (float)check_below(&state, 100), x[i] = (uint16_t)check_below(&state, 310);
        if (x[i] < 300) want[x[i]] += (double)w[i];
    }
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx,
                 hd_histogram(targets[t].ctx, HD_VIEW(x, n), HD_VIEW(got, 300),
                              &(hd_histogram_options){.weights = HD_REF(HD_VIEW(w, n)),
                                                      .order = HD_ANY_ORDER}));
        CHECK_SAME(HD_F64, got, want, 300, "any order on %s", targets[t].name);
    }
    free(w), free(x);
}

int main(void)
{
    target_count = check_targets(&targets);
    for (int t = 0; t < target_count; t++) test_known(targets[t].ctx);
    for (bin_rule rule = 0; rule < RULES; rule++)
        for (int t = 0; check_type(t); t++)
            if (takes(rule, check_type(t))) test_rules(rule, check_type(t));
    for (int t = 0; check_type(t); t++)
        for (int u = 0; check_type(u); u++)
            if (ref_accepts(HD_SUM, check_type(t), check_type(u)))
                test_weights(check_type(t), check_type(u));
    test_two_axes();
    test_many();
    test_any_order();
    test_functions(0), test_functions(1), test_functions(1000), test_functions(50021);
    return check_finish();
}
