// SPDX-License-Identifier: Apache-2.0
// Stencils of f32 and f64 in contiguous rows, with temporal blocking. The array is cut into blocks;
// of each, a pass takes up to stencil_steps (tuning.def) steps: planes are swept in z, and as soon
// as step s has the planes that step s + 1 needs, that goes on, so that between the steps there are
// only a few planes of a block, which stay in L2. Neighbouring blocks both compute the points near
// their common edge.
//
// Arrays of two axes are swept along y. Coordinates of a block may lie outside of the array where
// the border wraps: they are then another name of points inside.
#include "patterns/stencil/stencil.h"
#include "core/system/float_state.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/progress.h"
#include "cpu/runtime/team.h"
#include "neighbours.h"
#include "stencil.h"

#include <string.h>

HD__CPU_BRINGS(const hd__cpu_neighbour_table, neighbour_table)

#define STEPS_MAX 8 // the most of stencil_steps

enum { Z, Y, X };

typedef struct range {
    int64_t begin, end;
} range;

typedef struct plan {
    const hd__stencil_job *job;
    const hd__cpu_sum_kernels *kernels;
    int64_t (*offset)[3]; // of the mask, as swept
    int64_t shape[3], channels;
    bool turned;                 // swept along y
    bool star;                   // seven points, one channel
    int64_t reach[3];            // to either side
    int64_t least, most;         // of the offsets along x
    int64_t steps;               // of this pass
    int64_t block[3], blocks[3]; // size and number
    const char *in;              // of one batch
    char *out;
    int64_t in_pitch[2], out_pitch[2];      // bytes from plane to plane and from row to row
    size_t size;                            // of an element
    int64_t row_bytes;                      // of a row between the steps
    int64_t plane_rows, planes;             // of a ring between two steps
    int64_t edge_low, edge_begin, edge_end; // x of the table of edges: low .. begin, end ..
    int64_t *edge;
    size_t edge_bytes;
    size_t worker_bytes;
    hd__cpu_progress *progress;
    int64_t pass; // of all batches' passes
} plan;

// One thread's block: what region each step has, and where.
typedef struct worker {
    const plan *p;
    range region[STEPS_MAX + 1][3]; // [0]: what is read
    unsigned char *ring[STEPS_MAX]; // [s]: planes of the result of step s (1 ..)
    const void **first, **row;      // of each offset: its first element, its row's x = 0
    unsigned char *beyond;          // a row of what lies outside
    char *ends;                     // the first points of a plane's rows, then the last
} worker;

// ---- Where things are --------------------------------------------------------------------------

// Row (z, y) of the result of step s, such that element x is at x * channels; NULL: beyond.
static const char *row_of(const worker *w, int64_t s, int64_t z, int64_t y)
{
    const plan *p = w->p;
    const hd_border border = p->job->grid.border;
    if (s == 0) {
        z = hd__border_index(border, z, p->shape[Z]);
        y = hd__border_index(border, y, p->shape[Y]);
        return z < 0 || y < 0 ? NULL : p->in + z * p->in_pitch[0] + y * p->in_pitch[1];
    }
    if (border != HD_BORDER_WRAP) {
        z = hd__border_index(border, z, p->shape[Z]);
        y = hd__border_index(border, y, p->shape[Y]);
        if (z < 0 || y < 0) return NULL;
    }
    const range *r = w->region[s];
    const int64_t plane = (z - r[Z].begin) % p->planes;
    return (const char *)w->ring[s] + (plane * p->plane_rows + y - r[Y].begin) * p->row_bytes -
           r[X].begin * p->channels * (int64_t)p->size;
}

static char *result_of(const worker *w, int64_t s, int64_t z, int64_t y)
{
    const plan *p = w->p;
    if (s == p->steps) return p->out + z * p->out_pitch[0] + y * p->out_pitch[1];
    return (char *)(uintptr_t)row_of(w, s, z, y);
}

// ---- One row -----------------------------------------------------------------------------------

// A few bytes, mostly one f32.
static void copy(char *to, const char *from, int64_t bytes)
{
    if (bytes == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, (size_t)bytes);
}

