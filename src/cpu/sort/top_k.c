// SPDX-License-Identifier: Apache-2.0
// The first k in an order (selection by a bound). Elements that do not come before a bound are
// skipped at the speed of memory. For small k each thread keeps the first k of its range sorted by
// insertion, and the last of them is its bound. For larger k a sorted sample gives a bound that
// somewhat more than k elements come before; these are collected and sorted, and if they are too
// few, the first elements that equal the bound are the rest. Where k is a large part of n
// everything is sorted. Short rows are done by one thread each.
#include "comparators.h"
#include "core/system/float_state.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/team.h"
#include "patterns/sort/top_k.h"

#include <math.h>

HD__CPU_BRINGS(hd__cpu_find_beyond, greater_i8)

// ---- Progress -----------------------------------------------------------------------------------

// How far a call is, and what of it the row is whose turn it is, or its pass.
typedef struct reporting {
    hd__cpu_progress progress;
    int64_t first, share; // thousandths
} reporting;

static bool goes_on(reporting *report, int64_t at, int64_t n)
{
    return report == NULL ||
           hd__cpu_goes_on_in(&report->progress, report->first, report->share, at, n);
}

static bool is_over(const reporting *report)
{
    return report != NULL && hd__cpu_is_stopped(&report->progress);
}

// ---- What comes before a bound ------------------------------------------------------------------

typedef struct looker {
    const hd__top_k_job *job;
    hd__cpu_find_beyond *quick; // or NULL
    char *elements;             // a block of a view that is not contiguous
    int64_t *positions;
    reporting *report;
} looker;

// Numbers in their own order have kernels.
static hd__cpu_find_beyond *quick_of(const hd_context *ctx, const hd__top_k_job *job)
{
    const hd_type type = job->in.type;
    if (!hd__is_number(type)) return NULL;
    if (job->order == hd__number_order(type, true)) return hd__cpu_micro_table(ctx)->greater[type];
    if (job->order == hd__number_order(type, false)) return hd__cpu_micro_table(ctx)->less[type];
    return NULL;
}

// A float bound that is zero or NaN equals others that have its place in the order, or not: the
// kernels do not know.
static bool is_plain(hd_type type, const char *bound)
{
    float narrow;
    double wide;
    if (type == HD_F32) {
        memcpy(&narrow, bound, sizeof narrow);
        return narrow < 0 || narrow > 0;
    }
    if (type != HD_F64) return true;
    memcpy(&wide, bound, sizeof wide);
    return wide < 0 || wide > 0;
}

static size_t looker_bytes(const hd__top_k_job *job)
{
    const size_t block = (size_t)hd__cpu_tune.top_k_block;
    return hd__padded(block * job->order->elements.size) + block * sizeof(int64_t);
}

static looker looker_in(const hd__top_k_job *job, hd__cpu_find_beyond *quick, char *memory,
                        reporting *report)
{
    const size_t bytes = hd__padded((size_t)hd__cpu_tune.top_k_block * job->order->elements.size);
    return (looker){job, quick, memory, (int64_t *)(void *)(memory + bytes), report};
}

static const char *block_at(const looker *l, int64_t at, int64_t m)
{
    if (hd__is_contiguous(&l->job->in)) return hd__at(&l->job->in, at);
    hd__gather(&l->job->in, at, m, l->elements);
    return l->elements;
}

static int64_t find(const looker *l, const char *x, int64_t m, const char *bound)
{
    if (l->quick != NULL && is_plain(l->job->in.type, bound))
        return l->quick(x, m, bound, l->positions);
    const hd_comparison *o = l->job->order;
    return (l->job->backwards ? o->after : o->before)(x, m, bound, l->positions, o->state.data);
}

static void put_pair(const hd_comparison *o, char *to, const char *x, int64_t index)
{
    memcpy(to, x, o->elements.size);
    memcpy(to + o->index_offset, &index, sizeof index);
}

