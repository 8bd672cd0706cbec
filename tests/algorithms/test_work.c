// SPDX-License-Identifier: Apache-2.0
//
// Work and steps of the algorithms, counted: the trace says which patterns a call runs over how
// many elements, and a model of the PRAM what each of them costs. Steps are the formulas that stand
// in the headers, exactly where the calls do not depend on values; what calls count themselves
// (.steps, .scans, .rounds) agrees.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>
#include <heddle_teaching.h>

#include "tests/support/check.h"

// ---- The model ----------------------------------------------------------------------------------

// What a call costs with a processor for each element. Those over a single element are not counted:
// they hand over numbers.
typedef struct counts {
    int64_t calls, scans, reductions, maps, steps, work;
} counts;

static counts counted;

static int64_t levels_of(int64_t n) // ceil(log2 n)
{
    int64_t levels = 0;
    while (((int64_t)1 << levels) < n) levels++;
    return levels;
}

static bool begins(const char *line, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(line, word, n) == 0 && line[n] == ' ';
}

// A line is "scan sum of 1000 i64: cpu". Maps and moves take one step, reductions and scans
// ceil(log2 n), also those that compact, find, expand and search are made of; sorts, rankings and
// roots by pointer jumping are taken at ceil(log2 n) as well.
static void count_line(void *user, const char *line)
{
    const char *of = strstr(line, " of ");
    (void)user;
    if (of == NULL) return;
    const int64_t n = strtoll(of + 4, NULL, 10), levels = levels_of(n);
    if (n < 2) return;
    const bool maps = begins(line, "map") || begins(line, "map_many");
    const bool moves = begins(line, "gather") || begins(line, "scatter");
    counted.calls++;
    counted.maps += maps;
    counted.scans += begins(line, "scan");
    counted.reductions += begins(line, "reduce") || begins(line, "reduce_many");
    counted.steps += maps || moves ? 1 : levels + begins(line, "compact");
    counted.work += n;
}

static hd_context *ctx;

// ---- Calls that are the same whatever the values ------------------------------------------------

enum { MOST = 1 << 13 };

static double real[MOST], real_out[MOST], row[4][MOST];
static int64_t whole[MOST], whole_out[MOST], more[MOST + 1], column[MOST];
static uint64_t limb[2][MOST];
static uint8_t text[MOST];
static hd_lexer *lexer;

#define RUN(call) check_status(__FILE__, __LINE__, "the call", ctx, HD_OK, (call))

static void run_polynomial(int64_t n) // at 3 points
{
    const double x[] = {0.5, 0.25, -1};
    RUN(hd_polynomial(ctx, HD_VIEW(real, n), HD_VIEW(x, 3), HD_VIEW(real_out, 3),
                      &(hd_polynomial_options){.method = HD_POLYNOMIAL_TREE}));
}

static void run_filter(int64_t n)
{
    const double b[] = {1, 2, 1}, a[] = {1, 0.5, 0.25};
    RUN(hd_filter(ctx, HD_VIEW(real, n), HD_VIEW(b, 3), HD_VIEW(a, 3), HD_VIEW(real_out, n), NULL));
}

static void run_recurrence(int64_t n)
{
    const double c[] = {0.5, 0.25};
    RUN(hd_recurrence(ctx, HD_VIEW(real, n), HD_VIEW(c, 2), HD_VIEW(real_out, n), NULL));
}

static void run_recurrence_of_each(int64_t n)
{
    const hd_view c = hd_view_nd(HD_F64, real, 2, (int64_t[]){n, 1}, NULL);
    RUN(hd_recurrence(ctx, HD_VIEW(real, n), c, HD_VIEW(real_out, n), NULL));
}

static void run_bigint(int64_t n)
{
    RUN(hd_bigint_add(ctx, HD_VIEW(limb[0], n), HD_VIEW(limb[1], n), HD_VIEW(limb[1], n), NULL));
}

static void run_bigint_compare(int64_t n)
{
    RUN(hd_bigint_compare(ctx, HD_VIEW(limb[0], n), HD_VIEW(limb[1], n), HD_VIEW(whole_out, 1),
                          NULL));
}

