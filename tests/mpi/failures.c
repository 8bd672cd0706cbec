// SPDX-License-Identifier: Apache-2.0
// Gathers, scatters, halos, lists and graphs of which one rank fails: by an argument, by an index,
// or at any allocation. All ranks return the same status, and the next call works.
#include <stdio.h>
#include <string.h>

#include "counted_memory.h"

enum { N = 30, WIDTH = 3 }; // elements, or rows, a rank

// What each rank has of everything: its own part of a list through all nodes, and so on.
typedef struct parts {
    hd_mpi *mpi;
    int64_t first, all;
    float x[N * WIDTH], y[N * WIDTH];
    int64_t index[N], next[N], out[N], offset[N + 1];
} parts;

static void fill_parts(const ranks *r, parts *p)
{
    p->first = (int64_t)r->rank * N, p->all = (int64_t)r->ranks * N;
    check_fill(HD_F32, p->x, N * WIDTH, CHECK_ORDINARY, 7);
    for (int64_t i = 0; i < N; i++) {
        const int64_t node = p->first + i;
        p->index[i] = node * 7 % p->all;
        p->next[i] = node + 1 < p->all ? node + 1 : node;
        p->offset[i] = i;
    }
    p->offset[N] = N;
}

static hd_view rows_of(float *x)
{
    return hd_view_nd(HD_F32, x, 2, (int64_t[]){N, WIDTH}, NULL);
}

// ---- The calls ----------------------------------------------------------------------------------

static hd_status gather(parts *p)
{
    return hd_mpi_gather(p->mpi, HD_VIEW(p->x, N), HD_VIEW(p->index, N), HD_VIEW(p->y, N),
                         &(hd_gather_options){.checked = true});
}

static hd_status scatter(parts *p)
{
    return hd_mpi_scatter(p->mpi, HD_VIEW(p->x, N), HD_VIEW(p->index, N), HD_VIEW(p->y, N),
                          &(hd_scatter_options){.combine = HD_SUM, .checked = true});
}

static hd_status transpose(parts *p)
{
    float out[1000];
    const int64_t rows = hd_mpi_even(WIDTH, (int32_t)(p->first / N) + 1, (int32_t)(p->all / N)) -
                         hd_mpi_even(WIDTH, (int32_t)(p->first / N), (int32_t)(p->all / N));
    return hd_mpi_transpose(p->mpi, rows_of(p->x),
                            hd_view_nd(HD_F32, out, 2, (int64_t[]){rows, p->all}, NULL), NULL);
}

static hd_status stencil(parts *p)
{
    static const float weight[3] = {1, 2, 1};
    static const int64_t offset[6] = {-2, 0, 0, 1, 1, 0};
    return hd_mpi_stencil(p->mpi, rows_of(p->x),
                          hd_view_nd(HD_I64, offset, 2, (int64_t[]){3, 2}, NULL),
                          HD_VIEW(weight, 3), rows_of(p->y),
                          &(hd_stencil_options){.iterations = 4, .border = HD_BORDER_WRAP});
}

