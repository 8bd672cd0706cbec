// SPDX-License-Identifier: Apache-2.0
// link: heddle_cli
//
// The drawings of what scan is good for, on random values: what their cells say after each step
// follows the rules, the last step has what the library computes, and there are as many steps as
// the library takes. Values that nothing can be drawn of are refused.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>
#include <heddle_teaching.h>

#include "ladder/draw/grid.h"
#include "tests/support/check.h"

enum { MAX = GRID_MAX_VALUES, ABSENT = -123456789 };

static hd_context *ctx;
static grid_drawing g;

static const grid_method *method(const char *name)
{
    const grid_method *m = grid_named("scan", name);
    return m != NULL ? m : grid_named("histogram", name);
}

static bool drawn(const char *name, const int64_t *values, int32_t count)
{
    const char *wrong = grid_make(method(name), values, count, &g);
    CHECK(wrong == NULL || strcmp(wrong, method(name)->takes) == 0, "%s: %s", name, wrong);
    return wrong == NULL;
}

static const char *letters(int32_t step, const char *row, int32_t column)
{
    for (int32_t r = 0; r < g.rows; r++)
        if (strcmp(g.row_label[r], row) == 0) return g.step[step].cell[r][column].text;
    CHECK(false, "%s has no row %s", g.method, row);
    return "";
}

// ABSENT where nothing is written.
static int64_t number(int32_t step, const char *row, int32_t column)
{
    const char *text = letters(step, row, column);
    return text[0] == 0 ? ABSENT : strtoll(text, NULL, 10);
}

#define SHOWS(step, row, column, value)                                                            \
    CHECK(number(step, row, column) == (value),                                                    \
          "%s: step %d, row %s, column %d is %" PRId64 "; expected %" PRId64, g.method,            \
          (int)(step), row, (int)(column), number(step, row, column), (int64_t)(value))

static int32_t levels_of(int64_t n)
{
    int32_t levels = 0;
    while (((int64_t)1 << levels) < n) levels++;
    return levels;
}

static void expect_sum(const char *part)
{
    CHECK(strstr(g.sum, part) != NULL, "%s: \"%s\" has no \"%s\"", g.method, g.sum, part);
}

// ---- Sorts --------------------------------------------------------------------------------------

// Keys of one step stand where the row "goes to" of the step before sent them.
static void check_move(int32_t step, int32_t n)
{
    bool taken[MAX] = {false};
    for (int32_t i = 0; i < n; i++) {
        const int64_t to = number(step, "goes to", i);
        CHECK(to >= 0 && to < n && !taken[to], "%s: a permutation", g.method);
        taken[to] = true;
        SHOWS(step + 1, "key", to, number(step, "key", i));
    }
}

static void check_split(int32_t step, int32_t bit, int32_t n)
{
    int64_t zeros = 0;
    for (int32_t i = 0; i < n; i++) {
        const int64_t has = number(step, "key", i) >> bit & 1;
        SHOWS(step, "bit", i, has);
        SHOWS(step, "zeros before", i, zeros);
        zeros += !has;
    }
    check_move(step, n);
}

static void check_sorted(const int64_t *values, int32_t n)
{
    int64_t want[MAX];
    CHECK_OK(ctx, hd_sort(ctx, HD_VIEW(values, n), HD_VIEW(want, n), HD_NO_VALUES, NULL));
    for (int32_t i = 0; i < n; i++) SHOWS(g.steps - 1, "key", i, want[i]);
}

static void test_split_sort(uint64_t *r)
{
    int64_t keys[MAX], most = 0;
    const int32_t n = 2 + (int32_t)check_below(r, MAX - 1);
    const int64_t limit = (int64_t)1 << check_below(r, 17);
    for (int32_t i = 0; i < n; i++) {
        keys[i] = check_below(r, limit);
        if (keys[i] > most) most = keys[i];
    }
    const int32_t bits = most > 0 ? levels_of(most + 1) : 1;
    CHECK(drawn("split-sort", keys, n), "split-sort of %d", (int)n);
    CHECK(g.steps == bits + 1, "%d steps for %d bits", (int)g.steps, (int)bits);
    for (int32_t bit = 0; bit < bits; bit++) check_split(bit, bit, n);
    check_sorted(keys, n);
    char sum[64];
    snprintf(sum, sizeof sum, "= %d steps", (int)(bits * (levels_of(n) + 1)));
    expect_sum(sum);
}

