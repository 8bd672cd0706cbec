// SPDX-License-Identifier: Apache-2.0
// What crosses the network, counted between the library and MPI: as many messages, bytes and
// collective calls as the Cost lines of heddle_mpi.h say.
#include <stdlib.h>
#include <string.h>

#include "mpi/ranks.h"
#include "mpi_test.h"
#include "profiling.h"

enum { N = 100003, CALLS_OF_FEW_BYTES = 8 };

// The call, and what it may send from this rank to others, of how many bytes; and its collective
// calls and their bytes.
static void costs(const ranks *r, const char *what, int64_t messages, int64_t bytes,
                  int64_t collectives, int64_t collective_bytes)
{
    const traffic s = sent;
    CHECK(s.messages <= messages && s.bytes <= bytes,
          "%s, rank %d of %d: %lld messages of %lld bytes; expected at most %lld of %lld", what,
          r->rank, r->ranks, (long long)s.messages, (long long)s.bytes, (long long)messages,
          (long long)bytes);
    CHECK(s.collectives <= collectives && s.collective_bytes <= collective_bytes,
          "%s, rank %d of %d: %lld collective calls with %lld bytes; expected at most %lld with "
          "%lld",
          what, r->rank, r->ranks, (long long)s.collectives, (long long)s.collective_bytes,
          (long long)collectives, (long long)collective_bytes);
    sent = (traffic){0};
}

static int64_t log2_of(int64_t n) // rounded up
{
    int64_t k = 0;
    while (((int64_t)1 << k) < n) k++;
    return k;
}

// ---- Reduce and scan ----------------------------------------------------------------------------

// As many messages as the number of ranks has bits, of as many partial results as that of the
// elements has, times two.
static void test_folds(ranks *r, const double *x, double *y, int64_t n)
{
    const int64_t rounds = log2_of(r->ranks), carry = 64 + 8 * 2 * log2_of(N);
    const int64_t answer = 64 + 2 * HD_MAX_ELEMENT;
    sent = (traffic){0};
    CHECK_MPI(r, hd_mpi_reduce(r->mpi, HD_VIEW(x, n), HD_SUM, HD_VIEW(y, 1), NULL));
    CHECK(sent.received <= rounds, "reduce: %lld messages came to rank %d of %d",
          (long long)sent.received, r->rank, r->ranks);
    costs(r, "reduce", r->rank > 0, carry, 4, answer + 48);
    CHECK_MPI(r, hd_mpi_scan(r->mpi, HD_VIEW(x, n), HD_SUM, HD_VIEW(y, n), NULL));
    CHECK(sent.received <= rounds, "scan: %lld messages came to rank %d of %d",
          (long long)sent.received, r->rank, r->ranks);
    costs(r, "scan", rounds, rounds * carry, 3, 48);
}

// ---- Sort ---------------------------------------------------------------------------------------

// Each element at most once, those that stay not at all; guesses of all other ranks' splitters, one
// for each bit of a key.
static void sorts(ranks *r, const char *what, const float *x, float *y, int64_t n, bool values,
                  int64_t leave)
{
    const int64_t others = r->ranks - 1, bits = 32, row = values ? 12 : 4;
    int64_t *id = check_memory(8 * (size_t)n + 8), *got = check_memory(8 * (size_t)n + 8);
    for (int64_t i = 0; i < n; i++) id[i] = i;
    sent = (traffic){0};
    CHECK_MPI(r, hd_mpi_sort(r->mpi, HD_VIEW(x, n), HD_VIEW(y, n),
                             values ? HD_VALUES(HD_VIEW(id, n), HD_VIEW(got, n)) : HD_NO_VALUES,
                             NULL));
    CHECK(leave < 0 || sent.bytes == row * leave, "%s, rank %d: %lld bytes; expected %lld", what,
          r->rank, (long long)sent.bytes, (long long)(row * leave));
    costs(r, what, (1 + values) * others, row * n, bits + 12 + values,
          8 * (bits + 3) * (others + 1) + 16 * CALLS_OF_FEW_BYTES);
    free(id), free(got);
}

static void count_sorts(ranks *r)
{
    const int64_t begin = hd_mpi_even(N, r->rank, r->ranks),
                  n = hd_mpi_even(N, r->rank + 1, r->ranks) - begin;
    float *x = check_memory(4 * N), *y = check_memory(4 * N);
    for (int64_t i = 0; i < N; i++) x[i] = (float)i;
    sorts(r, "a sorted sequence", x + begin, y, n, false, 0);
    sorts(r, "a sorted sequence with values", x + begin, y, n, true, 0);
    for (int64_t i = 0; i < N; i++) x[i] = (float)(N - 1 - i);
    int64_t stay = 0; // those that belong here
    for (int64_t i = begin; i < begin + n; i++) stay += N - 1 - i >= begin && N - 1 - i < begin + n;
    sorts(r, "a reversed sequence", x + begin, y, n, false, n - stay);
    check_fill(HD_F32, x, N, CHECK_ORDINARY, 3);
    sorts(r, "a random sequence", x + begin, y, n, false, -1);
    sorts(r, "a random sequence with values", x + begin, y, n, true, -1);
    free(x), free(y);
}

