// SPDX-License-Identifier: Apache-2.0
// Gather by tiles of indices: a group of indices is tested at once, then fetched in one plain loop.
// Slices along an axis are copied whole where they are contiguous. Large random gathers are in
// gather_buckets.c.
#include "gather.h"
#include "core/system/float_state.h"
#include "patterns/move/indices.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/work_stealing.h"
#include "cpu/runtime/team.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

// Indices tested at once, and elements fetched at once. In order, 2^24 i32, two threads: 2.8 ms in
// groups of 32 that the compiler vectorises, 3.4 in groups of 16 it does not, 5.4 with a test of
// 1024 first; without any test 2.6 and, one by one, 3.7.
#define GROUP 32

// clang vectorises that loop by itself, or says that it was asked in vain.
#if defined(__clang__)
#define SIDE_BY_SIDE
#else
#define SIDE_BY_SIDE _Pragma("omp simd")
#endif

typedef struct wide {
    uint64_t word[2];
} wide;

// Elements of 4 bytes by indices of 4: two indices a load, which serve both the test and the fetch.
// No index is greater than all of them or-ed together; where that is too great, nothing is done.
// Within 32 places, 2^24 i32, two threads: 2.45 ms, as without any test; 2.75 with the greatest
// index of the group asked for, 3.45 with vectors of them taken apart by the compiler.
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static inline uint64_t load_pair(const int32_t *index)
{
    uint64_t pair;
    memcpy(&pair, index, sizeof pair);
    __asm__("" : "+r"(pair)); // in a register of its own, not a lane of a vector
    return pair;
}

static inline __attribute__((always_inline)) bool
fetch_pairs(const int32_t *index, const uint32_t *in, uint64_t bound, uint32_t *out)
{
    uint64_t pair[GROUP / 2], all = 0;
    for (int k = 0; k < GROUP / 2; k++) {
        pair[k] = load_pair(index + 2 * k);
        all |= pair[k];
    }
    if (((all | all >> 32) & UINT32_MAX) >= bound) return false;
    for (int k = 0; k < GROUP; k += 4) {
        const uint64_t a = pair[k / 2], b = pair[k / 2 + 1];
        uint32x4_t four = vld1q_dup_u32(in + (uint32_t)a);
        four = vld1q_lane_u32(in + (a >> 32), four, 1);
        four = vld1q_lane_u32(in + (uint32_t)b, four, 2);
        four = vld1q_lane_u32(in + (b >> 32), four, 3);
        vst1q_u32(out + k, four);
    }
    return true;
}

// The same for indices that are known to be good. Where elements lie anywhere it is the fewest
// instructions that count, since the more of them are on their way at once: 10^7 at random 27.3 ms,
// taken apart by the compiler 29; 2^20 1.08 ms, by pairs 1.13.
static inline __attribute__((always_inline)) void fetch_words(const int32_t *index,
                                                              const uint32_t *in, uint32_t *out)
{
    for (int k = 0; k < GROUP; k += 4) {
        const uint64_t a = load_pair(index + k), b = load_pair(index + k + 2);
        uint32_t x[4] = {in[(uint32_t)a], in[a >> 32], in[(uint32_t)b], in[b >> 32]};
        __asm__("" : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3])); // not lanes of a vector
        for (int j = 0; j < 4; j++) out[k + j] = x[j];
    }
}
#endif

typedef int64_t fetch_tile(const void *indices, int64_t n, const void *elements, int64_t stride,
                           int64_t limit, void *to);

