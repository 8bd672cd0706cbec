// SPDX-License-Identifier: Apache-2.0
//
// 10,000 random sums, means and products of floats, reduced and scanned with every option, against
// numbers without rounding (exact.h): each result has the bits of the tree of numerics.md, each
// of whose nodes is rounded once from the exact sum of its children; and its error, as a rational
// number, is within the bound that page states. Trees of other shapes are evaluated beside it, to
// show that they would be noticed.
// link: heddle_bits
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "bits/exact.h"
#include "tests/support/reference.h"

// ---- Formats ------------------------------------------------------------------------------------

static exact_format format_of(hd_type type)
{
    switch (type) {
    case HD_F16: return (exact_format){11, -24};
    case HD_BF16: return (exact_format){8, -133};
    case HD_F32: return (exact_format){24, -149};
    default: return (exact_format){53, -1074};
    }
}

// ---- A case -------------------------------------------------------------------------------------

enum { LARGEST_PRODUCT = 20 }; // its exact value fits in an exact number

typedef enum form { WHOLE, SEGMENTS, KEYS, AXIS, FORMS } form;

typedef struct trial {
    int64_t number;
    const hd_operator *op;
    hd_type type, out;
    int64_t n, rows; // rows of n elements each, of an axis; else 1
    form form;
    bool scan, exclusive, backward, with_init, axis_first;
    double init;
    double *x; // rows * n values, and the same as elements
    void *elements;
    int64_t *offsets, offset_count;
    int32_t *keys;
    unsigned char *heads;
} trial;

// What the tree computes in: f64 where elements or results are (a mean of f64 may be f32), else
// f32.
static exact_format tree_format(const trial *t)
{
    return format_of(t->type == HD_F64 || t->out == HD_F64 ? HD_F64 : HD_F32);
}

// A number of the type with the given exponent, or the nearest that the type has; few bits at
// times.
static double random_number(uint64_t *state, hd_type type, int exponent, bool positive)
{
    const exact_format f = format_of(type);
    const uint64_t r = check_next(state);
    int unit = exponent - f.precision + 1;
    uint64_t mantissa = (r >> 8 | (uint64_t)1 << 55) >> (56 - f.precision);
    if (r % 16 == 0) mantissa &= ~(uint64_t)0 << (f.precision / 2);
    for (; unit < f.least; unit++) mantissa >>= 1;
    const double magnitude = r % 64 == 1 ? 0 : ldexp((double)mantissa, unit); // exact
    return r >> 7 & 1 && !positive ? -magnitude : magnitude;
}

static int bits_to_hold(int64_t n)
{
    int bits = 0;
    while (n >> bits) bits++;
    return bits;
}

// Sums stay finite in the output's type. Exponents spread over 0, 4, 24, ... powers of two.
static void fill(trial *t, uint64_t *state)
{
    static const int spans[] = {1, 4, 24, 60, 250, 1900};
    static const int greatest[] = {[HD_F16] = 15, [HD_BF16] = 127, [HD_F32] = 127, [HD_F64] = 900};
    const exact_format f = format_of(t->type);
    const int most = t->out < t->type ? greatest[t->out] : greatest[t->type];
    const int top = most - 3 - bits_to_hold(t->n);
    const bool positive = check_below(state, 3) == 0, cancels = check_below(state, 4) == 0;
    int span = spans[check_below(state, 6)];
    if (span > top - f.least) span = top - f.least;
    const int low =
        t->op == HD_PRODUCT ? -1 : top - span - (int)check_below(state, top - span - f.least + 1);
    for (int64_t i = 0; i < t->rows * t->n; i++) {
        const int exponent = low + (int)check_below(state, t->op == HD_PRODUCT ? 2 : span + 1);
        t->x[i] = random_number(state, t->type, exponent, positive);
        if (t->op == HD_PRODUCT && t->x[i] == 0) t->x[i] = 1;
        if (cancels && i >= 8 && t->op != HD_PRODUCT && i & 8) t->x[i] = -t->x[i - 8];
    }
    t->init = random_number(state, t->out, low, false);
    if (t->op == HD_PRODUCT) t->init = 1.5;
}

static void put(hd_type type, void *array, int64_t k, double value)
{
    const float single = (float)value; // exact: value is of the type
    const uint16_t half = type == HD_F16 || type == HD_BF16 ? ref_narrow(type, value) : 0;
    const void *from = type == HD_F64   ? (const void *)&value
                       : type == HD_F32 ? (const void *)&single
                                        : (const void *)&half;
    memcpy((char *)array + hd_type_size(type) * (size_t)k, from, hd_type_size(type));
}

