// SPDX-License-Identifier: Apache-2.0
// Lists whose nodes, graphs whose edges, and sparse matrices whose rows lie on several ranks; and
// what is none.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_test.h"

static hd_view part_of(hd_type type, const void *x, part p)
{
    return hd_view_of(type, (const char *)x + (size_t)p.begin * hd_type_size(type), p.n);
}

// Numbers as integers of a type.
static void *narrowed(ranks *r, hd_type type, const int64_t *x, int64_t n)
{
    void *narrow = check_memory(8 * (size_t)n + 8);
    CHECK_OK(r->serial, hd_map(r->serial, HD_VIEW(x, n), NULL, hd_view_of(type, narrow, n), NULL));
    return narrow;
}

// The error over the whole and that over the ranks, but for the name of the call.
static void same_error(const ranks *r, const char *call, hd_status want, hd_status got)
{
    const char *said = strstr(hd_mpi_error(r->mpi), call), *expected = hd_error(r->serial);
    while (*expected != 0 && *expected != ':') expected++;
    CHECK(got == want &&
              (want == HD_OK || (said != NULL && strcmp(said + strlen(call), expected) == 0)),
          "%s: \"%s\"; expected %s: \"%s\"", hd_status_name(got), hd_mpi_error(r->mpi),
          hd_status_name(want), hd_error(r->serial));
}

// ---- Lists --------------------------------------------------------------------------------------

// Nodes in a random order, or nearly their own, cut into lists.
static int64_t *random_lists(ranks *r, int64_t n)
{
    int64_t *order = check_memory(8 * (size_t)n + 8), *next = check_memory(8 * (size_t)n + 8);
    const int64_t near = check_below(&r->state, 3) == 0 ? 5 : n,
                  cut = n > 4096 ? 60 : 1 + check_below(&r->state, 60);
    for (int64_t k = 0; k < n; k++) order[k] = k;
    for (int64_t k = n - 1; k > 0; k--) {
        const int64_t to =
            k < near ? check_below(&r->state, k + 1) : k - check_below(&r->state, near);
        const int64_t swap = order[k];
        order[k] = order[to], order[to] = swap;
    }
    for (int64_t k = 0; k < n; k++) {
        const bool last = k + 1 == n || check_below(&r->state, cut * cut) == 0;
        next[order[k]] = !last ? order[k + 1] : check_below(&r->state, 2) ? -1 : order[k];
    }
    free(order);
    return next;
}

enum { BAD_LINK, TWICE, NEGATIVE, CIRCLE, FAULTS };

static bool is_last(const int64_t *next, int64_t node)
{
    return next[node] < 0 || next[node] == node;
}

// The last node of a list links to its first one.
static void close_circle(int64_t *next, int64_t n, int64_t node)
{
    int64_t *before = check_memory(8 * (size_t)n + 8), first = node;
    for (int64_t k = 0; k < n; k++) before[k] = -1;
    for (int64_t k = 0; k < n; k++)
        if (!is_last(next, k)) before[next[k]] = k;
    while (before[first] >= 0) first = before[first];
    while (!is_last(next, node)) node = next[node];
    next[node] = first;
    free(before);
}

// A bad link, a node that two link to, a circle.
static void spoil(ranks *r, int64_t *next, int64_t n, int fault)
{
    const int64_t a = check_below(&r->state, n), b = check_below(&r->state, n);
    if (fault == BAD_LINK) next[a] = n + check_below(&r->state, 3);
    if (fault == TWICE) next[a] = b;
    if (fault == NEGATIVE) next[a] = -2 - check_below(&r->state, 3);
    if (fault == CIRCLE) close_circle(next, n, a);
}

