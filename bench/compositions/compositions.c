// SPDX-License-Identifier: Apache-2.0
//
// The rows of compositions: calls that do in one pass what otherwise takes several, or a temporary
// array. The naive composition, of other calls of the library, is each row's rival; the peak is one
// read, copy or fill of the same bytes.
#include "bench/harness/pattern.h"

#include <stdlib.h>
#include <string.h>

HD_FUNCTION(bench_differ, bool, HD_NO_SOURCE, (float, x, float, y), { return x != y; })
HD_FUNCTION(bench_falls, bool, HD_NO_SOURCE, (int32_t, x, int32_t, y), { return y < x; })

HD_FUNCTION(bench_half, bool, HD_NO_SOURCE, (float, x), { return x < 0.5f; })
HD_FUNCTION(bench_sum, float, HD_NO_SOURCE, (float, x, float, y), { return x + y; })
HD_FUNCTION(bench_less, float, HD_NO_SOURCE, (float, x, float, y), { return x - y; })

enum { PER_ROW = 16 }; // elements of a sparse matrix's row, in the mean

typedef struct state {
    hd_context *ctx;
    void *other, *flags; // a second input, or what is gathered or kept; what a function gives
    int32_t *index;      // columns of a sparse matrix
    int64_t *offsets;    // of its rows
    int64_t rows;
} state;

// One call or its naive composition, from the inputs to job->out.
typedef hd_status composition(const state *s, const peer_job *job);

typedef struct detail {
    composition *call, *naive;
    const char *naive_name;
    peak_kind peak;
    int64_t bytes; // an element, for GB/s
} detail;

#define RUN(name) static hd_status name(const state *s, const peer_job *job)
#define IN        HD_VIEW((const float *)job->in, job->n)
#define WHOLE     HD_VIEW((const int32_t *)job->in, job->n)
#define OUT       HD_VIEW((int32_t *)job->out, job->n)
#define FLOAT(k)  HD_VIEW((float *)job->out + (k), 1)
#define DOUBLE(k) HD_VIEW((double *)job->out + (k), 1)
#define NUMBER(k) HD_VIEW((int64_t *)job->out + (k), 1)

// ---- Several reductions -------------------------------------------------------------------------

static hd_status reduce_apart(const state *s, const peer_job *job, hd_operators ops, hd_views out)
{
    for (int64_t k = 0; k < ops.count; k++) {
        const hd_status status = hd_reduce(s->ctx, IN, ops.op[k], out.view[k], NULL);
        if (status) return status;
    }
    return HD_OK;
}

#define THREE HD_OPERATORS(HD_MIN, HD_MAX, HD_SUM), HD_VIEWS(FLOAT(0), FLOAT(1), FLOAT(2))
#define SIX                                                                                        \
    HD_OPERATORS(HD_MIN, HD_MAX, HD_SUM, HD_ARGMIN, HD_MEAN, HD_VARIANCE),                         \
        HD_VIEWS(FLOAT(0), FLOAT(1), FLOAT(2), NUMBER(2), DOUBLE(3), DOUBLE(4))

RUN(three)
{
    return hd_reduce_many(s->ctx, IN, THREE, NULL);
}
RUN(three_apart)
{
    return reduce_apart(s, job, THREE);
}
RUN(six)
{
    return hd_reduce_many(s->ctx, IN, SIX, NULL);
}
RUN(six_apart)
{
    return reduce_apart(s, job, SIX);
}

// ---- Indexed views ------------------------------------------------------------------------------

// The vector is the first n / PER_ROW elements of in; so is the matrix all of it.
static hd_status multiply(const state *s, const peer_job *job, hd_view x)
{
    return hd_reduce(s->ctx, IN, HD_DOT, HD_VIEW((float *)job->out, s->rows),
                     &(hd_reduce_options){.segments = HD_REF(HD_VIEW(s->offsets, s->rows + 1)),
                                          .with = HD_VIEWS(x)});
}
RUN(sparse)
{
    return multiply(s, job, hd_indexed(hd_slice(IN, 0, 0, s->rows, 1), HD_VIEW(s->index, job->n)));
}
RUN(sparse_gather)
{
    const hd_view copy = HD_VIEW((float *)s->other, job->n);
    const hd_status status =
        hd_gather(s->ctx, hd_slice(IN, 0, 0, s->rows, 1), HD_VIEW(s->index, job->n), copy,
                  &(hd_gather_options){.checked = true});
    return status ? status : multiply(s, job, copy);
}

// ---- Filters ------------------------------------------------------------------------------------

