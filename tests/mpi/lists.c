// SPDX-License-Identifier: Apache-2.0
// Scans along lists whose nodes lie on ranks in any order, against the call over the whole.
#include <stdlib.h>
#include <string.h>

#include "mpi_test.h"

HD_MONOID(fade, double, HD_NO_SOURCE, HD_ASSOCIATIVE, 1.0, { return 0.5 * a + b; })

// One list or many through all nodes, in a random order.
static int64_t *draw_links(ranks *r, int64_t n, int64_t longest)
{
    int64_t *next = check_memory(8 * (size_t)n + 8), *order = check_memory(8 * (size_t)n + 8);
    for (int64_t i = 0; i < n; i++) order[i] = i;
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t j = check_below(&r->state, i + 1), other = order[j];
        order[j] = order[i], order[i] = other;
    }
    for (int64_t i = 0; i < n; i++) {
        const bool last = i == n - 1 || check_below(&r->state, longest) == 0;
        next[order[i]] = !last ? order[i + 1] : check_below(&r->state, 2) ? -1 : order[i];
    }
    free(order);
    return next;
}

static void try_scan(ranks *r, int64_t n, int64_t longest, int kind)
{
    static const hd_type types[] = {HD_F32, HD_F64, HD_I16, HD_F32, HD_U8},
                         outs[] = {HD_F32, HD_F64, HD_I64, HD_F32, HD_F64};
    const hd_type type = types[kind % 5], out = outs[kind % 5];
    const hd_operator *op = kind % 5 > 2 ? HD_MEAN : type == HD_F64 ? fade : HD_SUM;
    const size_t size = hd_type_size(type), each = hd_type_size(out);
    int64_t *next = draw_links(r, n, longest), lists = -1, want_lists = -2;
    char *x = check_memory((size_t)n * size + 1), *want = check_memory((size_t)n * each + 1),
         *got = check_memory((size_t)n * each + 1);
    check_fill(type, x, n, CHECK_ORDINARY, (uint64_t)check_next(&r->state));
    const part p = draw_part(r, n);
    const hd_view count = HD_VIEW(&want_lists, 1), mine = HD_VIEW(&lists, 1);
    hd_list_options o = {.exclusive = check_below(&r->state, 2),
                         .backward = check_below(&r->state, 2),
                         .lists = &count};
    CHECK_OK(r->serial, hd_list_scan(r->serial, HD_VIEW(next, n), hd_view_of(type, x, n), op,
                                     hd_view_of(out, want, n), &o));
    o.lists = &mine;
    const bool in_place = type == out && check_below(&r->state, 2);
    char *from = x + (size_t)p.begin * size, *to = in_place ? from : got;
    CHECK_MPI(r, hd_mpi_list_scan(r->mpi, HD_VIEW(next + p.begin, p.n), hd_view_of(type, from, p.n),
                                  op, hd_view_of(out, to, p.n), &o));
    CHECK_SAME(out, to, want + (size_t)p.begin * each, p.n,
               "%lld nodes, lists of about %lld, exclusive %d, backward %d, rank %d of %d",
               (long long)n, (long long)longest, o.exclusive, o.backward, r->rank, r->ranks);
    if (n > 0) // hd_list_scan tells none of no nodes
        CHECK(lists == want_lists, "%lld lists, expected %lld", (long long)lists,
              (long long)want_lists);
    free(next), free(x), free(want), free(got);
}

static void test_refused(const ranks *r)
{
    const int64_t first = 2 * (int64_t)r->rank, next[2] = {first + 1, first};
    float x[2] = {1, 2}, y[2];
    hd_status status =
        hd_mpi_list_scan(r->mpi, HD_VIEW(next, 2), HD_VIEW(x, 2), HD_SUM, HD_VIEW(y, 2), NULL);
    CHECK(status == HD_ERROR_VALUE && strstr(hd_mpi_error(r->mpi), "node 0 is on a circle") != NULL,
          "%s: %s", hd_status_name(status), hd_mpi_error(r->mpi));
    status = hd_mpi_list_scan(r->mpi, HD_VIEW(next, 2), HD_VIEW(x, r->rank == 0 ? 1 : 2), HD_SUM,
                              HD_VIEW(y, 2), NULL);
    CHECK(status == HD_ERROR_SHAPE && strstr(hd_mpi_error(r->mpi), "1 values") != NULL, "%s: %s",
          hd_status_name(status), hd_mpi_error(r->mpi));
}

void test_lists(ranks *r)
{
    const int tries = r->ranks <= 2 ? 24 : r->ranks <= 7 ? 9 : 4;
    for (int k = 0; k < tries; k++) {
        const int64_t n = check_below(&r->state, k % 3 ? 600 : 7);
        try_scan(r, n, k % 2 ? 9 : n + 1, k / 2);
    }
    try_scan(r, 9000, 4000, 0); // more than rank 0 takes at once
    test_refused(r);
}
