// SPDX-License-Identifier: Apache-2.0
// What each pattern costs, for the choice of a backend: the bytes of its views, and the class and
// amount of its work. A new pattern of patterns.def needs a function here.
#include "core/choice/cost.h"
#include "core/indexed.h"
#include "patterns/histogram/histogram.h"
#include "patterns/list/list.h"
#include "patterns/list/maximum.h"
#include "patterns/move/gather.h"
#include "patterns/move/map_many.h"
#include "patterns/move/random.h"
#include "patterns/move/reverse.h"
#include "patterns/move/scatter.h"
#include "patterns/move/shuffle.h"
#include "patterns/move/transpose.h"
#include "patterns/reduce/reduce_many.h"
#include "patterns/reduce/slide.h"
#include "patterns/scan/scan.h"
#include "patterns/select/compact.h"
#include "patterns/select/expand.h"
#include "patterns/select/find.h"
#include "patterns/select/mismatch.h"
#include "patterns/select/partition.h"
#include "patterns/select/run_lengths.h"
#include "patterns/select/set.h"
#include "patterns/sort/is_sorted.h"
#include "patterns/sort/merge.h"
#include "patterns/sort/nth.h"
#include "patterns/sort/search.h"
#include "patterns/sort/sort.h"
#include "patterns/sort/top_k.h"
#include "patterns/stencil/blur.h"
#include "patterns/stencil/convolve.h"
#include "patterns/stencil/difference.h"
#include "patterns/stencil/stencil.h"

// ---- Bytes --------------------------------------------------------------------------------------

// Of a host view; an empty and an implicit one have none.
static double bytes_of(const hd_view *v)
{
    if (hd__is_empty(v) || v->space == HD_IMPLICIT) return 0;
    if (hd__is_indexed(v)) {
        const hd_view base = hd__base_of(v), index = hd__index_of(v);
        return bytes_of(&base) + bytes_of(&index);
    }
    return (double)hd_count(*v) * (double)hd__size_of(v->type);
}

static double bytes_read(const hd__reader *in)
{
    double bytes = 0;
    for (int32_t k = 0; k < in->inputs; k++) bytes += bytes_of(&in->view[k]);
    return bytes;
}

// Arrays of values in groups, of which the last is the output.
static hd__cost with_values(hd__cost cost, const hd_view *values, int64_t groups, int group)
{
    for (int64_t k = 0; k < groups * group; k++)
        *(k % group == group - 1 ? &cost.out : &cost.in) += bytes_of(&values[k]);
    return cost;
}

static double logarithm(int64_t n)
{
    int octaves = 1;
    while (octaves < 62 && (int64_t)1 << octaves < n) octaves++;
    return octaves;
}

// All bytes once.
static hd__cost streamed(hd__work_class work_class, double in, double out)
{
    return (hd__cost){.work_class = work_class, .work = in + out, .in = in, .out = out};
}

static hd__cost counted(hd__work_class work_class, double work, double in, double out)
{
    return (hd__cost){.work_class = work_class, .work = work, .in = in, .out = out};
}

// ---- reduce and scan ----------------------------------------------------------------------------
// With a carry they cost nothing, which keeps them on the cores: a call that fails on a device half
// way could not begin anew there.

static hd__cost cost_of_reduce(const void *any)
{
    const hd__reduce_job *job = any;
    double in = bytes_read(&job->in) + bytes_of(&job->segments) + bytes_of(&job->keys);
    if (job->filter != NULL) in += bytes_read(&job->filter->in);
    const double out = bytes_of(&job->out) + bytes_of(&job->values) + bytes_of(&job->keys_out);
    hd__cost cost = streamed(HD__STREAM_WORK, in, out);
    cost.overlaps = job->slices == HD__EVERYTHING;
    if (job->tree != NULL) cost.work = 0;
    return cost;
}

static hd__cost cost_of_reduce_many(const void *any)
{
    const hd__reduce_many_job *job = any;
    hd__cost cost = cost_of_reduce(&job->each[0]);
    cost.work *= (double)job->count;
    cost.in *= (double)job->count; // a pass each, with the elements anew
    return cost;
}