// Every step's segments have a pivot of their own, and leave less, equal, greater keys in order.
static void test_quicksort(uint64_t *r)
{
    int64_t keys[MAX], out[MAX], steps = -1;
    const int32_t n = 2 + (int32_t)check_below(r, 15);
    for (int32_t i = 0; i < n; i++) keys[i] = check_below(r, 30) - 15;
    CHECK(drawn("quicksort", keys, n), "quicksort of %d", (int)n);
    CHECK_OK(ctx, hd_quicksort(ctx, HD_VIEW(keys, n), HD_VIEW(out, n),
                               &(hd_steps_options){.steps = HD_REF(HD_VIEW(&steps, 1))}));
    CHECK(g.steps == steps + 1, "%d steps; the library takes %d", (int)g.steps - 1, (int)steps);
    for (int32_t s = 0; s + 1 < g.steps; s++) {
        check_move(s, n);
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = i + 1; j < n && number(s, "segment", i) == number(s, "segment", j);
                 j++) {
                const int64_t a = number(s, "key", i), b = number(s, "key", j);
                const int64_t pivot = number(s, "pivot", i);
                const int part_a = (a > pivot) - (a < pivot), part_b = (b > pivot) - (b < pivot);
                SHOWS(s, "pivot", j, pivot);
                CHECK((number(s, "goes to", i) < number(s, "goes to", j)) == (part_a <= part_b),
                      "%d and %d around %d", (int)a, (int)b, (int)pivot);
            }
    }
    check_sorted(keys, n);
}

static void test_sort_histogram(uint64_t *r)
{
    int64_t keys[MAX], counts[GRID_MAX_COLUMNS] = {0}, most = 0, steps = -1;
    uint32_t narrow[MAX];
    const int32_t n = 1 + (int32_t)check_below(r, MAX);
    const int64_t limit = 1 + check_below(r, GRID_MAX_COLUMNS);
    for (int32_t i = 0; i < n; i++) {
        keys[i] = check_below(r, limit);
        narrow[i] = (uint32_t)keys[i];
        if (keys[i] > most) most = keys[i];
    }
    CHECK(drawn("sort-and-reduce", keys, n), "histogram of %d", (int)n);
    CHECK_OK(ctx, hd_sort_histogram(ctx, HD_VIEW(narrow, n), HD_VIEW(counts, most + 1),
                                    &(hd_steps_options){.steps = HD_REF(HD_VIEW(&steps, 1))}));
    CHECK(g.steps == steps, "%d steps; the library takes %d", (int)g.steps, (int)steps);
    for (int32_t s = 0; s + 1 < g.steps; s++) check_split(s, s, n);
    check_sorted(keys, n);
    for (int32_t bin = 0; bin <= most; bin++) SHOWS(g.steps - 1, "bin", bin, counts[bin]);
    for (int32_t i = 0, run = 0; i < n; i++) {
        run = i > 0 && number(g.steps - 1, "key", i) == number(g.steps - 1, "key", i - 1) ? run + 1
                                                                                          : 1;
        SHOWS(g.steps - 1, "of its run", i, run);
    }
}

// ---- Numbers ------------------------------------------------------------------------------------

static void test_broadcast(uint64_t *r)
{
    const int64_t values[] = {check_below(r, 1000) - 500, 1 + check_below(r, GRID_MAX_COLUMNS)};
    int64_t out[GRID_MAX_COLUMNS], steps = -1;
    CHECK(drawn("broadcast", values, 2), "broadcast to %d", (int)values[1]);
    CHECK_OK(ctx, hd_broadcast(ctx, HD_VIEW(values, 1), HD_VIEW(out, values[1]),
                               &(hd_steps_options){.steps = HD_REF(HD_VIEW(&steps, 1))}));
    CHECK(g.steps == steps, "%d steps; the library takes %d", (int)g.steps, (int)steps);
    for (int32_t s = 0; s < g.steps; s++)
        for (int32_t i = 0; i < values[1]; i++) {
            const int64_t from = number(s, "reads", i);
            SHOWS(s, "value", i, i < (int64_t)1 << s ? values[0] : ABSENT);
            CHECK(from == ABSENT || number(s - 1, "value", (int32_t)from) != ABSENT,
                  "what is read is there");
        }
}

