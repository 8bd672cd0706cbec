// SPDX-License-Identifier: Apache-2.0
// Sorts of structures by a comparison, with values and indices, sorts in place and their memory,
// and merges of two sequences that lie on ranks in layouts of their own, against the calls over the
// whole.
#include <stdlib.h>
#include <string.h>

#include "counted_memory.h"

typedef struct record {
    int32_t key, id;
    float weight;
} record;
HD_COMPARISON(by_key, record, HD_NO_SOURCE, { return a.key < b.key; })
HD_COMPARISON(by_nothing, record, HD_NO_SOURCE, { return a.key < b.key || a.id != b.id; })
HD_COMPARISON(by_last_digit, int64_t, HD_NO_SOURCE, { return a % 10 < b % 10; })

static record *draw_records(ranks *r, int64_t n, int64_t keys)
{
    record *x = check_memory((size_t)n * sizeof *x + 1);
    for (int64_t i = 0; i < n; i++)
        x[i] = (record){(int32_t)check_below(&r->state, keys), (int32_t)i, (float)i / 2};
    return x;
}

// ---- Sort ---------------------------------------------------------------------------------------

static void try_sort(ranks *r, int64_t n, int64_t keys, bool descending)
{
    const hd_type type = HD_TYPE(record);
    const size_t bytes = (size_t)n * sizeof(record) + 1;
    record *x = draw_records(r, n, keys), *want = check_memory(bytes), *got = check_memory(bytes);
    int64_t *want_index = check_memory(8 * (size_t)n + 8);
    uint32_t *got_index = check_memory(4 * (size_t)n + 4);
    double *v = check_memory(8 * (size_t)n + 8), *want_v = check_memory(8 * (size_t)n + 8),
           *got_v = check_memory(8 * (size_t)n + 8);
    check_fill(HD_F64, v, n, CHECK_ORDINARY, 5);
    const part p = draw_part(r, n), q = draw_part(r, n);
    const hd_view index = HD_VIEW(want_index, n), mine = HD_VIEW(got_index, q.n);
    CHECK_OK(r->serial,
             hd_sort(r->serial, HD_VIEW_OF(type, x, n), HD_VIEW_OF(type, want, n),
                     HD_VALUES(HD_VIEW(v, n), HD_VIEW(want_v, n)),
                     &(hd_sort_options){
                         .comparison = by_key, .descending = descending, .indices = &index}));
    CHECK_MPI(r,
              hd_mpi_sort(r->mpi, HD_VIEW_OF(type, x + p.begin, p.n), HD_VIEW_OF(type, got, q.n),
                          HD_VALUES(HD_VIEW(v + p.begin, p.n), HD_VIEW(got_v, q.n)),
                          &(hd_mpi_sort_options){
                              .comparison = by_key, .descending = descending, .indices = &mine}));
    CHECK(memcmp(got, want + q.begin, (size_t)q.n * sizeof *got) == 0 &&
              memcmp(got_v, want_v + q.begin, (size_t)q.n * 8) == 0,
          "%lld records of %lld keys, %s, rank %d of %d", (long long)n, (long long)keys,
          descending ? "falling" : "rising", r->rank, r->ranks);
    int64_t wrong = 0;
    for (int64_t i = 0; i < q.n; i++) wrong += got_index[i] != want_index[q.begin + i];
    CHECK(wrong == 0, "%lld indices of %lld", (long long)wrong, (long long)q.n);
    free(x), free(want), free(got), free(want_index), free(got_index);
    free(v), free(want_v), free(got_v);
}

// Numbers in their own order or by a comparison, without values.
static void try_numbers(ranks *r, int64_t n, bool comparison)
{
    int64_t *x = check_memory(8 * (size_t)n + 8), *want = check_memory(8 * (size_t)n + 8),
            *got = check_memory(8 * (size_t)n + 8), *index = check_memory(8 * (size_t)n + 8);
    for (int64_t i = 0; i < n; i++) x[i] = check_below(&r->state, 300);
    const part p = draw_part(r, n), q = draw_part(r, n);
    const hd_comparison *c = comparison ? by_last_digit : NULL;
    const hd_view mine = HD_VIEW(index, q.n);
    CHECK_OK(r->serial, hd_sort(r->serial, HD_VIEW(x, n), HD_VIEW(want, n), HD_NO_VALUES,
                                &(hd_sort_options){.comparison = c}));
    CHECK_MPI(r, hd_mpi_sort(r->mpi, HD_VIEW(x + p.begin, p.n), HD_VIEW(got, q.n), HD_NO_VALUES,
                             &(hd_mpi_sort_options){.comparison = c, .indices = &mine}));
    CHECK(memcmp(got, want + q.begin, (size_t)q.n * 8) == 0, "%lld numbers, rank %d of %d",
          (long long)n, r->rank, r->ranks);
    int64_t wrong = 0;
    for (int64_t i = 0; i < q.n; i++) wrong += x[index[i]] != got[i];
    CHECK(wrong == 0, "%lld indices of %lld", (long long)wrong, (long long)q.n);
    free(x), free(want), free(got), free(index);
}