#define I    int32_t
#define U    uint32_t
#define TOP  UINT64_C(0x80000000)
#define T    uint8_t
#define NAME i32_1
#include "gather.inc"
#define I    int32_t
#define U    uint32_t
#define TOP  UINT64_C(0x80000000)
#define T    uint16_t
#define NAME i32_2
#include "gather.inc"
#define I    int32_t
#define U    uint32_t
#define TOP  UINT64_C(0x80000000)
#define T    uint32_t
#define NAME i32_4
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BY_PAIRS fetch_pairs
#define BY_WORDS fetch_words
#endif
#include "gather.inc"
#undef BY_PAIRS
#undef BY_WORDS
#define I    int32_t
#define U    uint32_t
#define TOP  UINT64_C(0x80000000)
#define T    uint64_t
#define NAME i32_8
#include "gather.inc"
#define I    int32_t
#define U    uint32_t
#define TOP  UINT64_C(0x80000000)
#define T    wide
#define NAME i32_16
#include "gather.inc"
#define I    int64_t
#define U    uint64_t
#define TOP  UINT64_C(0)
#define T    uint8_t
#define NAME i64_1
#include "gather.inc"
#define I    int64_t
#define U    uint64_t
#define TOP  UINT64_C(0)
#define T    uint16_t
#define NAME i64_2
#include "gather.inc"
#define I    int64_t
#define U    uint64_t
#define TOP  UINT64_C(0)
#define T    uint32_t
#define NAME i64_4
#include "gather.inc"
#define I    int64_t
#define U    uint64_t
#define TOP  UINT64_C(0)
#define T    uint64_t
#define NAME i64_8
#include "gather.inc"
#define I    int64_t
#define U    uint64_t
#define TOP  UINT64_C(0)
#define T    wide
#define NAME i64_16
#include "gather.inc"

// Whether elements can be read as the integers of their size: these need their alignment.
static fetch_tile *find_fetch(bool narrow, size_t size, const void *in, const void *out)
{
    const uintptr_t at = (uintptr_t)in | (uintptr_t)out;
    if (at % (size < 8 ? size : 8) != 0) return NULL;
    switch (size) {
    case 1: return narrow ? fetch_i32_1 : fetch_i64_1;
    case 2: return narrow ? fetch_i32_2 : fetch_i64_2;
    case 4: return narrow ? fetch_i32_4 : fetch_i64_4;
    case 8: return narrow ? fetch_i32_8 : fetch_i64_8;
    case 16: return narrow ? fetch_i32_16 : fetch_i64_16;
    default: return NULL;
    }
}

// One thread's tools.
typedef struct worker {
    const hd__gather_job *job;
    hd_view in, out;   // of the job, or one row of it
    bool into;         // elements go where they belong at once
    bool in_row;       // in has one dimension: an element's address is a product
    bool narrow;       // indices are i32 as they lie; else they are made i64
    fetch_tile *fetch; // or NULL
    int64_t *wide;     // a tile of indices
    char *elements;    // a tile of elements
    char *others;      // tiles of what the function takes beside them
    char *results;
    int64_t bad; // the first one it met
} worker;

static size_t worker_bytes(const hd__gather_job *job)
{
    const size_t tile = (size_t)hd__cpu_tune.gather_tile;
    size_t bytes = tile * (sizeof(int64_t) + hd__size_of(job->in.type));
    bytes = hd__padded(bytes) + hd__padded(tile * hd__size_of(job->out.type));
    for (int k = 1; job->map != NULL && k < job->map->inputs; k++)
        bytes += hd__padded(tile * hd__size_of(job->with[k - 1].type));
    return bytes + HD__ALIGNMENT;
}

static void aim(worker *w, const hd_view *in, const hd_view *out)
{
    w->in = *in;
    w->out = *out;
    w->into = w->job->map == NULL && hd__is_contiguous(out);
    w->in_row = in->space == HD_HOST && in->ndim == 1;
    const void *to = w->into ? out->data : NULL;
    w->fetch = w->in_row ? find_fetch(w->narrow, hd__size_of(in->type), in->data, to) : NULL;
}

static void worker_init(worker *w, const hd__gather_job *job, char *memory)
{
    const hd_view *index = &job->index;
    w->job = job;
    w->narrow = index->type == HD_I32 && hd__is_contiguous(index);
    w->wide = (int64_t *)memory;
    const size_t tile = (size_t)hd__cpu_tune.gather_tile;
    w->elements = memory + hd__padded(tile * sizeof(int64_t));
    w->results = w->elements + hd__padded(tile * hd__size_of(job->in.type));
    w->others = w->results + hd__padded(tile * hd__size_of(job->out.type));
    w->bad = -1;
    aim(w, &job->in, &job->out);
}

// Whether indices need no conversion.
static bool is_ready(const worker *w)
{
    const hd_view *index = &w->job->index;
    return w->narrow ||
           ((index->type == HD_I64 || index->type == HD_U64) && hd__is_contiguous(index));
}

