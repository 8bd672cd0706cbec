// SPDX-License-Identifier: Apache-2.0
// The pictures that are grids.
#include "grid_cells.h"

#include <stdio.h>
#include <string.h>

// ---- Maximum: all pairs -------------------------------------------------------------------------

// Whether value i loses against value j; of equal ones the first wins.
static bool loses(const int64_t *x, int32_t i, int32_t j)
{
    return x[i] < x[j] || (x[i] == x[j] && j < i);
}

static bool draw_all_pairs(grid_drawing *g, const int64_t *x, int32_t n)
{
    if (n > 16) return false;
    g->rows = n;
    g->columns = n + 1;
    g->row_name = "value";
    g->column_name = "loses against";
    for (int32_t i = 0; i < n; i++) {
        snprintf(g->row_label[i], sizeof g->row_label[i], "%d", (int)x[i]);
        snprintf(g->column_label[i], sizeof g->column_label[i], "%d", (int)x[i]);
    }
    snprintf(g->column_label[n], sizeof g->column_label[n], "max?");
    grid_step *s = grid_next(g, false);
    snprintf(s->caption, sizeof s->caption, "%d threads: every value may be the greatest", (int)n);
    for (int32_t i = 0; i < n; i++) grid_put(s, i, n, 0, 1);
    s = grid_next(g, true);
    snprintf(s->caption, sizeof s->caption,
             "%d threads compare all pairs at once, and a loser is crossed out", (int)(n * n));
    int32_t best = 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            const bool lost = loses(x, i, j);
            grid_put(s, i, j, lost ? 4 : GRID_PLAIN, lost);
            if (lost) grid_put(s, i, n, 4, 0);
        }
    for (int32_t i = 1; i < n; i++)
        if (loses(x, best, i)) best = i;
    s = grid_next(g, true);
    for (int32_t j = 0; j < n; j++) s->cell[best][j].level = 0;
    snprintf(s->caption, sizeof s->caption, "the one that never lost says where it is: place %d",
             (int)best);
    g->chosen = 1;
    snprintf(g->sum, sizeof g->sum, "the maximum is %d, at place %d: 3 steps, %d comparisons",
             (int)x[best], (int)best, (int)(n * n));
    return true;
}

// ---- Convolution: tiles -------------------------------------------------------------------------

// Values: outputs of a tile, elements of the mask.
static bool draw_tile(grid_drawing *g, const int64_t *values, int32_t count)
{
    const int32_t tile = count > 0 ? (int32_t)values[0] : 8,
                  mask = count > 1 ? (int32_t)values[1] : 5;
    if (count > 2 || tile < 1 || mask < 1 || mask > GRID_MAX_COLUMNS || tile >= GRID_MAX_STEPS ||
        mask % 2 == 0 || tile + mask - 1 > GRID_MAX_COLUMNS)
        return false;
    const int32_t loads = tile + mask - 1, halo = mask / 2;
    static const char *const rows[] = {"loaded", "read by", "uses"};
    g->rows = 3;
    g->columns = loads;
    g->row_name = "";
    g->column_name = "element, from the first of the tile";
    for (int k = 0; k < 3; k++) snprintf(g->row_label[k], sizeof g->row_label[k], "%s", rows[k]);
    for (int32_t c = 0; c < loads; c++)
        snprintf(g->column_label[c], sizeof g->column_label[c], "%d", (int)(c - halo));
    grid_step *s = grid_next(g, false);
    for (int32_t c = 0; c < loads; c++) {
        const bool outer = c < halo || c >= halo + tile;
        s->cell[0][c].level = outer ? 3 : 0;
        snprintf(s->cell[0][c].text, sizeof s->cell[0][c].text, outer ? "halo" : "tile");
        grid_put(s, 2, c, GRID_PLAIN, 0);
    }
    snprintf(s->caption, sizeof s->caption, "load: %d elements, %d of them halo", (int)loads,
             (int)(loads - tile));
    for (int32_t o = 0; o < tile; o++) {
        s = grid_next(g, true);
        for (int32_t c = 0; c < loads; c++) s->cell[1][c] = (grid_cell){"", GRID_EMPTY};
        for (int32_t k = 0; k < mask; k++) {
            int before = 0;
            sscanf(s->cell[2][o + k].text, "%d", &before);
            grid_put(s, 1, o + k, 1, o);
            grid_put(s, 2, o + k, before + 1 == mask ? 0 : GRID_PLAIN, before + 1);
        }
        snprintf(s->caption, sizeof s->caption, "output %d reads %d elements of shared memory",
                 (int)o, (int)mask);
    }
    g->chosen = g->steps - 1;
    snprintf(g->sum, sizeof g->sum, "%d loads for %d uses: %.1f uses a load", (int)loads,
             (int)(tile * mask), (double)(tile * mask) / loads);
    return true;
}

