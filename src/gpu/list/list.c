// SPDX-License-Identifier: Apache-2.0
// List ranking by sublists from random splitters (Helman and JaJa 2001; on GPUs Wei and JaJa 2010),
// each walked by a lane, and pointer jumping over the few sublists. Wyllie's method is the same
// with every node a sublist.
//
//   links       words of nodes, bits of those that another links to
//   starts      heads and splitters, compacted: the sublists, in the order of their first nodes
//   walk        nodes learn sublist and offset
//   jump        sublists learn how many nodes there are to the end, or to the beginning, of a list
//   write       in the order of nodes
//
// What is no list is found on the way: a bad link, two that link to one, a sublist whose jumps do
// not end, nodes that no sublist has visited. Nothing is written before that is known.
#include "list.h"
#include "patterns/scan/scan.h"
#include "patterns/select/compact.h"

typedef struct ranking {
    hd_context *ctx;
    hd__gpu *gpu;
    hd__list_job job; // its views are of the device
    hd_view next;     // as it was given
    hd_view marks;
    int64_t n, nodes;
    bool from_head; // sublists look for the beginning of their list
    hd__gpu_address control, words, before, is_start, starts;
    int64_t count; // of sublists
    hd__gpu_address lengths, jumps[2], bases, of_list, begins;
    hd__gpu_block block[3]; // of nodes, of sublists, of marks that were made here
    const char **why;
} ranking;

static size_t padded(int64_t n, size_t size)
{
    return ((size_t)n * size + 255) / 256 * 256;
}

static hd_status launch(ranking *r, const char *kernel, int64_t n, const void *const *arguments,
                        int32_t count)
{
    hd__gpu_kernel_config config = hd__gpu_list_config(kernel, NULL);
    config.invert = r->from_head;
    return hd__gpu_list_launch(r->ctx, r->gpu, &config, n, arguments, count);
}

static hd_status take_block(ranking *r, int which, size_t bytes)
{
    hd__gpu_address at;
    HD_TRY(hd__gpu_allocate(r->ctx, r->gpu, bytes, &at));
    r->block[which] = (hd__gpu_block){at, bytes};
    return HD_OK;
}

// ---- Sublists -----------------------------------------------------------------------------------

// The memory of nodes.
static hd_status take_nodes(ranking *r)
{
    const int64_t bits = (r->n + 31) / 32;
    const hd__gpu_block *b = &r->block[0];
    HD_TRY(take_block(r, 0, 512 + padded(r->n, 8) + 2 * padded(bits, 4) + padded(r->n, 4)));
    r->control = b->at;
    r->before = b->at + 512;
    r->is_start = r->before + padded(bits, 4);
    r->words = r->is_start + padded(bits, 4);
    r->starts = r->words + padded(r->n, 8);
    return r->gpu->driver->clear(r->ctx, r->gpu->device, r->control, 512 + padded(bits, 4));
}

static hd_status read_links(ranking *r)
{
    const hd__gpu_kernel_config config = hd__gpu_list_config("list_links", &r->job.next);
    const hd__gpu_kernel_view next = hd__gpu_kernel_view_of(&r->job.next);
    const int64_t minus_one = hd__gpu_minus_one(r->job.next.type);
    const hd__gpu_address marks = (uintptr_t)r->marks.data;
    const void *arguments[] = {&next,     &marks,     &r->n,      &minus_one,
                               &r->words, &r->before, &r->control};
    return hd__gpu_list_launch(r->ctx, r->gpu, &config, r->n, arguments, 7);
}

// Bit i of a row of words, which are read 32 times each.
static const hd_function is_set = {.inputs = 2,
                                   .result = HD_BOOL,
                                   .input = {HD_U32, HD_U32},
                                   .name = "is_set",
                                   .result_text = "bool",
                                   .inputs_text = "(uint32_t, i, uint32_t, word)",
                                   .body_text = "{ return word >> (i & 31) & 1; }"};

static hd_status find_starts(ranking *r)
{
    const int64_t bits = (r->n + 31) / 32, shape[2] = {bits, 32}, stride[2] = {1, 0};
    const hd__gpu_address marks = (uintptr_t)r->marks.data;
    const int64_t run = r->job.method == HD_LIST_WYLLIE ? 1 : r->gpu->tuning.list_stride;
    const void *arguments[] = {&r->before, &marks, &r->n, &run, &r->is_start};
    HD_TRY(launch(r, "list_starts", bits, arguments, 5));
    hd_view nodes = hd_iota(32 * bits), words;
    nodes.type = HD_U32;
    words = hd_view_nd(HD_U32, (void *)(uintptr_t)r->is_start, 2, shape, stride);
    words.space = HD_DEVICE;
    const hd__compact_job compact = {
        .in = nodes,
        .flags = {.in = {.map = &is_set, .n = 32 * bits, .inputs = 2, .view = {nodes, words}},
                  .type = HD_BOOL,
                  .own = true},
        .n = 32 * bits,
        .out = hd__gpu_array(HD_U32, r->starts, r->n),
        .count = &r->count};
    return hd__gpu_compact(r->ctx, &compact, r->why);
}

