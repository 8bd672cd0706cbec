// SPDX-License-Identifier: Apache-2.0
// Elements by rank without sorting: a radix select (nth_select.c), of everything with all threads
// or of short rows side by side. Many ranks, and orders of users, are sorted instead.
#include "patterns/sort/nth.h"
#include "core/convert.h"
#include "core/system/float_state.h"
#include "cpu/runtime/isa.h"
#include "nth.h"
#include "patterns/sort/rows.h"
#include "patterns/sort/sort.h"
#include "cpu/runtime/team.h"

HD__CPU_BRINGS(const hd__cpu_nth_kernels, nth_kernels)

// ---- By sorting -----------------------------------------------------------------------------

static hd_status pick_sorted(hd_context *ctx, const hd__nth_job *job, const char *sorted,
                             const int64_t *positions, int64_t *ranks, char *elements)
{
    const size_t size = hd__size_of(job->in.type);
    const int64_t each = hd__nth_elements(job) * job->m;
    int64_t *found = ranks + each;
    for (int64_t r = 0; r < job->rows; r++) {
        const int64_t begin = hd__nth_row_begin(job, r);
        int64_t n = hd__nth_row_length(job, r), nans = 0;
        const char *row = sorted + (size_t)begin * size;
        while (nans < n && job->ranks == NULL &&
               hd__is_nan(job->in.type, row + (size_t)(n - 1 - nans) * size))
            nans++;
        if (hd__nth_is_nothing(job, nans, &n)) {
            HD_TRY(hd__nth_store_nothing(ctx, job, r));
            continue;
        }
        hd__nth_ranks(job, n, ranks);
        for (int64_t k = 0; k < each; k++) {
            memcpy(elements + (size_t)k * size, row + (size_t)ranks[k] * size, size);
            if (positions != NULL) found[k] = positions[begin + ranks[k]];
        }
        HD_TRY(hd__nth_store(ctx, job, r, n, elements, found));
    }
    return HD_OK;
}

