// SPDX-License-Identifier: Apache-2.0
// Set operations with all threads: the merge path is cut into chunks, each cut moved back to where
// its run of equal elements begins in both arrays, so that no pair is cut apart. Threads take
// chunks by ticket, keep results aside, and write them where the chunks before end.
#include "set.h"
#include "comparators.h"
#include "core/system/float_state.h"
#include "cpu/runtime/ticket_order.h"
#include "patterns/select/flags.h"
#include "sort.h"
#include "cpu/runtime/team.h"

typedef struct cut {
    int64_t i, j;
} cut;

// The values of one kind: those of a and b without gaps, and where those that are kept go.
typedef struct carried {
    hd_view given[3];
    hd__cpu_staged from[2];
} carried;

typedef struct plan {
    const hd__set_job *job;
    carried *values;
    hd__cpu_set_loop *loop;
    const char *a, *b;
    size_t size, thread_bytes;
    int64_t chunk, chunks;
    int threads;
    cut *cuts; // chunks + 1
    char *memory;
    hd__cpu_tickets tickets;
    int64_t count; // of the chunks whose turn is over
} plan;

// ---- Cuts -----------------------------------------------------------------------------------

static bool before(const plan *p, const char *x, const char *y)
{
    return hd__comes_before(p->job->order, p->job->backwards, x, y);
}

