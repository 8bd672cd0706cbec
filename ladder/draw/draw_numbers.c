// SPDX-License-Identifier: Apache-2.0
//
// Applications of scan over numbers, step by step: a polynomial by a reduction, a recurrence by a
// scan, one value to all, carry look-ahead. The rules are those of src/algorithms/.
#include "grid_cells.h"

#include <stdio.h>

enum { MAX = GRID_MAX_VALUES };

// *r = a + b c, where it fits into a cell.
static bool fused(int64_t a, int64_t b, int64_t c, int64_t *r)
{
    if (__builtin_mul_overflow(b, c, r) || __builtin_add_overflow(a, *r, r)) return false;
    return *r <= GRID_MAX && *r >= -GRID_MAX;
}

static void put_pair(grid_step *s, int32_t column, int level, int64_t upper, int64_t lower)
{
    grid_put(s, 0, column, level, upper);
    grid_put(s, 1, column, level, lower);
}

// ---- A polynomial -------------------------------------------------------------------------------

// The sum of a range of terms, without the power of x before it, and x to the number of terms.
typedef struct part {
    int64_t value, power;
} part;

// Neighbours `apart` places from each other become one: (v, p), (w, q) -> (v + p w, p q).
static bool join_parts(grid_step *s, part *parts, int32_t n, int32_t apart, int32_t *joins)
{
    for (int32_t at = 0; at + apart < n; at += 2 * apart, ++*joins) {
        part *const a = &parts[at], *const b = &parts[at + apart];
        if (!fused(a->value, a->power, b->value, &a->value)) return false;
        if (!fused(0, a->power, b->power, &a->power)) return false;
        put_pair(s, at, 1, a->value, a->power);
        for (int32_t row = 0; row < 2; row++)
            s->cell[row][at + apart] = (grid_cell){"", GRID_EMPTY};
    }
    return true;
}

// Values: x, then the coefficients.
bool grid_draw_polynomial(grid_drawing *g, const int64_t *values, int32_t count)
{
    static const char *const rows[] = {"value", "power"};
    const int32_t n = count - 1;
    int32_t joins = 0;
    part parts[MAX];
    if (n < 1) return false;
    grid_table(g, rows, 2, "coefficient", n);
    grid_step *s = grid_next(g, false);
    grid_caption(s, "a coefficient c is the pair (c, x), x = %lld", (long long)values[0]);
    for (int32_t j = 0; j < n; j++) {
        parts[j] = (part){values[j + 1], values[0]};
        put_pair(s, j, GRID_PLAIN, parts[j].value, parts[j].power);
    }
    for (int32_t apart = 1; apart < n; apart *= 2) {
        const int32_t before = joins;
        s = grid_next(g, true);
        for (int32_t j = 0; j < n; j++)
            for (int32_t row = 0; row < 2 && s->cell[row][j].level != GRID_EMPTY; row++)
                s->cell[row][j].level = GRID_PLAIN;
        if (!join_parts(s, parts, n, apart, &joins)) return false;
        grid_caption(s, "step %d: (v, p) and (w, q) become (v + p w, p q), %d at once",
                     (int)g->steps - 1, (int)(joins - before));
    }
    s->cell[0][0].level = 0;
    grid_sum(g,
             "p(%lld) = %lld: %d joins of 3 operations in %d steps; Horner's rule: %d operations "
             "in as many steps",
             (long long)values[0], (long long)parts[0].value, (int)joins, (int)grid_levels(n),
             (int)(2 * (n - 1)));
    return true;
}

// ---- A recurrence -------------------------------------------------------------------------------

// y -> times y + plus
typedef struct affine {
    int64_t times, plus;
} affine;

// The map of a, then that of b.
static bool compose(affine a, affine b, affine *made)
{
    return fused(0, a.times, b.times, &made->times) && fused(b.plus, b.times, a.plus, &made->plus);
}

// Values: c, then x[0], x[1], ...
bool grid_draw_recurrence(grid_drawing *g, const int64_t *values, int32_t count)
{
    static const char *const rows[] = {"times", "plus"};
    const int32_t n = count - 1;
    affine maps[MAX], before[MAX];
    if (n < 1) return false;
    grid_table(g, rows, 2, "element", n);
    grid_step *s = grid_next(g, false);
    grid_caption(s, "y[i] = x[i] + %lld y[i - 1]: element i maps y[i - 1] to times y[i - 1] + plus",
                 (long long)values[0]);
    for (int32_t i = 0; i < n; i++) {
        maps[i] = (affine){values[0], values[i + 1]};
        put_pair(s, i, GRID_PLAIN, maps[i].times, maps[i].plus);
    }
    for (int32_t stride = 1; stride < n; stride *= 2) {
        s = grid_next(g, false);
        for (int32_t i = 0; i < n; i++) before[i] = maps[i];
        for (int32_t i = 0; i < n; i++) {
            if (i >= stride && !compose(before[i - stride], before[i], &maps[i])) return false;
            put_pair(s, i, i >= stride ? 1 : GRID_PLAIN, maps[i].times, maps[i].plus);
        }
        grid_caption(s, "step %d: the map from %d to the left, then one's own: %d at once",
                     (int)g->steps - 1, (int)stride, (int)(n - stride));
    }
    for (int32_t i = 0; i < n; i++) s->cell[1][i].level = 0;
    grid_sum(g,
             "y is the row plus: %d compositions of 3 operations in %d steps; a loop: %d in as "
             "many steps",
             (int)grid_scan_work(n), (int)grid_levels(n), (int)(2 * (n - 1)));
    return true;
}