static int64_t random_length(uint64_t *state, int64_t number)
{
    const int64_t power = number % 500 == 499 ? 16 : check_below(state, 11);
    return ((int64_t)1 << power) + check_below(state, (int64_t)1 << power);
}

static trial make_trial(uint64_t *state, int64_t number)
{
    static const hd_type types[] = {HD_F16, HD_BF16, HD_F32, HD_F64, HD_F32, HD_F64};
    const int64_t kind = check_below(state, 8);
    trial t = {.number = number, .rows = 1, .n = random_length(state, number)};
    t.op = kind < 6 ? HD_SUM : kind == 6 ? HD_MEAN : HD_PRODUCT;
    t.type = types[check_below(state, 6)];
    do t.out = types[check_below(state, 6)];
    while (!ref_accepts(t.op, t.type, t.out));
    t.scan = check_below(state, 2), t.form = (form)check_below(state, FORMS);
    if (t.op == HD_PRODUCT) t.n = 1 + t.n % LARGEST_PRODUCT;
    t.exclusive = t.scan && check_below(state, 3) == 0;
    t.backward = t.scan && check_below(state, 3) == 0;
    t.with_init = t.op != HD_MEAN && check_below(state, 3) == 0;
    t.axis_first = check_below(state, 2);
    if (t.form == AXIS) t.rows = 1 + check_below(state, 5);
    const size_t count = (size_t)(t.rows * t.n);
    t.x = check_memory(8 * count), t.elements = check_memory(8 * count);
    t.heads = check_memory((size_t)t.n), t.keys = check_memory(4 * (size_t)t.n);
    t.offsets = check_memory(8 * (size_t)(t.n / 2 + 20));
    fill(&t, state);
    for (size_t i = 0; i < count; i++) put(t.type, t.elements, (int64_t)i, t.x[i]);
    t.offset_count = check_offsets(t.n, t.n / 2 + 20, state, t.offsets);
    check_keys(HD_I32, t.keys, t.n, state);
    memset(t.heads, 0, (size_t)t.n);
    if (t.form == SEGMENTS) ref_heads_of_offsets(t.offsets, t.offset_count, t.heads, t.n);
    if (t.form == KEYS) ref_heads_of_keys(HD_I32, t.keys, t.heads, t.n);
    return t;
}

static void drop_trial(trial *t)
{
    free(t->x), free(t->elements), free(t->heads), free(t->keys), free(t->offsets);
}

// ---- The library's results ----------------------------------------------------------------------

static int64_t output_count(const trial *t)
{
    if (t->scan) return t->rows * t->n;
    return t->form == SEGMENTS ? t->offset_count - 1 : t->form == KEYS ? t->n : t->rows;
}

static void call(const trial *t, const check_target *target, double *got)
{
    const int64_t outs = output_count(t);
    const size_t size = hd_type_size(t->out);
    const int64_t shape[] = {t->axis_first ? t->n : t->rows, t->axis_first ? t->rows : t->n};
    char *out = check_memory(8 * (size_t)outs);
    _Alignas(8) unsigned char init[8];
    hd_view in = HD_VIEW_OF(t->type, t->elements, t->n), to = HD_VIEW_OF(t->out, out, outs);
    hd_reduce_options r = {0};
    hd_scan_options s = {.exclusive = t->exclusive, .backward = t->backward};
    put(t->out, init, 0, t->init);
    if (t->with_init) r.init = s.init = init;
    r.segments = s.segments =
        t->form == SEGMENTS ? HD_REF(HD_VIEW(t->offsets, t->offset_count)) : NULL;
    r.keys = s.keys = t->form == KEYS ? HD_REF(HD_VIEW(t->keys, t->n)) : NULL;
    if (t->form == AXIS) {
        in = hd_view_nd(t->type, t->elements, 2, shape, NULL);
        if (t->scan) to = hd_view_nd(t->out, out, 2, shape, NULL);
        r.axis = s.axis = t->axis_first ? HD_AXIS(0) : HD_AXIS(1);
    }
    CHECK_OK(target->ctx, t->scan ? hd_scan(target->ctx, in, t->op, to, &s)
                                  : hd_reduce(target->ctx, in, t->op, to, &r));
    for (int64_t k = 0; k < outs; k++) got[k] = ref_to_double(t->out, out + size * (size_t)k);
    free(out);
}

// ---- The tree, rounded node by node -------------------------------------------------------------

static void combine(const void *self, void *out, const void *a, const void *b)
{
    const trial *t = self;
    const exact_format f = tree_format(t);
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    x = t->op == HD_PRODUCT ? exact_product(x, y, f) : exact_sum(x, y, f);
    memcpy(out, &x, sizeof x);
}

