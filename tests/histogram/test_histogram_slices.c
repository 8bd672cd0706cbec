// SPDX-License-Identifier: Apache-2.0
//
// Histograms of rows along an axis and of segments, on every backend, thread count and instruction
// set, against the definition of each by itself: rules, types, weights, two axes, layouts, slices
// of every length, numbers of those outside, offsets that are wrong, what is refused.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>

#include "tests/support/histogram_reference.h"

enum { MAX_DIMS = 4, MAX_EDGES = 300 };

static const check_target *targets;
static int target_count;

typedef struct question {
    axis first, second;
    int32_t axes, ndim, along; // along -1: segments
    int64_t shape[MAX_DIMS];
    int64_t slices;
    const int64_t *offsets; // of segments
    hd_type offset_type, weight, out;
    const hd_operator *sum;
    bool add, strided;
    skew how;
} question;

typedef struct arrays {
    check_array in, second, weights, out, outside, offsets;
    unsigned char *x, *y, *w;           // dense contents of the inputs
    unsigned char *before, *want, *got; // of out
    int64_t *want_outside, *got_outside;
} arrays;

static size_t size_of(hd_type type)
{
    return type ? hd_type_size(type) : 1;
}

static int64_t count_of(const question *q)
{
    int64_t n = 1;
    for (int k = 0; k < q->ndim; k++) n *= q->shape[k];
    return n;
}

static int64_t bins_of(const question *q)
{
    return q->first.bins * (q->axes == 2 ? q->second.bins : 1);
}

// ---- The answer -----------------------------------------------------------------------------

static int64_t length_of(const question *q, int64_t j)
{
    return q->along < 0 ? q->offsets[j + 1] - q->offsets[j] : q->shape[q->along];
}

// Where element i of slice j is among the elements in row-major order.
static int64_t element_of(const question *q, int64_t j, int64_t i)
{
    int64_t at = 0, step = 1;
    if (q->along < 0) return q->offsets[j] + i;
    for (int k = q->ndim - 1; k >= 0; k--) {
        at += step * (k == q->along ? i : j % q->shape[k]);
        if (k != q->along) j /= q->shape[k];
        step *= q->shape[k];
    }
    return at;
}

static int64_t joint_bin(const question *q, const arrays *a, int64_t at)
{
    const int64_t b = bin_of(&q->first, a->x + (size_t)at * size_of(q->first.type));
    if (q->axes == 1 || b < 0) return b;
    const int64_t c = bin_of(&q->second, a->y + (size_t)at * size_of(q->second.type));
    return c < 0 ? -1 : b * q->second.bins + c;
}

// Bin b of slice j: its count, or its weights (m of them at `sorted`) by the reference of reduce.
static void expect_bin(const question *q, const arrays *a, int64_t slot, int64_t m,
                       const void *sorted)
{
    const size_t size = size_of(q->out);
    unsigned char *want = a->want + (size_t)slot * size, *old = a->before + (size_t)slot * size;
    uint64_t count = 0;
    if (q->weight != HD_NONE && m > 0) {
        ref_reduce(q->sum, q->weight, sorted, m, q->out, want, NULL,
                   &(ref_how){.init = q->add ? old : NULL});
    } else if (q->weight != HD_NONE) {
        memset(want, 0, size);
        if (q->add) memcpy(want, old, size);
    } else {
        if (q->add) memcpy(&count, old, size);
        count += (uint64_t)m;
        memcpy(want, &count, size);
    }
}