static bool draw_tile_2d(grid_drawing *g, const int64_t *values, int32_t count)
{
    const int32_t tile = count > 0 ? (int32_t)values[0] : 8,
                  mask = count > 1 ? (int32_t)values[1] : 5;
    if (count > 2 || tile < 1 || mask < 1 || mask > GRID_MAX_COLUMNS || mask % 2 == 0 ||
        tile >= GRID_MAX_STEPS || tile + mask - 1 > GRID_MAX_ROWS)
        return false;
    const int32_t side = tile + mask - 1, halo = mask / 2;
    int32_t uses[GRID_MAX_ROWS][GRID_MAX_ROWS] = {{0}};
    g->rows = g->columns = side;
    g->row_name = "row";
    g->column_name = "column";
    for (int32_t k = 0; k < side; k++) {
        snprintf(g->row_label[k], sizeof g->row_label[k], "%d", (int)(k - halo));
        snprintf(g->column_label[k], sizeof g->column_label[k], "%d", (int)(k - halo));
    }
    for (int32_t done = 0; done <= tile; done++) {
        grid_step *s = grid_next(g, false);
        for (int32_t o = 0; o < tile && done > 0; o++) // the outputs of row done - 1
            for (int32_t k = 0; k < mask * mask; k++) uses[done - 1 + k / mask][o + k % mask]++;
        for (int32_t r = 0; r < side; r++)
            for (int32_t c = 0; c < side; c++) {
                const bool outer = r < halo || c < halo || r >= halo + tile || c >= halo + tile;
                grid_put(s, r, c, outer ? 3 : uses[r][c] == mask * mask ? 0 : 1, uses[r][c]);
            }
        if (done == 0)
            snprintf(s->caption, sizeof s->caption, "load: %d elements, %d of them halo",
                     (int)(side * side), (int)(side * side - tile * tile));
        else
            snprintf(s->caption, sizeof s->caption,
                     "how often each is used, after %d row%s of outputs", (int)done,
                     done == 1 ? "" : "s");
    }
    const double all = (double)tile * tile * mask * mask;
    g->chosen = g->steps - 1;
    snprintf(g->sum, sizeof g->sum, "%d loads for %.0f uses: %.1f uses a load", (int)(side * side),
             all, all / (side * side));
    return true;
}

// ---- Lanes by banks and by sectors --------------------------------------------------------------

#define LANES 32

static void lanes(grid_drawing *g, const char *column_name)
{
    g->rows = LANES;
    g->row_name = "lane";
    g->column_name = column_name;
    for (int k = 0; k < LANES; k++) snprintf(g->row_label[k], sizeof g->row_label[k], "%d", k);
}

static int level_of(int32_t times)
{
    int level = 0;
    for (int32_t most = 1; times > most && level < 5; most *= 2) level++;
    return level;
}