// A finished result of `count` elements' node: init, the mean's division, the output's rounding.
static double finish(const trial *t, double node, int64_t count)
{
    const exact_format f = tree_format(t);
    exact x = {{0}};
    if (count == 0 && t->with_init) return t->init;
    if (count == 0) return t->op == HD_SUM ? 0.0 : t->op == HD_PRODUCT ? 1.0 : (double)NAN;
    if (t->with_init) combine(t, &node, &t->init, &node);
    if (t->op == HD_MEAN) node = exact_quotient(node, (uint64_t)count, f);
    exact_add_double(&x, node);
    const double rounded = exact_round(&x, format_of(t->out));
    return rounded == 0 && signbit(node) ? -0.0 : rounded;
}

// ---- The bound ----------------------------------------------------------------------------------

// Additions on the longest way to R(n).
static uint64_t depth(int64_t n)
{
    uint64_t d = 0;
    for (int64_t m = n; m > 1; m >>= 1) d++;
    return d + (uint64_t)__builtin_popcountll((unsigned long long)n) - 1;
}

// What one rounding to a format can add to |r|, its result: u |r|, or half of the least number.
static void add_rounding(exact *x, double r, exact_format f, uint64_t times)
{
    exact_parts p = exact_split(r);
    exact one = {{0}}, least = {{0}};
    exact_add_bits(&one, false, p.mantissa, p.exponent - f.precision);
    exact_add_bits(&least, false, 1, f.least - 1);
    if (exact_is_at_most(&one, &least)) one = least;
    exact_scale(&one, times);
    exact_add(x, &one);
}

// |result - sum| <= d u (1 + d u / 2) sum |x|, and the roundings after the tree: as integers, with
// v = 1/u, (|count result - sum| - those) 2 v v <= d (2 v + d) sum |x|, where count is 1 unless it
// is a mean.
static bool within(const trial *t, double result, const exact *sum, const exact *magnitudes,
                   uint64_t d, int64_t count)
{
    const exact_format f = tree_format(t), out = format_of(t->out);
    const uint64_t times = t->op == HD_MEAN ? (uint64_t)count : 1;
    exact error = {{0}}, later = {{0}}, allowed = *magnitudes;
    exact_add_double(&error, result);
    exact_scale(&error, times);
    exact_subtract(&error, sum);
    exact_absolute(&error);
    if (out.precision < f.precision) add_rounding(&later, result, out, times);
    // The quotient's own rounding; before the output's it was at most twice the result, or tiny.
    if (t->op == HD_MEAN) add_rounding(&later, result, f, 4 * times);
    exact_subtract(&error, &later);
    if (exact_is_negative(&error)) return true;
    const uint64_t v = (uint64_t)1 << f.precision;
    exact_scale(&error, v);
    exact_scale(&error, 2 * v);
    exact_scale(&allowed, d * (2 * v + d));
    return exact_is_at_most(&error, &allowed);
}

// A product's distance from that of its n factors: |P - R| (1/u - (n - 1)) <= (n - 1) |P|.
static bool within_product(const trial *t, double result, const double *x, int64_t n)
{
    const exact_format f = tree_format(t);
    const uint64_t d = (uint64_t)(n - 1 + t->with_init);
    exact product = {{0}}, error = {{0}};
    int exponent = 0;
    bool minus = false;
    exact_add_bits(&product, false, 1, 0);
    for (int64_t i = -1; i < n; i++) {
        if (i < 0 && !t->with_init) continue;
        exact_parts p = exact_split(i < 0 ? t->init : x[i]);
        while (!(p.mantissa & 1)) p.mantissa >>= 1, p.exponent++;
        exact_scale(&product, p.mantissa);
        exponent += p.exponent, minus = minus != p.minus;
    }
    const exact_parts r = exact_split(result);
    exact_add_bits(&error, false, r.mantissa, r.exponent - exponent);
    exact_subtract(&error, &product);
    exact_absolute(&error);
    if (r.minus != minus) return false;
    exact_scale(&error, ((uint64_t)1 << f.precision) - d);
    exact_scale(&product, d);
    return exact_is_at_most(&error, &product);
}

// ---- Comparing ----------------------------------------------------------------------------------

static int64_t results, bounded; // looked at