// ---- Layouts and bins ---------------------------------------------------------------------------

static void test_layouts(ranks *r)
{
    const int64_t n = 1000;
    int16_t x[1000], y[1000];
    const part p = draw_part(r, n), q = draw_part(r, n);
    const int64_t low = p.begin > q.begin ? p.begin : q.begin,
                  high = p.begin + p.n < q.begin + q.n ? p.begin + p.n : q.begin + q.n,
                  leave = p.n - (high > low ? high - low : 0), was = r->mpi->chunk;
    memset(x, 1, sizeof x);
    sent = (traffic){0};
    CHECK_MPI(r, hd_mpi_redistribute(r->mpi, HD_VIEW(x, p.n), HD_VIEW(y, q.n), NULL));
    CHECK(sent.bytes == 2 * leave, "%lld bytes; expected %lld", (long long)sent.bytes,
          (long long)(2 * leave));
    costs(r, "redistribute", r->ranks - 1, 2 * p.n, CALLS_OF_FEW_BYTES, 8 * CALLS_OF_FEW_BYTES);
    r->mpi->chunk = 30; // full chunks and a rest for each rank
    CHECK_MPI(r, hd_mpi_redistribute(r->mpi, HD_VIEW(x, p.n), HD_VIEW(y, q.n), NULL));
    CHECK(sent.longest <= 30 && sent.messages >= (2 * leave + 29) / 30 &&
              sent.messages <= 2 * leave / 30 + r->ranks,
          "%lld messages, the longest of %lld bytes", (long long)sent.messages,
          (long long)sent.longest);
    r->mpi->chunk = was;
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) x[i] = i % 3 == 0;
    const part even = {hd_mpi_even(n, r->rank, r->ranks),
                       hd_mpi_even(n, r->rank + 1, r->ranks) - hd_mpi_even(n, r->rank, r->ranks)};
    sent = (traffic){0};
    CHECK_MPI(r, hd_mpi_compact(r->mpi, HD_VIEW(x + p.begin, p.n), HD_VIEW(y, even.n),
                                HD_VIEW(&kept, 1), true, NULL));
    costs(r, "compact", r->ranks - 1, 2 * (p.n / 3 + 1), 2 * CALLS_OF_FEW_BYTES,
          16 * CALLS_OF_FEW_BYTES);
}

static void test_bins(ranks *r, const double *x, int64_t n)
{
    enum { BINS = 100 };
    int64_t bins[BINS];
    sent = (traffic){0};
    CHECK_MPI(r, hd_mpi_histogram(r->mpi, HD_VIEW(x, n), HD_VIEW(bins, BINS),
                                  &(hd_histogram_options){.even = true, .lower = -1, .upper = 1}));
    costs(r, "histogram", 0, 0, CALLS_OF_FEW_BYTES, 8 * BINS + 24 * CALLS_OF_FEW_BYTES);
}

// ---- By global index ----------------------------------------------------------------------------

// Each different index of a rank crosses the network once, and its element once; each element of a
// scatter with its index; each element of a matrix once.
static void test_indices(ranks *r)
{
    enum { ROW = 60, ASKED = 1000, DIFFERENT = 5 };
    double x[ASKED], y[ASKED]; // the matrix has as many rows of ROW as there are ranks
    int64_t index[ASKED];
    const int64_t others = r->ranks - 1, few = 8 * (CALLS_OF_FEW_BYTES + 2 * r->ranks);
    check_fill(HD_F64, x, ASKED, CHECK_ORDINARY, 1);
    for (int64_t i = 0; i < ASKED; i++) index[i] = (i % DIFFERENT) * ROW * r->ranks / DIFFERENT;
    sent = (traffic){0};
    CHECK_MPI(
        r, hd_mpi_gather(r->mpi, HD_VIEW(x, ROW), HD_VIEW(index, ASKED), HD_VIEW(y, ASKED), NULL));
    costs(r, "gather", 2 * others, 8 * DIFFERENT + 8 * DIFFERENT * others, 8, 8 * few);
    CHECK_MPI(r,
              hd_mpi_scatter(r->mpi, HD_VIEW(x, ROW), HD_VIEW(index, ROW), HD_VIEW(y, ROW), NULL));
    costs(r, "scatter", 2 * others, 16 * ROW, 8, 8 * few);
    CHECK_MPI(r, hd_mpi_transpose(
                     r->mpi, hd_view_nd(HD_F64, x, 2, (int64_t[]){ROW / 4, 4 * r->ranks}, NULL),
                     hd_view_nd(HD_F64, y, 2, (int64_t[]){4, ROW / 4 * r->ranks}, NULL), NULL));
    costs(r, "transpose", others, 8 * ROW * others, 7, 8 * few);
}