static void run_tridiagonal(int64_t n)
{
    RUN(hd_tridiagonal(ctx, HD_VIEW(row[0], n), HD_VIEW(row[1], n), HD_VIEW(row[0], n),
                       HD_VIEW(real, n), HD_VIEW(real_out, n), NULL));
}

static void run_tree(int64_t n) // node i hangs on node (i - 1) / 2
{
    for (int64_t i = 0; i < n; i++) more[i] = i == 0 ? -1 : (i - 1) / 2;
    RUN(hd_tree_order(ctx, HD_VIEW(more, n),
                      &(hd_tree_order_options){.depth = HD_REF(HD_VIEW(whole_out, n))}));
}

static void run_spans(int64_t n)
{
    const int64_t pool = n;
    RUN(hd_allocate_spans(ctx, HD_VIEW(whole, n), HD_VIEW(&pool, 1), HD_VIEW(whole_out, n), NULL));
}

static void run_integral(int64_t n) // 16 columns
{
    const hd_view in = hd_view_nd(HD_F64, real, 2, (int64_t[]){n / 16, 16}, NULL);
    const hd_view out = hd_view_nd(HD_F64, real_out, 2, in.shape, NULL);
    RUN(hd_integral(ctx, in, out, NULL));
}

static void run_spmv(int64_t n, hd_spmv_method method) // rows of 4 entries
{
    for (int64_t i = 0; i <= n / 4; i++) more[i] = 4 * i;
    for (int64_t k = 0; k < n; k++) column[k] = k;
    RUN(hd_spmv(ctx, HD_VIEW(more, n / 4 + 1), HD_VIEW(column, n), HD_VIEW(real, n),
                HD_VIEW(row[1], n), HD_DOT, HD_VIEW(real_out, n / 4),
                &(hd_spmv_options){.method = method}));
}

static void run_spmv_reduce(int64_t n)
{
    run_spmv(n, HD_SPMV_REDUCE);
}

static void run_spmv_scan(int64_t n)
{
    run_spmv(n, HD_SPMV_SCAN);
}

static void run_lex(int64_t n)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) text[i] = "ab 12.5,"[i % 8];
    RUN(hd_lex(ctx, lexer, HD_VIEW(text, n), HD_EMPTY, HD_EMPTY, HD_EMPTY, HD_VIEW(&count, 1),
               &(hd_lex_options){.method = HD_LEX_SCAN}));
}

static void run_find(int64_t n) // 16 bytes that come n / 16 times
{
    static const uint8_t pattern[] = "ab 12.5,ab 12.5,";
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) text[i] = pattern[i % 16];
    RUN(hd_strings_find(ctx, HD_VIEW(text, n), HD_VIEW(pattern, 16), HD_EMPTY, HD_VIEW(&count, 1),
                        NULL));
}

static void run_compare(int64_t n) // two strings that are equal
{
    const int64_t offsets[] = {0, n};
    int8_t order = 0;
    for (int64_t i = 0; i < n; i++) text[i] = 'a';
    RUN(hd_strings_compare(ctx, HD_VIEW(offsets, 2), HD_VIEW(text, n), HD_VIEW(offsets, 2),
                           HD_VIEW(text, n), HD_VIEW(&order, 1), NULL));
}

static void run_parse(int64_t n)
{
    for (int64_t i = 0; i < n; i++) text[i] = '7';
    RUN(hd_bigint_parse(ctx, HD_VIEW(text, n), HD_VIEW(limb[0], n / 16), NULL));
}

static void run_parents(int64_t n) // edges from node i to node (i - 1) / 2
{
    for (int64_t i = 1; i < n; i++) more[i - 1] = (i - 1) / 2;
    RUN(hd_tree_parents(ctx, hd_progression(1, 1, n - 1), HD_VIEW(more, n - 1), 0,
                        HD_VIEW(whole_out, n), NULL));
}

