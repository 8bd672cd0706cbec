// SPDX-License-Identifier: Apache-2.0
// Messages longer than a chunk: the same results with chunks of a few bytes.
#include <stdlib.h>
#include <string.h>

#include "mpi/ranks.h"
#include "mpi_test.h"

// Chunks of a part of an element, of one, and of several and a part.
static void try_chunk(ranks *r, int64_t chunk)
{
    enum { N = 90 };
    double x[N], y[N];
    const part p = draw_part(r, N), q = draw_part(r, N);
    const int64_t was = r->mpi->chunk;
    check_fill(HD_F64, x, N, CHECK_ORDINARY, 5);
    r->mpi->chunk = chunk;
    CHECK_MPI(r, hd_mpi_redistribute(r->mpi, HD_VIEW(x + p.begin, p.n), HD_VIEW(y, q.n), NULL));
    CHECK_SAME(HD_F64, y, x + q.begin, q.n, "chunks of %lld bytes", (long long)chunk);
    r->mpi->chunk = was;
}

void test_chunks(ranks *r)
{
    static const int64_t chunks[] = {40, 256, 3001};
    const int64_t was = r->mpi->chunk;
    CHECK(was == (int64_t)1 << 30, "chunks of %lld bytes", (long long)was);
    for (int k = 0; k < 12; k++) try_chunk(r, 1 + k);
    for (int k = r->ranks <= 3 ? 0 : 2; k < 3; k++) {
        r->mpi->chunk = chunks[k];
        draw_everything(r);
    }
    r->mpi->chunk = was;
}