// Out begins where in does, whichever is longer; of values in some of them.
static void try_in_place(ranks *r, int64_t n, bool values, bool indices)
{
    double *x = check_memory(8 * (size_t)n + 8), *want = check_memory(8 * (size_t)n + 8),
           *got = check_memory(8 * (size_t)n + 8);
    int32_t *v = check_memory(4 * (size_t)n + 4), *want_v = check_memory(4 * (size_t)n + 4),
            *got_v = check_memory(4 * (size_t)n + 4), *apart = check_memory(4 * (size_t)n + 4);
    int64_t *index = check_memory(8 * (size_t)n + 8);
    const bool value_apart = check_below(&r->state, 2);
    check_fill(HD_F64, x, n, CHECK_TIES, (uint64_t)check_next(&r->state));
    for (int64_t i = 0; i < n; i++) v[i] = (int32_t)i;
    CHECK_OK(r->serial, hd_sort(r->serial, HD_VIEW(x, n), HD_VIEW(want, n),
                                HD_VALUES(HD_VIEW(v, n), HD_VIEW(want_v, n)), NULL));
    const part p = draw_part(r, n), drawn = draw_part(r, n),
               q = check_below(&r->state, 2) ? p : drawn;
    memcpy(got, x + p.begin, 8 * (size_t)p.n), memcpy(got_v, v + p.begin, 4 * (size_t)p.n);
    const hd_view value_out = HD_VIEW(value_apart ? apart : got_v, q.n), mine = HD_VIEW(index, q.n);
    CHECK_MPI(r, hd_mpi_sort(r->mpi, HD_VIEW(got, p.n), HD_VIEW(got, q.n),
                             values ? HD_VALUES(HD_VIEW(got_v, p.n), value_out) : HD_NO_VALUES,
                             &(hd_mpi_sort_options){.indices = indices ? &mine : NULL}));
    CHECK(memcmp(got, want + q.begin, 8 * (size_t)q.n) == 0, "%lld numbers in place, rank %d of %d",
          (long long)n, r->rank, r->ranks);
    CHECK(!values || memcmp(value_out.data, want_v + q.begin, 4 * (size_t)q.n) == 0,
          "values of %lld numbers in place, rank %d of %d", (long long)n, r->rank, r->ranks);
    for (int64_t i = 0; indices && i < q.n; i++)
        CHECK(index[i] == want_v[q.begin + i], "index %lld of %lld", (long long)i, (long long)n);
    free(x), free(want), free(got), free(v), free(want_v), free(got_v), free(apart), free(index);
}

// A sort in place takes less than 2.5 times a rank's share in all: the keys, and 1.5 times as much.
static void test_memory(const ranks *r)
{
    enum { SHARE = 6 << 20 };
    counted_memory counts;
    hd_context *ctx;
    hd_mpi *mpi;
    uint32_t *x = check_memory(4 * SHARE), before = 0;
    if (r->ranks > 3) return;
    open_counted(&counts, &ctx, &mpi);
    check_fill(HD_U32, x, SHARE, CHECK_ORDINARY, 77 + (uint64_t)r->rank);
    const long long was = counts.bytes;
    const hd_status status =
        hd_mpi_sort(mpi, HD_VIEW(x, SHARE), HD_VIEW(x, SHARE), HD_NO_VALUES, NULL);
    CHECK(status == HD_OK, "%s", hd_mpi_error(mpi));
    CHECK(counts.most - was < 6LL * SHARE, "a sort of %d bytes a rank in place took %lld more",
          4 * SHARE, counts.most - was);
    for (int64_t i = 0; i < SHARE; before = x[i++])
        if (x[i] < before) CHECK(false, "%lld is out of order", (long long)i);
    close_counted(&counts, ctx, mpi);
    free(x);
}

// ---- Merge --------------------------------------------------------------------------------------

