// SPDX-License-Identifier: Apache-2.0
//
// The rows of ranks: elements by rank, quantiles, set operations and windows, each beside what a
// caller would do without it: a sort, a plain loop, a merge. The peak is one read or copy of the
// same bytes.
#include "bench/harness/pattern.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 64 };

typedef struct state {
    hd_context *ctx;
    void *other, *room; // a second input; room for as many elements as both
} state;

// From the inputs to job->out.
typedef hd_status task(const state *s, const peer_job *job);

typedef struct detail {
    task *call, *naive;
    const char *naive_name;
    peak_kind peak;
    int64_t bytes;   // an element, for GB/s
    int64_t results; // bytes to compare; 0: what count says, behind a number
} detail;

#define RUN(name) static hd_status name(const state *s, const peer_job *job)
#define IN        HD_VIEW((const float *)job->in, job->n)
#define WHOLE     HD_VIEW((const int32_t *)job->in, job->n)
#define OTHER     HD_VIEW((const int32_t *)s->other, job->n / 2)

// ---- Ranks --------------------------------------------------------------------------------------

RUN(median)
{
    int64_t rank = job->n / 2;
    return hd_nth(s->ctx, IN, HD_VIEW(&rank, 1), HD_VIEW((float *)job->out, 1), NULL);
}
RUN(median_sorted)
{
    const hd_status status =
        hd_sort(s->ctx, IN, HD_VIEW((float *)s->room, job->n), HD_NO_VALUES, NULL);
    memcpy(job->out, (float *)s->room + job->n / 2, sizeof(float));
    return status;
}