static void run_boxes(int64_t n)
{
    const hd_view in = hd_view_nd(HD_F64, real, 2, (int64_t[]){n / 16, 16}, NULL);
    const hd_view out = hd_view_nd(HD_F64, real_out, 2, in.shape, NULL);
    RUN(hd_box_statistics(ctx, in, 3, 3, &(hd_box_options){.sums = &out}));
}

static void run_split_sort(int64_t n)
{
    int64_t scans = 0;
    counted = (counts){0};
    RUN(hd_split_sort(ctx, HD_VIEW(whole, n), HD_VIEW(whole_out, n),
                      &(hd_steps_options){.scans = HD_REF(HD_VIEW(&scans, 1))}));
    CHECK(scans == 64 && counted.scans == scans && counted.reductions == 0,
          "split sort of 64 bits: %" PRId64 " scans, %" PRId64 " of them seen", scans,
          counted.scans);
}

static void run_broadcast(int64_t n)
{
    int64_t steps = 0;
    RUN(hd_broadcast(ctx, HD_VIEW(real, 1), HD_VIEW(real_out, n),
                     &(hd_steps_options){.steps = HD_REF(HD_VIEW(&steps, 1))}));
    CHECK(steps == 1 + levels_of(n), "broadcast to %" PRId64 ": %" PRId64 " steps", n, steps);
}

// Steps of a call over n = 2^k elements are slope k + constant.
typedef struct formula {
    const char *name;
    void (*run)(int64_t n);
    int64_t slope, constant;
    int64_t scans; // of them so many are scans
    int64_t work;  // at most so many operations an element, whatever n
} formula;

static const formula formulas[] = {
    {"polynomial at 3 points", run_polynomial, 3, 0, 0, 3},
    {"filter", run_filter, 1, -4, 1, 1},
    {"strings find", run_find, 5, 7, 1, 9},
    {"strings compare", run_compare, 1, 11, 0, 9},
    {"digits to limbs", run_parse, 1, 4, 0, 4},
    {"parents of edges", run_parents, 7, 14, 1, 24},
    {"boxes", run_boxes, 2, 9, 2, 20},
    {"recurrence, blocks of 128", run_recurrence, 1, -4, 1, 1},
    {"recurrence, of each", run_recurrence_of_each, 1, -2, 1, 1},
    {"bigint add", run_bigint, 1, -2, 1, 1},
    {"bigint compare", run_bigint_compare, 1, -4, 0, 1},
    {"tridiagonal", run_tridiagonal, 3, -11, 2, 1},
    {"tree", run_tree, 6, 14, 0, 20},
    {"spans", run_spans, 3, 1, 2, 4},
    {"integral", run_integral, 2, 0, 2, 2},
    {"spmv reduce", run_spmv_reduce, 1, 0, 0, 1},
    {"spmv scan", run_spmv_scan, 4, -2, 2, 3},
    {"lex", run_lex, 7, 6, 2, 20},
    {"split sort", run_split_sort, 64, 128, 64, 200},
    {"broadcast", run_broadcast, 1, -1, 0, 1},
};

static void test_formula(const formula *f)
{
    for (int64_t k = 9; k <= (check_small() ? 10 : 13); k++) {
        const int64_t n = (int64_t)1 << k;
        counted = (counts){0};
        f->run(n);
        CHECK(counted.steps == f->slope * k + f->constant,
              "%s of 2^%d: %" PRId64 " steps; expected %" PRId64 " k + %" PRId64, f->name, (int)k,
              counted.steps, f->slope, f->constant);
        CHECK(counted.scans == f->scans, "%s of 2^%d: %" PRId64 " scans", f->name, (int)k,
              counted.scans);
        CHECK(counted.work <= f->work * n, "%s of 2^%d: work of %" PRId64 ", %.1f an element",
              f->name, (int)k, counted.work, (double)counted.work / (double)n);
    }
}

// ---- Calls that depend on values ----------------------------------------------------------------

#define NUMBER(x) HD_REF(HD_VIEW(&(x), 1))