static void try_merge(ranks *r, int64_t n, int64_t m, int64_t keys, bool descending)
{
    const hd_type type = HD_TYPE(record);
    const int64_t all = n + m;
    record *x = draw_records(r, all, keys), *want = check_memory((size_t)all * sizeof *want + 1),
           *got = check_memory((size_t)all * sizeof *got + 1);
    int32_t *v = check_memory(4 * (size_t)all + 4), *want_v = check_memory(4 * (size_t)all + 4),
            *got_v = check_memory(4 * (size_t)all + 4);
    int64_t *want_index = check_memory(8 * (size_t)all + 8),
            *got_index = check_memory(8 * (size_t)all + 8);
    for (int64_t i = 0; i < all; i++) v[i] = (int32_t)i * 3;
    const hd_view a = HD_VIEW_OF(type, x, n), b = HD_VIEW_OF(type, x + n, m);
    const hd_sort_options sorted = {.comparison = by_key, .descending = descending};
    CHECK_OK(r->serial, hd_sort(r->serial, a, a, HD_NO_VALUES, &sorted));
    CHECK_OK(r->serial, hd_sort(r->serial, b, b, HD_NO_VALUES, &sorted));
    const part p = draw_part(r, n), s = draw_part(r, m), q = draw_part(r, all);
    const hd_view index = HD_VIEW(want_index, all), mine = HD_VIEW(got_index, q.n);
    CHECK_OK(r->serial,
             hd_merge(r->serial, a, b, HD_VIEW_OF(type, want, all),
                      HD_VALUES(HD_VIEW(v, n), HD_VIEW(v + n, m), HD_VIEW(want_v, all)),
                      &(hd_merge_options){
                          .comparison = by_key, .descending = descending, .indices = &index}));
    CHECK_MPI(r,
              hd_mpi_merge(r->mpi, hd_slice(a, 0, p.begin, p.n, 1), hd_slice(b, 0, s.begin, s.n, 1),
                           HD_VIEW_OF(type, got, q.n),
                           HD_VALUES(HD_VIEW(v + p.begin, p.n), HD_VIEW(v + n + s.begin, s.n),
                                     HD_VIEW(got_v, q.n)),
                           &(hd_mpi_merge_options){
                               .comparison = by_key, .descending = descending, .indices = &mine}));
    CHECK(memcmp(got, want + q.begin, (size_t)q.n * sizeof *got) == 0 &&
              memcmp(got_v, want_v + q.begin, (size_t)q.n * 4) == 0 &&
              memcmp(got_index, want_index + q.begin, (size_t)q.n * 8) == 0,
          "%lld and %lld records of %lld keys, rank %d of %d", (long long)n, (long long)m,
          (long long)keys, r->rank, r->ranks);
    free(x), free(want), free(got), free(v), free(want_v), free(got_v);
    free(want_index), free(got_index);
}

// Floats, with NaN and both zeros.
static void try_merge_numbers(ranks *r, int64_t n, int64_t m, bool descending)
{
    float *x = check_memory(4 * (size_t)(n + m) + 4), *want = check_memory(4 * (size_t)(n + m) + 4),
          *got = check_memory(4 * (size_t)(n + m) + 4);
    check_fill(HD_F32, x, n + m, CHECK_SPECIAL, (uint64_t)check_next(&r->state));
    const hd_view a = HD_VIEW(x, n), b = HD_VIEW(x + n, m);
    const hd_sort_options sorted = {.descending = descending};
    CHECK_OK(r->serial, hd_sort(r->serial, a, a, HD_NO_VALUES, &sorted));
    CHECK_OK(r->serial, hd_sort(r->serial, b, b, HD_NO_VALUES, &sorted));
    const part p = draw_part(r, n), s = draw_part(r, m), q = draw_part(r, n + m);
    CHECK_OK(r->serial, hd_merge(r->serial, a, b, HD_VIEW(want, n + m), HD_NO_VALUES,
                                 &(hd_merge_options){.descending = descending}));
    CHECK_MPI(r, hd_mpi_merge(r->mpi, hd_slice(a, 0, p.begin, p.n, 1),
                              hd_slice(b, 0, s.begin, s.n, 1), HD_VIEW(got, q.n), HD_NO_VALUES,
                              &(hd_mpi_merge_options){.descending = descending}));
    CHECK(memcmp(got, want + q.begin, (size_t)q.n * 4) == 0, "%lld and %lld floats, rank %d of %d",
          (long long)n, (long long)m, r->rank, r->ranks);
    free(x), free(want), free(got);
}

// ---- What is refused ----------------------------------------------------------------------------

