// SPDX-License-Identifier: Apache-2.0
// Unique and run lengths of sequences whose runs cross ranks, against the calls over the whole.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_test.h"

typedef struct pixel {
    uint8_t r, g, b;
} pixel;
HD_COMPARISON(by_red, pixel, HD_NO_SOURCE, { return a.r < b.r; })

enum { KINDS = 4 };

// A sequence in runs, some longer than any rank's share: numbers, floats with NaN, structures by
// their bytes or by a comparison.
static hd_view draw_runs(ranks *r, int64_t n, int kind)
{
    static const hd_type types[KINDS] = {HD_I32, HD_F64, HD_TYPE(pixel), HD_TYPE(pixel)};
    const hd_type type = types[kind];
    const size_t size = hd_type_size(type);
    const int64_t longest[] = {2, 30, n + 1}, most = longest[check_below(&r->state, 3)];
    char *x = check_memory((size_t)n * size + 1);
    int32_t value = 0;
    for (int64_t i = 0, left = 0; i < n; i++, left--) {
        if (left == 0) left = 1 + check_below(&r->state, most), value = (value + 7) % 31;
        const double number = check_below(&r->state, 40) ? (double)value : (double)NAN;
        const pixel p = {(uint8_t)value, (uint8_t)(check_below(&r->state, 30) == 0), 3};
        memcpy(x + (size_t)i * size,
               kind == 0   ? (const void *)&value
               : kind == 1 ? (const void *)&number
                           : (const void *)&p,
               size);
    }
    return hd_view_of(type, x, n);
}

static hd_view part_of(hd_view v, part p)
{
    return hd_view_of(v.type, (char *)v.data + (size_t)p.begin * hd_type_size(v.type), p.n);
}

static int64_t share_of(const ranks *r, int64_t n)
{
    return hd_mpi_even(n, r->rank + 1, r->ranks) - hd_mpi_even(n, r->rank, r->ranks);
}

static void try_runs(ranks *r, int64_t n, int kind, bool even)
{
    const hd_view in = draw_runs(r, n, kind);
    const size_t size = hd_type_size(in.type);
    const hd_comparison *c = kind == 3 ? by_red : NULL;
    char *want = check_memory((size_t)n * size + 1), *got = check_memory((size_t)n * size + 1);
    int64_t *lengths = check_memory(8 * (size_t)n + 8), *index = check_memory(8 * (size_t)n + 8);
    uint32_t *got_length = check_memory(4 * (size_t)n + 4);
    int64_t *got_index = check_memory(8 * (size_t)n + 8), all = 0, kept = -1, first, total;
    const part p = draw_part(r, n);
    CHECK_OK(r->serial,
             hd_run_lengths(
                 r->serial, in, hd_view_of(in.type, want, n), HD_VIEW(lengths, n), HD_VIEW(&all, 1),
                 &(hd_run_lengths_options){.indices = HD_REF(HD_VIEW(index, n)), .comparison = c}));
    const int64_t room = even ? share_of(r, all) : p.n;
    CHECK_MPI(
        r, hd_mpi_run_lengths(r->mpi, part_of(in, p), hd_view_of(in.type, got, room),
                              HD_VIEW(got_length, room), HD_VIEW(&kept, 1), even,
                              &(hd_run_lengths_options){.indices = HD_REF(HD_VIEW(got_index, room)),
                                                        .comparison = c}));
    CHECK_MPI(r, hd_mpi_layout(r->mpi, kept, &first, &total));
    CHECK(total == all && (!even || kept == share_of(r, all)), "%lld runs of %lld, expected %lld",
          (long long)kept, (long long)total, (long long)all);
    int64_t wrong = 0;
    for (int64_t j = 0; j < kept && total == all; j++)
        wrong += got_length[j] != lengths[first + j] || got_index[j] != index[first + j];
    CHECK(wrong == 0 && memcmp(got, want + (size_t)first * size, (size_t)kept * size) == 0,
          "%lld runs of %lld, kind %d, even %d, rank %d of %d", (long long)all, (long long)n, kind,
          even, r->rank, r->ranks);
    // The same without lengths, in place where nothing moves to another rank.
    const hd_view mine = part_of(in, p);
    CHECK_MPI(r, hd_mpi_unique(r->mpi, mine, even ? hd_view_of(in.type, got, room) : mine,
                               HD_VIEW(&kept, 1), even, &(hd_unique_options){.comparison = c}));
    CHECK(memcmp(even ? got : mine.data, want + (size_t)first * size, (size_t)kept * size) == 0,
          "unique of %lld, kind %d, even %d, rank %d of %d", (long long)n, kind, even, r->rank,
          r->ranks);
    free(in.data), free(want), free(got), free(lengths), free(index), free(got_length);
    free(got_index);
}