RUN(sum_flags)
{
    return hd_reduce(s->ctx, IN, HD_SUM, FLOAT(0),
                     &(hd_reduce_options){.flags = HD_REF(HD_VIEW((bool *)s->flags, job->n))});
}
RUN(sum_keep)
{
    return hd_reduce(s->ctx, IN, HD_SUM, FLOAT(0), &(hd_reduce_options){.keep = bench_half});
}
static hd_status sum_compacted(const state *s, const peer_job *job, hd_compact_options o)
{
    int64_t count = 0;
    float *kept = s->other;
    const hd_status status = hd_compact(s->ctx, IN, HD_VIEW(kept, job->n), HD_VIEW(&count, 1), &o);
    return status ? status : hd_reduce(s->ctx, HD_VIEW(kept, count), HD_SUM, FLOAT(0), NULL);
}
RUN(sum_compacted_flags)
{
    return sum_compacted(s, job,
                         (hd_compact_options){.flags = HD_REF(HD_VIEW((bool *)s->flags, job->n))});
}
RUN(sum_compacted_keep)
{
    return sum_compacted(s, job, (hd_compact_options){.keep = bench_half});
}

// ---- Several maps -------------------------------------------------------------------------------

#define OTHER   HD_VIEWS(HD_VIEW((const float *)s->other, job->n))
#define PART(k) HD_VIEW((float *)job->out + (k)*job->n, job->n)

RUN(two_maps)
{
    return hd_map_many(s->ctx, IN, HD_FUNCTIONS(bench_sum, bench_less), HD_VIEWS(PART(0), PART(1)),
                       &(hd_map_many_options){.with = OTHER});
}
RUN(two_maps_apart)
{
    const hd_map_options o = {.with = OTHER};
    const hd_status status = hd_map(s->ctx, IN, bench_sum, PART(0), &o);
    return status ? status : hd_map(s->ctx, IN, bench_less, PART(1), &o);
}

// ---- Searches -----------------------------------------------------------------------------------

RUN(mismatch)
{
    return hd_mismatch(s->ctx, IN, HD_VIEW((const float *)s->other, job->n), NUMBER(0), NULL);
}
RUN(mismatch_flags)
{
    const hd_view flags = HD_VIEW((bool *)s->flags, job->n);
    const hd_status status =
        hd_map(s->ctx, IN, bench_differ, flags,
               &(hd_map_options){.with = HD_VIEWS(HD_VIEW((const float *)s->other, job->n))});
    return status ? status : hd_find(s->ctx, flags, NUMBER(0), NULL);
}
RUN(is_sorted)
{
    return hd_is_sorted(s->ctx, WHOLE, NUMBER(0), NULL);
}
RUN(is_sorted_find)
{
    return hd_find(s->ctx, hd_slice(WHOLE, 0, 0, job->n - 1, 1), NUMBER(0),
                   &(hd_find_options){.map = bench_falls,
                                      .with = HD_VIEWS(hd_slice(WHOLE, 0, 1, job->n - 1, 1))});
}

// ---- Moves --------------------------------------------------------------------------------------

RUN(reverse)
{
    return hd_reverse(s->ctx, WHOLE, OUT, NULL);
}
RUN(reverse_gather)
{
    return hd_gather(s->ctx, WHOLE, hd_progression(job->n - 1, -1, job->n), OUT, NULL);
}
RUN(rotate)
{
    return hd_rotate(s->ctx, WHOLE, job->n / 3, OUT, NULL);
}
RUN(rotate_copies)
{
    const int64_t shift = job->n / 3, rest = job->n - shift;
    const hd_status status = hd_map(s->ctx, hd_slice(WHOLE, 0, shift, rest, 1), NULL,
                                    hd_slice(OUT, 0, 0, rest, 1), NULL);
    return status ? status
                  : hd_map(s->ctx, hd_slice(WHOLE, 0, 0, shift, 1), NULL,
                           hd_slice(OUT, 0, rest, shift, 1), NULL);
}
RUN(random_floats)
{
    return hd_random(s->ctx, HD_VIEW((float *)job->out, job->n), NULL);
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
    CASE("reduce_many", "f32", PEER_F32, "min max sum", three, three_apart, "three passes",
         PEAK_READ, 4),
    CASE("reduce_many", "f32", PEER_F32, "six", six, six_apart, "six passes", PEAK_READ, 4),
    CASE("reduce_indexed", "f32", PEER_F32, "sparse rows", sparse, sparse_gather, "gather, reduce",
         PEAK_READ, 8),
    CASE("reduce_filtered", "f32", PEER_F32, "half by flags", sum_flags, sum_compacted_flags,
         "compact, reduce", PEAK_READ, 5),
    CASE("reduce_filtered", "f32", PEER_F32, "half by keep", sum_keep, sum_compacted_keep,
         "compact, reduce", PEAK_READ, 4),
    CASE("map_many", "f32", PEER_F32, "two of two", two_maps, two_maps_apart, "two maps", PEAK_COPY,
         16),
    CASE("mismatch", "f32", PEER_F32, "none", mismatch, mismatch_flags, "map, find", PEAK_READ, 8),
    CASE("is_sorted", "i32", PEER_I32, "sorted", is_sorted, is_sorted_find, "find", PEAK_READ, 4),
    CASE("reverse", "i32", PEER_I32, "", reverse, reverse_gather, "gather", PEAK_COPY, 8),
    CASE("rotate", "i32", PEER_I32, "", rotate, rotate_copies, "two copies", PEAK_COPY, 8),
    CASE("random", "f32", PEER_F32, "", random_floats, NULL, NULL, PEAK_FILL, 4),
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
    if (what->naive(row->state, job) != HD_OK) memset(job->out, 0xa5, 64);
}