// How many of n sorted elements come before the one at y.
static int64_t lower_bound(const plan *p, const char *x, int64_t n, const char *y)
{
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (before(p, x + (size_t)middle * p->size, y))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// How many of the first k elements of the merge are a's.
static int64_t split_at(const plan *p, int64_t k)
{
    const int64_t na = p->job->na, nb = p->job->nb;
    int64_t low = k > nb ? k - nb : 0, high = k < na ? k : na;
    while (low < high) {
        const int64_t i = low + (high - low) / 2;
        if (before(p, p->b + (size_t)(k - 1 - i) * p->size, p->a + (size_t)i * p->size))
            high = i;
        else
            low = i + 1;
    }
    return low;
}

static cut cut_at(const plan *p, int64_t k)
{
    const int64_t na = p->job->na, nb = p->job->nb;
    if (k == 0) return (cut){0, 0};
    if (k >= na + nb) return (cut){na, nb};
    const int64_t i = split_at(p, k), j = k - i;
    const char *x = p->a + (size_t)i * p->size, *y = p->b + (size_t)j * p->size;
    const char *next = j == nb || (i < na && !before(p, y, x)) ? x : y;
    return (cut){lower_bound(p, p->a, i, next), lower_bound(p, p->b, j, next)};
}

// Those of arrays that are not sorted may fall.
static void make_monotone(plan *p)
{
    for (int64_t c = 1; c <= p->chunks; c++) {
        if (p->cuts[c].i < p->cuts[c - 1].i) p->cuts[c].i = p->cuts[c - 1].i;
        if (p->cuts[c].j < p->cuts[c - 1].j) p->cuts[c].j = p->cuts[c - 1].j;
    }
}

// ---- Chunks ---------------------------------------------------------------------------------

// What one side has left once the other is at its end.
static int64_t copy_rest(const plan *p, hd__cpu_set_cursor *c, char *out, int64_t *index,
                         int64_t room)
{
    const bool of_a = c->i < c->i_end;
    int64_t *at = of_a ? &c->i : &c->j;
    const int64_t end = of_a ? c->i_end : c->j_end, base = of_a ? 0 : p->job->na;
    int64_t n = end - *at;
    if (of_a ? !p->job->keep_a : !p->job->keep_b) {
        *at = end;
        return 0;
    }
    if (n > room) n = room;
    memcpy(out, (of_a ? p->a : p->b) + (size_t)*at * p->size, (size_t)n * p->size);
    for (int64_t k = 0; index != NULL && k < n; k++) index[k] = base + *at + k;
    *at += n;
    return n;
}

// The next elements that are kept, up to a chunk of them; fewer: the cursor is at its end.
static int64_t next_kept(const plan *p, hd__cpu_set_cursor *c, char *out, int64_t *index)
{
    const int64_t n = p->loop(p->job, p->a, p->b, c, out, index, p->chunk);
    if (n == p->chunk || (c->i == c->i_end && c->j == c->j_end)) return n;
    return n + copy_rest(p, c, out + (size_t)n * p->size, index != NULL ? index + n : NULL,
                         p->chunk - n);
}

#define MOVE(SIZE)                                                                                 \
    for (int64_t k = 0; k < n; k++)                                                                \
    memcpy(to + (size_t)k * (SIZE),                                                                \
           index[k] < na ? a + (size_t)index[k] * (SIZE) : b + (size_t)(index[k] - na) * (SIZE),   \
           SIZE)

static void move_values(char *to, const char *a, const char *b, int64_t na, const int64_t *index,
                        int64_t n, size_t size)
{
    switch (size) {
    case 1: MOVE(1); break;
    case 2: MOVE(2); break;
    case 4: MOVE(4); break;
    case 8: MOVE(8); break;
    case 16: MOVE(16); break;
    default: MOVE(size); break;
    }
}

// The values of n elements that are kept, from element `at` of their outputs on: as they lie, or by
// way of a thread's room.
static void write_values(const plan *p, int64_t at, int64_t n, const int64_t *index, char *room)
{
    for (int64_t k = 0; k < p->job->value_count; k++) {
        const carried *v = &p->values[k];
        const hd_view *out = &v->given[2];
        const size_t size = hd__size_of(out->type);
        const bool direct = hd__is_contiguous(out);
        const int64_t left = hd__room(out) - at, m = left < n ? left : n;
        if (m <= 0) continue;
        char *to = direct ? (char *)out->data + (size_t)at * size : room;
        move_values(to, v->from[0].data, v->from[1].data, p->job->na, index, m, size);
        if (!direct) hd__scatter(out, at, m, room);
    }
}

static void write_kept(const plan *p, int64_t at, int64_t n, const char *out, const int64_t *index,
                       char *values)
{
    const hd__set_job *job = p->job;
    if (job->value_count > 0) write_values(p, at, n, index, values);
    const int64_t room = hd__room(&job->out) - at, index_room = hd__room(&job->indices) - at;
    if (room > 0) hd__scatter(&job->out, at, n < room ? n : room, out);
    if (index_room > 0) hd__put_indices(&job->indices, at, n < index_room ? n : index_room, index);
}

// A chunk of more elements than there is room for, which only a long run of equals makes, is
// written in several steps while the others wait.
static void do_chunk(plan *p, int64_t ticket, char *out, int64_t *index, char *values)
{
    const cut *k = &p->cuts[ticket];
    hd__cpu_set_cursor c = {k[0].i, k[1].i, k[0].j, k[1].j};
    int64_t n = next_kept(p, &c, out, index), total = n;
    hd__cpu_ticket_wait(&p->tickets, ticket);
    int64_t at = p->count;
    while (c.i < c.i_end || c.j < c.j_end) {
        write_kept(p, at, n, out, index, values);
        at += n;
        n = next_kept(p, &c, out, index);
        total += n;
    }
    p->count += total;
    hd__cpu_ticket_done(&p->tickets, ticket);
    write_kept(p, at, n, out, index, values);
}

// Whether anybody asks where elements stood.
static bool is_indexed(const hd__set_job *job)
{
    return !hd__is_empty(&job->indices) || job->value_count > 0;
}

static void run(plan *p)
{
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        HD__FLOAT_STATE;
        char *out = p->memory + (size_t)omp_get_thread_num() * p->thread_bytes;
        int64_t *index = (int64_t *)(void *)(out + hd__padded((size_t)p->chunk * p->size));
        char *values = (char *)index + (size_t)p->chunk * sizeof *index;
#pragma omp for schedule(static)
        for (int64_t c = 0; c <= p->chunks; c++) p->cuts[c] = cut_at(p, c * p->chunk);
#pragma omp single
        make_monotone(p);
        for (int64_t c; (c = hd__cpu_ticket_take(&p->tickets)) < p->chunks;)
            do_chunk(p, c, out, is_indexed(p->job) ? index : NULL, values);
    }
}