static const void *read_indices(worker *w, int64_t at, int64_t m)
{
    const hd_view *index = &w->job->index;
    if (is_ready(w)) return hd__at(index, at);
    hd__indices(index, at, m, w->wide);
    return w->wide;
}

// Elements of any size, from any layout.
static int64_t fetch_any(const worker *w, const int64_t *index, int64_t m, char *to)
{
    const size_t size = hd__size_of(w->in.type);
    int64_t bad = -1;
    for (int64_t i = m - 1; i >= 0; i--) {
        char *at = to + (size_t)i * size;
        if (!hd__within(index[i], w->job->limit)) {
            memset(at, 0, size);
            bad = i;
        } else if (w->in_row) {
            memcpy(at, hd__at(&w->in, index[i] * w->in.stride[0]), size);
        } else {
            hd__gather(&w->in, index[i], 1, at);
        }
    }
    return bad;
}

static int64_t fetch(worker *w, int64_t at, int64_t m, char *to)
{
    const hd__gather_job *job = w->job;
    if (w->fetch != NULL)
        return w->fetch(read_indices(w, at, m), m, w->in.data, w->in.stride[0], job->limit, to);
    hd__indices(&job->index, at, m, w->wide);
    return fetch_any(w, w->wide, m, to);
}

static const char *apply(worker *w, int64_t at, int64_t m)
{
    const hd__gather_job *job = w->job;
    const void *in[HD_MAX_INPUTS] = {w->elements};
    char *other = w->others;
    for (int k = 1; k < job->map->inputs; k++) {
        const hd_view *v = &job->with[k - 1];
        in[k] = other;
        hd__gather(v, at, m, other);
        other += hd__padded((size_t)m * hd__size_of(v->type));
    }
    hd__apply(job->map, w->results, in, m);
    return w->results;
}

static void gather_range(worker *w, int64_t begin, int64_t end)
{
    const bool whole = w->into && w->fetch != NULL && is_ready(w); // no tile passes through
    const int64_t tile = whole ? end - begin : hd__cpu_tune.gather_tile;
    for (int64_t at = begin; at < end; at += tile) {
        const int64_t m = end - at < tile ? end - at : tile;
        char *to = w->into ? (char *)(uintptr_t)hd__at(&w->out, at) : w->elements;
        const int64_t bad = fetch(w, at, m, to);
        if (bad >= 0 && (w->bad < 0 || at + bad < w->bad)) w->bad = at + bad;
        if (w->into) continue;
        hd__scatter(&w->out, at, m, w->job->map != NULL ? apply(w, at, m) : w->elements);
    }
}

// ---- Slices -----------------------------------------------------------------------------------

// Where slice k of part o begins, in elements: o counts the axes before, row-major.
static int64_t slice_at(const hd_view *v, int32_t axis, int64_t o, int64_t k)
{
    int64_t offset = k * v->stride[axis];
    for (int d = axis - 1; d >= 0; d--) {
        offset += o % v->shape[d] * v->stride[d];
        o /= v->shape[d];
    }
    return offset;
}

// Elements of a slice if the axes behind it are contiguous, else 0.
static int64_t contiguous_run(const hd_view *v, int32_t axis)
{
    int64_t run = 1;
    for (int d = v->ndim - 1; d > axis; d--) {
        if (v->shape[d] != 1 && v->stride[d] != run) return 0;
        run *= v->shape[d];
    }
    return v->space == HD_HOST ? run : 0;
}

static void copy_slices(const worker *w, int64_t begin, int64_t end, size_t bytes)
{
    const hd__gather_job *job = w->job;
    const int64_t m = job->index.shape[0];
    for (int64_t s = begin; s < end; s++) {
        int64_t j;
        char *to =
            (char *)(uintptr_t)hd__at(&job->out, slice_at(&job->out, job->axis, s / m, s % m));
        hd__indices(&job->index, s % m, 1, &j);
        if (hd__within(j, job->limit))
            memcpy(to, hd__at(&job->in, slice_at(&job->in, job->axis, s / m, j)), bytes);
        else
            memset(to, 0, bytes);
    }
}

static void gather_rows(worker *w, int64_t begin, int64_t end)
{
    for (int64_t r = begin; r < end; r++) {
        const hd_view in = hd__row_of(&w->job->in, w->job->axis, r);
        const hd_view out = hd__row_of(&w->job->out, w->job->axis, r);
        aim(w, &in, &out);
        gather_range(w, 0, w->job->index.shape[0]);
    }
}