// Of values[0] and count - 1 coefficients: each step's value and power are those of 2^step terms.
static void check_polynomial(const int64_t *values, int32_t count)
{
    const int32_t n = count - 1;
    for (int32_t s = 0; s < g.steps; s++)
        for (int32_t j = 0; j < n; j += 1 << s) {
            int64_t value = 0, power = 1;
            for (int32_t k = j; k < n && k < j + (1 << s); k++) {
                value += values[k + 1] * power;
                power *= values[0];
            }
            SHOWS(s, "value", j, value);
            SHOWS(s, "power", j, power);
        }
}

static void test_polynomial(uint64_t *r)
{
    int64_t values[MAX];
    const int32_t count = 2 + (int32_t)check_below(r, MAX - 1), n = count - 1;
    values[0] = n > 10 ? check_below(r, 5) - 2 : check_below(r, 15) - 7;
    for (int32_t k = 1; k < count; k++) values[k] = check_below(r, 21) - 10;
    const double x = (double)values[0];
    double out = 0;
    if (!drawn("polynomial", values, count)) {
        CHECK(n > 8, "%d coefficients at %d fit", (int)n, (int)values[0]);
        return;
    }
    check_polynomial(values, count);
    CHECK(g.steps == 1 + levels_of(n), "%d steps for %d coefficients", (int)g.steps - 1, (int)n);
    CHECK_OK(ctx, hd_polynomial(ctx, HD_VIEW(values + 1, n), HD_VIEW(&x, 1), HD_VIEW(&out, 1),
                                &(hd_polynomial_options){.method = HD_POLYNOMIAL_TREE}));
    SHOWS(g.steps - 1, "value", 0, (int64_t)out);
    char sum[64];
    snprintf(sum, sizeof sum, "%d joins of 3 operations in %d steps", (int)n - 1,
             (int)levels_of(n));
    expect_sum(sum);
}

static void test_recurrence(uint64_t *r)
{
    int64_t values[MAX];
    double in[MAX], out[MAX];
    const int32_t count = 2 + (int32_t)check_below(r, MAX - 1), n = count - 1;
    values[0] = check_below(r, 5) - 2;
    for (int32_t k = 1; k < count; k++) values[k] = check_below(r, 21) - 10;
    const double c = (double)values[0];
    for (int32_t i = 0; i < n; i++) in[i] = (double)values[i + 1];
    if (!drawn("recurrence", values, count)) {
        CHECK(n > 16, "%d elements and %d fit", (int)n, (int)values[0]);
        return;
    }
    CHECK(g.steps == 1 + levels_of(n), "%d steps for %d elements", (int)g.steps - 1, (int)n);
    CHECK_OK(ctx, hd_recurrence(ctx, HD_VIEW(in, n), HD_VIEW(&c, 1), HD_VIEW(out, n), NULL));
    for (int32_t i = 0; i < n; i++) SHOWS(g.steps - 1, "plus", i, (int64_t)out[i]);
    for (int32_t s = 0; s < g.steps; s++) // of the 2^s elements up to i, from y = 1000 before them
        for (int32_t i = 0; i < n; i++) {
            int64_t y = 1000;
            for (int32_t k = i + 1 - (1 << s) > 0 ? i + 1 - (1 << s) : 0; k <= i; k++)
                y = values[0] * y + values[k + 1];
            CHECK(number(s, "times", i) * 1000 + number(s, "plus", i) == y, "element %d", (int)i);
        }
}

