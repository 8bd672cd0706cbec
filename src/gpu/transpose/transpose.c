// SPDX-License-Identifier: Apache-2.0
// The pass of hd_transpose: the copy is brought to as few axes as possible, of which two span
// planes; one launch of the kernel that suits these.
#include "patterns/move/transpose.h"
#include "gpu/codegen/emit_kernel.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORD = 4,
    VECTOR = 16,
    ELEMENT_MOST = 64,     // bytes of an element of tiles; larger ones are rows
    TILE_MOST = 48 << 10,  // bytes of static shared memory
    SHORT_MOST = 32,       // elements of a short axis
    SHORT_BYTES = 256,     // of it
    PLANE_BYTES = 4 << 10, // of a plane that is moved with others
    ROWS = 4,              // units of a thread in rows and stretches
    PACKED_BLOCKS = 4      // on one multiprocessor: 64 registers a thread of 256
};

// HK_NARROW of transpose_narrow.cu.
enum { NARROW_IN, NARROW_OUT, NARROW_BOTH };

// hk_axis and hk_transposition of plane.cuh; steps are in bytes until the unit is known.
typedef struct axis {
    int64_t n, in, out;
} axis;

enum { AXES = HD_MAX_DIMS + 1 };

typedef struct transposition {
    uint64_t in, out;
    axis u, v;
    int64_t tiles_u, tiles_v, group, others;
    axis other[AXES];
} transposition;

typedef struct plan {
    int64_t size; // of an element, or of what is contiguous in both
    int64_t unit, parts;
    bool in_place;
    transposition t;
} plan;

// ---- Fewer axes ---------------------------------------------------------------------------------

// Axes that run backwards in out run forwards from their other end; not in place, where tiles are
// mirrored.
static void take_axes(plan *p, const hd__transpose_job *job)
{
    transposition *t = &p->t;
    const int64_t size = (int64_t)hd__size_of(job->in.type);
    *p = (plan){.size = size, .in_place = job->in_place};
    t->in = (uintptr_t)job->in.data;
    t->out = (uintptr_t)job->out.data;
    for (int k = 0; k < job->out.ndim; k++) {
        axis a = {job->out.shape[k], job->in.stride[k] * size, job->out.stride[k] * size};
        if (a.n == 1) continue;
        if (a.out < 0 && !job->in_place) {
            t->in += (uint64_t)(a.in * (a.n - 1));
            t->out += (uint64_t)(a.out * (a.n - 1));
            a.in = -a.in;
            a.out = -a.out;
        }
        t->other[t->others++] = a;
    }
}

static int wider_in_out(const void *a, const void *b)
{
    const int64_t x = ((const axis *)a)->out, y = ((const axis *)b)->out;
    return (x < y) - (x > y);
}

// Neighbours that are one axis in both become one; an axis that is contiguous in both becomes part
// of the element.
static void merge_axes(plan *p)
{
    transposition *t = &p->t;
    int64_t kept = 0;
    qsort(t->other, (size_t)t->others, sizeof *t->other, wider_in_out);
    for (int64_t k = 0; k < t->others; k++) {
        axis *last = kept > 0 ? &t->other[kept - 1] : NULL;
        const axis a = t->other[k];
        if (last != NULL && last->out == a.out * a.n && last->in == a.in * a.n)
            *last = (axis){last->n * a.n, a.in, a.out};
        else
            t->other[kept++] = a;
    }
    t->others = kept;
    if (kept == 0) return;
    const axis *last = &t->other[kept - 1];
    if (last->in != p->size || last->out != p->size) return;
    p->size *= last->n;
    t->others--;
}

static axis take_axis(transposition *t, int64_t k)
{
    const axis a = t->other[k];
    for (; k + 1 < t->others; k++) t->other[k] = t->other[k + 1];
    t->others--;
    return a;
}

static bool is_denser(int64_t a, int64_t b)
{
    return a != 0 && (b == 0 || llabs(a) < llabs(b));
}

// u is out's densest axis, v the densest of in's others. False: in is densest along u as well.
static bool take_plane(transposition *t)
{
    const axis none = {1, 0, 0};
    int64_t densest = 0;
    t->u = t->v = none;
    if (t->others > 0) t->u = take_axis(t, t->others - 1);
    for (int64_t k = 1; k < t->others; k++)
        if (is_denser(t->other[k].in, t->other[densest].in)) densest = k;
    if (t->others == 0 || !is_denser(t->other[densest].in, t->u.in)) return false;
    t->v = take_axis(t, densest);
    return true;
}

// The last two axes, of which out is denser along u.
static void take_square(plan *p)
{
    transposition *t = &p->t;
    t->v = take_axis(t, t->others - 2);
    t->u = take_axis(t, t->others - 1);
    if (llabs(t->v.out) < llabs(t->u.out)) {
        const axis kept = t->u;
        t->u = t->v;
        t->v = kept;
    }
    if (p->size <= ELEMENT_MOST) return;
    // An axis of its own for what a large element is made of.
    int64_t part = VECTOR;
    while (p->size % part != 0) part /= 2;
    t->other[t->others++] = (axis){p->size / part, part, part};
    p->size = part;
}