// Values: strides in words. A cell is the turn in which the bank answers the lane.
static bool draw_banks(grid_drawing *g, const int64_t *strides, int32_t count)
{
    if (count >= GRID_MAX_STEPS) return false;
    lanes(g, "bank");
    g->columns = 32;
    for (int k = 0; k < 32; k++) snprintf(g->column_label[k], sizeof g->column_label[k], "%d", k);
    for (int32_t k = 0; k < count; k++) {
        int32_t asked[32] = {0}, most = 1;
        if (strides[k] < 1 || strides[k] > 4096) return false;
        grid_step *s = grid_next(g, false);
        for (int32_t lane = 0; lane < LANES; lane++) {
            const int32_t bank = (int32_t)(lane * strides[k] % 32);
            asked[bank]++;
            grid_put(s, lane, bank, level_of(asked[bank]), asked[bank]);
            if (asked[bank] > most) most = asked[bank];
        }
        snprintf(s->caption, sizeof s->caption, "stride of %d word%s: %d turn%s", (int)strides[k],
                 strides[k] == 1 ? "" : "s", (int)most, most == 1 ? ", no conflict" : "s");
    }
    snprintf(g->sum, sizeof g->sum,
             "a bank answers one word a turn; a cell is the turn of its lane");
    return true;
}

// Values: strides in words of 4 bytes. Only the sectors that travel are drawn.
static bool draw_sectors(grid_drawing *g, const int64_t *strides, int32_t count)
{
    if (count >= GRID_MAX_STEPS) return false;
    lanes(g, "sector of 32 bytes, in the order of addresses");
    for (int32_t k = 0; k < count; k++) {
        if (strides[k] < 1 || strides[k] > 4096) return false;
        int32_t sector = -1, used[LANES] = {0}, at[LANES];
        int64_t last = -1;
        for (int32_t lane = 0; lane < LANES; lane++) {
            const int64_t here = lane * strides[k] * 4 / 32;
            if (here != last) sector++;
            last = here;
            at[lane] = sector;
            used[sector] += 4;
        }
        grid_step *s = grid_next(g, false);
        if (sector + 1 > g->columns) g->columns = sector + 1;
        for (int32_t lane = 0; lane < LANES; lane++)
            grid_put(s, lane, at[lane], level_of(32 / used[at[lane]]), lane * strides[k] * 4 % 32);
        snprintf(s->caption, sizeof s->caption,
                 "stride of %d word%s: %d sectors, %d of %d bytes used", (int)strides[k],
                 strides[k] == 1 ? "" : "s", (int)(sector + 1), 4 * LANES, 32 * (int)(sector + 1));
    }
    for (int32_t c = 0; c < g->columns; c++)
        snprintf(g->column_label[c], sizeof g->column_label[c], "%d", (int)c);
    snprintf(g->sum, sizeof g->sum,
             "a sector travels whole; a cell is the byte of it that its lane asks for");
    return true;
}

// ---- The list -----------------------------------------------------------------------------------

static const int64_t some[] = {10, 1, 8, -1, 11, -2, 3, 5};
static const int64_t tile_values[] = {8, 5};
static const int64_t powers[] = {1, 2, 4, 8, 16, 32}, padded[] = {32, 33},
                     steps[] = {1, 2, 4, 8, 32};

static const int64_t power_sums[] = {2, 1, 0, 3, 5, 2, 1, 0, 4},
                     balances[] = {2, 3, 1, 7, 0, 4, 1, 6, 3}, one_value[] = {7, 8},
                     numbers[] = {92718, 7484}, keys[] = {5, 7, 3, 1, 4, 2, 7, 2},
                     few_keys[] = {3, 1, 7, 0, 4, 1, 6, 3, 1, 3},
                     parents[] = {-1, 0, 0, 1, 1, 2, 4, 4},
                     corners[] = {0, 0, 6, 1, 2, 2, 8, 5, 4, 3, 3, 7, 6, 7, 1, 5};

#define VALUES(x) x, sizeof(x) / sizeof *(x)
#define STRIDES   "takes up to 19 strides, 1 to 4096 words"
#define TILE      "takes the outputs of a tile (up to 19) and an odd mask"

// On values; of scan itself, or applications of it.
#define GRID(name, ladder, title, usual, draw, takes)                                              \
    {                                                                                              \
        name, ladder, title, VALUES(usual), draw, takes, NULL, NULL, false                         \
    }
#define APPLICATION(name, ladder, title, usual, draw, takes)                                       \
    {                                                                                              \
        name, ladder, title, VALUES(usual), draw, takes, NULL, NULL, true                          \
    }