static hd__cost cost_of_slide(const void *any)
{
    const hd__slide_job *job = any;
    return streamed(HD__SCAN_WORK, bytes_read(&job->in), bytes_of(&job->out));
}

static hd__cost cost_of_scan(const void *any)
{
    const hd__scan_job *job = any;
    const double in = bytes_read(&job->in) + bytes_of(&job->segments) + bytes_of(&job->keys);
    hd__cost cost = streamed(HD__SCAN_WORK, in, bytes_of(&job->out) + bytes_of(&job->values));
    cost.overlaps = job->slices == HD__EVERYTHING;
    if (job->tree != NULL) cost.work = 0;
    return cost;
}

// ---- move ---------------------------------------------------------------------------------------

static hd__cost cost_of_map(const void *any)
{
    const hd__map_job *job = any;
    hd__cost cost = streamed(HD__STREAM_WORK, bytes_read(&job->in), bytes_of(&job->out));
    cost.overlaps = true;
    return cost;
}

static hd__cost cost_of_map_many(const void *any)
{
    const hd__map_many_job *job = any;
    double in = 0, out = 0;
    for (int64_t k = 0; k < job->count; k++) {
        in += bytes_read(&job->each[k].in);
        out += bytes_of(&job->each[k].out);
    }
    return streamed(HD__STREAM_WORK, in, out);
}

static hd__cost cost_of_gather(const void *any)
{
    const hd__gather_job *job = any;
    const double elements = (double)hd_count(job->out);
    double in = bytes_of(&job->in) + bytes_of(&job->index);
    for (int32_t k = 0; job->map != NULL && k + 1 < job->map->inputs; k++)
        in += bytes_of(&job->with[k]);
    return counted(HD__GATHER_WORK, elements, in, bytes_of(&job->out));
}

// Destinations that get nothing keep what they have, so that it is sent, too.
static hd__cost cost_of_scatter(const void *any)
{
    const hd__scatter_job *job = any;
    const double out = bytes_of(&job->out);
    return counted(HD__SCATTER_WORK, (double)job->in.n,
                   bytes_read(&job->in) + bytes_of(&job->index) + out, out);
}

static hd__cost cost_of_permute(const void *any)
{
    const hd__permute_job *job = any;
    const double n = (double)hd_count(job->gathers ? job->out : job->in);
    return counted(job->gathers ? HD__GATHER_WORK : HD__SCATTER_WORK, n,
                   bytes_of(&job->in) + n * sizeof(int64_t), bytes_of(&job->out));
}

static hd__cost cost_of_random(const void *any)
{
    const hd__random_job *job = any;
    return counted(HD__RANDOM_WORK, (double)job->n, 0, bytes_of(&job->out));
}

static hd__cost cost_of_reverse(const void *any)
{
    const hd__reverse_job *job = any;
    return streamed(HD__STREAM_WORK, bytes_of(&job->in), bytes_of(&job->out));
}

// A sort by keys of 8 bytes.
static hd__cost cost_of_shuffle(const void *any)
{
    const hd__shuffle_job *job = any;
    const double in = bytes_of(&job->in);
    return counted(HD__SORT_WORK, in + 8 * (double)job->n, in, bytes_of(&job->out));
}

static hd__cost cost_of_transpose(const void *any)
{
    const hd__transpose_job *job = any;
    return streamed(HD__TRANSPOSE_WORK, bytes_of(&job->in), bytes_of(&job->out));
}

static hd__cost cost_of_zip(const void *any)
{
    const hd__zip_job *job = any;
    double fields = 0;
    for (int32_t k = 0; k < job->fields; k++) fields += bytes_of(&job->field[k]);
    const double whole = bytes_of(&job->structures);
    return job->unzips ? streamed(HD__TRANSPOSE_WORK, whole, fields)
                       : streamed(HD__TRANSPOSE_WORK, fields, whole);
}

// ---- select -------------------------------------------------------------------------------------

// What is searched for is taken to be absent.
static hd__cost cost_of_find(const void *any)
{
    const hd__find_job *job = any;
    return streamed(HD__STREAM_WORK, bytes_read(&job->in), 0);
}