// The points of x0 .. x1 - 1 that the table of edges has.
static void do_edges(const worker *w, char *out, int64_t x0, int64_t x1)
{
    const plan *p = w->p;
    const int64_t pixel = p->channels * (int64_t)p->size;
    if (x1 <= x0) return;
    if (p->job->grid.border == HD_BORDER_KEEP) {
        copy(out + x0 * pixel, (const char *)w->row[p->job->offset_count] + x0 * pixel,
             (x1 - x0) * pixel);
        return;
    }
    const int64_t e =
        x0 < p->edge_begin ? x0 - p->edge_low : x0 - p->edge_end + p->edge_begin - p->edge_low;
    p->kernels->edges(&(hd__cpu_edge_points){
        out + x0 * pixel, w->row, p->edge + e * p->job->offset_count, p->job->weight,
        p->job->grid.beyond, p->job->offset_count, x1 - x0, p->channels});
}

// Points x0 .. x1 - 1, all of whose neighbours are in their rows.
static void do_inside(const worker *w, char *out, int64_t x0, int64_t x1)
{
    const plan *p = w->p;
    const int64_t pixel = p->channels * (int64_t)p->size;
    if (x1 <= x0) return;
    for (int64_t t = 0; t < p->job->offset_count; t++)
        w->first[t] = (const char *)w->row[t] + (x0 + p->offset[t][X]) * pixel;
    p->kernels->weighted(&(hd__cpu_mask_offset_rows){
        out + x0 * pixel, w->first, p->job->weight, p->job->offset_count, (x1 - x0) * p->channels});
}

// Whether border keep leaves the whole row alone.
static bool keeps_row(const plan *p, int64_t z, int64_t y)
{
    int64_t begin, end;
    hd__changed(p->job, p->turned ? 0 : z, p->turned ? z : y, &begin, &end);
    return begin == end;
}

static void do_row(worker *w, int64_t s, int64_t z, int64_t y)
{
    const plan *p = w->p;
    const hd_border border = p->job->grid.border;
    const int64_t x0 = w->region[s][X].begin, x1 = w->region[s][X].end;
    const int64_t pixel = p->channels * (int64_t)p->size;
    char *out = result_of(w, s, z, y);
    if (border == HD_BORDER_KEEP) {
        const char *same = row_of(w, s - 1, z, y);
        if (keeps_row(p, z, y)) {
            memcpy(out + x0 * pixel, same + x0 * pixel, (size_t)((x1 - x0) * pixel));
            return;
        }
        w->row[p->job->offset_count] = same;
    }
    for (int64_t t = 0; t < p->job->offset_count; t++) {
        const char *row = row_of(w, s - 1, z + p->offset[t][Z], y + p->offset[t][Y]);
        // The row of what lies outside is as wide as a row of a block with all that it reads.
        w->row[t] = row != NULL ? row : (const char *)w->beyond - w->region[0][X].begin * pixel;
    }
    if (s > 1 && border == HD_BORDER_WRAP) { // everything that is read has been computed
        do_inside(w, out, x0, x1);
        return;
    }
    int64_t begin = p->edge_begin > x0 ? p->edge_begin : x0;
    int64_t end = p->edge_end < x1 ? p->edge_end : x1;
    if (begin > x1) begin = x1;
    if (end < begin) end = begin;
    do_edges(w, out, x0, begin);
    do_inside(w, out, begin, end);
    do_edges(w, out, end, x1);
}

// ---- The star of seven points ------------------------------------------------------------------

// The first and last points of rows y0 .. y1 - 1, which have neighbours beyond, into w->ends.
static void find_ends(worker *w, int64_t s, int64_t z, int64_t y0, int64_t y1)
{
    const plan *p = w->p;
    const int64_t size = (int64_t)p->size, last = p->shape[X] - 1;
    const int64_t pitch = s == 1 ? p->in_pitch[1] : p->row_bytes;
    char *left = w->ends, *right = left + p->plane_rows * size;
    for (int64_t t = 0; t < p->job->offset_count; t++)
        w->row[t] = row_of(w, s - 1, z + p->offset[t][Z], y0 + p->offset[t][Y]);
    for (int64_t y = y0; y < y1; y++, left += size, right += size) {
        if (w->region[s][X].begin < 1) do_edges(w, left, 0, 1);
        if (w->region[s][X].end > last) do_edges(w, right - last * size, last, last + 1);
        for (int64_t t = 0; t < p->job->offset_count; t++)
            w->row[t] = (const char *)w->row[t] + pitch;
    }
}