const grid_method grid_methods[] = {
    GRID("banks", "reduce", "strides and banks", powers, draw_banks, STRIDES),
    GRID("banks", "scan", "strides and banks", powers, draw_banks, STRIDES),
    GRID("banks", "transpose", "a column of a tile, and of a padded tile", padded, draw_banks,
         STRIDES),
    GRID("sectors", "transpose", "strides and sectors", steps, draw_sectors, STRIDES),
    GRID("sectors", "histogram", "strides and sectors", steps, draw_sectors, STRIDES),
    GRID("tiles", "convolution", "a tile and its halos", tile_values, draw_tile, TILE),
    GRID("tiles", "convolution2d", "a tile and its halos", tile_values, draw_tile_2d, TILE),
    GRID("tiles", "blur", "a tile and its halos", tile_values, draw_tile_2d, TILE),
    GRID("all-pairs", "maximum", "all pairs at once", some, draw_all_pairs, "takes 2 to 16 values"),
    APPLICATION("split-sort", "scan", "radix sort by splits", keys, grid_draw_split_sort,
                "takes 2 to 32 keys of 0 to 65535"),
    APPLICATION("quicksort", "scan", "quicksort by segmented scans", keys, grid_draw_quicksort,
                "takes 2 to 16 keys"),
    APPLICATION("sort-and-reduce", "histogram", "a histogram by splits and a reduction by key",
                few_keys, grid_draw_sort_histogram, "takes 1 to 32 keys of 0 to 39"),
    APPLICATION("broadcast", "scan", "one value to all", one_value, grid_draw_broadcast,
                "takes a value, and for how many elements: 1 to 40"),
    APPLICATION("polynomial", "scan", "a polynomial by a reduction", power_sums,
                grid_draw_polynomial,
                "takes x and 1 to 31 coefficients, the lowest first; all numbers below 10^10"),
    APPLICATION("recurrence", "scan", "a recurrence by a scan of maps", balances,
                grid_draw_recurrence,
                "takes c and 1 to 31 elements x of y[i] = x[i] + c y[i - 1]; all numbers below "
                "10^10"),
    APPLICATION("carries", "scan", "carry look-ahead", numbers, grid_draw_carries,
                "takes two whole numbers of 0 or more"),
    {"lexer", "scan", "the tokens of a text by two scans of functions", NULL, 0, NULL,
     "takes a text of 1 to 12 small letters, digits, points and blanks", "x12.y 3.5",
     grid_draw_lexer, true},
    APPLICATION("tree", "scan", "the Euler tour of a tree", parents, grid_draw_tree,
                "takes the parent of each of 1 to 16 nodes, the root's its own or -1"),
    APPLICATION("hull", "scan", "the convex hull of points", corners, grid_draw_hull,
                "takes x and y of 1 to 16 points, from -10000 to 10000"),
    {.name = NULL},
};

const grid_method *grid_named(const char *ladder, const char *name)
{
    for (const grid_method *m = grid_methods; m->name != NULL; m++)
        if (strcmp(m->ladder, ladder) == 0 && strcmp(m->name, name) == 0) return m;
    return NULL;
}

static void begin(const grid_method *m, grid_drawing *g)
{
    memset(g, 0, sizeof *g);
    g->method = m->name;
    g->title = m->title;
}

static bool fit(const int64_t *values, int32_t count)
{
    for (int32_t k = 0; k < count; k++)
        if (values[k] > GRID_MAX || values[k] < -GRID_MAX) return false;
    return count <= GRID_MAX_VALUES;
}

const char *grid_make(const grid_method *m, const int64_t *values, int32_t count, grid_drawing *g)
{
    if (m->draw_text != NULL) return values == NULL ? grid_make_text(m, NULL, g) : m->takes;
    if (values == NULL) values = m->usual, count = m->usual_count;
    begin(m, g);
    if (m->draw == draw_all_pairs && count < 2) return m->takes;
    return fit(values, count) && m->draw(g, values, count) ? NULL : m->takes;
}

const char *grid_make_text(const grid_method *m, const char *text, grid_drawing *g)
{
    begin(m, g);
    return m->draw_text(g, text != NULL ? text : m->usual_text) ? NULL : m->takes;
}