static void expect_slice(const question *q, arrays *a, int64_t j)
{
    const int64_t n = length_of(q, j), bins = bins_of(q);
    const size_t weight = size_of(q->weight);
    int64_t *begin = check_memory(8 * (size_t)(bins + 2)), *bin = check_memory(8 * (size_t)n + 1);
    unsigned char *sorted = check_memory(weight * (size_t)n + 1);
    memset(begin, 0, 8 * (size_t)(bins + 2));
    a->want_outside[j] = 0;
    for (int64_t i = 0; i < n; i++) {
        bin[i] = joint_bin(q, a, element_of(q, j, i));
        if (bin[i] < 0)
            a->want_outside[j]++;
        else
            begin[bin[i] + 2]++;
    }
    for (int64_t b = 0; b < bins; b++) begin[b + 2] += begin[b + 1];
    for (int64_t i = 0; i < n; i++)
        if (bin[i] >= 0 && q->weight)
            memcpy(sorted + weight * (size_t)begin[bin[i] + 1]++,
                   a->w + weight * (size_t)element_of(q, j, i), weight);
    for (int64_t b = 0; b < bins; b++) {
        const int64_t first = q->weight ? (b > 0 ? begin[b] : 0) : begin[b + 1];
        const int64_t end = q->weight ? begin[b + 1] : begin[b + 2];
        expect_bin(q, a, j * bins + b, end - first, sorted + weight * (size_t)first);
    }
    free(begin), free(bin), free(sorted);
}

// ---- The call -------------------------------------------------------------------------------

static hd_histogram_options options_of(const question *q, const arrays *a, hd_view edges[2])
{
    const axis *f = &q->first, *s = &q->second;
    hd_histogram_options o = {.clamp = f->clamp, .add = q->add, .outside = &a->outside.view};
    if (f->rule == EVEN) o.even = true, o.lower = f->lower, o.upper = f->upper;
    if (f->rule == INTEGERS) o.first = f->first;
    if (f->rule == LETTERS) o.letters = f->letters;
    edges[0] = edges[1] = HD_EMPTY;
    if (f->rule == EDGES) edges[0] = HD_VIEW_OF(f->edge_type, f->edges, f->bins + 1);
    o.edges = &edges[0], o.second_edges = &edges[1];
    if (q->weight) o.weights = &a->weights.view, o.sum = q->sum;
    if (q->along >= 0)
        o.axis = HD_AXIS(q->along);
    else
        o.segments = &a->offsets.view;
    if (q->axes == 1) return o;
    o.second = &a->second.view;
    if (s->rule == EVEN) o.second_even = true, o.second_lower = s->lower, o.second_upper = s->upper;
    if (s->rule == INTEGERS) o.second_first = s->first;
    return o;
}

static void ask(const question *q, const check_target *t, const arrays *a)
{
    hd_view edges[2];
    const hd_histogram_options o = options_of(q, a, edges);
    check_put(&a->out, a->before);
    CHECK_OK(t->ctx, hd_histogram(t->ctx, a->in.view, a->out.view, &o));
    check_get(&a->out, a->got);
    check_get(&a->outside, a->got_outside);
    CHECK_SAME(q->out, a->got, a->want, q->slices * bins_of(q),
               "%" PRId64 " slices of %" PRId64 " %s along %d, rule %d, %" PRId64
               " bins, %d axes, weights %s into %s%s%s%s on %s",
               q->slices, count_of(q), hd_type_name(q->first.type), q->along, q->first.rule,
               q->first.bins, q->axes, q->weight ? hd_type_name(q->weight) : "none",
               hd_type_name(q->out), q->add ? " add" : "", q->strided ? " strided" : "",
               q->first.clamp ? " clamp" : "", t->name);
    CHECK_SAME(HD_I64, a->got_outside, a->want_outside, q->slices, "outside on %s", t->name);
    CHECK(check_gaps(&a->out), "wrote between bins on %s", t->name);
}

static check_array new_like(const question *q, hd_type type, uint64_t *state)
{
    int64_t stride[MAX_DIMS];
    check_strides(q->ndim, q->shape, state, stride);
    return check_new_nd(type, q->ndim, q->shape, q->strided ? stride : NULL, *state & 1);
}

// The axes of in but the one, or the segments, and then those of the bins.
static check_array new_out(const question *q, uint64_t *state)
{
    int64_t shape[MAX_DIMS + 1], stride[MAX_DIMS + 1];
    int32_t ndim = 0;
    for (int k = 0; q->along >= 0 && k < q->ndim; k++)
        if (k != q->along) shape[ndim++] = q->shape[k];
    if (q->along < 0) shape[ndim++] = q->slices;
    shape[ndim++] = q->first.bins;
    if (q->axes == 2) shape[ndim++] = q->second.bins;
    check_strides(ndim, shape, state, stride);
    return check_new_nd(q->out, ndim, shape, q->strided ? stride : NULL, *state & 1);
}