// What lies before `begin` and from `end` on in rows y0 .. y1 - 1.
static void do_sides(worker *w, int64_t s, int64_t z, int64_t y0, int64_t y1, int64_t begin,
                     int64_t end)
{
    const plan *p = w->p;
    const range x = w->region[s][X];
    for (int64_t y = y0; y < y1; y++) {
        for (int64_t t = 0; t < p->job->offset_count; t++)
            w->row[t] = row_of(w, s - 1, z + p->offset[t][Z], y + p->offset[t][Y]);
        do_edges(w, result_of(w, s, z, y), x.begin, begin);
        do_edges(w, result_of(w, s, z, y), end, x.end);
    }
}

// Rows y0 .. y1 - 1 of a plane, all of whose neighbours above and below are there: all of them at
// once.
static bool do_star(worker *w, int64_t s, int64_t z, int64_t y0, int64_t y1)
{
    const plan *p = w->p;
    const int64_t x0 = w->region[s][X].begin, x1 = w->region[s][X].end;
    const bool keep = p->job->grid.border == HD_BORDER_KEEP;
    const bool all = s > 1 && p->job->grid.border == HD_BORDER_WRAP;
    const int64_t begin = all || x0 > 1 ? x0 : 1, last = p->shape[X] - 1;
    const int64_t end = all || x1 < last ? x1 : last;
    const int64_t size = (int64_t)p->size;
    const char *before = row_of(w, s - 1, z - 1, y0), *middle = row_of(w, s - 1, z, y0);
    const char *after = row_of(w, s - 1, z + 1, y0);
    if (!p->star || end - begin < HD__STAR_MIN || before == NULL || after == NULL) return false;
    const int64_t in_pitch = s == 1 ? p->in_pitch[1] : p->row_bytes;
    const int64_t out_pitch = s == p->steps ? p->out_pitch[1] : p->row_bytes;
    const char *left = middle + (begin - 1) * size, *right = middle + end * size;
    // A block that goes round the array, where the border wraps, has more than one point there.
    const bool single = begin - x0 <= 1 && x1 - end <= 1;
    if (!keep && single && (begin > x0 || end < x1)) {
        find_ends(w, s, z, y0, y1);
        left = w->ends, right = left + p->plane_rows * size;
    }
    char *out = result_of(w, s, z, y0);
    p->kernels->star(&(hd__cpu_star_rows){
        out + begin * size, before + begin * size, middle + begin * size, after + begin * size,
        p->job->weight, in_pitch / size, out_pitch / size, y1 - y0, end - begin,
        single && begin > x0 ? left : NULL, single && end < x1 ? right : NULL,
        keep ? in_pitch / size : 1});
    if (!single) do_sides(w, s, z, y0, y1, begin, end);
    return true;
}

// The rows of a plane of step s: those near the edges one by one.
static void do_plane(worker *w, int64_t s, int64_t z)
{
    const plan *p = w->p;
    const range *r = w->region[s];
    const bool all = s > 1 && p->job->grid.border == HD_BORDER_WRAP;
    const bool inside = all || (z >= 1 && z < p->shape[Z] - 1);
    int64_t begin = all || r[Y].begin > 1 ? r[Y].begin : 1, last = p->shape[Y] - 1;
    int64_t end = all || r[Y].end < last ? r[Y].end : last;
    if (!inside || end <= begin || !do_star(w, s, z, begin, end)) begin = end = r[Y].end;
    for (int64_t y = r[Y].begin; y < begin; y++) do_row(w, s, z, y);
    for (int64_t y = end; y < r[Y].end; y++) do_row(w, s, z, y);
}

// Whether the offsets are those of hd_laplacian in three dimensions, order 2, with any weights.
static bool is_star(const plan *p)
{
    static const int64_t star[7][3] = {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 0, 0},
                                       {0, 0, 1},  {0, 1, 0},  {1, 0, 0}};
    return p->job->offset_count == 7 && p->channels == 1 &&
           memcmp(p->offset, star, sizeof star) == 0;
}

// ---- One block ---------------------------------------------------------------------------------

static int64_t at_least_one(int64_t n)
{
    return n > 1 ? n : 1;
}

static int64_t parts(int64_t n, int64_t size)
{
    return (n + size - 1) / size;
}