// Bytes of the largest value that does not go to its output directly.
static size_t room_for_values(const plan *p)
{
    size_t room = 0;
    for (int64_t k = 0; k < p->job->value_count; k++) {
        const hd_view *out = &p->values[k].given[2];
        if (!hd__is_contiguous(out) && hd__size_of(out->type) > room) room = hd__size_of(out->type);
    }
    return (room + 7) / 8 * 8;
}

static hd_status run_staged(hd_context *ctx, plan *p)
{
    const hd__set_job *job = p->job;
    const int64_t n = job->na + job->nb;
    p->chunk = hd__cpu_tune.set_chunk;
    p->chunks = (n + p->chunk - 1) / p->chunk;
    p->threads = hd__cpu_comparison_threads(ctx, n, p->size);
    p->thread_bytes = hd__padded((size_t)p->chunk * p->size) +
                      (is_indexed(job) ? (size_t)p->chunk * sizeof(int64_t) : 0) +
                      (size_t)p->chunk * room_for_values(p);
    const size_t cuts = hd__padded((size_t)(p->chunks + 1) * sizeof *p->cuts);
    char *memory = hd__scratch(ctx, cuts + (size_t)p->threads * p->thread_bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    p->cuts = (cut *)(void *)memory;
    p->memory = memory + cuts;
    hd__cpu_tickets_init(&p->tickets, p->threads);
    run(p);
    return HD_OK;
}

// ---- Values ---------------------------------------------------------------------------------

static void end_values(hd_context *ctx, plan *p)
{
    for (int64_t k = 0; k < p->job->value_count; k++)
        for (int s = 0; s < 2; s++) hd__cpu_stage_end(ctx, &p->values[k].from[s]);
    hd__release(ctx, p->values, (size_t)p->job->value_count * sizeof *p->values);
}

static hd_status run_with_values(hd_context *ctx, plan *p)
{
    const size_t bytes = (size_t)p->job->value_count * sizeof *p->values;
    if (bytes == 0) return run_staged(ctx, p);
    p->values = hd__allocate(ctx, bytes);
    if (p->values == NULL) return HD_ERROR_MEMORY;
    memset(p->values, 0, bytes);
    hd_status status = HD_OK;
    for (int64_t k = 0; k < p->job->value_count; k++) {
        carried *v = &p->values[k];
        hd__set_value(p->job, k, v->given);
        for (int s = 0; s < 2 && status == HD_OK; s++)
            status = hd__cpu_stage_in(ctx, &v->given[s], &v->from[s]);
    }
    if (status == HD_OK) status = run_staged(ctx, p);
    end_values(ctx, p);
    return status;
}

hd_status hd__cpu_set(hd_context *ctx, const void *any, const char **why)
{
    const hd__set_job *job = any;
    (void)why; // never declines
    plan p = {.job = job, .loop = hd__cpu_set_loop_of(job), .size = hd__size_of(job->a.type)};
    hd__cpu_staged a, b = {0};
    hd_status status = hd__cpu_stage_in(ctx, &job->a, &a);
    if (status == HD_OK) {
        status = hd__cpu_stage_in(ctx, &job->b, &b);
        p.a = a.data, p.b = b.data;
        if (status == HD_OK) status = run_with_values(ctx, &p);
        hd__cpu_stage_end(ctx, &b);
    }
    hd__cpu_stage_end(ctx, &a);
    *job->count = p.count;
    return status;
}