static void put_offsets(const question *q, arrays *a)
{
    unsigned char *dense = check_memory(8 * (size_t)(q->slices + 1));
    const size_t size = size_of(q->offset_type);
    a->offsets =
        check_new(q->offset_type, q->slices + 1, q->strided ? CHECK_STRIDED : CHECK_DENSE, false);
    for (int64_t j = 0; j <= q->slices; j++)
        memcpy(dense + (size_t)j * size, &q->offsets[j], size); // little-endian
    check_put(&a->offsets, dense);
    free(dense);
}

static void try(question q, uint64_t seed, bool all_targets)
{
    const size_t n = (size_t)count_of(&q) + 1;
    uint64_t state = seed;
    if (q.along >= 0) q.slices = 1;
    for (int k = 0; q.along >= 0 && k < q.ndim; k++)
        if (k != q.along) q.slices *= q.shape[k];
    const size_t room = 8 * (size_t)(q.slices * bins_of(&q)) + 1;
    const hd_type y = q.axes == 2 ? q.second.type : HD_U8, w = q.weight ? q.weight : HD_U8;
    arrays a = {.in = new_like(&q, q.first.type, &state),
                .second = new_like(&q, y, &state),
                .weights = new_like(&q, w, &state),
                .out = new_out(&q, &state),
                .outside = check_new(HD_I64, q.slices, q.strided ? CHECK_STRIDED : CHECK_DENSE, 0),
                .x = check_memory(n * size_of(q.first.type)),
                .y = check_memory(n * size_of(y)),
                .w = check_memory(n * size_of(w)),
                .want_outside = check_memory(8 * (size_t)q.slices + 1),
                .got_outside = check_memory(8 * (size_t)q.slices + 1)};
    a.before = check_memory(room), a.want = check_memory(room), a.got = check_memory(room);
    fill_values(&q.first, a.x, (int64_t)n - 1, q.how, &state);
    if (q.axes == 2) fill_values(&q.second, a.y, (int64_t)n - 1, UNIFORM, &state);
    check_fill(w, a.w, (int64_t)n - 1, CHECK_ORDINARY, seed);
    check_fill(q.out, a.before, q.slices * bins_of(&q), CHECK_ORDINARY, seed + 1);
    check_put(&a.in, a.x), check_put(&a.second, a.y), check_put(&a.weights, a.w);
    if (q.along < 0) put_offsets(&q, &a);
    for (int64_t j = 0; j < q.slices; j++) expect_slice(&q, &a, j);
    for (int t = 0; t < target_count; t++)
        if (all_targets || t == 0 || (seed + (uint64_t)t) % 4 == 0) ask(&q, &targets[t], &a);
    check_drop(&a.in), check_drop(&a.second), check_drop(&a.weights), check_drop(&a.out);
    check_drop(&a.outside);
    if (q.along < 0) check_drop(&a.offsets);
    free(a.x), free(a.y), free(a.w), free(a.before), free(a.want), free(a.got);
    free(a.want_outside), free(a.got_outside);
}

// ---- Questions ------------------------------------------------------------------------------

static axis axis_of(int turn, hd_type type, int64_t bins)
{
    static double edges[MAX_EDGES + 1];
    axis a = {.type = type, .bins = bins, .clamp = turn % 3 == 2};
    if (turn % 4 == 1 && bins <= MAX_EDGES) {
        a.rule = EDGES, a.edge_type = HD_F64, a.edges = edges;
        for (int64_t k = 0; k <= bins; k++) edges[k] = (double)(3 * k + k % 2);
    } else if (check_is_float(type) || turn % 4 == 3) {
        a.rule = EVEN, a.lower = 0.25, a.upper = 0.25 + (double)bins;
    } else if (turn % 8 == 4 && type == HD_U8) {
        a.rule = LETTERS, a.letters = 1 + turn % 26, a.first = 'a', a.clamp = false;
        a.bins = (26 + a.letters - 1) / a.letters;
    } else {
        a.rule = INTEGERS, a.first = turn % 2 ? 3 : 0;
    }
    return a;
}