static hd__cost cost_of_mismatch(const void *any)
{
    const hd__mismatch_job *job = any;
    return streamed(HD__STREAM_WORK, bytes_of(&job->a) + bytes_of(&job->b), 0);
}

static hd__cost cost_of_is_sorted(const void *any)
{
    const hd__is_sorted_job *job = any;
    return streamed(HD__STREAM_WORK, bytes_of(&job->in), 0);
}

// Elements and flags that are not the elements themselves.
static double bytes_selected(const hd_view *in, const hd__flags *flags)
{
    return bytes_of(in) + (flags->own || flags->heads ? 0 : bytes_read(&flags->in));
}

static hd__cost cost_of_compact(const void *any)
{
    const hd__compact_job *job = any;
    return counted(HD__SELECT_WORK, (double)job->n, bytes_selected(&job->in, &job->flags),
                   bytes_of(&job->out) + bytes_of(&job->indices));
}

// Into many buckets elements are ranked and written as by a pass of a radix sort: 2^24 i32 in 256
// buckets take seven times as long as a compaction (Xeon, 16 threads).
static hd__cost cost_of_partition(const void *any)
{
    const hd__partition_job *job = any;
    return counted(HD__SELECT_WORK, (double)job->n * (job->buckets ? 7 : 2),
                   bytes_selected(&job->in, &job->flags),
                   bytes_of(&job->out) + bytes_of(&job->indices) + bytes_of(&job->counts) +
                       bytes_of(&job->offsets));
}

static hd__cost cost_of_run_lengths(const void *any)
{
    const hd__run_lengths_job *job = any;
    return counted(HD__SELECT_WORK, (double)job->n, bytes_of(&job->in),
                   bytes_of(&job->values) + bytes_of(&job->lengths) + bytes_of(&job->indices));
}

// 2^24 i32 of runs of 2 take 3.8 ms, of runs of 64 1.0: a run is worth six elements.
static hd__cost cost_of_expand(const void *any)
{
    const hd__expand_job *job = any;
    return counted(HD__SELECT_WORK, 6 * (double)job->m + (double)hd_count(job->out),
                   bytes_of(&job->values) + bytes_of(&job->lengths), bytes_of(&job->out));
}

static hd__cost cost_of_set(const void *any)
{
    const hd__set_job *job = any;
    const hd__cost cost = counted(HD__COMPARE_WORK, (double)job->na + (double)job->nb,
                                  bytes_of(&job->a) + bytes_of(&job->b),
                                  bytes_of(&job->out) + bytes_of(&job->indices));
    return with_values(cost, job->values, job->value_count, 3);
}

// ---- sort ---------------------------------------------------------------------------------------

static hd__cost cost_of_sort(const void *any)
{
    const hd__sort_job *job = any;
    hd__cost cost = counted(HD__SORT_WORK, 0, bytes_of(&job->keys) + bytes_of(&job->segments),
                            bytes_of(&job->out) + bytes_of(&job->indices));
    cost = with_values(cost, job->values, job->value_count, 2);
    cost.work = cost.in + bytes_of(&job->indices);
    if (job->order == NULL) return cost;
    cost.work_class = HD__COMPARE_WORK;
    cost.work = (double)job->n * logarithm(job->length);
    return cost;
}

// A static program without the orders of numbers merges nothing.
extern HD__WEAK __typeof__(hd__number_order) hd__number_order;

// Numbers of 4 or 8 bytes alone are merged by vectors, near the speed of memory.
static bool merges_by_vectors(const hd__merge_job *job)
{
    const hd_type type = job->a.type;
    if (job->value_count > 0 || !hd__is_empty(&job->indices)) return false;
    if (!(hd__is_integer(type) || hd__is_float(type)) || hd__size_of(type) < 4) return false;
    if (hd__number_order == NULL) return false;
    return job->order == hd__number_order(type, false) ||
           job->order == hd__number_order(type, true);
}

static hd__cost cost_of_merge(const void *any)
{
    const hd__merge_job *job = any;
    const hd__cost cost = counted(merges_by_vectors(job) ? HD__MERGE_WORK : HD__COMPARE_WORK,
                                  (double)job->rows * ((double)job->na + (double)job->nb),
                                  bytes_of(&job->a) + bytes_of(&job->b),
                                  bytes_of(&job->out) + bytes_of(&job->indices));
    return with_values(cost, job->values, job->value_count, 3);
}