// What each step must have computed so that the last has the block.
static void set_regions(worker *w, const int64_t begin[3], const int64_t end[3])
{
    const plan *p = w->p;
    const bool wraps = p->job->grid.border == HD_BORDER_WRAP;
    for (int64_t s = 0; s <= p->steps; s++)
        for (int k = 0; k < 3; k++) {
            const int64_t more = p->reach[k] * (p->steps - s);
            range *r = &w->region[s][k];
            *r = (range){begin[k] - more, end[k] + more};
            if (s > 0 && !wraps && r->begin < 0) r->begin = 0;
            if (s > 0 && !wraps && r->end > p->shape[k]) r->end = p->shape[k];
        }
}

static int64_t passes_of(const plan *p)
{
    return parts(p->job->steps, hd__cpu_tune.stencil_steps);
}

// Whether a block goes on at one of its planes.
static bool goes_on(const plan *p, int64_t item, int64_t plane, int64_t planes)
{
    const int64_t items = p->blocks[Z] * p->blocks[Y] * p->blocks[X];
    return hd__cpu_goes_on_in(p->progress, 0, 1000, (p->pass * items + item) * planes + plane,
                              p->job->grid.batches * passes_of(p) * items * planes);
}

static void do_block(worker *w, int64_t item)
{
    const plan *p = w->p;
    int64_t begin[3], end[3], left = item;
    for (int k = 2; k >= 0; k--) {
        begin[k] = left % p->blocks[k] * p->block[k];
        end[k] = begin[k] + p->block[k] < p->shape[k] ? begin[k] + p->block[k] : p->shape[k];
        left /= p->blocks[k];
    }
    set_regions(w, begin, end);
    // Step s is at plane `front` - (s - 1) * reach.
    const int64_t last = w->region[p->steps][Z].end - 1 + (p->steps - 1) * p->reach[Z];
    const int64_t first = w->region[1][Z].begin;
    for (int64_t front = first; front <= last; front++) {
        if (!goes_on(p, item, front - first, last - first + 1)) return;
        for (int64_t s = 1; s <= p->steps; s++) {
            const int64_t z = front - (s - 1) * p->reach[Z];
            const range *r = w->region[s];
            if (z < r[Z].begin || z >= r[Z].end) continue;
            do_plane(w, s, z);
        }
    }
}

// ---- The plan ----------------------------------------------------------------------------------

// The sizes of blocks: whole rows if they are not too long, as many of them as fit the cache with
// the planes of all steps, and a sweep as long as leaves a block for every thread.
static void select_blocks(plan *p, int threads)
{
    const int64_t row_max = hd__cpu_tune.stencil_row_max;
    const int64_t halo = 2 * p->steps;
    const int64_t wide =
        row_max / p->channels > 8 * p->reach[X] ? row_max / p->channels : 8 * p->reach[X] + 1;
    p->block[X] = p->shape[X] < wide ? p->shape[X] : wide;
    p->planes = 2 * p->reach[Z] + 1;
    const int64_t row = (p->block[X] + halo * p->reach[X]) * p->channels * (int64_t)p->size;
    const int64_t levels = p->steps > 1 ? p->steps - 1 : 1;
    int64_t rows =
        hd__cpu_tune.stencil_cache_bytes / (row * p->planes * levels) - halo * p->reach[Y];
    if (rows < 4 * p->reach[Y] * p->steps) rows = 4 * p->reach[Y] * p->steps;
    rows = at_least_one(rows);
    int64_t bands = parts(p->shape[Y], rows);
    if (bands > 1) bands = parts(bands, threads) * threads; // all threads end together
    p->block[Y] = parts(p->shape[Y], bands);
    p->blocks[X] = parts(p->shape[X], p->block[X]);
    p->blocks[Y] = parts(p->shape[Y], p->block[Y]);
    const int64_t sweeps = parts(threads, p->blocks[X] * p->blocks[Y]);
    p->block[Z] = parts(p->shape[Z], sweeps);
    p->blocks[Z] = parts(p->shape[Z], p->block[Z]);
}

static void size_worker(plan *p)
{
    const int64_t halo = 2 * p->steps;
    p->row_bytes =
        (int64_t)hd__padded((size_t)((p->block[X] + halo * p->reach[X]) * p->channels) * p->size);
    p->plane_rows = p->block[Y] + halo * p->reach[Y];
    const int64_t held = p->block[Z] + halo * p->reach[Z];
    if (p->planes > held) p->planes = held;
    p->worker_bytes = (size_t)((p->steps - 1) * p->planes * p->plane_rows * p->row_bytes) +
                      (size_t)p->row_bytes + hd__padded(2 * (size_t)p->plane_rows * p->size) +
                      hd__padded(2 * (size_t)(p->job->offset_count + 1) * sizeof(void *));
}