// ---- What is given ------------------------------------------------------------------------------

static size_t give_bytes(const hd_context *ctx, const hd__top_k_job *job)
{
    size_t bytes = hd__cpu_take_pairs_bytes(ctx, job->order);
    for (int64_t v = 0; v < job->value_count; v++) {
        const size_t values = (size_t)job->k * hd__size_of(job->values[2 * v].type);
        if (bytes < values) bytes = values;
    }
    return bytes;
}

// The first k of sorted pairs, their positions, and what the values have there. ctx: NULL, where
// the calling thread works alone.
static void give(const hd_context *ctx, const hd__top_k_job *job, const char *pairs, char *room)
{
    hd__cpu_take_pairs(ctx, job->order, pairs, job->k, -job->index_first, &job->out, &job->indices,
                       room);
    for (int64_t v = 0; v < job->value_count; v++) {
        hd_view from, to;
        hd__top_k_value(job, v, &from, &to);
        hd__cpu_permute_by_pairs(ctx, &(hd__cpu_pair_permutation){.order = job->order,
                                                                  .pairs = pairs,
                                                                  .n = job->k,
                                                                  .cut = INT64_MAX,
                                                                  .from = &from,
                                                                  .to = &to,
                                                                  .room = room});
    }
}

// ---- Few ----------------------------------------------------------------------------------------

typedef struct keeper {
    char *pairs; // sorted; pair k - 1 is the bound once there are k
    int64_t count;
} keeper;

static void insert(const hd__top_k_job *job, keeper *p, const char *x, int64_t index)
{
    const hd_comparison *o = job->order;
    const size_t size = o->pairs.size;
    char *hole = p->pairs + (size_t)p->count * size;
    if (p->count == job->k) {
        hole -= size;
        if (!hd__comes_before(o, job->backwards, x, hole)) return;
    } else {
        p->count++;
    }
    char *place = hole;
    while (place > p->pairs && hd__comes_before(o, job->backwards, x, place - size)) place -= size;
    memmove(place + size, place, (size_t)(hole - place));
    put_pair(o, place, x, index);
}

static void keep_small(const looker *l, keeper *p, int64_t begin, int64_t end)
{
    const int64_t few = hd__cpu_tune.top_k_insertion_max;
    const int64_t block = hd__cpu_tune.top_k_block;
    const hd_comparison *o = l->job->order;
    const char *bound = p->pairs + (size_t)(l->job->k - 1) * o->pairs.size;
    int64_t most = l->job->k; // blocks grow as the bound gets better
    for (int64_t at = begin, m; at < end; at += m) {
        m = hd__min_of(hd__min_of(most, block), end - at);
        if (!goes_on(l->report, at, l->job->n)) return;
        const char *x = block_at(l, at, m);
        const bool bounded = p->count == l->job->k;
        const int64_t found = bounded ? find(l, x, m, bound) : m;
        for (int64_t i = 0; i < found; i++) {
            const int64_t k = bounded ? l->positions[i] : i;
            insert(l->job, p, x + (size_t)k * o->elements.size, at + k);
        }
        most = most < few ? few : hd__min_of(2 * most, block);
    }
}

// Room for one pair more: insert moves the last one out of the way.
static size_t keeper_bytes(const hd__top_k_job *job)
{
    return hd__padded((size_t)(job->k + 1) * job->order->pairs.size);
}

static size_t small_bytes(const hd_context *ctx, const hd__top_k_job *job, int threads)
{
    const size_t own = keeper_bytes(job), each = own + hd__padded(looker_bytes(job));
    const size_t counts = hd__padded((size_t)threads * sizeof(keeper));
    return counts + (size_t)threads * each + own + hd__padded(give_bytes(ctx, job));
}

typedef struct few {
    const hd__top_k_job *job;
    hd__cpu_find_beyond *quick;
    int threads;
    char *memory;
    keeper *part; // of each thread
    reporting *report;
} few;

