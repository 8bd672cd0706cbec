// SPDX-License-Identifier: Apache-2.0
//
// A row for each pattern: its call over an hd_mpi of one rank, or of all.
#include "speeds.h"

#include <string.h>

#include "bench/support/statistics.h"
#include "cli/support/progress.h"

// The arrays of a rank, of n elements each, and the calls' communicator. Of the plane a rank has
// rows, and of its transposed columns.
typedef struct arrays {
    hd_mpi *mpi;
    int64_t n, before, all; // of this rank, before it, and of all ranks of mpi
    int64_t rows, columns;
    hd_view x, y, room, flags, key, sorted, index, next, rank, bins;
} arrays;

static hd_view plane(const arrays *a, hd_view v)
{
    return hd_view_nd(v.type, v.data, 2, (int64_t[]){a->rows, SCALING_ROW}, NULL);
}

static hd_status call_reduce(arrays *a)
{
    double sum;
    return hd_mpi_reduce(a->mpi, a->x, HD_SUM, HD_VIEW(&sum, 1), NULL);
}

static hd_status call_scan(arrays *a)
{
    return hd_mpi_scan(a->mpi, a->x, HD_SUM, a->y, NULL);
}

static hd_status call_compact(arrays *a)
{
    int64_t count;
    return hd_mpi_compact(a->mpi, a->x, a->y, HD_VIEW(&count, 1), false,
                          &(hd_compact_options){.flags = HD_REF(a->flags)});
}

static hd_status call_histogram(arrays *a)
{
    return hd_mpi_histogram(
        a->mpi, a->key, a->bins,
        &(hd_histogram_options){.even = true, .lower = 0, .upper = 4294967296.0});
}

static hd_status call_sort(arrays *a)
{
    return hd_mpi_sort(a->mpi, a->key, a->sorted, HD_NO_VALUES, NULL);
}

static hd_status call_gather(arrays *a)
{
    return hd_mpi_gather(a->mpi, a->x, a->index, a->y, NULL);
}

static hd_status call_scatter(arrays *a)
{
    return hd_mpi_scatter(a->mpi, a->x, a->index, a->y, NULL);
}

static hd_status call_transpose(arrays *a)
{
    const int64_t in[] = {a->rows, SCALING_ROW}, out[] = {a->columns, a->all / SCALING_ROW};
    return hd_mpi_transpose(a->mpi, hd_view_nd(HD_F64, a->x.data, 2, in, NULL),
                            hd_view_nd(HD_F64, a->room.data, 2, out, NULL), NULL);
}

static hd_status call_stencil(arrays *a)
{
    static const double weight[] = {0.1, 0.1, 0.6, 0.1, 0.1};
    static const int64_t offset[] = {-1, 0, 0, -1, 0, 0, 0, 1, 1, 0};
    const int64_t each[] = {5, 2};
    return hd_mpi_stencil(a->mpi, plane(a, a->x), hd_view_nd(HD_I64, offset, 2, each, NULL),
                          HD_VIEW(weight, 5), plane(a, a->y), NULL);
}

static hd_status call_rank(arrays *a)
{
    return hd_mpi_list_rank(a->mpi, a->next, a->rank, NULL);
}

// In the order of scaling_patterns.
static hd_status (*const calls[SCALING_PATTERNS])(arrays *) = {
    call_reduce, call_scan,    call_compact,   call_histogram, call_sort,
    call_gather, call_scatter, call_transpose, call_stencil,   call_rank,
};