// Bytes of results: of reductions 40, with a gap before the index; of searches a position.
static size_t result_bytes(const bench_row *row)
{
    const detail *what = row->what->detail;
    const state *s = row->state;
    if (what->peak != PEAK_READ) return (size_t)row->job.n * (what->call == two_maps ? 8 : 4);
    if (what->call == sparse) return (size_t)s->rows * 4;
    if (what->call == sum_flags || what->call == sum_keep) return 4;
    return what->call == six ? 40 : what->call == three ? 12 : 8;
}

// What the serial backend gives.
static bool check(const bench_row *row)
{
    const detail *what = row->what->detail;
    const size_t bytes = result_bytes(row);
    const hd_context_options options = {.backend = HD_SERIAL};
    state s = *(const state *)row->state;
    peer_job job = row->job;
    job.out = malloc(bytes);
    bool right = job.out != NULL && hd_open(&s.ctx, &options) == HD_OK;
    if (right) memcpy(job.out, row->job.out, bytes); // the gap
    right = right && what->call(&s, &job) == HD_OK && memcmp(job.out, row->job.out, bytes) == 0;
    if (job.out != NULL) hd_close(s.ctx);
    free(job.out);
    return right;
}

// Rows of 0 to 2 * PER_ROW elements, each in a column at random.
static bool make_sparse(state *s, int64_t n)
{
    s->rows = n / PER_ROW + 1;
    s->index = malloc((size_t)n * sizeof *s->index);
    s->offsets = malloc((size_t)(s->rows + 1) * sizeof *s->offsets);
    if (!s->index || !s->offsets) return false;
    for (int64_t i = 0; i < n; i++)
        s->index[i] = (int32_t)(data_mix((uint64_t)i) % (uint64_t)s->rows);
    for (int64_t j = 0; j <= s->rows; j++) {
        const int64_t at = j * PER_ROW + (int64_t)(data_mix((uint64_t)j) % PER_ROW);
        s->offsets[j] = j == 0 ? 0 : at < n && j < s->rows ? at : n;
    }
    return true;
}

// What a row has beside its input.
static bool make_others(const bench_row *row, state *s, int64_t n)
{
    composition *call = ((const detail *)row->what->detail)->call;
    if (call != mismatch && call != sparse && call != sum_flags && call != sum_keep &&
        call != two_maps)
        return true;
    s->other = malloc((size_t)n * 4), s->flags = malloc((size_t)n);
    if (!s->other || !s->flags) return false;
    memcpy(s->other, row->job.in, (size_t)n * 4);
    for (int64_t i = 0; i < n; i++) ((bool *)s->flags)[i] = data_mix((uint64_t)i) & 1;
    return call != sparse || make_sparse(s, n);
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n;
    const detail *what = row->what->detail;
    state *s = row->state = calloc(1, sizeof *s);
    if (!s || n < 1) return false;
    s->ctx = row->ctx;
    d->fill = FILL_NONE;
    for (int64_t i = 0; i < n; i++)
        if (row->what->peer_type == PEER_I32)
            ((int32_t *)d->in)[i] = (int32_t)(i / 2);
        else
            ((float *)d->in)[i] = (float)(data_mix((uint64_t)i) >> 40) * 0x1p-24f;
    row_set(row, PEER_OTHER_OP, d->in, d->out, n);
    if (!make_others(row, s, n)) return false;
    row->job.pattern = -1; // no peer has it
    row->job.more = row;
    row->host_only = true;
    row->heddle = call;
    row->check = check;
    row->bytes = what->bytes * n;
    row->peak = what->peak;
    row->peak_bytes = what->peak == PEAK_COPY ? row->bytes / 2 : row->bytes;
    if (what->call == mismatch || what->call == sparse || what->call == two_maps)
        row->peak_bytes /= 2; // of one array: the buffer has no more
    if (what->call == sum_flags) row->peak_bytes = 4 * n;
    if (what->naive) row->rival[row->rivals++] = (bench_rival){what->naive_name, run_naive};
    return true;
}

static void finish(bench_row *row)
{
    state *s = row->state;
    if (!s) return;
    free(s->other), free(s->flags), free(s->index), free(s->offsets);
    free(s);
}

static const int64_t sizes[] = {1 << 16, 1000003, 1 << 24, (int64_t)1 << 27, 0};

const bench_pattern pattern_compositions = {
    .name = "compositions",
    .formula = "bytes read, of an indexed view the index; of reverse, rotate and map_many also "
               "those written; of random those written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .wide_outputs = true,
    .prepare = prepare,
    .finish = finish,
};