static void compare(const trial *t, const char *target, int64_t at, double got, double want)
{
    const bool same = memcmp(&got, &want, sizeof got) == 0 || (got != got && want != want);
    results++;
    CHECK(same,
          "case %" PRId64 ": %s of %" PRId64 " %s as %s, form %d%s%s%s%s: result %" PRId64
          " is %a, the tree has %a on %s",
          t->number, hd_operator_name(t->op), t->n, hd_type_name(t->type), hd_type_name(t->out),
          t->form, t->scan ? ", scan" : "", t->exclusive ? ", exclusive" : "",
          t->backward ? ", backward" : "", t->with_init ? ", init" : "", at, got, want, target);
}

static void compare_bound(const trial *t, const char *target, int64_t at, bool holds)
{
    bounded++;
    CHECK(holds,
          "case %" PRId64 ": result %" PRId64 " of %" PRId64
          " %s is off by more than its bound on %s",
          t->number, at, t->n, hd_type_name(t->type), target);
}

// One sequence in the order of its tree: a reduction, or a scan whose segments begin at the heads.
// got[k stride] are the library's results, in that order too.
static void check_reduction(const trial *t, const char *target, const double *x, int64_t n,
                            double got, int64_t at)
{
    const ref_monoid monoid = {sizeof(double), combine, t};
    exact sum = {{0}}, magnitudes = {{0}};
    double node = 0;
    if (n > 0) ref_tree_reduce(&monoid, x, n, &node);
    compare(t, target, at, got, finish(t, node, n));
    if (n == 0) return;
    if (t->op == HD_PRODUCT) {
        if (format_of(t->out).precision >= 24)
            compare_bound(t, target, at, within_product(t, got, x, n));
        return;
    }
    for (int64_t i = 0; i < n; i++)
        exact_add_double(&sum, x[i]), exact_add_double(&magnitudes, fabs(x[i]));
    if (t->with_init) exact_add_double(&sum, t->init), exact_add_double(&magnitudes, fabs(t->init));
    compare_bound(t, target, at, within(t, got, &sum, &magnitudes, depth(n) + t->with_init, n));
}

// A prefix: what has been added up since its segment began.
typedef struct prefix {
    exact sum, magnitudes;
    int64_t count;
} prefix;

static void begin_prefix(const trial *t, prefix *p)
{
    memset(p, 0, sizeof *p);
    if (t->with_init)
        exact_add_double(&p->sum, t->init), exact_add_double(&p->magnitudes, fabs(t->init));
}

static void check_scan(const trial *t, const char *target, const double *x,
                       const unsigned char *heads, const double *got)
{
    const ref_monoid monoid = {sizeof(double), combine, t};
    double *nodes = check_memory(sizeof *nodes * (size_t)t->n);
    prefix p = {.count = 0};
    ref_tree_scan(&monoid, x, t->n, heads, nodes);
    for (int64_t i = 0; i < t->n; i++) {
        if (i == 0 || heads[i]) begin_prefix(t, &p);
        if (t->exclusive)
            compare(t, target, i, got[i], finish(t, p.count ? nodes[i - 1] : 0, p.count));
        p.count++;
        if (!t->exclusive) compare(t, target, i, got[i], finish(t, nodes[i], p.count));
        if (t->op == HD_PRODUCT) continue;
        // The tree of a segment lies on the index of the whole: its depth is the whole prefix's.
        const int64_t over = t->exclusive ? p.count - 1 : p.count;
        const uint64_t d = depth(t->exclusive && i > 0 ? i : i + 1) + t->with_init;
        if (t->exclusive && over > 0)
            compare_bound(t, target, i, within(t, got[i], &p.sum, &p.magnitudes, d, over));
        exact_add_double(&p.sum, x[i]), exact_add_double(&p.magnitudes, fabs(x[i]));
        if (!t->exclusive)
            compare_bound(t, target, i, within(t, got[i], &p.sum, &p.magnitudes, d, over));
    }
    free(nodes);
}

// ---- The sequences of a case --------------------------------------------------------------------

static void check_parts(const trial *t, const char *target, const double *got)
{
    int64_t run = 0;
    if (t->form == SEGMENTS)
        for (int64_t k = 0; k + 1 < t->offset_count; k++)
            check_reduction(t, target, t->x + t->offsets[k], t->offsets[k + 1] - t->offsets[k],
                            got[k], k);
    else
        for (int64_t i = 0, end; i < t->n; i = end, run++) {
            for (end = i + 1; end < t->n && !t->heads[end]; end++) continue;
            check_reduction(t, target, t->x + i, end - i, got[run], run);
        }
}