// The memory of sublists.
static hd_status take_sublists(ranking *r)
{
    const bool order = r->job.what == HD__LIST_ORDER;
    const hd__gpu_block *b = &r->block[1];
    HD_TRY(take_block(r, 1, 2 * padded(r->count, 4) + (order ? 4 : 2) * padded(r->count, 8)));
    r->lengths = b->at;
    r->bases = b->at + padded(r->count, 4);
    r->jumps[0] = r->bases + padded(r->count, 4);
    r->jumps[1] = r->jumps[0] + padded(r->count, 8);
    if (!order) return HD_OK;
    r->of_list = r->jumps[1] + padded(r->count, 8);
    r->begins = r->of_list + padded(r->count, 8);
    return r->gpu->driver->clear(r->ctx, r->gpu->device, r->of_list, padded(r->count, 8));
}

// ---- Walking and jumping ------------------------------------------------------------------------

// hk_walk_how of list_walk.cu.
typedef struct walk_how {
    hd__gpu_address starts, is_start, words, jumps, lengths, control;
    int64_t count;
} walk_how;

static hd_status walk(ranking *r)
{
    const void *numbering[] = {&r->starts, &r->count,    &r->before,
                               &r->words,  &r->jumps[0], &r->control};
    HD_TRY(launch(r, "list_sublists", r->count, numbering, 6));
    const walk_how how = {r->starts,  r->is_start, r->words, r->jumps[0],
                          r->lengths, r->control,  r->count};
    const void *arguments[] = {&how};
    const int64_t most = (int64_t)r->gpu->driver->properties(r->gpu->device)->multiprocessors *
                         r->gpu->tuning.list_lanes;
    return launch(r, "list_walk", r->count < most ? r->count : most, arguments, 1);
}

static hd_status find_bases(ranking *r)
{
    HD_TRY(hd__gpu_list_jump(r->ctx, r->gpu, r->jumps, r->count, r->control));
    const void *arguments[] = {&r->starts, &r->before,  &r->jumps[0], &r->lengths,
                               &r->count,  &r->of_list, &r->bases,    &r->control};
    return launch(r, "list_bases", r->count, arguments, 8);
}

// Lists one after another, in the order of their first nodes, which is that of their sublists.
static hd_status join_lists(ranking *r)
{
    const hd_view lengths = hd__gpu_array(HD_I64, r->of_list, r->count),
                  begins = hd__gpu_array(HD_I64, r->begins, r->count);
    hd__scan_job scan = {.in = {.n = r->count, .inputs = 1, .view = {lengths}},
                         .slices = HD__EVERYTHING,
                         .exclusive = true,
                         .out = begins};
    HD_TRY(hd__resolve(r->ctx, r->job.call, HD_SUM, HD_I64, HD_I64, &(hd__fold_options){0},
                       &scan.fold));
    HD_TRY(hd__gpu_scan(r->ctx, &scan, r->why));
    const void *arguments[] = {&r->jumps[0], &r->count, &r->begins, &r->bases};
    HD_TRY(launch(r, "list_offsets", r->count, arguments, 4));
    int64_t lists;
    const hd__compact_job compact = {
        .in = begins,
        .flags = {.in = {.n = r->count, .inputs = 1, .view = {lengths}}, .type = HD_I64},
        .n = r->count,
        .out = r->job.offsets_to,
        .count = &lists};
    return hd__gpu_compact(r->ctx, &compact, r->why);
}

static hd_status write_ranks(ranking *r)
{
    hd__gpu_kernel_config config = hd__gpu_list_config("list_write", NULL);
    config.invert = r->from_head;
    config.rows = 4;
    config.integer[HD__GPU_PUT_INDEX] = hd__gpu_layout_of(&r->job.out);
    const hd__gpu_kernel_view out = hd__gpu_kernel_view_of(&r->job.out);
    const void *arguments[] = {&r->words, &r->bases, &r->n, &out};
    return hd__gpu_list_launch(r->ctx, r->gpu, &config, r->n, arguments, 4);
}

// ---- All of it ----------------------------------------------------------------------------------