static void worker_init(worker *w, const plan *p, unsigned char *memory)
{
    const int64_t ring = p->planes * p->plane_rows * p->row_bytes;
    w->p = p;
    for (int64_t s = 1; s < p->steps; s++) w->ring[s] = memory + (s - 1) * ring;
    w->beyond = memory + (p->steps - 1) * ring;
    for (int64_t i = 0; i < p->row_bytes / (int64_t)p->size; i++)
        memcpy(w->beyond + (size_t)i * p->size, p->job->grid.beyond, p->size);
    w->ends = (char *)w->beyond + p->row_bytes;
    w->first = (const void **)(void *)(w->ends + hd__padded(2 * (size_t)p->plane_rows * p->size));
    w->row = w->first + p->job->offset_count + 1;
}

// Where the neighbours of points near the ends of a row are.
static int64_t edge_count(const plan *p)
{
    return p->edge_begin - p->edge_low + p->shape[X] + p->reach[X] * p->steps - p->edge_end;
}

static void set_edges(plan *p)
{
    p->edge_low = -p->reach[X] * p->steps;
    p->edge_begin = -p->least;
    p->edge_end = p->shape[X] - p->most;
    if (p->edge_end < p->edge_begin) { // every point is near an end
        p->edge_begin = p->edge_begin < p->shape[X] ? p->edge_begin : p->shape[X];
        p->edge_end = p->edge_begin;
    }
}

static void fill_edges(plan *p)
{
    const hd_border border = p->job->grid.border;
    const int64_t count = edge_count(p);
    for (int64_t e = 0; e < count; e++) {
        int64_t x = e + p->edge_low;
        if (x >= p->edge_begin) x += p->edge_end - p->edge_begin;
        for (int64_t t = 0; t < p->job->offset_count; t++) {
            const int64_t at = hd__border_index(border, x + p->offset[t][X], p->shape[X]);
            p->edge[e * p->job->offset_count + t] = at < 0 ? HD__BEYOND : at;
        }
    }
}

// ---- Passes ------------------------------------------------------------------------------------

// Makes the blocks of a pass of p->steps steps; the bytes it needs.
static size_t prepare_pass(plan *p, int threads)
{
    select_blocks(p, threads);
    size_worker(p);
    set_edges(p);
    p->edge_bytes = hd__padded((size_t)(edge_count(p) * p->job->offset_count) * sizeof *p->edge);
    return p->edge_bytes + (size_t)threads * p->worker_bytes;
}

static void run_pass(plan *p, int threads, unsigned char *memory)
{
    const int64_t items = p->blocks[Z] * p->blocks[Y] * p->blocks[X];
    if (threads > items) threads = (int)items;
    p->edge = (int64_t *)(void *)memory;
    fill_edges(p);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        worker w;
        worker_init(&w, p, memory + p->edge_bytes + (size_t)omp_get_thread_num() * p->worker_bytes);
#pragma omp for schedule(dynamic)
        for (int64_t item = 0; item < items; item++) do_block(&w, item);
    }
}

typedef struct array_at {
    char *data;
    int64_t pitch[2];
} array_at;

// Steps of pass k.
static int64_t steps_of(const plan *p, int64_t k)
{
    const int64_t steps = p->job->steps, passes = passes_of(p);
    return steps * (k + 1) / passes - steps * k / passes;
}

// All steps of one batch, a few in each pass; results alternate so that the last is out.
static void run_batch(plan *p, const array_at *in, const array_at *out, const array_at *other,
                      int threads, unsigned char *memory)
{
    const array_at *from = in;
    for (int64_t k = 0; k < passes_of(p) && !hd__cpu_is_stopped(p->progress); k++, p->pass++) {
        const array_at *to = (passes_of(p) - k) % 2 ? out : other;
        p->steps = steps_of(p, k);
        p->in = from->data;
        p->out = to->data;
        memcpy(p->in_pitch, from->pitch, sizeof p->in_pitch);
        memcpy(p->out_pitch, to->pitch, sizeof p->out_pitch);
        prepare_pass(p, threads);
        run_pass(p, threads, memory);
        from = to;
    }
}