// What is summed: nothing, or weights in each of the ways that the cores have.
static void choose_weights(question *q, int turn)
{
    static const hd_type counts[] = {HD_U64, HD_U32, HD_I64, HD_I32};
    static const struct {
        hd_type weight, out;
    } kinds[] = {{HD_F32, HD_F32}, {HD_I32, HD_I64}, {HD_F64, HD_F64}, {HD_F16, HD_F32}};
    q->out = counts[turn % 4];
    q->sum = HD_SUM;
    if (turn % 2 == 0) return;
    q->weight = kinds[turn / 2 % 4].weight;
    q->out = kinds[turn / 2 % 4].out;
    if (turn % 16 == 9) q->sum = HD_SUM_COMPENSATED;
    if (turn % 16 == 13) q->sum = HD_SUM_EXACT;
}

static question question_of(int turn)
{
    static const hd_type types[] = {HD_U8, HD_F32, HD_I32, HD_U16, HD_F64, HD_U32, HD_I64, HD_U8};
    static const int64_t bins[] = {1, 7, 256, 33, 5000, 64};
    question q = {.axes = 1, .add = turn % 3 == 1, .strided = turn % 5 == 2};
    const int64_t count = bins[turn % 6];
    q.first = axis_of(turn, types[turn % 8], count);
    if (turn % 7 == 3 && q.first.rule != LETTERS && count <= 256) {
        q.axes = 2;
        q.second = (axis){.type = HD_I16, .rule = INTEGERS, .bins = 5, .first = -2};
        q.second.clamp = q.first.clamp;
    }
    q.how = (skew)(turn % SKEWS);
    choose_weights(&q, turn);
    return q;
}

static void test_rows(void)
{
    static const int64_t shapes[][3] = {{1, 1, 1},    {300, 3, 1},   {5, 64, 2},  {0, 3, 2},
                                        {3, 0, 2},    {2, 1, 70001}, {17, 2, 65}, {2, 300, 20},
                                        {40, 1, 256}, {3, 1, 20011}};
    int turn = 0;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int along = 0; along < 3; along++)
            for (int k = 0; k < (check_small() ? 3 : 6); k++, turn++) {
                question q = question_of(turn);
                q.ndim = 3, q.along = along;
                for (int d = 0; d < 3; d++) q.shape[d] = shapes[s][d];
                if (check_small() && count_of(&q) > 30000) q.shape[2] = 9001;
                // The reference fills all bins of all slices.
                const int64_t slices = count_of(&q) / (q.shape[along] + (q.shape[along] == 0));
                if (slices * q.first.bins > 60000) continue;
                try(q, check_seed() + (uint64_t)turn, count_of(&q) < 700);
            }
    for (int k = 0; k < 12; k++, turn++) { // one dimension: one row
        question q = question_of(turn);
        q.ndim = 1, q.along = 0, q.shape[0] = 3 * k;
        try(q, check_seed() + (uint64_t)turn, true);
    }
}

// Offsets of m segments: short ones, empty ones, and one that is nearly everything.
static void fill_offsets(int64_t *offsets, int64_t m, int64_t n, int kind, uint64_t *state)
{
    const int64_t first = kind % 2 ? n / 9 : 0, last = kind % 2 ? n - n / 7 : n;
    for (int64_t j = 0; j <= m; j++)
        offsets[j] = first + (kind < 2 ? (last - first) * j / (m > 0 ? m : 1)
                                       : check_below(state, last - first + 1));
    if (kind == 3 && m > 2)
        for (int64_t j = 0; j <= m; j++) offsets[j] = j < m / 2 ? n / 50 * j / m : n - (m - j) / 9;
    for (int64_t j = 0; j <= m; j++)
        offsets[j] = offsets[j] < 0 ? 0 : offsets[j] > n ? n : offsets[j];
    for (int64_t j = 1; j <= m; j++) // rising
        for (int64_t k = j; k > 0 && offsets[k] < offsets[k - 1]; k--) {
            const int64_t swap = offsets[k];
            offsets[k] = offsets[k - 1], offsets[k - 1] = swap;
        }
    if (m == 0) offsets[0] = n / 2;
}