static void test_carries(uint64_t *r)
{
    const int64_t limit = check_below(r, 2) ? 1000000000 : 100;
    int64_t values[] = {check_below(r, limit), check_below(r, limit)};
    if (check_below(r, 3) == 0) values[1] = limit - 1 - values[0] + check_below(r, 2); // 9s
    CHECK(drawn("carries", values, 2), "%d + %d", (int)values[0], (int)values[1]);
    int64_t sum = 0, power = 1;
    for (int32_t k = 0; k < g.columns; k++, power *= 10) {
        const int32_t column = g.columns - 1 - k;
        sum += number(g.steps - 1, "sum", column) * power;
        SHOWS(g.steps - 1, "carry in", column, values[0] % power + values[1] % power >= power);
    }
    CHECK(sum == values[0] + values[1], "%d + %d", (int)values[0], (int)values[1]);
    CHECK(g.steps == 2 + levels_of(g.columns), "%d steps", (int)g.steps);
}

// ---- A text, a tree, points ---------------------------------------------------------------------

static void test_lexer(uint64_t *r)
{
    static const hd_lex_rule rules[] = {{"word", "[a-z]+", false},
                                        {"number", "[0-9]+(\\.[0-9]+)?", false},
                                        {"point", "\\.", false},
                                        {"blank", " +", false},
                                        {NULL, NULL, false}};
    char text[13] = "";
    int32_t kinds[12];
    int64_t begins[12], count = 0;
    hd_lexer *lexer;
    const int32_t n = 1 + (int32_t)check_below(r, 12);
    for (int32_t i = 0; i < n; i++) text[i] = "01xy. ."[check_below(r, 7)];
    CHECK_OK(ctx, hd_lexer_open(ctx, rules, &lexer, NULL));
    CHECK_OK(ctx, hd_lex(ctx, lexer, hd_view_of(HD_U8, text, n), HD_VIEW(kinds, 12),
                         HD_VIEW(begins, 12), HD_EMPTY, HD_VIEW(&count, 1), NULL));
    const char *wrong = grid_make_text(method("lexer"), text, &g);
    CHECK(wrong == NULL, "lexer of \"%s\": %s", text, wrong);
    for (int32_t i = 0, k = 0; i < n; i++) {
        const bool first = k < count && begins[k] == i;
        const char *want = first ? hd_lexer_name(lexer, kinds[k++]) : "";
        CHECK(strcmp(letters(g.steps - 1, "token", i), want) == 0, "\"%s\", byte %d: %s", text,
              (int)i, letters(g.steps - 1, "token", i));
    }
    CHECK(g.steps == 3 + 2 * levels_of(n), "%d steps for %d bytes", (int)g.steps, (int)n);
    hd_lexer_close(ctx, lexer);
}

static void test_tree(uint64_t *r)
{
    int64_t parent[16], rename[16], depth[16], preorder[16], postorder[16], size[16];
    const int32_t n = 1 + (int32_t)check_below(r, 16);
    for (int32_t i = 0; i < n; i++) rename[i] = i;
    for (int32_t i = n - 1; i > 0; i--) {
        const int64_t j = check_below(r, i + 1), kept = rename[i];
        rename[i] = rename[j], rename[j] = kept;
    }
    for (int32_t i = 0; i < n; i++)
        parent[rename[i]] = i == 0 ? (check_below(r, 2) ? -1 : rename[0])
                                   : rename[check_below(r, 3) ? check_below(r, i) : i - 1];
    CHECK(drawn("tree", parent, n), "a tree of %d", (int)n);
    const hd_tree_order_options all = {.depth = HD_REF(HD_VIEW(depth, n)),
                                       .preorder = HD_REF(HD_VIEW(preorder, n)),
                                       .postorder = HD_REF(HD_VIEW(postorder, n)),
                                       .sizes = HD_REF(HD_VIEW(size, n))};
    CHECK_OK(ctx, hd_tree_order(ctx, HD_VIEW(parent, n), &all));
    for (int32_t i = 0; i < n; i++) {
        SHOWS(g.steps - 1, "depth", i, depth[i]);
        SHOWS(g.steps - 1, "preorder", i, preorder[i]);
        SHOWS(g.steps - 1, "postorder", i, postorder[i]);
        SHOWS(g.steps - 1, "size", i, size[i]);
    }
    CHECK(g.steps == 2 + levels_of(2 * n), "%d steps for %d nodes", (int)g.steps, (int)n);
    for (int32_t s = 0; s + 1 < g.steps; s++) // arcs, 2^s of them at most to the next one's target
        for (int32_t a = 0; a < 2 * n; a++) {
            const int64_t left = number(g.steps - 1, "to the end", a);
            SHOWS(s, "to the end", a, left < (int64_t)1 << s ? left : (int64_t)1 << s);
        }
}