static void test_sorts(int64_t k, uint64_t *r)
{
    const int64_t n = (int64_t)1 << k, bins = 1 + check_below(r, 1000);
    static uint32_t keys[MOST];
    int64_t steps = 0, scans = 0;
    counted = (counts){0};
    for (int64_t i = 0; i < n; i++) whole[i] = (int64_t)check_next(r), keys[i] = (uint32_t)i % 999;
    RUN(hd_quicksort(ctx, HD_VIEW(whole, n), HD_VIEW(whole_out, n),
                     &(hd_steps_options){.steps = NUMBER(steps), .scans = NUMBER(scans)}));
    const int64_t seen = counted.scans + counted.reductions;
    CHECK(scans == 6 * steps && seen == scans, "%d scans, %d seen", (int)scans, (int)seen);
    CHECK(steps <= 2 * k + 12, "quicksort of 2^%d: %" PRId64 " steps", (int)k, steps);
    counted = (counts){0};
    RUN(hd_sort_histogram(ctx, HD_VIEW(keys, n), HD_VIEW(whole_out, bins),
                          &(hd_steps_options){.steps = NUMBER(steps), .scans = NUMBER(scans)}));
    CHECK(counted.scans + counted.reductions == scans && scans == 2 * steps - 1 &&
              steps == levels_of(bins + 1) + 1,
          "%d bins: %d steps, %d scans, %d seen", (int)bins, (int)steps, (int)scans,
          (int)(counted.scans + counted.reductions));
}

// Of products of n / (2 s) pairs of blocks of s rows, n s^2 / 2 multiplications.
static int64_t triangle_steps, triangle_rows, triangle_work;

static void count_triangle(void *user, const char *line)
{
    const char *of = strstr(line, " of ");
    (void)user;
    if (of == NULL) return;
    const int64_t n = triangle_rows, work = strtoll(of + 4, NULL, 10);
    if (begins(line, "map inverse_f64") || begins(line, "map negative_f64")) triangle_steps++;
    if (!begins(line, "reduce dot")) return;
    int64_t s = 1;
    while (n * s * s < 2 * work) s *= 2;
    CHECK(n * s * s == 2 * work, "a product of %" PRId64 " multiplications", work);
    triangle_steps += 1 + levels_of(s);
    triangle_work += work;
}

static void test_triangle(hd_context *of_triangles, int64_t k)
{
    const int64_t n = triangle_rows = (int64_t)1 << k;
    static double a[64 * 64];
    int64_t steps = 0;
    triangle_steps = triangle_work = 0;
    for (int64_t i = 0; i < n * n; i++) a[i] = i % (n + 1) == 0 ? 2 : real[i % MOST] / 64;
    const hd_view in = hd_view_nd(HD_F64, a, 2, (int64_t[]){n, n}, NULL);
    check_status(__FILE__, __LINE__, "a triangle", of_triangles, HD_OK,
                 hd_triangular_inverse(of_triangles, in, in,
                                       &(hd_triangular_inverse_options){.method = HD_INVERSE_LOG,
                                                                        .steps = NUMBER(steps)}));
    CHECK(steps == triangle_steps && steps == (1 + k) * (1 + k),
          "a triangle of 2^%d: %" PRId64 " steps, %" PRId64 " seen", (int)k, steps, triangle_steps);
    CHECK(3 * triangle_work == n * (n * n - 1), "a triangle of 2^%d: %" PRId64 " products", (int)k,
          triangle_work);
}

// The powers by doubling, their traces, Newton's triangle, two products: 3 log2 n + 3 reductions.
static void test_csanky(int64_t k)
{
    const int64_t n = (int64_t)1 << k;
    static double a[64 * 64];
    int64_t steps = 0;
    for (int64_t i = 0; i < n * n; i++) a[i] = i % (n + 1) == 0;
    const hd_view in = hd_view_nd(HD_F64, a, 2, (int64_t[]){n, n}, NULL);
    counted = (counts){0};
    RUN(hd_inverse(ctx, in, in,
                   &(hd_inverse_options){.method = HD_INVERSE_LOG, .steps = NUMBER(steps)}));
    CHECK(steps == 2 * k * k + 6 * k + 5 && counted.reductions == (k > 1 ? 3 * k + 3 : 4),
          "Csanky's of 2^%d: %" PRId64 " steps, %" PRId64 " reductions", (int)k, steps,
          counted.reductions);
}