static void test_segments(void)
{
    static const hd_type types[] = {HD_I64, HD_I32, HD_U32, HD_U64};
    static const int64_t sizes[] = {0, 1, 50, 1000, 20011, 140009}, counts[] = {0, 1, 2, 13, 400};
    uint64_t state = check_seed();
    int turn = 1000;
    for (int s = 0; s < (check_small() ? 5 : 6); s++)
        for (int c = 0; c < 5; c++)
            for (int kind = 0; kind < 4; kind++, turn += 3) {
                question q = question_of(turn);
                int64_t *offsets = check_memory(8 * (size_t)(counts[c] + 1));
                q.ndim = 1, q.along = -1, q.shape[0] = sizes[s], q.slices = counts[c];
                q.offset_type = types[turn % 4];
                fill_offsets(offsets, counts[c], sizes[s], kind, &state);
                q.offsets = offsets;
                if (counts[c] * q.first.bins <= 60000)
                    try(q, check_seed() + (uint64_t)turn, sizes[s] < 700);
                free(offsets);
            }
}

// Too many bins for tables of a thread's own, and functions with further inputs.
HD_FUNCTION(shifted, int32_t, HD_NO_SOURCE, (int32_t, x, int32_t, by), { return x + by; })

static void test_rest(hd_context *ctx, const char *name)
{
    enum { ROWS = 3, LENGTH = 5000, BINS = 70000 };
    int32_t *x = check_memory(4 * ROWS * LENGTH), *by = check_memory(4 * ROWS * LENGTH);
    uint32_t *got = check_memory(4 * ROWS * BINS);
    const int64_t in[] = {ROWS, LENGTH}, out[] = {ROWS, BINS}, few[] = {ROWS, 4};
    for (int32_t i = 0; i < ROWS * LENGTH; i++) x[i] = i * 7 % BINS, by[i] = i % LENGTH % 4 - x[i];
    const hd_view v = hd_view_nd(HD_I32, x, 2, in, NULL), w = hd_view_nd(HD_I32, by, 2, in, NULL);
    CHECK_OK(ctx, hd_histogram(ctx, v, hd_view_nd(HD_U32, got, 2, out, NULL),
                               &(hd_histogram_options){.axis = HD_AXIS(-1)}));
    for (int32_t i = 0; i < ROWS * LENGTH; i++) got[i / LENGTH * BINS + x[i]]--;
    for (int64_t k = 0; k < ROWS * BINS; k++)
        if (got[k] != 0) CHECK(false, "many bins: bin %" PRId64 " on %s", k, name);
    CHECK_OK(ctx, hd_histogram(ctx, v, hd_view_nd(HD_U32, got, 2, few, NULL),
                               &(hd_histogram_options){
                                   .axis = HD_AXIS(1), .bin = shifted, .with = HD_VIEWS(w)}));
    for (int k = 0; k < 4 * ROWS; k++) CHECK(got[k] == LENGTH / 4, "%u on %s", got[k], name);
    free(x), free(by), free(got);
}

// ---- What is refused --------------------------------------------------------------------------

static void refuse(const check_target *t, int line, hd_status want, const char *word, hd_status got,
                   const uint32_t *out)
{
    if (got != want || strstr(hd_error(t->ctx), word) == NULL)
        check_failed(__FILE__, line, "refused", "%s, expected %s with '%s' on %s: %s",
                     hd_status_name(got), hd_status_name(want), word, t->name, hd_error(t->ctx));
    for (int k = 0; k < 16; k++)
        if (out[k] != 77) check_failed(__FILE__, line, "written", "a refused call on %s", t->name);
}