static void keep_part(const few *f, int t)
{
    const hd__top_k_job *job = f->job;
    const int64_t range = (job->n + f->threads - 1) / f->threads;
    const size_t own = keeper_bytes(job), each = own + hd__padded(looker_bytes(job));
    char *mine = f->memory + (size_t)t * each;
    const looker l = looker_in(job, f->quick, mine + own, f->report);
    f->part[t] = (keeper){mine, 0};
    keep_small(&l, &f->part[t], hd__min_of(t * range, job->n), hd__min_of((t + 1) * range, job->n));
}

// ctx: NULL, where the calling thread works alone.
static void top_few(const hd_context *ctx, const hd__top_k_job *job, hd__cpu_find_beyond *quick,
                    int threads, char *memory, reporting *report)
{
    const size_t own = keeper_bytes(job), each = own + hd__padded(looker_bytes(job));
    const size_t counts = hd__padded((size_t)threads * sizeof(keeper));
    const few f = {job, quick, threads, memory + counts, (keeper *)(void *)memory, report};
    keeper all = {f.memory + (size_t)threads * each, 0};
    if (threads == 1) {
        keep_part(&f, 0);
        all.pairs = f.part[0].pairs;
    } else {
#pragma omp parallel for num_threads(threads) schedule(static, 1)
        for (int t = 0; t < threads; t++) {
            HD__FLOAT_STATE;
            keep_part(&f, t);
        }
    }
    if (is_over(report)) return;
    // Parts in the order of their positions: equals stay in theirs.
    for (int t = 0; threads > 1 && t < threads; t++)
        for (int64_t i = 0; i < f.part[t].count; i++)
            insert(job, &all, f.part[t].pairs + (size_t)i * job->order->pairs.size,
                   hd__cpu_pair_index(job->order, f.part[t].pairs, i));
    give(ctx, job, all.pairs, f.memory + (size_t)threads * each + own);
}

static hd_status top_few_of_all(hd_context *ctx, const hd__top_k_job *job, int threads,
                                reporting *report)
{
    char *memory = hd__scratch(ctx, small_bytes(ctx, job, threads));
    if (memory == NULL) return HD_ERROR_MEMORY;
    top_few(ctx, job, quick_of(ctx, job), threads, memory, report);
    return hd__cpu_progress_status(&report->progress);
}

static bool is_long(const hd_context *ctx, const hd__top_k_job *row)
{
    return hd__cpu_threads_for(ctx, row->n, row->order->elements.size) > 1;
}

// Rows that are each too short for threads, which share them. Of segments others are left out.
static hd_status top_few_of_rows(hd_context *ctx, const hd__top_k_job *job, reporting *report)
{
    const int threads = hd__cpu_threads_for(ctx, hd__count(&job->in), job->order->elements.size);
    const size_t each = hd__padded(small_bytes(NULL, job, 1));
    hd__cpu_find_beyond *quick = quick_of(ctx, job);
    char *memory = hd__scratch(ctx, (size_t)threads * each);
    if (memory == NULL) return HD_ERROR_MEMORY;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        char *own = memory + (size_t)omp_get_thread_num() * each;
#pragma omp for schedule(dynamic, 16) // segments differ in length
        for (int64_t r = 0; r < job->rows; r++) {
            const hd__top_k_job row = hd__top_k_row(job, r);
            if (!goes_on(report, r, job->rows) || row.k == 0) continue;
            if (job->offsets == NULL || !is_long(ctx, &row))
                top_few(NULL, &row, quick, 1, own, NULL);
        }
    }
    return hd__cpu_progress_status(&report->progress);
}

// ---- All ----------------------------------------------------------------------------------------

static void turn_round(char *pairs, int64_t n, size_t size)
{
    _Alignas(HD__ALIGNMENT) char kept[2 * HD_MAX_ELEMENT]; // a pair is padded
    for (int64_t i = 0; i < n / 2; i++) {
        char *front = pairs + (size_t)i * size, *back = pairs + (size_t)(n - 1 - i) * size;
        memcpy(kept, front, size);
        memcpy(front, back, size);
        memcpy(back, kept, size);
    }
}