static void find_bad(const hd__gather_job *job)
{
    int64_t block[256];
    const int64_t n = hd_count(job->index);
    for (int64_t at = 0; at < n && *job->bad < 0; at += 256) {
        const int64_t m = n - at < 256 ? n - at : 256;
        hd__indices(&job->index, at, m, block);
        for (int64_t i = m - 1; i >= 0; i--)
            if (!hd__within(block[i], job->limit)) *job->bad = at + i;
    }
}

// What a thread's range is counted in: elements, slices, or rows along the axis.
typedef enum unit { ELEMENTS, SLICES, ROWS } unit;

static void run_chunk(worker *w, unit what, int64_t begin, int64_t end, size_t bytes)
{
    switch (what) {
    case ELEMENTS: gather_range(w, begin, end); break;
    case SLICES: copy_slices(w, begin, end, bytes); break;
    case ROWS: gather_rows(w, begin, end); break;
    }
}

hd_status hd__cpu_gather(hd_context *ctx, const void *any, const char **why)
{
    const hd__gather_job *job = any;
    (void)why; // never declines
    const int64_t n = hd__count(&job->out);
    const size_t size = hd__size_of(job->in.type);
    const int threads = hd__cpu_threads_for(ctx, n, 4 * size);
    unit what = ELEMENTS;
    int64_t units = n, run = 1;
    if (job->axis >= 0) {
        if (job->bad != NULL) find_bad(job);
        if (n == 0) return HD_OK;
        run = contiguous_run(&job->in, job->axis);
        what = run > 1 && run == contiguous_run(&job->out, job->axis) ? SLICES : ROWS;
        units = what == SLICES ? n / run : n / job->index.shape[0];
    } else {
        bool done;
        HD_TRY(hd__cpu_gather_buckets(ctx, job, threads, &done));
        if (done) return HD_OK;
    }
    const size_t bytes = worker_bytes(job);
    char *memory = hd__scratch(ctx, (size_t)threads * bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    hd__cpu_first_bad first;
    atomic_init(&first, INT64_MAX);
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, units, threads,
                        what == ELEMENTS ? HD__ALIGNMENT : 1); // whole lines
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        if (threads > 1) hd__cpu_affinity_spread(&affinity);
        const int t = omp_get_thread_num();
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t begin, end;
        worker w;
        worker_init(&w, job, memory + (size_t)t * bytes);
        while (hd__cpu_next_chunk(&stealer, &begin, &end))
            run_chunk(&w, what, begin, end, (size_t)run * size);
        if (job->axis < 0) hd__cpu_note_bad(&first, w.bad);
    }
    hd__cpu_report_first(job, &first);
    return HD_OK;
}

// ---- Few elements -------------------------------------------------------------------------------

#define GATHER_FEW(I, T)                                                                           \
    static void gather_few_##I##_##T(const T *in, uint64_t room, const I *index, int64_t n,        \
                                     T *out)                                                       \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++) out[i] = (uint64_t)index[i] < room ? in[index[i]] : 0;     \
    }
#define GATHER_FEW_BY(I) GATHER_FEW(I, uint32_t) GATHER_FEW(I, uint64_t)
GATHER_FEW_BY(int32_t)
GATHER_FEW_BY(uint32_t)
GATHER_FEW_BY(int64_t)
GATHER_FEW_BY(uint64_t)

#define GATHER_ROW(type, I)                                                                        \
    case type:                                                                                     \
        if (size == 4)                                                                             \
            gather_few_##I##_uint32_t(in, (uint64_t)room, index, n, out);                          \
        else                                                                                       \
            gather_few_##I##_uint64_t(in, (uint64_t)room, index, n, out);                          \
        return true;

bool hd__cpu_gather_row(size_t size, const void *in, int64_t room, hd_type index_type,
                        const void *index, int64_t n, void *out)
{
    if (n > hd__cpu_tune.gather_row_max || (size != 4 && size != 8)) return false;
    switch (index_type) {
        GATHER_ROW(HD_I32, int32_t)
        GATHER_ROW(HD_U32, uint32_t)
        GATHER_ROW(HD_I64, int64_t)
        GATHER_ROW(HD_U64, uint64_t)
    default: return false;
    }
}