static void test_hull(uint64_t *r)
{
    int64_t points[MAX], out[MAX], count = 0, steps = -1;
    const int32_t n = 1 + (int32_t)check_below(r, MAX / 2);
    const int64_t width = 1 + check_below(r, check_below(r, 2) ? 4 : 20001);
    for (int32_t k = 0; k < 2 * n; k++) points[k] = check_below(r, width) - width / 2;
    CHECK(drawn("hull", points, 2 * n), "a hull of %d points", (int)n);
    const hd_view rows = hd_view_nd(HD_I64, points, 2, (int64_t[]){n, 2}, NULL);
    CHECK_OK(ctx, hd_convex_hull(ctx, rows, HD_VIEW(out, n), HD_VIEW(&count, 1),
                                 &(hd_hull_options){.steps = HD_REF(HD_VIEW(&steps, 1))}));
    CHECK(g.steps == steps + 1, "%d steps; the library takes %d", (int)g.steps - 1, (int)steps);
    for (int32_t p = 0, corners = 0; p < n; p++) {
        const int64_t k = number(g.steps - 1, "corner", p);
        corners += k != ABSENT;
        CHECK(k == ABSENT || (k >= 0 && k < count && out[k] == p), "point %d is corner %d", (int)p,
              (int)k);
        CHECK(p + 1 < n || corners == count, "%d corners of %d", (int)corners, (int)count);
    }
}

// ---- What cannot be drawn -----------------------------------------------------------------------

static void test_refused(uint64_t *r)
{
    static const int64_t odd[] = {0,     -1,    1,         39,        40,        65535,
                                  65536, 10000, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    int64_t values[MAX + 1];
    const int32_t n = (int32_t)check_below(r, MAX + 2);
    for (int32_t k = 0; k < n; k++)
        values[k] = check_below(r, 4) ? check_below(r, 6) : odd[check_below(r, 12)];
    for (const grid_method *m = grid_methods; m->name != NULL; m++) {
        const char *wrong = n > 0 ? grid_make(m, values, n, &g) : NULL;
        CHECK(wrong != NULL || (g.steps <= GRID_MAX_STEPS && g.chosen < GRID_MAX_STEPS), "%s",
              m->name);
        if (m->application) CHECK(n <= MAX || wrong != NULL, "%s of %d values", m->name, (int)n);
    }
}

// Everything on its usual values, and texts that are none.
static void test_usual(void)
{
    static const char *const texts[] = {"", "A", "x\n", "0123456789abc", "\xff", "a,b"};
    for (const grid_method *m = grid_methods; m->name != NULL; m++)
        CHECK(grid_make(m, NULL, 0, &g) == NULL && g.sum[0] != 0, "%s", m->name);
    for (int k = 0; k < 6; k++)
        CHECK(grid_make_text(method("lexer"), texts[k], &g) != NULL, "\"%s\"", texts[k]);
    const int64_t cycle[] = {1, 0, 2}, forest[] = {-1, 1};
    CHECK(!drawn("tree", cycle, 3) && !drawn("tree", forest, 2), "what is no tree");
}

int main(void)
{
    static void (*const tests[])(uint64_t *) = {
        test_split_sort, test_quicksort,  test_sort_histogram, test_broadcast,
        test_polynomial, test_recurrence, test_carries,        test_lexer,
        test_tree,       test_hull,       test_refused};
    uint64_t r = check_seed();
    ctx = check_open(HD_SERIAL, 1, NULL);
    test_usual();
    for (int times = check_small() ? 20 : 300; times > 0; times--)
        for (size_t k = 0; k < sizeof tests / sizeof *tests; k++) tests[k](&r);
    hd_close(ctx);
    return check_finish();
}