// Pairs in the order of the job; stable, so in an order that is turned round from their end.
static void sort_pairs(const hd_context *ctx, const hd__top_k_job *job, char *pairs, char *other,
                       int64_t n, void *splits, hd__cpu_progress *progress)
{
    const hd__order_loops *loops = &job->order->pairs;
    const hd__cpu_merge_sorting s = {job->order, loops, pairs, pairs, other, n, splits, progress};
    if (n == 0) return;
    if (job->backwards) turn_round(pairs, n, loops->size);
    hd__cpu_merge_sort(ctx, &s);
    if (job->backwards) turn_round(pairs, n, loops->size);
}

static hd_status sort_everything(hd_context *ctx, const hd__top_k_job *job, reporting *report)
{
    const hd_comparison *o = job->order;
    const size_t bytes = hd__padded((size_t)job->n * o->pairs.size);
    const size_t splits = hd__padded((size_t)hd__cpu_merge_sort_splits(job->n) * sizeof(int64_t));
    size_t other_bytes = give_bytes(ctx, job);
    if (other_bytes < bytes) other_bytes = bytes;
    char *memory = hd__scratch(ctx, splits + bytes + other_bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    char *pairs = memory + splits, *other = pairs + bytes;
    hd__cpu_make_pairs(ctx, o, &job->in, job->n, 0, 1, pairs);
    const bool all = report->progress.ctx != NULL && report->share == 1000; // else rows report
    sort_pairs(ctx, job, pairs, other, job->n, memory, all ? &report->progress : NULL);
    HD_TRY(hd__cpu_progress_status(&report->progress));
    give(ctx, job, pairs, other);
    return HD_OK;
}

// ---- Many ---------------------------------------------------------------------------------------

// A sample of 2 sqrt(n) elements: sorting it costs little beside reading n, and its rank k s / n is
// right to within sqrt of that, of which it takes four times and two more.
typedef struct sample {
    int64_t size, rank;
} sample;

static sample sample_for(int64_t n, int64_t k)
{
    const int64_t s = hd__min_of(n, (int64_t)(2 * sqrt((double)n)) + 16);
    const double expected = (double)k / (double)n * (double)s;
    return (sample){s, (int64_t)(expected + 4 * sqrt(expected) + 2)};
}

// The element of the sample that becomes the bound, into `bound`. room: 2 s elements.
static void select_bound(const hd__top_k_job *job, sample s, char *bound, char *room)
{
    const size_t size = job->order->elements.size;
    const int64_t step = job->n / s.size;
    uint64_t state = 0x9e3779b97f4a7c15u; // one of each range, so that no period hides anything
    for (int64_t i = 0; i < s.size; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const int64_t at = i * step + (int64_t)((state >> 33) % (uint64_t)step);
        hd__gather(&job->in, at, 1, room + (size_t)i * size);
    }
    hd__cpu_sort_run(job->order, &job->order->elements, room, room + (size_t)s.size * size, room,
                     s.size);
    const int64_t rank = job->backwards ? s.size - 1 - s.rank : s.rank;
    memcpy(bound, room + (size_t)rank * size, size);
}

typedef struct many {
    const hd__top_k_job *job;
    hd__cpu_find_beyond *quick;
    const char *bound;
    int threads;
    int64_t *begin; // of each thread's pairs; threads + 1
    char *lookers;
    reporting *report; // of a pass
} many;

static void limits_of(const many *m, int t, int64_t *begin, int64_t *end)
{
    const int64_t range = (m->job->n + m->threads - 1) / m->threads;
    *begin = hd__min_of(t * range, m->job->n);
    *end = hd__min_of(*begin + range, m->job->n);
}

// Counts what comes before the bound in thread t's part; writes the first `room` of it as pairs.
static int64_t collect(const many *m, int t, char *pairs, int64_t room)
{
    const int64_t block = hd__cpu_tune.top_k_block;
    const hd_comparison *o = m->job->order;
    const looker l = looker_in(
        m->job, m->quick, m->lookers + (size_t)t * hd__padded(looker_bytes(m->job)), m->report);
    int64_t begin, end, count = 0;
    limits_of(m, t, &begin, &end);
    for (int64_t at = begin; at < end; at += block) {
        const int64_t length = hd__min_of(block, end - at);
        if (!goes_on(l.report, at, m->job->n)) break;
        const char *x = block_at(&l, at, length);
        const int64_t found = find(&l, x, length, m->bound);
        for (int64_t i = 0; i < found && count + i < room; i++)
            put_pair(o, pairs + (size_t)(count + i) * o->pairs.size,
                     x + (size_t)l.positions[i] * o->elements.size, at + l.positions[i]);
        count += found;
    }
    return count;
}

static int64_t count_all(const many *m)
{
#pragma omp parallel for num_threads(m->threads) if (m->threads > 1) schedule(static, 1)
    for (int t = 0; t < m->threads; t++) {
        HD__FLOAT_STATE;
        m->begin[t + 1] = collect(m, t, NULL, 0);
    }
    m->begin[0] = 0;
    for (int t = 0; t < m->threads; t++) m->begin[t + 1] += m->begin[t];
    return m->begin[m->threads];
}

// False if there are not as many as were counted: a comparison that does not always answer the
// same.
static bool collect_all(const many *m, char *pairs)
{
    bool same = true;
#pragma omp parallel for num_threads(m->threads) if (m->threads > 1) schedule(static, 1)           \
    reduction(&& : same)
    for (int t = 0; t < m->threads; t++) {
        HD__FLOAT_STATE;
        const int64_t room = m->begin[t + 1] - m->begin[t];
        char *to = pairs + (size_t)m->begin[t] * m->job->order->pairs.size;
        same = same && collect(m, t, to, room) == room;
    }
    return same;
}

// Elements neither before nor behind the bound, from the first on, until there are `wanted`.
static int64_t collect_equal(const many *m, char *pairs, int64_t wanted)
{
    const int64_t block = hd__cpu_tune.top_k_block;
    const hd_comparison *o = m->job->order;
    const looker l = looker_in(m->job, NULL, m->lookers, NULL);
    int64_t count = 0;
    for (int64_t at = 0; at < m->job->n && count < wanted; at += block) {
        const int64_t length = hd__min_of(block, m->job->n - at);
        const char *x = block_at(&l, at, length);
        for (int64_t i = 0; i < length && count < wanted; i++, x += o->elements.size)
            if (!hd__precedes(o, x, m->bound) && !hd__precedes(o, m->bound, x))
                put_pair(o, pairs + (size_t)count++ * o->pairs.size, x, at + i);
    }
    return count;
}

static hd_status find_bound(hd_context *ctx, const hd__top_k_job *job, sample s, char *bound)
{
    char *room = hd__scratch(ctx, 2 * (size_t)s.size * job->order->elements.size);
    if (room == NULL) return HD_ERROR_MEMORY;
    select_bound(job, s, bound, room);
    return HD_OK;
}

// Collects, sorts and gives what comes before the bound, `count` of it. *enough: there were k.
static hd_status give_many(hd_context *ctx, const many *m, int64_t count, bool *enough)
{
    const hd__top_k_job *job = m->job;
    const hd_comparison *o = job->order;
    const int64_t room = count > job->k ? count : job->k, missing = job->k - count;
    const size_t bytes = hd__padded((size_t)room * o->pairs.size);
    const size_t splits = hd__padded((size_t)hd__cpu_merge_sort_splits(room) * sizeof(int64_t));
    size_t other_bytes = give_bytes(ctx, job);
    if (other_bytes < bytes) other_bytes = bytes;
    char *memory = hd__scratch(ctx, splits + bytes + other_bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    char *pairs = memory + splits, *other = pairs + bytes;
    *enough = collect_all(m, pairs);
    HD_TRY(hd__cpu_progress_status(&m->report->progress));
    if (!*enough) return HD_OK;
    sort_pairs(ctx, job, pairs, other, count, memory, NULL);
    if (missing > 0)
        *enough = collect_equal(m, pairs + (size_t)count * o->pairs.size, missing) == missing;
    if (*enough) give(ctx, job, pairs, other);
    return HD_OK;
}

// Two passes: what comes before the bound is counted, then collected.
static hd_status collect_many(hd_context *ctx, const many *m, bool *enough)
{
    reporting *report = m->report;
    const reporting whole = *report;
    report->share = whole.share / 2;
    const int64_t count = count_all(m);
    HD_TRY(hd__cpu_progress_status(&report->progress));
    report->first += report->share;
    const hd_status status = give_many(ctx, m, count, enough);
    report->first = whole.first, report->share = whole.share;
    return status;
}

static hd_status top_many(hd_context *ctx, const hd__top_k_job *job, int threads, sample s,
                          reporting *report)
{
    _Alignas(HD__ALIGNMENT) char bound[HD_MAX_ELEMENT];
    const size_t begins = hd__padded((size_t)(threads + 1) * sizeof(int64_t));
    const size_t bytes = begins + (size_t)threads * hd__padded(looker_bytes(job));
    HD_TRY(find_bound(ctx, job, s, bound));
    char *own = hd__allocate(ctx, bytes);
    if (own == NULL) return HD_ERROR_MEMORY;
    const many m = {.job = job,
                    .quick = quick_of(ctx, job),
                    .bound = bound,
                    .threads = threads,
                    .begin = (int64_t *)(void *)own,
                    .lookers = own + begins,
                    .report = report};
    bool enough = false;
    const hd_status status = collect_many(ctx, &m, &enough);
    hd__release(ctx, own, bytes);
    return status != HD_OK || enough ? status : sort_everything(ctx, job, report);
}

static hd_status top_row(hd_context *ctx, const hd__top_k_job *job, reporting *report)
{
    const int threads = hd__cpu_threads_for(ctx, job->n, job->order->elements.size);
    if (job->k <= hd__cpu_tune.top_k_insertion_max)
        return top_few_of_all(ctx, job, threads, report);
    const sample s = sample_for(job->n, job->k);
    if (s.rank >= s.size / 2) return sort_everything(ctx, job, report);
    return top_many(ctx, job, threads, s, report);
}

hd_status hd__cpu_top_k(hd_context *ctx, const void *any, const char **why)
{
    const hd__top_k_job *job = any;
    (void)why; // never declines
    reporting report = {.progress = hd__cpu_progress_of(ctx), .share = 1000};
    const bool segments = job->offsets != NULL;
    if (job->rows == 1 && !segments) return top_row(ctx, job, &report);
    const bool few = job->k <= hd__cpu_tune.top_k_insertion_max, lengthy = is_long(ctx, job);
    if (few && !lengthy) return top_few_of_rows(ctx, job, &report);
    if (few && segments) {
        report.share = 500;
        HD_TRY(top_few_of_rows(ctx, job, &report));
    }
    const int64_t first = few && segments ? 500 : 0;
    for (int64_t r = 0; r < job->rows; r++) {
        const hd__top_k_job row = hd__top_k_row(job, r);
        if (row.k == 0 || (few && segments && !is_long(ctx, &row))) continue;
        report.first = first + (int64_t)((double)r / (double)job->rows * (double)(1000 - first));
        report.share = (1000 - first) / job->rows;
        if (!hd__cpu_goes_on_in(&report.progress, report.first, 0, 0, 1)) break;
        HD_TRY(top_row(ctx, &row, &report));
    }
    return hd__cpu_progress_status(&report.progress);
}