// Marks that were made here, for the host; *bytes of its memory.
static hd_status fetch_marks(ranking *r, hd__list_job *job, size_t *bytes)
{
    if (r->block[2].at == 0) return HD_OK;
    uint8_t *marks = hd__allocate(r->ctx, (size_t)r->n);
    if (marks == NULL) return HD_ERROR_MEMORY;
    *bytes = (size_t)r->n;
    job->marks = marks;
    return r->gpu->driver->download(r->ctx, r->gpu->device, marks, r->block[2].at, *bytes);
}

static hd_status explain_here(ranking *r, hd__list_job *job)
{
    size_t bytes = 0;
    hd_status status = fetch_marks(r, job, &bytes);
    if (status == HD_OK) status = hd__explain_lists(r->ctx, job);
    if (bytes > 0) hd__release(r->ctx, (void *)job->marks, bytes);
    return status;
}

static hd_status explain(ranking *r)
{
    hd__list_job job = r->job;
    job.next = r->next;
    if (r->next.space != HD_DEVICE) return explain_here(r, &job);
    hd_status status = hd__gpu_links_here(r->ctx, r->gpu, &r->next, &job.next);
    if (status == HD_OK) status = explain_here(r, &job);
    if (job.next.space == HD_HOST)
        hd__release(r->ctx, job.next.data, (size_t)r->n * hd__size_of(job.next.type));
    return status;
}

static hd_status stage(hd__gpu_stage *s, ranking *r)
{
    HD_TRY(hd__gpu_stage_in(s, &r->job.next));
    HD_TRY(hd__gpu_stage_out(s, &r->job.out));
    r->nodes = r->n;
    if (!hd__is_empty(&r->job.heads)) {
        HD_TRY(hd__gpu_list_mark(s->ctx, s->gpu, &r->job, &r->job.next, &r->block[2], &r->nodes,
                                 r->why));
        r->marks = hd__gpu_array(HD_U8, r->block[2].at, r->n);
        return HD_OK;
    }
    if (r->job.marks == NULL) return HD_OK;
    r->nodes = 0;
    for (int64_t i = 0; i < r->n; i++) r->nodes += r->job.marks[i] != 0;
    r->marks = hd_view_of(HD_U8, r->job.marks, r->n);
    return hd__gpu_stage_in(s, &r->marks);
}

static void count_steps(const ranking *r, const hd__gpu_list_control *found)
{
    hd__list_counts *counts = r->job.counts;
    const int jumps = hd__jumps(r->n);
    counts->lists = found->lists;
    counts->steps = jumps;
    counts->work = r->n * jumps;
    if (r->job.method == HD_LIST_WYLLIE) return;
    counts->steps = (int64_t)found->longest + found->steps + 1;
    counts->work = 2 * r->n + r->count * (int64_t)found->steps;
}

static hd_status run(hd__gpu_stage *s, ranking *r)
{
    hd__gpu_list_control found;
    HD_TRY(stage(s, r));
    r->job.counts->nodes = r->nodes;
    HD_TRY(take_nodes(r));
    HD_TRY(read_links(r));
    HD_TRY(find_starts(r));
    if (r->count == 0) return r->nodes > 0 ? explain(r) : write_ranks(r);
    HD_TRY(take_sublists(r));
    HD_TRY(walk(r));
    HD_TRY(find_bases(r));
    HD_TRY(r->gpu->driver->download(r->ctx, r->gpu->device, &found, r->control, sizeof found));
    if (found.fault != 0 || (int64_t)found.visited != r->nodes) return explain(r);
    count_steps(r, &found);
    if (r->job.what == HD__LIST_ORDER) HD_TRY(join_lists(r));
    return write_ranks(r);
}

hd_status hd__gpu_list(hd_context *ctx, const void *any, const char **why)
{
    const hd__list_job *job = any;
    ranking r = {.ctx = ctx, .job = *job, .next = job->next, .n = job->next.shape[0], .why = why};
    r.from_head = job->what != HD__LIST_RANKS;
    hd__gpu_stage s = {.ctx = ctx};
    if (r.n > HD__GPU_LIST_MAX) {
        *why = "more than 2^30 nodes";
        return HD__DECLINED;
    }
    HD_TRY(hd__gpu_of(ctx, &r.gpu));
    s.gpu = r.gpu;
    const hd_status status = run(&s, &r);
    for (int k = 0; k < 3; k++)
        if (r.block[k].at != 0) hd__gpu_release(r.gpu, r.block[k].at, r.block[k].bytes);
    return hd__gpu_stage_end(&s, status);
}