// Paths, stars, random graphs of n nodes and up to 2 n edges with their nodes renamed.
static int64_t make_graph(int shape, int64_t n, int64_t *u, int64_t *v, uint64_t *r)
{
    int64_t *const rename = whole, m = shape == 2 ? 2 * n : n - 1;
    for (int64_t i = 0; i < n; i++) rename[i] = i;
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t j = check_below(r, i + 1), kept = rename[i];
        rename[i] = rename[j], rename[j] = kept;
    }
    for (int64_t e = 0; e < m; e++) {
        u[e] = rename[shape == 0 ? e : shape == 1 ? 0 : check_below(r, n)];
        v[e] = rename[shape == 2 ? check_below(r, n) : e + 1];
    }
    return m;
}

static void test_graphs(int64_t n, int shape, uint64_t *r)
{
    static int64_t u[2 * MOST], v[2 * MOST], weight[2 * MOST];
    const int64_t m = make_graph(shape, n, u, v, r), most = levels_of(n);
    int64_t rounds = 0, count = 0;
    for (int64_t e = 0; e < m; e++)
        weight[e] = check_below(r, 2) ? check_below(r, m) : e; // as Boruvka has it worst and not
    counted = (counts){0};
    RUN(hd_components(ctx, HD_VIEW(u, m), HD_VIEW(v, m), HD_VIEW(whole_out, n),
                      &(hd_components_options){.rounds = NUMBER(rounds)}));
    CHECK(rounds <= 2 * most, "components of %" PRId64 ", shape %d: %" PRId64 " rounds", n, shape,
          rounds);
    CHECK(counted.steps <= (rounds + 1) * (4 * most + 8), "%" PRId64 " steps", counted.steps);
    counted = (counts){0};
    RUN(hd_spanning_forest(ctx, HD_VIEW(u, m), HD_VIEW(v, m), HD_VIEW(weight, m), n,
                           HD_VIEW(whole_out, n), HD_VIEW(&count, 1),
                           &(hd_spanning_forest_options){.rounds = NUMBER(rounds)}));
    CHECK(rounds <= most, "a forest of %" PRId64 ", shape %d: %" PRId64 " rounds", n, shape,
          rounds);
    CHECK(counted.steps <= (rounds + 1) * (8 * most + 8), "%" PRId64 " steps", counted.steps);
}

// A path, whose subtrees are ranges of every length, and a node with n - 1 children.
static void test_trees(int64_t k)
{
    const int64_t n = (int64_t)1 << k;
    for (int star = 0; star < 2; star++) {
        for (int64_t i = 0; i < n; i++) more[i] = star ? (i > 0 ? 0 : -1) : i - 1;
        counted = (counts){0};
        RUN(hd_tree_reduce(ctx, HD_VIEW(more, n), HD_VIEW(real, n), HD_SUM, HD_VIEW(real_out, n),
                           NULL));
        CHECK(counted.steps <= 3 * k * k + 13 * k + 20 && counted.work <= 8 * n * (k + 4),
              "sums over subtrees of 2^%d: %" PRId64 " steps, work %" PRId64, (int)k, counted.steps,
              counted.work);
        counted = (counts){0};
        RUN(hd_tree_ancestors(ctx, HD_VIEW(more, n), hd_iota(n), hd_progression(n - 1, -1, n),
                              HD_VIEW(whole_out, n), NULL));
        CHECK(counted.steps == 13 * k + 22 && counted.work <= n * (k + 40),
              "ancestors of 2^%d: %" PRId64 " steps, work %" PRId64, (int)k, counted.steps,
              counted.work);
    }
}