// What any pass needs: there are at most two lengths of them.
static size_t most_bytes(plan *p, int threads)
{
    size_t most = 0;
    for (int64_t k = 0; k < passes_of(p) && k < STEPS_MAX; k++) {
        p->steps = steps_of(p, k);
        const size_t bytes = prepare_pass(p, threads);
        if (bytes > most) most = bytes;
    }
    return most;
}

static void fill_plan(hd_context *ctx, const hd__stencil_job *job, plan *p)
{
    const hd__grid *g = &job->grid;
    const hd__cpu_neighbour_table *table = hd__cpu_micro_table(ctx)->neighbours;
    const bool flat = g->shape[HD__Z] == 1 && job->least[0] == 0 && job->most[0] == 0;
    const bool turned = flat && g->shape[HD__Y] > 1;
    p->job = job;
    p->turned = turned;
    p->kernels = g->sum == HD_F32 ? &table->f32 : &table->f64;
    p->size = hd__size_of(g->sum);
    p->channels = g->shape[HD__CHANNEL];
    p->shape[Z] = g->shape[turned ? HD__Y : HD__Z];
    p->shape[Y] = turned ? 1 : g->shape[HD__Y];
    p->shape[X] = g->shape[HD__X];
    p->least = job->least[2], p->most = job->most[2];
    for (int64_t t = 0; t < job->offset_count; t++) {
        p->offset[t][Z] = job->offset[t][turned ? 1 : 0];
        p->offset[t][Y] = turned ? 0 : job->offset[t][1];
        p->offset[t][X] = job->offset[t][2];
        for (int k = 0; k < 3; k++) {
            const int64_t o = p->offset[t][k] < 0 ? -p->offset[t][k] : p->offset[t][k];
            if (o > p->reach[k]) p->reach[k] = o;
        }
    }
}

// Pitches in bytes: from plane to plane and from row to row, as swept.
static void set_pitch(const plan *p, const int64_t stride[HD__GRID_AXES], array_at *at)
{
    at->pitch[0] = stride[p->turned ? HD__Y : HD__Z] * (int64_t)p->size;
    at->pitch[1] = p->turned ? 0 : stride[HD__Y] * (int64_t)p->size;
}

hd_status hd__cpu_stencil_blocks(hd_context *ctx, const hd__stencil_job *job)
{
    const hd__grid *g = &job->grid;
    hd__cpu_progress progress = hd__cpu_progress_of(ctx);
    plan p = {.progress = &progress};
    const size_t list = (size_t)job->offset_count * sizeof *p.offset;
    p.offset = hd__allocate(ctx, list);
    if (p.offset == NULL) return HD_ERROR_MEMORY;
    fill_plan(ctx, job, &p);
    p.star = is_star(&p);
    const int threads = hd__cpu_threads_for(
        ctx, hd__grid_points(g), p.size * (size_t)(1 + job->offset_count / 4) * (size_t)job->steps);
    // Fresh pages for the array of every second pass would take a third of its time: scratch is
    // kept.
    const size_t bytes = most_bytes(&p, threads);
    const size_t array = passes_of(&p) > 1 ? (size_t)hd__grid_points(g) * p.size : 0;
    unsigned char *memory = hd__scratch(ctx, hd__padded(bytes) + array);
    if (memory == NULL) {
        hd__release(ctx, p.offset, list);
        return HD_ERROR_MEMORY;
    }
    hd__grid contiguous = *g;
    hd__grid_set_in(&contiguous, g->sum, memory);
    array_at in, out, other = {(char *)memory + hd__padded(bytes), {0}};
    set_pitch(&p, g->in_stride, &in);
    set_pitch(&p, g->out_stride, &out);
    set_pitch(&p, contiguous.in_stride, &other);
    for (int64_t b = 0; b < g->batches && !hd__cpu_is_stopped(&progress); b++) {
        in.data = (char *)(uintptr_t)hd__at(&g->in, hd__grid_in_offset(g, b));
        out.data = (char *)(uintptr_t)hd__at(&g->out, hd__grid_out_offset(g, b));
        run_batch(&p, &in, &out, &other, threads, memory);
    }
    hd__release(ctx, p.offset, list);
    return hd__cpu_progress_status(&progress);
}