static hd__cost cost_of_search(const void *any)
{
    const hd__search_job *job = any;
    return counted(HD__COMPARE_WORK, (double)job->rows * (double)job->m * logarithm(job->n),
                   bytes_of(&job->sorted) + bytes_of(&job->queries), bytes_of(&job->out));
}

// A few times through all elements, of which few are selected.
static hd__cost cost_of_top_k(const void *any)
{
    const hd__top_k_job *job = any;
    const hd__cost cost = counted(HD__SELECT_WORK, (double)hd_count(job->in), bytes_of(&job->in),
                                  bytes_of(&job->out) + bytes_of(&job->indices));
    return with_values(cost, job->values, job->value_count, 2);
}

static hd__cost cost_of_nth(const void *any)
{
    const hd__nth_job *job = any;
    return counted(HD__SELECT_WORK, 2 * (double)hd_count(job->in), bytes_of(&job->in),
                   bytes_of(&job->out) + bytes_of(&job->indices));
}

// ---- histogram ----------------------------------------------------------------------------------

// More bins than caches beside a core hold, and weights, are a scatter.
static hd__cost cost_of_histogram(const void *any)
{
    enum { CACHED_BINS = 1 << 16 };
    const hd__histogram_job *job = any;
    const double out = bytes_of(&job->out);
    double in = bytes_read(&job->first.in) + (job->add ? out : 0);
    if (job->axes > 1) in += bytes_read(&job->second.in);
    if (job->weighted) in += bytes_read(&job->weights);
    const bool spread = job->weighted || job->bins > CACHED_BINS;
    return counted(spread ? HD__SCATTER_WORK : HD__HISTOGRAM_WORK, (double)job->n, in, out);
}

// ---- stencil ------------------------------------------------------------------------------------

static hd__cost cost_of_grid(const hd__grid *grid, double products)
{
    return counted(HD__NEIGHBOURS_WORK, (double)hd_count(grid->in) * products, bytes_of(&grid->in),
                   bytes_of(&grid->out));
}

static hd__cost cost_of_difference(const void *any)
{
    const hd__difference_job *job = any;
    return streamed(HD__STREAM_WORK, bytes_of(&job->in), bytes_of(&job->out));
}

static hd__cost cost_of_stencil(const void *any)
{
    const hd__stencil_job *job = any;
    return cost_of_grid(&job->grid, (double)job->offset_count * (double)job->steps);
}

static hd__cost cost_of_convolve(const void *any)
{
    const hd__convolve_job *job = any;
    const double rows = (double)job->rows, columns = (double)job->columns;
    return cost_of_grid(&job->grid, job->separable ? rows + columns : rows * columns);
}

static hd__cost cost_of_blur(const void *any)
{
    const hd__blur_job *job = any;
    const double along = job->boxes ? 6 : 2 * (double)job->radius + 1; // boxes: running sums
    return cost_of_grid(&job->grid, 2 * along);
}

// ---- list ---------------------------------------------------------------------------------------

static hd__cost cost_of_list(const void *any)
{
    const hd__list_job *job = any;
    const double n = (double)hd_count(job->next);
    return counted(HD__LIST_WORK, n, bytes_of(&job->next) + (job->marks != NULL ? n : 0),
                   bytes_of(&job->out));
}

static hd__cost cost_of_forest(const void *any)
{
    const hd__forest_job *job = any;
    return counted(HD__LIST_WORK, (double)hd_count(job->parent), bytes_of(&job->parent),
                   bytes_of(&job->out) + bytes_of(&job->depth));
}

// One pair after another in the first round, the same again in all others together.
static hd__cost cost_of_maximum(const void *any)
{
    const hd__maximum_job *job = any;
    return counted(HD__STREAM_WORK, 2 * bytes_of(&job->in), bytes_of(&job->in), 0);
}

hd__cost_of *const hd__costs[HD__PATTERN_COUNT] = {
#define PATTERN(name, NAME) [HD__##NAME##_PATTERN] = cost_of_##name,
#include "core/patterns.def"
#undef PATTERN
};