static void fails(const ranks *r, hd_status got, hd_status status, const char *text)
{
    CHECK(got == status && strstr(hd_mpi_error(r->mpi), text) != NULL,
          "%s: \"%s\"; expected \"%s\"", hd_status_name(got), hd_mpi_error(r->mpi), text);
}

static void test_refused(const ranks *r)
{
    const int32_t x[4] = {r->rank * 2 + 1, r->rank * 2 + 2, r->rank * 2 + 2, -1 - r->rank};
    int32_t y[4];
    float z[4];
    int64_t count = -1;
    uint8_t narrow[4];
    fails(r, hd_mpi_unique(r->mpi, HD_VIEW(x, 4), HD_VIEW(y, 2), HD_VIEW(&count, 1), false, NULL),
          HD_ERROR_SHAPE, "expected 3");
    CHECK(count == 3, "%lld runs", (long long)count);
    fails(r, hd_mpi_unique(r->mpi, HD_VIEW(x, 4), HD_VIEW(y, 2), HD_VIEW(&count, 1), true, NULL),
          HD_ERROR_SHAPE, "expected 3");
    fails(r, hd_mpi_unique(r->mpi, HD_VIEW(x, 4), HD_VIEW(z, 4), HD_VIEW(&count, 1), false, NULL),
          HD_ERROR_TYPE, "out is f32");
    fails(r, hd_mpi_unique(r->mpi, HD_VIEW(x, 4), HD_VIEW(y, 4), HD_EMPTY, false, NULL),
          HD_ERROR_ARGUMENT, "count is empty");
    fails(r,
          hd_mpi_unique(r->mpi, HD_VIEW(x, 4), HD_VIEW(y, 4), HD_VIEW(&count, 1), false,
                        &(hd_unique_options){.comparison = by_red}),
          HD_ERROR_TYPE, "by_red");
    fails(r,
          hd_mpi_run_lengths(r->mpi, HD_VIEW(x, 4), HD_VIEW(y, 4), HD_EMPTY, HD_VIEW(&count, 1),
                             false, NULL),
          HD_ERROR_ARGUMENT, "lengths is empty");
    const hd_view constant = hd_constant(x[0] * 0, 100);
    if (r->ranks > 2)
        fails(r,
              hd_mpi_run_lengths(r->mpi, constant, HD_EMPTY, HD_VIEW(narrow, 4), HD_VIEW(&count, 1),
                                 false, NULL),
              HD_ERROR_TYPE, "lengths is u8");
    CHECK_MPI(r, hd_mpi_unique(r->mpi, constant, HD_EMPTY, HD_VIEW(&count, 1), true, NULL));
    CHECK(count == (r->rank == 0), "%lld runs of constants", (long long)count);
}

void test_runs(ranks *r)
{
    const int tries = r->ranks <= 2 ? 80 : r->ranks <= 7 ? 24 : 8;
    for (int k = 0; k < tries; k++)
        try_runs(r, check_below(&r->state, k % 3 ? 700 : 8), k % KINDS, k / KINDS % 2);
    test_refused(r);
}