// ---- Data ---------------------------------------------------------------------------------------

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static int make(job *r, int64_t n, arrays *a)
{
    workspace *w = &r->w;
    const int64_t bins = SCALING_BINS;
    a->n = n, a->rows = n / SCALING_ROW;
    EXIT_TRY(workspace_row(w, HD_F64, n, &a->x));
    EXIT_TRY(workspace_row(w, HD_F64, n + a->rows * r->size, &a->room)); // of uneven columns
    a->y = hd_slice(a->room, 0, 0, n, 1);
    EXIT_TRY(workspace_row(w, HD_U8, n, &a->flags));
    EXIT_TRY(workspace_row(w, HD_U32, n, &a->key));
    EXIT_TRY(workspace_row(w, HD_U32, n, &a->sorted));
    EXIT_TRY(workspace_row(w, HD_I64, n, &a->index));
    EXIT_TRY(workspace_row(w, HD_I64, n, &a->next));
    EXIT_TRY(workspace_row(w, HD_I64, n, &a->rank));
    return workspace_row(w, HD_U64, bins, &a->bins);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

// Numbers at random; one list, each of whose links goes far.
static void fill(arrays *a, int rank, int ranks)
{
    a->before = rank * a->n, a->all = ranks * a->n;
    int64_t stride = (int64_t)(0.618 * (double)a->all) | 1;
    while (common_divisor(a->all, stride) != 1) stride += 2;
    a->columns = hd_mpi_even(SCALING_ROW, rank + 1, ranks) - hd_mpi_even(SCALING_ROW, rank, ranks);
    for (int64_t k = 0; k < a->n; k++) {
        const int64_t node = a->before + k;
        const uint64_t random = mix((uint64_t)node + 1);
        ((double *)a->x.data)[k] = (double)(random >> 11) * 0x1p-53;
        ((uint8_t *)a->flags.data)[k] = random & 1;
        ((uint32_t *)a->key.data)[k] = (uint32_t)random;
        ((int64_t *)a->index.data)[k] = (int64_t)(mix(random) % (uint64_t)a->all);
        ((int64_t *)a->next.data)[k] =
            (node + stride) % a->all == 0 ? -1 : (node + stride) % a->all;
    }
}

// ---- Times --------------------------------------------------------------------------------------

// The slowest rank's time of a call that all begin together. MPI_Pcontrol tells a profiler, if
// there is one, which pattern it is.
static int time_call(job *r, arrays *a, int k, double *seconds)
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(k + 1);
    const double start = seconds_now();
    const hd_status status = calls[k](a);
    double mine = seconds_now() - start;
    MPI_Pcontrol(0);
    if (status != HD_OK)
        return fail_lines(options_exit_code(status), "bench", "%s: %s", scaling_patterns[k].name,
                          hd_mpi_error(a->mpi));
    EXIT_TRY(ranks_agree(r, EXIT_DONE));
    MPI_Allreduce(&mine, seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return EXIT_DONE;
}

// The times are those of the slowest rank, the same on all: so they stop together.
static int time_pattern(job *r, arrays *a, int k, measuring how, double *seconds)
{
    enum { MOST = 1000 };
    double sample[MOST], used = 0;
    int count = 0;
    EXIT_TRY(time_call(r, a, k, &sample[0])); // warms up
    while (count < 3 || (used < how.seconds && count < MOST)) {
        EXIT_TRY(time_call(r, a, k, &sample[count]));
        used += sample[count++];
    }
    const statistics all = statistics_of(sample, count);
    *seconds = how.least ? all.least : all.median;
    return EXIT_DONE;
}

static int time_all(job *r, arrays *a, measuring how, double seconds[SCALING_PATTERNS])
{
    for (int k = 0; k < SCALING_PATTERNS; k++) EXIT_TRY(time_pattern(r, a, k, how, &seconds[k]));
    return EXIT_DONE;
}

static int measure_alone(job *r, arrays *a, measuring how, speeds *s)
{
    hd_mpi *alone = NULL;
    const hd_status status = hd_mpi_open(&alone, r->w.ctx, MPI_COMM_SELF);
    int code = status == HD_OK ? EXIT_DONE : library_failed("bench", r->w.ctx, status);
    a->mpi = alone;
    fill(a, 0, 1);
    code = ranks_agree(r, code);
    if (code == EXIT_DONE) code = time_all(r, a, how, s->alone);
    hd_mpi_close(alone);
    return code;
}

int speeds_measure(job *r, int64_t n, measuring how, speeds *s)
{
    arrays a;
    memset(s, 0, sizeof *s);
    s->n = n = (n + SCALING_ROW - 1) / SCALING_ROW * SCALING_ROW;
    EXIT_TRY(make(r, n, &a));
    EXIT_TRY(ranks_agree(r, EXIT_DONE));
    EXIT_TRY(measure_alone(r, &a, how, s));
    a.mpi = r->mpi;
    fill(&a, r->rank, r->size);
    for (int k = 0; k < SCALING_PATTERNS; k++) s->element[k] = s->alone[k] / (double)n;
    return time_all(r, &a, how, s->over);
}
