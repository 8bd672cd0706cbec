// SPDX-License-Identifier: Apache-2.0
// The pictures that are grids.
#include "grid.h"

#include <stdio.h>
#include <string.h>

// A step with the cells of the last one, or with none.
static grid_step *next_step(grid_drawing *g, bool kept)
{
    grid_step *s = &g->step[g->steps++];
    if (kept && g->steps > 1) {
        *s = g->step[g->steps - 2];
        return s;
    }
    for (int32_t r = 0; r < GRID_MAX_ROWS; r++)
        for (int32_t c = 0; c < GRID_MAX_COLUMNS; c++) s->cell[r][c] = (grid_cell){"", GRID_EMPTY};
    return s;
}

static void put(grid_step *s, int32_t row, int32_t column, int level, int64_t value)
{
    grid_cell *c = &s->cell[row][column];
    c->level = (int8_t)level;
    snprintf(c->text, sizeof c->text, "%d", (int)value);
}

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
    grid_step *s = next_step(g, false);
    snprintf(s->caption, sizeof s->caption, "%d threads: every value may be the greatest", (int)n);
    for (int32_t i = 0; i < n; i++) put(s, i, n, 0, 1);
    s = next_step(g, true);
    snprintf(s->caption, sizeof s->caption,
             "%d threads compare all pairs at once, and a loser is crossed out", (int)(n * n));
    int32_t best = 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            const bool lost = loses(x, i, j);
            put(s, i, j, lost ? 4 : GRID_PLAIN, lost);
            if (lost) put(s, i, n, 4, 0);
        }
    for (int32_t i = 1; i < n; i++)
        if (loses(x, best, i)) best = i;
    s = next_step(g, true);
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
    grid_step *s = next_step(g, false);
    for (int32_t c = 0; c < loads; c++) {
        const bool outer = c < halo || c >= halo + tile;
        s->cell[0][c].level = outer ? 3 : 0;
        snprintf(s->cell[0][c].text, sizeof s->cell[0][c].text, outer ? "halo" : "tile");
        put(s, 2, c, GRID_PLAIN, 0);
    }
    snprintf(s->caption, sizeof s->caption, "load: %d elements, %d of them halo", (int)loads,
             (int)(loads - tile));
    for (int32_t o = 0; o < tile; o++) {
        s = next_step(g, true);
        for (int32_t c = 0; c < loads; c++) s->cell[1][c] = (grid_cell){"", GRID_EMPTY};
        for (int32_t k = 0; k < mask; k++) {
            int before = 0;
            sscanf(s->cell[2][o + k].text, "%d", &before);
            put(s, 1, o + k, 1, o);
            put(s, 2, o + k, before + 1 == mask ? 0 : GRID_PLAIN, before + 1);
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
        grid_step *s = next_step(g, false);
        for (int32_t o = 0; o < tile && done > 0; o++) // the outputs of row done - 1
            for (int32_t k = 0; k < mask * mask; k++) uses[done - 1 + k / mask][o + k % mask]++;
        for (int32_t r = 0; r < side; r++)
            for (int32_t c = 0; c < side; c++) {
                const bool outer = r < halo || c < halo || r >= halo + tile || c >= halo + tile;
                put(s, r, c, outer ? 3 : uses[r][c] == mask * mask ? 0 : 1, uses[r][c]);
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
        grid_step *s = next_step(g, false);
        for (int32_t lane = 0; lane < LANES; lane++) {
            const int32_t bank = (int32_t)(lane * strides[k] % 32);
            asked[bank]++;
            put(s, lane, bank, level_of(asked[bank]), asked[bank]);
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
        grid_step *s = next_step(g, false);
        if (sector + 1 > g->columns) g->columns = sector + 1;
        for (int32_t lane = 0; lane < LANES; lane++)
            put(s, lane, at[lane], level_of(32 / used[at[lane]]), lane * strides[k] * 4 % 32);
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

#define VALUES(x) x, sizeof(x) / sizeof *(x)
#define STRIDES   "takes up to 19 strides, 1 to 4096 words"
#define TILE      "takes the outputs of a tile (up to 19) and an odd mask"

const grid_method grid_methods[] = {
    {"banks", "reduce", "strides and banks", VALUES(powers), draw_banks, STRIDES},
    {"banks", "scan", "strides and banks", VALUES(powers), draw_banks, STRIDES},
    {"banks", "transpose", "a column of a tile, and of a padded tile", VALUES(padded), draw_banks,
     STRIDES},
    {"sectors", "transpose", "strides and sectors", VALUES(steps), draw_sectors, STRIDES},
    {"sectors", "histogram", "strides and sectors", VALUES(steps), draw_sectors, STRIDES},
    {"tiles", "convolution", "a tile and its halos", VALUES(tile_values), draw_tile, TILE},
    {"tiles", "convolution2d", "a tile and its halos", VALUES(tile_values), draw_tile_2d, TILE},
    {"tiles", "blur", "a tile and its halos", VALUES(tile_values), draw_tile_2d, TILE},
    {"all-pairs", "maximum", "all pairs at once", VALUES(some), draw_all_pairs,
     "takes 2 to 16 values"},
    {0},
};

const grid_method *grid_named(const char *ladder, const char *name)
{
    for (const grid_method *m = grid_methods; m->name != NULL; m++)
        if (strcmp(m->ladder, ladder) == 0 && strcmp(m->name, name) == 0) return m;
    return NULL;
}

const char *grid_make(const grid_method *m, const int64_t *values, int32_t count, grid_drawing *g)
{
    if (values == NULL) values = m->usual, count = m->usual_count;
    memset(g, 0, sizeof *g);
    g->method = m->name;
    g->title = m->title;
    if (m->draw == draw_all_pairs && count < 2) return m->takes;
    return m->draw(g, values, count) ? NULL : m->takes;
}