// ---- One value to all -------------------------------------------------------------------------

// Values: the value, and how many.
bool grid_draw_broadcast(grid_drawing *g, const int64_t *values, int32_t count)
{
    static const char *const rows[] = {"reads", "value"};
    if (count != 2 || values[1] < 1 || values[1] > GRID_MAX_COLUMNS) return false;
    const int32_t n = (int32_t)values[1];
    grid_table(g, rows, 2, "element", n);
    grid_step *s = grid_next(g, false);
    grid_caption(s, "step 1: the value goes to the first element");
    grid_put(s, 1, 0, 1, values[0]);
    for (int32_t there = 1; there < n;) {
        const int32_t more = n - there < there ? n - there : there;
        s = grid_next(g, true);
        grid_clear_row(s, 0);
        for (int32_t i = 0; i < there; i++) s->cell[1][i].level = GRID_PLAIN;
        for (int32_t i = there; i < there + more; i++) {
            grid_put(s, 0, i, GRID_PLAIN, i - there);
            grid_put(s, 1, i, 1, values[0]);
        }
        grid_caption(s, "step %d: what is there is copied behind itself, %d at once", (int)g->steps,
                     (int)more);
        there += more;
    }
    grid_sum(g, "%d elements: %d copies in %d steps, and no element is read twice in a step",
             (int)n, (int)n, (int)g->steps);
    return true;
}

// ---- Carries ----------------------------------------------------------------------------------

enum { STOPS, PASSES, MAKES };

static int32_t digits_of(int64_t x)
{
    int32_t digits = 1;
    for (; x >= 10; x /= 10) digits++;
    return digits;
}

static void put_statuses(grid_step *s, const int *status, const bool *active, int32_t n)
{
    static const char *const names[] = {"stops", "passes", "makes"};
    for (int32_t k = 0; k < n; k++)
        grid_letters(s, 2, n - 1 - k, active[k] ? 1 : GRID_PLAIN, names[status[k]]);
}

// What carries into each digit, and the digits of the sum.
static void put_sum(grid_drawing *g, const int *digit, const int *status, int32_t n)
{
    grid_step *s = grid_next(g, true);
    for (int32_t k = 0; k < n; k++) {
        const int carry = k > 0 && status[k - 1] == MAKES;
        grid_put(s, 3, n - 1 - k, carry ? 1 : GRID_PLAIN, carry);
        grid_put(s, 4, n - 1 - k, 0, (digit[k] + carry) % 10);
    }
    grid_caption(s, "step %d: what a digit's right neighbour makes by now is its carry",
                 (int)g->steps - 1);
}

// Values: two whole numbers of 0 or more. Digit k has the value 10^k.
bool grid_draw_carries(grid_drawing *g, const int64_t *values, int32_t count)
{
    static const char *const rows[] = {"a", "b", "a carry", "carry in", "sum"};
    int digit[MAX], status[MAX], before[MAX];
    bool active[MAX] = {false};
    if (count != 2 || values[0] < 0 || values[1] < 0) return false;
    const int32_t n = 1 + digits_of(values[0] > values[1] ? values[0] : values[1]);
    grid_table(g, rows, 5, "digit", n);
    grid_step *s = grid_next(g, false);
    int64_t a = values[0], b = values[1];
    for (int32_t k = 0; k < n; k++, a /= 10, b /= 10) {
        digit[k] = (int)(a % 10 + b % 10);
        status[k] = digit[k] > 9 ? MAKES : digit[k] == 9 ? PASSES : STOPS;
        snprintf(g->column_label[n - 1 - k], sizeof g->column_label[0], "%d", (int)k);
        grid_put(s, 0, n - 1 - k, GRID_PLAIN, a % 10);
        grid_put(s, 1, n - 1 - k, GRID_PLAIN, b % 10);
    }
    put_statuses(s, status, active, n);
    grid_caption(s, "two digits stop a carry, pass it on (9) or make one (10 and more)");
    for (int32_t stride = 1; stride < n; stride *= 2) {
        s = grid_next(g, true);
        for (int32_t k = 0; k < n; k++) before[k] = status[k];
        for (int32_t k = 0; k < n; k++) {
            active[k] = k >= stride;
            if (active[k] && before[k] == PASSES) status[k] = before[k - stride];
        }
        put_statuses(s, status, active, n);
        grid_caption(s, "step %d: who passes does what digit %d to the right does: %d at once",
                     (int)g->steps - 1, (int)stride, (int)(n - stride));
    }
    put_sum(g, digit, status, n);
    grid_sum(g,
             "%lld: %d operations of a scan in %d steps, then one for the digits; by hand %d steps",
             (long long)(values[0] + values[1]), (int)grid_scan_work(n), (int)grid_levels(n),
             (int)n - 1);
    return true;
}