static void test_errors(const check_target *t)
{
    uint8_t x[12] = {0};
    uint32_t out[16];
    int64_t outside[4] = {0};
    const int64_t in_shape[] = {3, 4}, rows[] = {3, 4}, wrong[] = {4, 4}, none[] = {3, 0};
    for (int k = 0; k < 16; k++) out[k] = 77;
    const hd_view in = hd_view_nd(HD_U8, x, 2, in_shape, NULL), line = HD_VIEW(x, 12);
    const hd_view to = hd_view_nd(HD_U32, out, 2, rows, NULL);
#define REFUSED(status, word, in, out_view, ...)                                                   \
    refuse(t, __LINE__, status, word,                                                              \
           hd_histogram(t->ctx, in, out_view, &(hd_histogram_options){__VA_ARGS__}), out)
    const int64_t falls[] = {0, 5, 4, 12}, leaves[] = {0, 5, 6, 13}, below[] = {-1, 5, 6, 12};
    const int64_t huge[] = {0, INT64_MAX, INT64_MIN, 12}, good[] = {0, 4, 8, 12};
    const float real[] = {0, 1, 2, 3};
    REFUSED(HD_ERROR_VALUE, "offset 2 is 4", line, to, .segments = HD_REF(HD_VIEW(falls, 4)));
    REFUSED(HD_ERROR_VALUE, "offset 3 is 13", line, to, .segments = HD_REF(HD_VIEW(leaves, 4)));
    REFUSED(HD_ERROR_VALUE, "offset 0 is -1", line, to, .segments = HD_REF(HD_VIEW(below, 4)));
    REFUSED(HD_ERROR_VALUE, "offset 1", line, to, .segments = HD_REF(HD_VIEW(huge, 4)));
    REFUSED(HD_ERROR_TYPE, "integer", line, to, .segments = HD_REF(HD_VIEW(real, 4)));
    REFUSED(HD_ERROR_SHAPE, "one dimension", in, to, .segments = HD_REF(HD_VIEW(good, 4)));
    REFUSED(HD_ERROR_SHAPE, "shape (3, 4); expected (2)", line, to,
            .segments = HD_REF(HD_VIEW(good, 3)));
    REFUSED(HD_ERROR_ARGUMENT, "exclude", line, to, .segments = HD_REF(HD_VIEW(good, 4)),
            .axis = HD_AXIS(0));
    REFUSED(HD_ERROR_ARGUMENT, "bare number", in, to, .axis = 1);
    REFUSED(HD_ERROR_ARGUMENT, "axis 2", in, to, .axis = HD_AXIS(2));
    REFUSED(HD_ERROR_SHAPE, "expected (3), one for each row", in,
            hd_view_nd(HD_U32, out, 2, wrong, NULL), .axis = HD_AXIS(1));
    REFUSED(HD_ERROR_SHAPE, "expected (3)", in, HD_VIEW(out, 3), .axis = HD_AXIS(1));
    REFUSED(HD_ERROR_ARGUMENT, "0 bins for each row", in, hd_view_nd(HD_U32, out, 2, none, NULL),
            .axis = HD_AXIS(1));
    REFUSED(HD_ERROR_SHAPE, "those of second", in, to, .axis = HD_AXIS(1), .second = &in);
    REFUSED(HD_ERROR_SHAPE, "outside has 2 elements; expected 3", in, to, .axis = HD_AXIS(1),
            .outside = HD_REF(HD_VIEW(outside, 2)));
    REFUSED(HD_ERROR_TYPE, "expected i64", in, to, .axis = HD_AXIS(1),
            .outside = HD_REF(HD_VIEW_OF(HD_U64, outside, 3)));
    REFUSED(HD_ERROR_ALIAS, "outside overlaps out", in, to, .axis = HD_AXIS(1),
            .outside = HD_REF(HD_VIEW_OF(HD_I64, out, 3)));
    REFUSED(HD_ERROR_ALIAS, "out overlaps segments", line, to, .segments = HD_REF(HD_VIEW(out, 4)));
    REFUSED(HD_ERROR_SHAPE, "with[0]", line, to, .segments = HD_REF(HD_VIEW(good, 4)),
            .bin = shifted, .with = HD_VIEWS(HD_VIEW(x, 3)));
#undef REFUSED
}

int main(void)
{
    target_count = check_targets(&targets);
    for (int t = 0; t < target_count; t++) test_errors(&targets[t]);
    test_rest(targets[0].ctx, targets[0].name);
    test_rest(targets[target_count - 1].ctx, targets[target_count - 1].name);
    test_rows();
    test_segments();
    return check_finish();
}