// Hoare's quickselect of a copy, with the median of three.
static float quickselect(float *x, int64_t n, int64_t k)
{
    int64_t low = 0, high = n - 1;
    while (low < high) {
        const float a = x[low], b = x[low + (high - low) / 2], c = x[high];
        const float pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
        int64_t i = low, j = high;
        while (i <= j) {
            while (x[i] < pivot) i++;
            while (pivot < x[j]) j--;
            if (i > j) break;
            const float t = x[i];
            x[i++] = x[j], x[j--] = t;
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            break;
    }
    return x[k];
}
RUN(median_quickselect)
{
    memcpy(s->room, job->in, (size_t)job->n * sizeof(float));
    *(float *)job->out = quickselect(s->room, job->n, job->n / 2);
    return HD_OK;
}
RUN(quartiles)
{
    static const double p[3] = {0.25, 0.5, 0.75};
    return hd_quantiles(s->ctx, IN, HD_VIEW(p, 3), HD_VIEW((double *)job->out, 3), NULL);
}

// ---- Sets ---------------------------------------------------------------------------------------

RUN(set_union)
{
    return hd_set_union(s->ctx, WHOLE, OTHER, HD_VIEW((int32_t *)s->room, job->n + job->n / 2),
                        HD_VIEW((int64_t *)job->out, 1), NULL);
}
RUN(set_intersection)
{
    return hd_set_intersection(s->ctx, WHOLE, OTHER, HD_VIEW((int32_t *)s->room, job->n),
                               HD_VIEW((int64_t *)job->out, 1), NULL);
}

// As std::set_union and std::set_intersection go.
static int64_t plain_set(const int32_t *a, int64_t na, const int32_t *b, int64_t nb, int32_t *out,
                         bool all)
{
    int64_t i = 0, j = 0, count = 0;
    while (i < na && j < nb) {
        if (a[i] < b[j]) {
            if (all) out[count++] = a[i];
            i++;
        } else if (b[j] < a[i]) {
            if (all) out[count++] = b[j];
            j++;
        } else {
            out[count++] = a[i++];
            j++;
        }
    }
    for (; all && i < na; i++) out[count++] = a[i];
    for (; all && j < nb; j++) out[count++] = b[j];
    return count;
}
RUN(plain_union)
{
    *(int64_t *)job->out = plain_set(job->in, job->n, s->other, job->n / 2, s->room, true);
    return HD_OK;
}
RUN(plain_intersection)
{
    *(int64_t *)job->out = plain_set(job->in, job->n, s->other, job->n / 2, s->room, false);
    return HD_OK;
}

// ---- Windows ------------------------------------------------------------------------------------

static hd_status slide(const state *s, const peer_job *job, const hd_operator *op)
{
    if (job->n < WIDTH) return HD_OK;
    return hd_slide(s->ctx, IN, op, WIDTH, HD_VIEW((float *)job->out, job->n - WIDTH + 1), NULL);
}
RUN(slide_sum)
{
    return slide(s, job, HD_SUM);
}
RUN(slide_min)
{
    return slide(s, job, HD_MIN);
}
RUN(window_by_window)
{
    const float *x = job->in;
    float *out = job->out;
    (void)s;
    for (int64_t i = 0; i + WIDTH <= job->n; i++) {
        float least = x[i];
        for (int k = 1; k < WIDTH; k++) least = x[i + k] < least ? x[i + k] : least;
        out[i] = least;
    }
    return HD_OK;
}

// ---- Rows ---------------------------------------------------------------------------------------

#define CASE(name, type, TYPE, variant, ...)                                                       \
    {                                                                                              \
        name, type, variant, PEER_OTHER_OP, TYPE, TYPE, NULL, &(const detail)                      \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const bench_case cases[] = {
    CASE("nth", "f32", PEER_F32, "median", median, median_quickselect, "quickselect", PEAK_READ, 4,
         4),
    CASE("nth", "f32", PEER_F32, "median beside a sort", median, median_sorted, "sort", PEAK_READ,
         4, 4),
    CASE("quantiles", "f32", PEER_F32, "quartiles", quartiles, NULL, NULL, PEAK_READ, 4, 24),
    CASE("set_union", "i32", PEER_I32, "", set_union, plain_union, "loop", PEAK_READ, 6, 8),
    CASE("set_intersection", "i32", PEER_I32, "", set_intersection, plain_intersection, "loop",
         PEAK_READ, 6, 8),
    CASE("slide", "f32", PEER_F32, "sum of 64", slide_sum, NULL, NULL, PEAK_COPY, 8, 0),
    CASE("slide", "f32", PEER_F32, "min of 64", slide_min, window_by_window, "loop", PEAK_COPY, 8,
         0),
};

static void call(bench_row *row)
{
    const detail *what = row->what->detail;
    const hd_status status = what->call(row->state, &row->job);
    if (status) row->status = status;
}

// A contestant of the program gets the job alone, which points to the row.
static void run_naive(const peer_job *job)
{
    const bench_row *row = job->more;
    const detail *what = row->what->detail;
    if (what->naive(row->state, job) != HD_OK) memset(job->out, 0xa5, 4);
}

// What the serial backend gives; of windows, which it takes one by one, the first.
static bool check(const bench_row *row)
{
    const detail *what = row->what->detail;
    const hd_context_options options = {.backend = HD_SERIAL};
    state s = *(const state *)row->state;
    peer_job job = row->job;
    if (what->results == 0 && job.n > 4096) job.n = 4096;
    if (what->results == 0 && job.n < WIDTH) return true;
    const size_t bytes =
        what->results > 0 ? (size_t)what->results : (size_t)(job.n - WIDTH + 1) * sizeof(float);
    job.out = malloc(bytes);
    bool right = job.out != NULL && hd_open(&s.ctx, &options) == HD_OK;
    right = right && what->call(&s, &job) == HD_OK && memcmp(job.out, row->job.out, bytes) == 0;
    if (job.out != NULL) hd_close(s.ctx);
    free(job.out);
    return right;
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n;
    const detail *what = row->what->detail;
    state *s = row->state = calloc(1, sizeof *s);
    if (!s || n < 1) return false;
    s->ctx = row->ctx;
    s->other = malloc((size_t)n * 4), s->room = malloc((size_t)n * 8);
    if (!s->other || !s->room) return false;
    d->fill = FILL_NONE;
    int32_t a = 0, b = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = data_mix((uint64_t)i);
        a += (int32_t)(bits >> 62), b += (int32_t)(bits >> 60 & 3) * 2;
        if (row->what->peer_type == PEER_I32)
            ((int32_t *)d->in)[i] = a;
        else
            ((float *)d->in)[i] = (float)(bits >> 40) * 0x1p-24f;
        ((int32_t *)s->other)[i] = b;
    }
    row_set(row, PEER_OTHER_OP, d->in, d->out, n);
    row->job.pattern = -1; // no peer has it
    row->job.more = row;
    row->host_only = true;
    row->heddle = call;
    row->check = check;
    row->bytes = what->bytes * n;
    row->peak = what->peak;
    row->peak_bytes = what->peak == PEAK_COPY ? row->bytes / 2 : 4 * n;
    if (what->naive) row->rival[row->rivals++] = (bench_rival){what->naive_name, run_naive};
    return true;
}

static void finish(bench_row *row)
{
    state *s = row->state;
    if (!s) return;
    free(s->other), free(s->room);
    free(s);
}

static const int64_t sizes[] = {1 << 16, 1000003, 3000001, 1 << 24, 0};

const bench_pattern pattern_ranks = {
    .name = "ranks",
    .formula = "bytes read; of windows also those written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .wide_outputs = true,
    .prepare = prepare,
    .finish = finish,
};