static hd_status by_sorting(hd_context *ctx, const hd__nth_job *job)
{
    const char *why = "";
    const size_t size = hd__size_of(job->in.type), n = (size_t)hd_count(job->in);
    const size_t each = (size_t)(hd__nth_elements(job) * job->m);
    const bool indexed = !hd__is_empty(&job->indices);
    const size_t bytes = (n * indexed + 2 * each) * sizeof(int64_t) + (n + each) * size + 1;
    int64_t *memory = hd__allocate(ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    int64_t *ranks = memory + n * indexed;
    char *sorted = (char *)(ranks + 2 * each);
    hd__sort_job sort = {.order = job->numbers ? NULL : job->order,
                         .n = (int64_t)n,
                         .length = job->offsets != NULL ? (int64_t)n : job->length,
                         .keys = job->in,
                         .out = hd_view_of(job->in.type, sorted, (int64_t)n),
                         .axis = -1,
                         .descending = job->numbers ? job->descending : job->backwards};
    if (indexed) sort.indices = HD_VIEW(memory, (int64_t)n);
    if (job->offsets != NULL)
        sort.segments = hd_view_of(HD_I64, (void *)(uintptr_t)job->offsets, job->rows + 1);
    hd_status status = hd__cpu_sort(ctx, &sort, &why);
    if (status == HD_OK)
        status = pick_sorted(ctx, job, sorted, indexed ? memory : NULL, ranks, sorted + n * size);
    hd__release(ctx, memory, bytes);
    return status;
}

// ---- One row by selection -------------------------------------------------------------------

// Elements of the ranks: by their keys, or, where a key has several or an index is wanted, by their
// positions.
static void take_elements(const hd__cpu_selection *s, const hd__nth_job *job, const int64_t *ranks,
                          char *elements, int64_t *positions)
{
    const size_t size = hd__size_of(job->in.type);
    const int64_t each = hd__nth_elements(job) * job->m;
    for (int64_t k = 0; k < each; k++) {
        const hd__cpu_nth_target *t = hd__cpu_nth_find(s, ranks[k]);
        positions[k] = t->position;
        if (t->position >= 0)
            hd__gather(&s->in, t->position, 1, elements + (size_t)k * size);
        else
            hd__cpu_nth_element(s, t->key, elements + (size_t)k * size);
    }
}

// A thread's, or the call's.
typedef struct workspace {
    int64_t *ranks, *positions;
    hd__cpu_nth_target *targets;
    char *elements;
} workspace;

static size_t workspace_bytes(const hd__nth_job *job)
{
    const size_t each = (size_t)(hd__nth_elements(job) * job->m);
    return hd__padded(
        each * (2 * sizeof(int64_t) + sizeof(hd__cpu_nth_target) + hd__size_of(job->in.type)));
}

static workspace workspace_at(const hd__nth_job *job, char *memory)
{
    const int64_t each = hd__nth_elements(job) * job->m;
    workspace w = {.ranks = (int64_t *)(void *)memory};
    w.positions = w.ranks + each;
    w.targets = (hd__cpu_nth_target *)(void *)(w.positions + each);
    w.elements = (char *)(w.targets + each);
    return w;
}

// The selection has its memory, threads and kernels.
static hd_status select_row(hd_context *ctx, const hd__nth_job *job, int64_t row,
                            hd__cpu_selection *s, const workspace *w, bool *nothing)
{
    const int64_t begin = hd__nth_row_begin(job, row);
    int64_t n = hd__nth_row_length(job, row);
    *nothing = false;
    s->in = hd__range_of(&job->in, begin, n);
    s->n = n;
    s->target = w->targets;
    s->indexed = !hd__is_empty(&job->indices);
    s->measured = false;
    const bool may_be_nan = job->ranks == NULL && hd__is_float(job->in.type);
    if (may_be_nan) hd__cpu_nth_measure(s);
    if (s->progress != NULL) HD_TRY(hd__cpu_progress_status(s->progress));
    *nothing = hd__nth_is_nothing(job, may_be_nan ? s->range.nans : 0, &n);
    if (*nothing) return HD_OK;
    hd__nth_ranks(job, n, w->ranks);
    HD_TRY(hd__cpu_nth_select(ctx, s, w->ranks, hd__nth_elements(job) * job->m));
    take_elements(s, job, w->ranks, w->elements, w->positions);
    for (int64_t k = 0; k < job->m && job->offsets != NULL; k++) w->positions[k] += begin;
    return hd__nth_store(ctx, job, row, n, w->elements, w->positions);
}

// ---- Rows -----------------------------------------------------------------------------------

static hd_status select_one_by_one(hd_context *ctx, const hd__nth_job *job, hd__cpu_selection *s)
{
    const size_t own = workspace_bytes(job);
    char *memory = hd__scratch(ctx, own + (size_t)s->threads * hd__cpu_nth_thread_bytes());
    if (memory == NULL) return HD_ERROR_MEMORY;
    const workspace w = workspace_at(job, memory);
    bool nothing;
    s->memory = memory + own;
    for (int64_t r = 0; r < job->rows; r++) {
        s->first = (int64_t)((double)r / (double)job->rows * 1000);
        s->share = (int64_t)((double)(r + 1) / (double)job->rows * 1000) - s->first;
        if (!hd__cpu_goes_on_in(s->progress, s->first, 0, 0, 1)) return HD_ERROR_CANCELLED;
        HD_TRY(select_row(ctx, job, r, s, &w, &nothing));
        if (nothing) HD_TRY(hd__nth_store_nothing(ctx, job, r));
    }
    return HD_OK;
}

static int64_t longest_row(const hd__nth_job *job)
{
    int64_t most = 0;
    for (int64_t r = 0; r < job->rows; r++)
        if (hd__nth_row_length(job, r) > most) most = hd__nth_row_length(job, r);
    return most;
}

// Short rows, each in one thread, which has memory for the keys of the longest.
static hd_status select_side_by_side(hd_context *ctx, const hd__nth_job *job,
                                     const hd__cpu_selection *like, int64_t longest)
{
    const int threads = hd__cpu_threads_for(
        ctx, hd_count(job->in), hd__size_of(job->in.type) * (size_t)hd__cpu_tune.comparison_cost);
    const size_t own = workspace_bytes(job), keys = hd__padded((size_t)longest * like->key_size);
    const size_t bytes = own + hd__cpu_nth_thread_bytes() + 2 * keys;
    char *memory = hd__scratch(ctx, (size_t)threads * bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    int64_t bad = job->rows; // the first row without a result
    hd__cpu_progress progress = hd__cpu_progress_of(ctx);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        char *mine = memory + (size_t)omp_get_thread_num() * bytes;
        const workspace w = workspace_at(job, mine);
        hd__cpu_selection s = *like;
        s.threads = 1;
        s.memory = mine + own;
        s.keys[0] = s.memory + hd__cpu_nth_thread_bytes();
        s.keys[1] = s.keys[0] + keys;
#pragma omp for schedule(dynamic, 16) reduction(min : bad)
        for (int64_t r = 0; r < job->rows; r++) {
            bool nothing;
            if (!hd__cpu_goes_on_in(&progress, 0, 1000, r, job->rows)) continue;
            select_row(NULL, job, r, &s, &w, &nothing);
            if (!nothing) continue;
            if (hd__is_float(job->out.type))
                hd__nth_store_nothing(NULL, job, r);
            else
                bad = r < bad ? r : bad;
        }
    }
    HD_TRY(hd__cpu_progress_status(&progress));
    return bad < job->rows ? hd__nth_store_nothing(ctx, job, bad) : HD_OK;
}

hd_status hd__cpu_nth(hd_context *ctx, const void *any, const char **why)
{
    const hd__nth_job *job = any;
    (void)why; // never declines
    const int64_t each = hd__nth_elements(job) * job->m, longest = longest_row(job);
    const bool indexed = !hd__is_empty(&job->indices);
    if (!job->numbers || each > (indexed ? HD__CPU_NTH_INDEXED_MAX : HD__CPU_NTH_MAX))
        return by_sorting(ctx, job);
    const hd__cpu_nth_kernels *kernels = hd__cpu_micro_table(ctx)->nth;
    const bool wide = hd__size_of(job->in.type) == 8;
    hd__cpu_selection s = {.type = job->in.type,
                           .descending = job->descending,
                           .to_keys = kernels->keys[job->in.type],
                           .loops = wide ? &kernels->of_64 : &kernels->of_32,
                           .order = hd__number_order(wide ? HD_U64 : HD_U32, false),
                           .key_size = wide ? 8 : 4};
    if (job->rows > 1 && longest <= hd__cpu_tune.nth_row)
        return select_side_by_side(ctx, job, &s, longest);
    hd__cpu_progress progress = hd__cpu_progress_of(ctx);
    s.progress = &progress;
    s.threads = hd__cpu_threads_for(ctx, longest, 2 * hd__size_of(job->in.type));
    return select_one_by_one(ctx, job, &s);
}
