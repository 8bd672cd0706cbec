// SPDX-License-Identifier: Apache-2.0
//
// The Euler tour of a tree, step by step: arcs that enter and leave nodes become a list, pointers
// jump to its end, and depths, orders and sizes follow from the positions. The rules are those of
// src/algorithms/tree/.
#include <stdio.h>
#include <string.h>

#include "grid_cells.h"

enum { NODES = 16, ARCS = 2 * NODES };
enum { NEXT, LEFT, POSITION, DEPTH, PREORDER, POSTORDER, SIZE, ROWS };

typedef struct tour {
    int32_t n, root;
    int32_t parent[NODES]; // -1: the root's
    int32_t next[ARCS], left[ARCS];
} tour;

static bool take_parents(tour *t, const int64_t *values, int32_t n)
{
    int32_t roots = 0;
    if (n < 1 || n > NODES) return false;
    t->n = n;
    for (int32_t i = 0; i < n; i++) {
        if (values[i] < -1 || values[i] >= n) return false;
        t->parent[i] = values[i] == i ? -1 : (int32_t)values[i];
        if (t->parent[i] < 0) t->root = i, roots++;
    }
    for (int32_t i = 0; i < n; i++) { // more links than nodes: a cycle
        int32_t links = 0;
        for (int32_t up = i; up >= 0 && links <= n; up = t->parent[up]) links++;
        if (links > n) return false;
    }
    return roots == 1;
}

// The next child of the same parent, or -1. Children are in the order of their numbers.
static int32_t sibling_of(const tour *t, int32_t parent, int32_t after)
{
    for (int32_t i = after + 1; i < t->n; i++)
        if (t->parent[i] == parent) return i;
    return -1;
}

// Arc i enters node i, arc n + i leaves it. The last one links to itself.
static void link_arcs(tour *t)
{
    for (int32_t i = 0; i < t->n; i++) {
        const int32_t child = sibling_of(t, i, -1), parent = t->parent[i];
        const int32_t sibling = parent >= 0 ? sibling_of(t, parent, i) : -1;
        t->next[i] = child >= 0 ? child : t->n + i;
        t->next[t->n + i] = sibling >= 0 ? sibling : t->n + (parent >= 0 ? parent : i);
    }
    for (int32_t a = 0; a < 2 * t->n; a++) t->left[a] = t->next[a] != a;
}

static void arc_name(const tour *t, int32_t arc, char *name, size_t room)
{
    snprintf(name, room, "%s%d", arc < t->n ? "+" : "-", (int)(arc % t->n));
}

static void put_links(grid_step *s, const tour *t, int level)
{
    for (int32_t a = 0; a < 2 * t->n; a++) {
        char name[16];
        arc_name(t, t->next[a], name, sizeof name);
        grid_letters(s, NEXT, a, GRID_PLAIN, name);
        grid_put(s, LEFT, a, t->next[a] != a ? level : GRID_PLAIN, t->left[a]);
    }
}

// Every arc adds what its next one has left, and points to that one's next.
static int32_t jump(tour *t)
{
    int32_t next[ARCS], left[ARCS], additions = 0;
    memcpy(next, t->next, sizeof next), memcpy(left, t->left, sizeof left);
    for (int32_t a = 0; a < 2 * t->n; a++) {
        if (next[a] == a) continue;
        t->left[a] = left[a] + left[next[a]];
        t->next[a] = next[next[a]];
        additions++;
    }
    return additions;
}

// Of the arcs before node i is entered, preorder[i] enter nodes and the others leave them again.
static void put_numbers(grid_step *s, const tour *t)
{
    const int32_t n = t->n;
    bool enters[ARCS];
    for (int32_t a = 0; a < 2 * n; a++) {
        grid_put(s, POSITION, a, 1, 2 * n - 1 - t->left[a]);
        enters[2 * n - 1 - t->left[a]] = a < n;
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t in = 2 * n - 1 - t->left[i], out = 2 * n - 1 - t->left[n + i];
        const int32_t size = (out - in + 1) / 2;
        int32_t preorder = 0;
        for (int32_t k = 0; k < in; k++) preorder += enters[k];
        grid_put(s, DEPTH, i, 0, 2 * preorder - in);
        grid_put(s, PREORDER, i, 0, preorder);
        grid_put(s, POSTORDER, i, 0, out - preorder - size);
        grid_put(s, SIZE, i, 0, size);
    }
}

// Values: the parent of each node, the root's its own or -1.
bool grid_draw_tree(grid_drawing *g, const int64_t *values, int32_t n)
{
    static const char *const rows[] = {"next",     "to the end", "position", "depth",
                                       "preorder", "postorder",  "size"};
    tour t;
    int32_t additions = 0, jumps = 0;
    if (!take_parents(&t, values, n)) return false;
    link_arcs(&t);
    grid_table(g, rows, ROWS, "arcs: + enters a node, - leaves it", 2 * n);
    for (int32_t a = 0; a < 2 * n; a++)
        arc_name(&t, a, g->column_label[a], sizeof g->column_label[a]);
    grid_step *s = grid_next(g, false);
    put_links(s, &t, GRID_PLAIN);
    grid_caption(s, "a tour around the tree as a list of arcs: each is 1 from the next");
    for (; jumps < grid_levels(2 * n); jumps++) {
        additions += jump(&t);
        s = grid_next(g, false);
        put_links(s, &t, 1);
        grid_caption(s, "step %d: jump; arcs point up to %d arcs ahead", (int)jumps + 1,
                     2 << jumps);
    }
    s = grid_next(g, true);
    put_numbers(s, &t);
    grid_caption(s, "a scan over the arcs that enter gives preorder; positions and it the rest");
    grid_sum(g, "%d arcs: %d additions in %d jumps, one scan in %d steps; a walk: %d steps", 2 * n,
             (int)additions, (int)jumps, (int)grid_levels(2 * n), 2 * n);
    return true;
}