// Points on a parabola, of which a step finds a corner between each two; and evenly spread ones.
static void test_hulls(int64_t n, uint64_t *r)
{
    static int64_t points[2 * MOST];
    const hd_view in = hd_view_nd(HD_I64, points, 2, (int64_t[]){n, 2}, NULL);
    for (int random = 0; random < 2; random++) {
        int64_t count = 0, steps = 0;
        for (int64_t i = 0; i < n; i++) {
            const int64_t x = random ? check_below(r, 1 << 20) : i - n / 2;
            points[2 * i] = x, points[2 * i + 1] = random ? check_below(r, 1 << 20) : x * x;
        }
        counted = (counts){0};
        RUN(hd_convex_hull(ctx, in, HD_VIEW(whole_out, n), HD_VIEW(&count, 1),
                           &(hd_hull_options){.steps = NUMBER(steps)}));
        CHECK(steps <= 2 * levels_of(count) + 2, "%" PRId64 " corners in %" PRId64 " steps", count,
              steps);
        CHECK(counted.steps <= (steps + 2) * (12 * levels_of(n) + 40), "%" PRId64 " steps",
              counted.steps);
    }
}

// Stripes and checkerboards of n elements, of which all touch or none.
static void test_labels(int64_t n, uint64_t *r)
{
    static uint8_t image[MOST];
    const int64_t shape[] = {n / 32, 32};
    const hd_view out = hd_view_nd(HD_I64, whole_out, 2, shape, NULL);
    for (int kind = 0; kind < 3; kind++) {
        int64_t rounds = 0;
        for (int64_t i = 0; i < n; i++)
            image[i] = kind == 0   ? (i / 32 + i) % 2
                       : kind == 1 ? i / 32 % 2 == 0 || i % 32 == (i / 64 % 2 ? 0 : 31)
                                   : check_below(r, 5) > 1;
        RUN(hd_label(ctx, hd_view_nd(HD_U8, image, 2, shape, NULL), out,
                     &(hd_label_options){.rounds = NUMBER(rounds)}));
        CHECK(rounds <= 2 * levels_of(n / 2), "labels: %" PRId64 " rounds", rounds);
    }
}

static void test_values(hd_context *of_triangles)
{
    uint64_t r = check_seed();
    for (int64_t k = 8; k <= (check_small() ? 9 : 12); k++) {
        test_sorts(k, &r), test_trees(k);
        for (int shape = 0; shape < 3; shape++) test_graphs((int64_t)1 << k, shape, &r);
        test_graphs(((int64_t)1 << k) - 1 - check_below(&r, 9), (int)check_below(&r, 3), &r);
        test_hulls((int64_t)1 << k, &r), test_labels((int64_t)1 << k, &r);
    }
    for (int64_t k = 0; k <= (check_small() ? 4 : 6); k++) {
        test_triangle(of_triangles, k);
        if (k > 0) test_csanky(k);
    }
}

// Serial: there calls are made of patterns alone, where the cores take ways of their own for some.
static hd_context *open_traced(void (*trace)(void *, const char *))
{
    hd_context *made = NULL;
    const hd_context_options options = {.backend = HD_SERIAL, .trace = trace};
    if (hd_open(&made, &options) != HD_OK) abort();
    return made;
}

int main(void)
{
    const hd_lex_rule rules[] = {{"word", "[a-z]+", false},
                                 {"number", "[0-9]+(\\.[0-9]+)?", false},
                                 {"other", "[ ,]", true},
                                 {NULL, NULL, false}};
    hd_context *of_triangles = open_traced(count_triangle);
    ctx = open_traced(count_line);
    check_fill(HD_F64, real, MOST, CHECK_ORDINARY, check_seed());
    check_fill(HD_U64, limb, 2 * MOST, CHECK_ORDINARY, check_seed() + 1);
    for (int64_t i = 0; i < MOST; i++) {
        whole[i] = (int64_t)(limb[0][i] % 5);
        row[0][i] = -1, row[1][i] = 4;
    }
    CHECK_OK(ctx, hd_lexer_open(ctx, rules, &lexer, NULL));
    for (size_t k = 0; k < sizeof formulas / sizeof *formulas; k++) test_formula(&formulas[k]);
    test_values(of_triangles);
    hd_lexer_close(ctx, lexer);
    hd_close(ctx), hd_close(of_triangles);
    return check_finish();
}