static void fails(const ranks *r, hd_status got, hd_status status, const char *text)
{
    CHECK(got == status && strstr(hd_mpi_error(r->mpi), text) != NULL,
          "%s: \"%s\"; expected \"%s\"", hd_status_name(got), hd_mpi_error(r->mpi), text);
}

// An order that is none ends the call, whatever is noticed; inputs in no order are merged to some
// permutation, or refused.
static void test_disorder(ranks *r)
{
    enum { N = 50 };
    record *x = draw_records(r, N, 9), y[2 * N];
    int32_t a[N], b[N], out[2 * N];
    const hd_type type = HD_TYPE(record);
    hd_status status = hd_mpi_sort(r->mpi, HD_VIEW_OF(type, x, N), HD_VIEW_OF(type, y, N),
                                   HD_NO_VALUES, &(hd_mpi_sort_options){.comparison = by_nothing});
    CHECK(status == HD_OK || status == HD_ERROR_OPERATOR, "%s: %s", hd_status_name(status),
          hd_mpi_error(r->mpi));
    for (int k = 0; k < N; k++) a[k] = (k * 37 + r->rank) % 50, b[k] = (k * 11) % 50;
    status =
        hd_mpi_merge(r->mpi, HD_VIEW(a, N), HD_VIEW(b, N), HD_VIEW(out, 2 * N), HD_NO_VALUES, NULL);
    CHECK(status == HD_OK || status == HD_ERROR_VALUE, "%s: %s", hd_status_name(status),
          hd_mpi_error(r->mpi));
    free(x);
}

static void test_refused(const ranks *r)
{
    record x[4] = {{1, 1, 1}}, y[8];
    int32_t a[4] = {1, 2, 3, 4}, b[4] = {1, 2, 3, 4}, out[8];
    uint8_t narrow[4 + 8];
    const hd_type type = HD_TYPE(record);
    const hd_view index = HD_VIEW(narrow, r->rank == 0 ? 3 : 4);
    fails(r,
          hd_mpi_sort(r->mpi, HD_VIEW_OF(type, x, 4), HD_VIEW_OF(type, y, 4), HD_NO_VALUES, NULL),
          HD_ERROR_TYPE, "numbers, or a comparison");
    fails(r,
          hd_mpi_sort(r->mpi, HD_VIEW(a, 4), HD_VIEW(out, 4), HD_NO_VALUES,
                      &(hd_mpi_sort_options){.comparison = by_key}),
          HD_ERROR_TYPE, "by_key");
    fails(r,
          hd_mpi_sort(r->mpi, HD_VIEW(a, 4), HD_VIEW(out, 4), HD_NO_VALUES,
                      &(hd_mpi_sort_options){.indices = &index}),
          HD_ERROR_SHAPE, "indices has 3");
    fails(r,
          hd_mpi_merge(r->mpi, HD_VIEW(a, 4), HD_VIEW(b, 4), HD_VIEW(out, 7), HD_NO_VALUES, NULL),
          HD_ERROR_SHAPE, "the outs have room");
    fails(r,
          hd_mpi_merge(r->mpi, HD_VIEW(a, 4), HD_VIEW(b, 4), HD_VIEW_OF(type, y, 8), HD_NO_VALUES,
                       NULL),
          HD_ERROR_TYPE, "expected the same");
    fails(r,
          hd_mpi_merge(r->mpi, HD_VIEW(out, 4), HD_VIEW(b, 4), HD_VIEW(out, 8), HD_NO_VALUES, NULL),
          HD_ERROR_ALIAS, "out overlaps a");
    fails(r,
          hd_mpi_merge(r->mpi, HD_VIEW_OF(type, x, 4), HD_VIEW_OF(type, x, 4),
                       HD_VIEW_OF(type, y, 8), HD_NO_VALUES, NULL),
          HD_ERROR_TYPE, "numbers, or a comparison");
}

void test_sorts(ranks *r)
{
    const int tries = r->ranks <= 2 ? 40 : r->ranks <= 7 ? 10 : 4;
    for (int k = 0; k < tries; k++) {
        const int64_t n = check_below(&r->state, k % 3 ? 900 : 9), m = check_below(&r->state, 500);
        try_sort(r, n, 1 + check_below(&r->state, k % 2 ? 5 : 2000), k % 4 == 1);
        try_numbers(r, m, k % 2);
        try_in_place(r, n, k % 3 == 0, k % 2);
        try_merge(r, n, m, 1 + check_below(&r->state, k % 2 ? 5 : 2000), k % 4 == 2);
        try_merge_numbers(r, m, n, k % 2);
    }
    test_memory(r);
    test_disorder(r);
    test_refused(r);
}