// ---- Units --------------------------------------------------------------------------------------

static void find_unit(plan *p)
{
    transposition *t = &p->t;
    uint64_t bits = (uint64_t)p->size | t->in | t->out | VECTOR;
    bits |= (uint64_t)(t->u.in | t->u.out | t->v.in | t->v.out);
    for (int64_t k = 0; k < t->others; k++) bits |= (uint64_t)(t->other[k].in | t->other[k].out);
    p->unit = (int64_t)(bits & (0 - bits));
    p->parts = p->size / p->unit;
    axis *all[AXES + 2] = {&t->u, &t->v};
    for (int64_t k = 0; k < t->others; k++) all[2 + k] = &t->other[k];
    for (int64_t k = 0; k < t->others + 2; k++) all[k]->in /= p->unit, all[k]->out /= p->unit;
}

static int64_t planes_of(const transposition *t)
{
    int64_t planes = 1;
    for (int64_t k = 0; k < t->others; k++) planes *= t->other[k].n;
    return planes;
}

// ---- Kernels ------------------------------------------------------------------------------------

typedef struct shape {
    hd__gpu_kernel_config config;
    int64_t blocks;
    int32_t shared_bytes;
} shape;

static void fill_shape(const plan *p, const char *kernel, int32_t threads, shape *s)
{
    memset(s, 0, sizeof *s);
    strcpy(s->config.kernel, kernel);
    s->config.codegen_kind = HD__GPU_CODEGEN_UNITS;
    s->config.op = -1;
    s->config.hint = 8;
    s->config.threads = threads;
    s->config.rows = ROWS;
    s->config.blocks = 1;
    s->config.stage_bytes = (int32_t)p->unit;
    s->config.k = (int32_t)p->parts;
    s->config.in_place = p->in_place;
}

static int64_t pieces(int64_t n, int64_t of)
{
    return (n + of - 1) / of;
}

// Tiles have 256 bytes a row where that is 32 elements at least.
static int32_t edge_of(const plan *p)
{
    if (p->size <= WORD) return 64;
    const int64_t tile = 32 * 33 * p->size * (p->in_place ? 2 : 1);
    return tile <= TILE_MOST ? 32 : 16;
}

// Elements of one and two bytes that lie together are moved by words.
static void shape_tiles(const hd__gpu *gpu, plan *p, shape *s)
{
    transposition *t = &p->t;
    const bool packs = p->parts == 1 && p->unit < WORD && t->v.in == 1 && t->u.out == 1;
    const int32_t threads = packs ? gpu->tuning.transpose_threads / (int32_t)p->unit
                                  : gpu->tuning.transpose_tile_threads;
    fill_shape(p, packs ? "transpose_packed" : "transpose_tiles", threads, s);
    s->config.items = packs ? 32 * WORD / (int32_t)p->unit : edge_of(p);
    while (s->config.threads > 32 * s->config.items) s->config.threads /= 2;
    if (s->config.threads < 32) s->config.threads = 32;
    if (packs) {
        uint64_t bits = t->in | (uint64_t)(t->u.in * p->unit);
        for (int64_t k = 0; k < t->others; k++) bits |= (uint64_t)(t->other[k].in * p->unit);
        s->config.contiguous = bits % WORD == 0;
        s->config.blocks = s->config.threads <= 256 ? PACKED_BLOCKS : 1;
    }
    t->tiles_u = pieces(t->u.n, s->config.items);
    t->tiles_v = pieces(t->v.n, s->config.items);
    t->group = gpu->tuning.transpose_group;
    s->blocks = p->in_place ? t->tiles_u * (t->tiles_u + 1) / 2 : t->tiles_u * t->tiles_v;
    s->blocks *= planes_of(t);
}

// What transpose_narrow takes, and which side is a stretch; -1: nothing.
static int narrow_side(const plan *p)
{
    const transposition *t = &p->t;
    const int64_t parts = p->parts, plane = t->u.n * t->v.n;
    const bool in = t->v.in == parts && t->u.in == t->v.n * parts;
    const bool out = t->u.out == parts && t->v.out == t->u.n * parts;
    const bool planes =
        t->others == 1 && t->other[0].in == plane * parts && t->other[0].out == plane * parts;
    if (p->in_place || p->size > ELEMENT_MOST) return -1;
    if (in && out && planes && plane * p->size <= PLANE_BYTES) return NARROW_BOTH;
    if (in && t->u.out == parts && t->v.n <= SHORT_MOST && t->v.n * p->size <= SHORT_BYTES)
        return NARROW_IN;
    if (out && t->v.in == parts && t->u.n <= SHORT_MOST && t->u.n * p->size <= SHORT_BYTES)
        return NARROW_OUT;
    return -1;
}

// Whether the stretches of all blocks lie at multiples of 16 bytes.
static bool has_vectors(const plan *p, int side, int64_t stretch)
{
    const transposition *t = &p->t;
    const bool in = side != NARROW_OUT;
    uint64_t bits = (uint64_t)stretch | (in ? t->in : t->out);
    for (int64_t k = 0; k < t->others; k++)
        bits |= (uint64_t)((in ? t->other[k].in : t->other[k].out) * p->unit);
    return bits % VECTOR == 0;
}