static void check_row(const trial *t, const char *target, int64_t row, const double *got)
{
    const int64_t step = t->axis_first ? t->rows : 1, begin = t->axis_first ? row : row * t->n;
    double *x = check_memory(8 * (size_t)t->n), *g = check_memory(8 * (size_t)t->n);
    unsigned char *heads = check_memory((size_t)t->n);
    for (int64_t p = 0; p < t->n; p++) {
        const int64_t i = t->backward ? t->n - 1 - p : p;
        const bool turned = t->backward && p > 0;
        x[p] = t->x[begin + i * step];
        heads[p] = t->heads[turned ? i + 1 : i] && (!t->backward || turned);
        if (t->scan) g[p] = got[begin + i * step];
    }
    if (t->scan)
        check_scan(t, target, x, heads, g);
    else
        check_reduction(t, target, x, t->n, got[row], row);
    free(x), free(g), free(heads);
}

static void check_trial(const trial *t, const check_target *target)
{
    double *got = check_memory(8 * (size_t)(output_count(t) + 1));
    call(t, target, got);
    if (!t->scan && (t->form == SEGMENTS || t->form == KEYS))
        check_parts(t, target->name, got);
    else
        for (int64_t row = 0; row < t->rows; row++) check_row(t, target->name, row, got);
    free(got);
}

// ---- Trees of other shapes ----------------------------------------------------------------------

static double left_fold(const trial *t, const double *x, int64_t n)
{
    double sum = x[0];
    for (int64_t i = 1; i < n; i++) combine(t, &sum, &sum, &x[i]);
    return sum;
}

static double halves(const trial *t, const double *x, int64_t n)
{
    if (n == 1) return x[0];
    double a = halves(t, x, n / 2), b = halves(t, x + n / 2, n - n / 2);
    combine(t, &a, &a, &b);
    return a;
}

// The perfect nodes of the tree, the smallest first.
static double right_fold(const trial *t, const double *x, int64_t n)
{
    const ref_monoid monoid = {sizeof(double), combine, t};
    int64_t first = 1;
    double node, rest;
    while (2 * first <= n) first *= 2;
    ref_tree_reduce(&monoid, x, first, &node);
    if (first == n) return node;
    rest = right_fold(t, x + first, n - first);
    combine(t, &node, &node, &rest);
    return node;
}

static double (*const others[])(const trial *, const double *, int64_t) = {left_fold, halves,
                                                                           right_fold};
enum { OTHERS = sizeof others / sizeof *others };
static int64_t looked_at, noticed[OTHERS];

static void try_others(const trial *t, const check_target *target)
{
    double got;
    if (t->scan || t->form != WHOLE || t->op != HD_SUM || t->n < 8 || t->n > 4096) return;
    call(t, target, &got);
    looked_at++;
    for (int k = 0; k < OTHERS; k++) {
        const double other = finish(t, others[k](t, t->x, t->n), t->n);
        noticed[k] += memcmp(&other, &got, sizeof got) != 0;
    }
}

// A loop over many equal numbers leaves the bound, which the tree keeps.
static void check_bound_is_sharp(void)
{
    enum { N = 100000 };
    const trial t = {.op = HD_SUM, .type = HD_F32, .out = HD_F32, .n = N};
    static double x[N];
    exact sum = {{0}};
    for (int i = 0; i < N; i++) x[i] = (double)0.1f, exact_add_double(&sum, x[i]);
    const ref_monoid monoid = {sizeof(double), combine, &t};
    double node;
    ref_tree_reduce(&monoid, x, N, &node);
    CHECK(within(&t, node, &sum, &sum, depth(N), N), "the tree is out of its bound");
    CHECK(!within(&t, left_fold(&t, x, N), &sum, &sum, depth(N), N), "a loop is within the bound");
}

int main(void)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    const int64_t cases = check_small() ? 1000 : 10000;
    check_bound_is_sharp();
    for (int64_t k = 0; k < cases; k++) {
        uint64_t state = check_seed() * 0x9E3779B97F4A7C15u + (uint64_t)k;
        trial t = make_trial(&state, k);
        const check_target *target = &targets[check_below(&state, count)];
        check_trial(&t, target);
        try_others(&t, target);
        drop_trial(&t);
    }
    for (int k = 0; k < OTHERS; k++)
        CHECK(noticed[k] > looked_at / 20, "only %" PRId64 " of %" PRId64 " sums by tree %d differ",
              noticed[k], looked_at, k);
    printf("%" PRId64 " cases, %" PRId64 " results, %" PRId64 " bounds, seed %" PRIu64
           "; of %" PRId64 " sums %" PRId64 ", %" PRId64 ", %" PRId64
           " differ by a left fold, halves, a right fold\n",
           cases, results, bounded, check_seed(), looked_at, noticed[0], noticed[1], noticed[2]);
    return check_finish();
}