// ---- Neighbourhoods and lists -------------------------------------------------------------------

// A row above and a row below, asked for and sent; nothing from ranks that are no neighbours.
static void test_halos(ranks *r)
{
    enum { ROWS = 50, WIDTH = 6 };
    float x[ROWS * WIDTH], y[ROWS * WIDTH];
    const float weight[3] = {1, 2, 1};
    const int64_t offset[6] = {-1, 0, 0, 0, 1, 0}, few = 8 * (CALLS_OF_FEW_BYTES + 4 * r->ranks);
    const hd_view in = hd_view_nd(HD_F32, x, 2, (int64_t[]){ROWS, WIDTH}, NULL),
                  out = hd_view_nd(HD_F32, y, 2, (int64_t[]){ROWS, WIDTH}, NULL);
    check_fill(HD_F32, x, ROWS * WIDTH, CHECK_ORDINARY, 1);
    sent = (traffic){0};
    CHECK_MPI(r, hd_mpi_stencil(r->mpi, in, hd_view_nd(HD_I64, offset, 2, (int64_t[]){3, 2}, NULL),
                                HD_VIEW(weight, 3), out, NULL));
    costs(r, "stencil", 4, 2 * (8 + 4 * WIDTH), 8, 8 * few);
    CHECK_MPI(r, hd_mpi_difference(r->mpi, in, out, NULL));
    costs(r, "difference", 2, 8 + 4 * WIDTH, 8, 8 * few);
}

// Bytes a node in all rounds together; rounds for each of which a third of the nodes leave.
static void count_lists(ranks *r)
{
    enum { NODES = 20000, BYTES = 80, FEW = 4096 };
    int64_t *next = check_memory(8 * NODES), *rank = check_memory(8 * NODES), all = 0, rounds = 3;
    const int64_t begin = hd_mpi_even(NODES, r->rank, r->ranks),
                  n = hd_mpi_even(NODES, r->rank + 1, r->ranks) - begin;
    for (int64_t left = NODES; left > FEW; left = left * 2 / 3) rounds++;
    for (int64_t i = 0; i < NODES; i++) next[i] = (i + 7919) % NODES;
    next[5] = 5;
    sent = (traffic){0};
    CHECK_MPI(r, hd_mpi_list_rank(r->mpi, HD_VIEW(next + begin, n), HD_VIEW(rank, n), NULL));
    const int64_t mine = sent.bytes;
    costs(r, "list_rank", INT64_MAX, INT64_MAX, 10 * rounds, 8 * 10 * rounds * (r->ranks + 2));
    MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all <= (int64_t)BYTES * NODES, "list_rank: %lld bytes a node", (long long)all / NODES);
    free(next), free(rank);
}

// One message a round and direction, whatever the segments.
static void count_segments(ranks *r)
{
    enum { SHARE = 300 };
    double x[SHARE], y[SHARE];
    int64_t offset[1] = {r->rank == 0 ? 0 : SHARE * (int64_t)r->ranks};
    const bool ends = r->rank == 0 || r->rank == r->ranks - 1;
    int rounds = 0;
    while (1 << rounds < r->ranks) rounds++;
    check_fill(HD_F64, x, SHARE, CHECK_ORDINARY, 1);
    const hd_view offsets = HD_VIEW(offset, ends && r->ranks > 1 ? 1 : 0);
    sent = (traffic){0};
    CHECK_MPI(r, hd_mpi_reduce(r->mpi, HD_VIEW(x, SHARE), HD_SUM,
                               HD_VIEW(y, r->ranks > 1 && r->rank == 0 ? 1 : 0),
                               &(hd_reduce_options){.segments = &offsets}));
    CHECK(sent.messages <= rounds + 2 && sent.collectives <= 21,
          "%lld messages, %lld collective calls", (long long)sent.messages,
          (long long)sent.collectives);
    sent = (traffic){0};
    CHECK_MPI(r, hd_mpi_scan(r->mpi, HD_VIEW(x, SHARE), HD_SUM, HD_VIEW(y, SHARE),
                             &(hd_scan_options){.segments = &offsets}));
    CHECK(sent.messages <= rounds + 1 && sent.collectives <= 14,
          "%lld messages, %lld collective calls", (long long)sent.messages,
          (long long)sent.collectives);
}

void test_messages(ranks *r)
{
    count_segments(r);
    const int64_t begin = hd_mpi_even(N, r->rank, r->ranks),
                  n = hd_mpi_even(N, r->rank + 1, r->ranks) - begin;
    double *x = check_memory(8 * N), *y = check_memory(8 * N);
    check_fill(HD_F64, x, N, CHECK_ORDINARY, 1);
    test_folds(r, x + begin, y, n);
    test_bins(r, x + begin, n);
    free(x), free(y);
    count_sorts(r);
    test_layouts(r);
    test_indices(r);
    test_halos(r);
    count_lists(r);
}