static void shape_narrow(const hd__gpu *gpu, plan *p, int side, shape *s)
{
    transposition *t = &p->t;
    int64_t all = side == NARROW_IN ? t->u.n : t->v.n;
    int64_t place = (side == NARROW_IN ? t->v.n : t->u.n) * p->size;
    fill_shape(p, "transpose_narrow", gpu->tuning.transpose_threads, s);
    if (side == NARROW_BOTH) { // places are planes
        all = t->tiles_v = t->other[0].n;
        place = t->u.n * t->v.n * p->size;
        t->others = 0;
    }
    t->group = VECTOR;
    while (2 * t->group * place <= gpu->tuning.transpose_narrow) t->group *= 2;
    while (t->group > 1 && t->group * place > TILE_MOST) t->group /= 2;
    t->tiles_u = pieces(all, t->group);
    s->config.contiguous = has_vectors(p, side, t->group * place);
    s->config.slices = (uint8_t)side;
    s->blocks = t->tiles_u * planes_of(t);
    const int64_t words = (t->group * place + WORD - 1) / WORD;
    s->shared_bytes = (int32_t)(WORD * (words + words / 32 + 1));
}

// in and out are densest along the same axis.
static void shape_rows(const hd__gpu *gpu, plan *p, shape *s)
{
    transposition *t = &p->t;
    if (t->u.n == 1) { // an element has become the row
        t->u = (axis){p->parts, 1, 1};
        p->parts = 1;
    }
    fill_shape(p, "transpose_rows", gpu->tuning.transpose_threads, s);
    const int64_t units = t->u.n * p->parts;
    t->tiles_v = 1;
    while (t->tiles_v < 32 && t->tiles_v < units) t->tiles_v *= 2;
    t->tiles_u = pieces(units, t->tiles_v * ROWS);
    t->group = t->tiles_u * planes_of(t);
    s->blocks = pieces(t->group * t->tiles_v, s->config.threads);
}

static hd_status launch(hd_context *ctx, hd__gpu *gpu, plan *p)
{
    hd__gpu_kernel *kernel;
    shape s;
    bool plane = true;
    if (p->in_place) {
        take_square(p);
    } else {
        merge_axes(p);
        if (p->t.others == 0)
            return gpu->driver->copy(ctx, gpu->device, p->t.out, p->t.in, (size_t)p->size);
        // What a large element is made of is the densest axis of both.
        plane = p->size <= ELEMENT_MOST && take_plane(&p->t);
        if (p->size > ELEMENT_MOST) p->t.u = p->t.v = (axis){1, 0, 0};
    }
    find_unit(p);
    const int side = plane ? narrow_side(p) : -1;
    if (!plane)
        shape_rows(gpu, p, &s);
    else if (side >= 0)
        shape_narrow(gpu, p, side, &s);
    else
        shape_tiles(gpu, p, &s);
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &s.config, NULL, NULL, &kernel));
    const void *arguments[] = {&p->t};
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = s.blocks,
                                                 .threads = s.config.threads,
                                                 .shared_bytes = s.shared_bytes,
                                                 .argument_count = 1,
                                                 .arguments = arguments});
}

// Stages in with its axes as they lie in memory, so that it is the device that transposes.
static hd_status stage_in(hd__gpu_stage *s, hd_view *in)
{
    int32_t order[HD_MAX_DIMS];
    for (int32_t k = 0; k < in->ndim; k++) {
        int32_t at = k;
        for (; at > 0 && llabs(in->stride[order[at - 1]]) < llabs(in->stride[k]); at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    hd_view laid = *in;
    for (int32_t k = 0; k < in->ndim; k++) {
        laid.shape[k] = in->shape[order[k]];
        laid.stride[k] = in->stride[order[k]];
    }
    HD_TRY(hd__gpu_stage_in(s, &laid));
    in->data = laid.data;
    in->space = laid.space;
    for (int32_t k = 0; k < in->ndim; k++) in->stride[order[k]] = laid.stride[k];
    return HD_OK;
}

static hd_status run(hd__gpu_stage *s, hd__transpose_job *job)
{
    const int32_t n = job->out.ndim;
    plan p;
    if (job->in_place) {
        if (job->out.shape[n - 1] == 1) return HD_OK;
        HD_TRY(hd__gpu_stage_both(s, &job->out));
        job->in = job->out;
        job->in.stride[n - 1] = job->out.stride[n - 2];
        job->in.stride[n - 2] = job->out.stride[n - 1];
    } else {
        HD_TRY(stage_in(s, &job->in));
        HD_TRY(hd__gpu_stage_out(s, &job->out));
    }
    take_axes(&p, job);
    return launch(s->ctx, s->gpu, &p);
}

hd_status hd__gpu_transpose(hd_context *ctx, const void *any, const char **why)
{
    hd__transpose_job job = *(const hd__transpose_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    (void)why; // never declines; in is no implicit view
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &job));
}