static hd_status convolve(parts *p)
{
    static const float mask[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
    return hd_mpi_convolve(p->mpi, rows_of(p->x),
                           hd_view_nd(HD_F32, mask, 2, (int64_t[]){3, 3}, NULL), rows_of(p->y),
                           NULL);
}

static hd_status difference(parts *p)
{
    return hd_mpi_difference(p->mpi, rows_of(p->x), rows_of(p->y), NULL);
}

static hd_status list_rank(parts *p)
{
    return hd_mpi_list_rank(p->mpi, HD_VIEW(p->next, N), HD_VIEW(p->out, N), NULL);
}

static hd_status components(parts *p)
{
    return hd_mpi_components(p->mpi, HD_VIEW(p->index, N), HD_VIEW(p->next, N), HD_VIEW(p->out, N),
                             NULL);
}

static hd_status spmv(parts *p)
{
    return hd_mpi_spmv(p->mpi, HD_VIEW(p->offset, N + 1), HD_VIEW(p->index, N), HD_VIEW(p->x, N),
                       HD_VIEW(p->x + N, N), HD_DOT, HD_VIEW(p->y, N), NULL);
}

static hd_status histogram(parts *p)
{
    double bins[6];
    const hd_view weights = HD_VIEW(p->x + N, N);
    return hd_mpi_histogram(
        p->mpi, HD_VIEW(p->x, N), HD_VIEW(bins, 6),
        &(hd_histogram_options){.even = true, .lower = -1, .upper = 1, .weights = &weights});
}

static hd_status partition(parts *p)
{
    const hd_view indices = HD_VIEW(p->out, N);
    return hd_mpi_partition(p->mpi, HD_VIEW(p->x, N), HD_VIEW(p->y, N), HD_EMPTY,
                            &(hd_partition_options){.indices = &indices});
}

static hd_status list_scan(parts *p)
{
    return hd_mpi_list_scan(p->mpi, HD_VIEW(p->next, N), HD_VIEW(p->x, N), HD_SUM, HD_VIEW(p->y, N),
                            NULL);
}

HD_COMPARISON(by_value, float, HD_NO_SOURCE, { return a < b; })

// Segments of 7 elements, which cross ranks; each rank has some of their offsets.
static hd_view offsets_of(parts *p)
{
    const int64_t segments = p->all / 7 + 1, rank = p->first / N, ranks = p->all / N;
    const int64_t begin = hd_mpi_even(segments, (int32_t)rank, (int32_t)ranks),
                  end = hd_mpi_even(segments, (int32_t)rank + 1, (int32_t)ranks);
    for (int64_t j = begin; j < end; j++) p->out[j - begin] = j * 7;
    return HD_VIEW(p->out, end - begin);
}

static hd_status reduce_segments(parts *p)
{
    const hd_view offsets = offsets_of(p);
    const int64_t last = p->first + N == p->all;
    return hd_mpi_reduce(p->mpi, HD_VIEW(p->x, N), HD_SUM, HD_VIEW(p->y, offsets.shape[0] - last),
                         &(hd_reduce_options){.segments = &offsets});
}

static hd_status scan_segments(parts *p)
{
    const hd_view offsets = offsets_of(p);
    return hd_mpi_scan(p->mpi, HD_VIEW(p->x, N), HD_SUM, HD_VIEW(p->y, N),
                       &(hd_scan_options){.segments = &offsets});
}

static hd_status reduce_keys(parts *p)
{
    for (int64_t i = 0; i < N; i++) p->out[i] = (p->first + i) / 7;
    const hd_view keys = HD_VIEW(p->out, N);
    return hd_mpi_reduce(p->mpi, HD_VIEW(p->x, N), HD_SUM, HD_VIEW(p->y, N),
                         &(hd_reduce_options){.keys = &keys});
}

static hd_status run_lengths(parts *p)
{
    int64_t values[N], lengths[N], count;
    for (int64_t i = 0; i < N; i++) p->out[i] = (p->first + i) / 7;
    return hd_mpi_run_lengths(p->mpi, HD_VIEW(p->out, N), HD_VIEW(values, N), HD_VIEW(lengths, N),
                              HD_VIEW(&count, 1), true, NULL);
}

static hd_status sort(parts *p)
{
    const hd_view indices = HD_VIEW(p->out, N);
    return hd_mpi_sort(p->mpi, HD_VIEW(p->x, N), HD_VIEW(p->y, N), HD_NO_VALUES,
                       &(hd_mpi_sort_options){.comparison = by_value, .indices = &indices});
}

static hd_status merge(parts *p)
{
    int64_t both[2 * N];
    return hd_mpi_merge(p->mpi, HD_VIEW(p->next, N), HD_VIEW(p->next, N), HD_VIEW(both, 2 * N),
                        HD_NO_VALUES, NULL);
}

typedef struct call {
    const char *name;
    hd_status (*run)(parts *p);
} call;

static const call calls[] = {{"gather", gather},
                             {"scatter", scatter},
                             {"transpose", transpose},
                             {"stencil", stencil},
                             {"convolve", convolve},
                             {"difference", difference},
                             {"list_rank", list_rank},
                             {"components", components},
                             {"spmv", spmv},
                             {"reduce_segments", reduce_segments},
                             {"scan_segments", scan_segments},
                             {"reduce_keys", reduce_keys},
                             {"run_lengths", run_lengths},
                             {"sort", sort},
                             {"merge", merge},
                             {"histogram", histogram},
                             {"partition", partition},
                             {"list_scan", list_scan}};
enum { CALLS = sizeof calls / sizeof calls[0] };

// ---- Memory -------------------------------------------------------------------------------------

static void fail_at_each(const ranks *r, const call *c, int64_t step)
{
    parts p;
    counted_memory counts;
    hd_context *ctx = NULL;
    open_counted(&counts, &ctx, &p.mpi);
    fill_parts(r, &p);
    for (int64_t k = 0, met = 1; met; k += step) {
        const bool mine = r->rank == r->ranks / 2;
        counts.fail_at = mine ? counts.calls + k : -1;
        const hd_status status = c->run(&p);
        int64_t told[3] = {status, -(int64_t)status, mine && counts.calls > counts.fail_at},
                most[3];
        MPI_Allreduce(told, most, 3, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
        met = most[2];
        CHECK(most[0] == -most[1] && (status == HD_ERROR_MEMORY || status == HD_OK) &&
                  (met || status == HD_OK),
              "%s, allocation %lld: %s, %s", c->name, (long long)k, hd_status_name(status),
              hd_mpi_error(p.mpi));
    }
    counts.fail_at = -1;
    CHECK(c->run(&p) == HD_OK, "%s afterwards: %s", c->name, hd_mpi_error(p.mpi));
    close_counted(&counts, ctx, p.mpi);
}

// ---- Arguments and data -------------------------------------------------------------------------

static void says(const parts *p, const char *name, hd_status got, hd_status want, int rank,
                 const char *text)
{
    char begin[80];
    snprintf(begin, sizeof begin, "rank %d: ", rank);
    CHECK(got == want && strncmp(hd_mpi_error(p->mpi), begin, strlen(begin)) == 0 &&
              strstr(hd_mpi_error(p->mpi), text) != NULL,
          "%s: %s: \"%s\"; expected \"%s...%s\"", name, hd_status_name(got), hd_mpi_error(p->mpi),
          begin, text);
}

// One rank's element at `at` of a row of indices is out of range.
static void test_indices(const ranks *r, int bad)
{
    parts p;
    char text[128];
    p.mpi = r->mpi;
    fill_parts(r, &p);
    const int64_t at = 11, position = (int64_t)bad * N + at, value = p.all + 5;
    if (r->rank == bad) p.index[at] = value;
    snprintf(text, sizeof text, "%lld is %lld; expected 0 to %lld", (long long)position,
             (long long)value, (long long)p.all - 1);
    says(&p, "gather", gather(&p), HD_ERROR_VALUE, bad, text);
    says(&p, "scatter", scatter(&p), HD_ERROR_VALUE, bad, text);
    says(&p, "spmv", spmv(&p), HD_ERROR_VALUE, bad, text);
    says(&p, "components", components(&p), HD_ERROR_VALUE, bad, text);
    if (r->rank == bad) p.next[at] = value;
    snprintf(text, sizeof text, "node %lld links to %lld; expected 0 to %lld", (long long)position,
             (long long)value, (long long)p.all - 1);
    says(&p, "list_rank", list_rank(&p), HD_ERROR_VALUE, bad, text);
}

static void test_views(const ranks *r, int bad)
{
    parts p;
    p.mpi = r->mpi;
    fill_parts(r, &p);
    const bool mine = r->rank == bad;
    const hd_view x = HD_VIEW(p.x, N), none = HD_VIEW_OF(HD_F32, NULL, N),
                  index = HD_VIEW(p.index, N), y = HD_VIEW(p.y, N);
    const hd_view few = HD_VIEW(p.y, mine ? N - 1 : N);
    says(&p, "gather", hd_mpi_gather(p.mpi, mine ? none : x, index, y, NULL), HD_ERROR_ARGUMENT,
         bad, "in is not in host memory");
    says(&p, "gather", hd_mpi_gather(p.mpi, x, index, few, NULL), HD_ERROR_SHAPE, bad, "out");
    says(&p, "gather", hd_mpi_gather(p.mpi, x, mine ? y : index, y, NULL), HD_ERROR_TYPE, bad,
         "index is f32");
    says(&p, "gather", hd_mpi_gather(p.mpi, x, index, mine ? x : y, NULL), HD_ERROR_ALIAS, bad,
         "overlaps");
    says(&p, "scatter",
         hd_mpi_scatter(p.mpi, mine ? hd_slice(x, 0, 0, N - 1, 1) : x, index, y, NULL),
         HD_ERROR_SHAPE, bad, "index");
    says(&p, "transpose", hd_mpi_transpose(p.mpi, mine ? x : rows_of(p.x), rows_of(p.y), NULL),
         HD_ERROR_SHAPE, bad, "in has 1 dimensions");
    says(&p, "difference", hd_mpi_difference(p.mpi, x, few, NULL), HD_ERROR_SHAPE, bad, "out");
    says(&p, "stencil",
         hd_mpi_stencil(p.mpi, x, HD_EMPTY, mine ? HD_EMPTY : HD_VIEW(p.x, 3), y, NULL),
         HD_ERROR_ARGUMENT, bad, "expected weights or a function");
    says(&p, "list_rank",
         hd_mpi_list_rank(p.mpi, mine ? x : HD_VIEW(p.next, N), HD_VIEW(p.out, N), NULL),
         HD_ERROR_TYPE, bad, "next is f32");
    says(&p, "components", hd_mpi_components(p.mpi, index, index, few, NULL), HD_ERROR_TYPE, 0,
         "label is f32");
}

static void test_no_ranks(void)
{
    const hd_view none = HD_EMPTY;
    CHECK(hd_mpi_gather(NULL, none, none, none, NULL) == HD_ERROR_ARGUMENT &&
              hd_mpi_scatter(NULL, none, none, none, NULL) == HD_ERROR_ARGUMENT &&
              hd_mpi_transpose(NULL, none, none, NULL) == HD_ERROR_ARGUMENT &&
              hd_mpi_stencil(NULL, none, none, none, none, NULL) == HD_ERROR_ARGUMENT &&
              hd_mpi_convolve(NULL, none, none, none, NULL) == HD_ERROR_ARGUMENT &&
              hd_mpi_blur(NULL, none, 1, none, NULL) == HD_ERROR_ARGUMENT &&
              hd_mpi_difference(NULL, none, none, NULL) == HD_ERROR_ARGUMENT &&
              hd_mpi_list_rank(NULL, none, none, NULL) == HD_ERROR_ARGUMENT &&
              hd_mpi_components(NULL, none, none, none, NULL) == HD_ERROR_ARGUMENT &&
              hd_mpi_spmv(NULL, none, none, none, none, HD_DOT, none, NULL) == HD_ERROR_ARGUMENT,
          "no ranks");
}

// Options that these calls have not, of another version, or not the same on all ranks.
static void test_options(const ranks *r, int bad)
{
    parts p;
    p.mpi = r->mpi;
    fill_parts(r, &p);
    const bool mine = r->rank == bad;
    const hd_view x = HD_VIEW(p.x, N), y = HD_VIEW(p.y, N), index = HD_VIEW(p.index, N),
                  next = HD_VIEW(p.next, N), out = HD_VIEW(p.out, N);
    says(&p, "gather", hd_mpi_gather(p.mpi, x, index, y, &(hd_gather_options){.size = mine}),
         HD_ERROR_ARGUMENT, bad, "options.size is 1");
    says(&p, "gather",
         hd_mpi_gather(p.mpi, rows_of(p.x), index, y, &(hd_gather_options){.axis = HD_AXIS(1)}),
         HD_ERROR_ARGUMENT, 0, "axis is not the first one");
    says(&p, "list_rank",
         hd_mpi_list_rank(p.mpi, next, out, &(hd_list_options){.steps = mine ? &out : NULL}),
         HD_ERROR_ARGUMENT, bad, "options are from_head and lists");
    says(&p, "spmv",
         hd_mpi_spmv(p.mpi, HD_VIEW(p.offset, N + 1), index, x, HD_VIEW(p.x + N, N), HD_DOT, y,
                     &(hd_spmv_options){.method = mine ? HD_SPMV_SCAN : HD_SPMV_REDUCE}),
         HD_ERROR_ARGUMENT, bad, "expected HD_SPMV_REDUCE");
    if (r->ranks == 1) return;
    says(&p, "list_rank", hd_mpi_list_rank(p.mpi, next, out, &(hd_list_options){.from_head = mine}),
         HD_ERROR_ARGUMENT, 0, "from_head: ");
    says(&p, "scatter", hd_mpi_scatter(p.mpi, x, index, mine ? HD_VIEW(p.out, N) : y, NULL),
         HD_ERROR_ARGUMENT, 0, "the type of out: ");
    const double weight[3] = {1, 2, 1};
    says(&p, "stencil",
         hd_mpi_stencil(p.mpi, x, HD_EMPTY, HD_VIEW(weight, 3), y,
                        &(hd_stencil_options){.iterations = mine ? 3 : 2}),
         HD_ERROR_ARGUMENT, 0, "iterations: ");
}

void test_failures(ranks *r)
{
    test_no_ranks();
    test_options(r, r->ranks / 2);
    const int64_t step = r->ranks <= 2 ? 1 : r->ranks <= 5 ? 7 : 29;
    for (int k = 0; k < CALLS; k++) fail_at_each(r, &calls[k], step);
    test_indices(r, r->ranks - 1);
    test_indices(r, r->ranks / 2);
    test_views(r, r->ranks / 2);
}