// fault: FAULTS for none.
static void try_list(ranks *r, int64_t n, int fault)
{
    static const hd_type types[] = {HD_I64, HD_I32, HD_U32, HD_U64, HD_I16, HD_U8};
    const hd_type type = types[check_below(&r->state, n < 120     ? 6
                                                      : n < 32000 ? 5
                                                                  : 4)],
                  out = check_below(&r->state, 2) ? HD_I64 : HD_I32;
    int64_t *next = random_lists(r, n), want_lists = -1, lists = -1;
    if (fault < FAULTS && n > 0) spoil(r, next, n, fault);
    void *links = narrowed(r, type, next, n);
    char *want = check_memory(8 * (size_t)n + 8), *got = check_memory(8 * (size_t)n + 8);
    const part p = draw_part(r, n);
    const hd_view want_view = HD_VIEW(&want_lists, 1), view = HD_VIEW(&lists, 1);
    hd_list_options o = {.from_head = check_below(&r->state, 2), .lists = &want_view};
    const hd_status expected =
        hd_list_rank(r->serial, hd_view_of(type, links, n), hd_view_of(out, want, n), &o);
    o.lists = &view;
    const hd_status status =
        hd_mpi_list_rank(r->mpi, part_of(type, links, p), hd_view_of(out, got, p.n), &o);
    same_error(r, "hd_mpi_list_rank", expected, status);
    const size_t size = hd_type_size(out);
    if (expected == HD_OK) {
        CHECK(memcmp(got, want + (size_t)p.begin * size, (size_t)p.n * size) == 0,
              "%lld nodes, %lld here, by %s, rank %d of %d", (long long)n, (long long)p.n,
              hd_type_name(type), r->rank, r->ranks);
        CHECK(lists == want_lists, "%lld lists, expected %lld", (long long)lists,
              (long long)want_lists);
    }
    free(next), free(links), free(want), free(got);
}

// ---- Components ---------------------------------------------------------------------------------

static void try_components(ranks *r, int64_t n, int64_t m, bool bad)
{
    static const hd_type types[] = {HD_I64, HD_I32, HD_U32, HD_I16};
    const hd_type type = types[check_below(&r->state, 4)];
    const int kind = (int)check_below(&r->state, 3);
    int64_t *u = check_memory(8 * (size_t)m + 8), *v = check_memory(8 * (size_t)m + 8);
    for (int64_t k = 0; k < m; k++) {
        u[k] = n > 0 ? check_below(&r->state, n) : 0;
        v[k] = n > 0 ? check_below(&r->state, n) : 0;
        if (kind == 1 && n > 1) v[k] = u[k] + (u[k] < n - 1); // a path, of which edges are missing
        if (kind == 2 && n > 0) v[k] = n - 1 - u[k] / 7; // stars around nodes with high numbers
    }
    if (bad && m > 0) u[check_below(&r->state, m)] = n + check_below(&r->state, 3);
    if (bad && m > 0) v[check_below(&r->state, m)] = -1 - check_below(&r->state, 3);
    void *from = narrowed(r, type, u, m), *to = narrowed(r, type, v, m);
    int64_t want_count = -1, count = -1;
    int32_t *want = check_memory(4 * (size_t)n + 4), *got = check_memory(4 * (size_t)n + 4);
    const hd_view want_view = HD_VIEW(&want_count, 1), view = HD_VIEW(&count, 1);
    const part p = draw_part(r, m), q = draw_part(r, n);
    const hd_status expected =
        hd_components(r->serial, hd_view_of(type, from, m), hd_view_of(type, to, m),
                      HD_VIEW(want, n), &(hd_components_options){.count = &want_view});
    const hd_status status =
        hd_mpi_components(r->mpi, part_of(type, from, p), part_of(type, to, p), HD_VIEW(got, q.n),
                          &(hd_components_options){.count = &view});
    CHECK(status == expected, "%s: %s; expected %s: %s", hd_status_name(status),
          hd_mpi_error(r->mpi), hd_status_name(expected), hd_error(r->serial));
    if (expected == HD_OK) {
        CHECK(memcmp(got, want + q.begin, 4 * (size_t)q.n) == 0,
              "%lld nodes, %lld edges on rank %d of %d", (long long)n, (long long)m, r->rank,
              r->ranks);
        CHECK(count == want_count, "%lld components, expected %lld", (long long)count,
              (long long)want_count);
    } else { // the same edge
        long long edge[2] = {-1, -2};
        const char *said[2] = {strstr(hd_mpi_error(r->mpi), " of edge "),
                               strstr(hd_error(r->serial), " of edge ")};
        for (int k = 0; k < 2; k++)
            if (said[k] != NULL) edge[k] = atoll(said[k] + strlen(" of edge "));
        CHECK(edge[0] == edge[1], "%s; expected %s", hd_mpi_error(r->mpi), hd_error(r->serial));
    }
    free(u), free(v), free(from), free(to), free(want), free(got);
}

// ---- Sparse matrices ----------------------------------------------------------------------------

HD_FUNCTION(plus, float, HD_NO_SOURCE, (float, length, float, x), { return length + x; })

// A matrix with empty rows and long ones; the columns of many entries are few.
typedef struct matrix {
    int64_t rows, columns, entries;
    int64_t *offset;
    void *column;
    float *value;
} matrix;

static matrix random_matrix(ranks *r, int64_t rows, int64_t columns, hd_type type, bool bad)
{
    matrix a = {.rows = rows, .columns = columns, .offset = check_memory(8 * (size_t)rows + 8)};
    a.offset[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        const int64_t most = check_below(&r->state, 5) ? 6 : 90;
        a.offset[i + 1] = a.offset[i] + (columns > 0 ? check_below(&r->state, most) : 0);
    }
    a.entries = a.offset[rows];
    int64_t *column = check_memory(8 * (size_t)a.entries + 8);
    for (int64_t k = 0; k < a.entries; k++)
        column[k] = check_below(&r->state, check_below(&r->state, 3) ? columns : 1 + columns / 9);
    if (bad && a.entries > 0) column[check_below(&r->state, a.entries)] = columns;
    a.column = narrowed(r, type, column, a.entries);
    a.value = check_memory(4 * (size_t)a.entries + 4);
    check_fill(HD_F32, a.value, a.entries, CHECK_ORDINARY, (uint64_t)check_next(&r->state));
    free(column);
    return a;
}

static void try_spmv(ranks *r, int64_t rows, int64_t columns, bool bad)
{
    const hd_type type = check_below(&r->state, 2) ? HD_I32 : HD_U16;
    const matrix a = random_matrix(r, rows, columns, type, bad);
    const int kind = (int)check_below(&r->state, 3);
    float *x = check_memory(4 * (size_t)columns + 4), *want = check_memory(4 * (size_t)rows + 4),
          *got = check_memory(4 * (size_t)rows + 4);
    check_fill(HD_F32, x, columns, CHECK_ORDINARY, (uint64_t)check_next(&r->state));
    const part p = draw_part(r, rows), q = draw_part(r, columns);
    const int64_t first = a.offset[p.begin], n = a.offset[p.begin + p.n] - first;
    int64_t *offset = check_memory(8 * (size_t)p.n + 8); // of this rank's own entries
    for (int64_t i = 0; i <= p.n; i++) offset[i] = a.offset[p.begin + i] - first;
    const hd_operator *op = kind == 0 ? HD_DOT : kind == 1 ? HD_MIN : HD_SUM;
    const hd_spmv_options o = {.map = kind == 1 ? plus : NULL};
    const hd_view none = HD_EMPTY; // a pattern
    const hd_status expected =
        hd_spmv(r->serial, HD_VIEW(a.offset, rows + 1), hd_view_of(type, a.column, a.entries),
                kind == 2 ? none : HD_VIEW(a.value, a.entries), HD_VIEW(x, columns), op,
                HD_VIEW(want, rows), &o);
    const hd_status status =
        hd_mpi_spmv(r->mpi, HD_VIEW(offset, p.n + 1), part_of(type, a.column, (part){first, n}),
                    kind == 2 ? none : HD_VIEW(a.value + first, n), HD_VIEW(x + q.begin, q.n), op,
                    HD_VIEW(got, p.n), &o);
    CHECK(status == expected, "%s: %s; expected %s: %s", hd_status_name(status),
          hd_mpi_error(r->mpi), hd_status_name(expected), hd_error(r->serial));
    if (expected == HD_OK)
        CHECK_SAME(HD_F32, got, want + p.begin, p.n, "%lld x %lld, rank %d of %d", (long long)rows,
                   (long long)columns, r->rank, r->ranks);
    free(a.offset), free(a.column), free(a.value), free(x), free(want), free(got), free(offset);
}

static void draw_links(ranks *r, int k)
{
    const int64_t n = check_below(&r->state, k % 3 ? 300 : 8);
    try_list(r, n, FAULTS);
    try_list(r, check_below(&r->state, k % 3 ? 300 : 8), k % FAULTS);
    try_components(r, n, check_below(&r->state, 2 * n + 2) * (n > 0), k % 5 == 4);
    try_spmv(r, check_below(&r->state, 60), check_below(&r->state, k % 3 ? 200 : 4), k % 5 == 4);
}

void draw_graph(ranks *r)
{
    draw_links(r, (int)check_below(&r->state, 1000));
}

void test_graphs(ranks *r)
{
    const int tries = test_all() ? 200 : r->ranks <= 2 ? 30 : r->ranks <= 7 ? 8 : 3;
    for (int k = 0; k < tries; k++) draw_links(r, k);
    try_list(r, 9000 + check_below(&r->state, 3000), FAULTS); // more than one rank takes at last
    try_list(r, 9000 + check_below(&r->state, 3000), CIRCLE);
    try_components(r, 3000, 2500, false);
}
