// SPDX-License-Identifier: Apache-2.0
//
// One row of the benchmark on a device: arrays are copied there first, calls follow each other on
// its stream, and a sample is the time of many from an idle device to an idle device. Calls take
// turns over copies of the arrays that together are several times the device's cache.
#include "rows.h"

#include "bench/support/clock.h"
#include "bench/peer/peer_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOOTPRINT  ((int64_t)512 << 20) // eight times the largest cache of today's devices
#define COPIES     ((int64_t)1 << 16)
#define STEP       256     // copies begin at multiples of this
#define STRETCH_NS 1500000 // of calls in a row: a hundred times what waiting costs

typedef struct device_row {
    bench_row *row;
    hd_view in, out, with, other; // all copies, as bytes
    hd_view memory[4];            // that they lie in
    hd_view view[ROW_VIEWS_MAX], view_memory[ROW_VIEWS_MAX];
    int64_t shift; // elements that they begin past its alignment
    hd_view host_in, host_out, host_other;
    peer_device more;
    peer_job job;
    int64_t turn;
    double call_ns; // about: of the last batch
} device_row;

typedef struct device_peer {
    const peer *peer;
    const peer_job *job;
    double call_ns;
} device_peer;

static int64_t bytes_of(const hd_view *v)
{
    return hd_count(*v) * (int64_t)hd_type_size(v->type);
}

static int64_t step_of(int64_t bytes)
{
    return (bytes + STEP - 1) / STEP * STEP;
}

static hd_view bytes_at(const hd_view *all, int64_t at, int64_t bytes)
{
    hd_view v = HD_VIEW_OF(HD_U8, (char *)all->data + at, bytes);
    v.space = HD_DEVICE;
    return v;
}

// A device array of `copies` times the bytes of a host array; each holds them.
static hd_status make(const device_row *d, const hd_view *host, hd_view *memory, hd_view *all)
{
    hd_context *ctx = d->row->ctx;
    const int64_t bytes = bytes_of(host), step = step_of(bytes), copies = d->more.copies;
    const int64_t before = d->shift * (int64_t)hd_type_size(host->type);
    const int64_t total[1] = {step * copies + before};
    hd_status status = hd_alloc_device(ctx, HD_U8, 1, total, memory);
    if (status) return status;
    *all = bytes_at(memory, before, step * copies);
    status = hd_map(ctx, HD_VIEW_OF(HD_U8, host->data, bytes), NULL, bytes_at(all, 0, bytes), NULL);
    if (!status && step > bytes) // the gap is copied too
        status = hd_map(ctx, hd_constant((uint8_t)0, step - bytes), NULL,
                        bytes_at(all, bytes, step - bytes), NULL);
    for (int64_t have = 1; !status && have < copies; have *= 2) {
        const int64_t more = have < copies - have ? have : copies - have;
        status = hd_map(ctx, bytes_at(all, 0, more * step), NULL,
                        bytes_at(all, have * step, more * step), NULL);
    }
    return status;
}

// Heddle's views on the copy whose turn it is.
static void point(device_row *d, int64_t copy)
{
    bench_row *row = d->row;
    row->out.data = (char *)d->out.data + copy * d->more.out_step;
    row->in.data = row->in_place ? row->out.data : (char *)d->in.data + copy * d->more.in_step;
    row->in.space = row->out.space = HD_DEVICE;
    if (row->with) row->with->data = (char *)d->with.data + copy * d->more.with_step;
    if (row->with) row->with->space = HD_DEVICE;
    if (row->other) row->other->data = (char *)d->other.data + copy * d->more.other_step;
    if (row->other) row->other->space = HD_DEVICE;
    for (int k = 0; k < ROW_VIEWS_MAX; k++) {
        if (!row->view[k]) continue;
        row->view[k]->data = (char *)d->view[k].data + copy * d->more.input_step[k];
        row->view[k]->space = HD_DEVICE;
    }
}

// Bytes of a copy of everything.
static int64_t footprint(device_row *d)
{
    const bench_row *row = d->row;
    int64_t all = d->more.in_step + d->more.out_step;
    for (int k = 0; k < ROW_VIEWS_MAX; k++) {
        if (row->view[k]) d->more.input_step[k] = step_of(bytes_of(row->view[k]));
        all += d->more.input_step[k];
    }
    return all;
}

static hd_status make_views(device_row *d)
{
    const bench_row *row = d->row;
    hd_status status = HD_OK;
    for (int k = 0; k < ROW_VIEWS_MAX && !status; k++) {
        if (!row->view[k]) continue;
        status = make(d, row->view[k], &d->view_memory[k], &d->view[k]);
        d->more.input[k] = d->view[k].data;
    }
    return status;
}

static hd_status prepare(device_row *d)
{
    bench_row *row = d->row;
    d->host_in = row->in, d->host_out = row->out;
    d->more.in_step = step_of(bytes_of(&row->in));
    d->more.out_step = step_of(bytes_of(&row->out));
    if (row->with) d->more.with_step = step_of(bytes_of(row->with));
    if (row->other) d->more.other_step = step_of(bytes_of(row->other));
    d->more.scale = row->peak_scale > 0 ? row->peak_scale : 1;
    if (row->other) d->host_other = *row->other;
    d->more.peak_is_read = row->peak == PEAK_READ;
    const int64_t one = footprint(d);
    const char *fewer = getenv("HEDDLE_BENCH_COPIES"); // for tests, on devices that are none
    const int64_t most = fewer && atoll(fewer) > 0 ? atoll(fewer) : COPIES;
    d->more.copies = FOOTPRINT / one + 1 < most ? FOOTPRINT / one + 1 : most;
    hd_status status = make(d, &row->in, &d->memory[0], &d->in);
    if (!status) status = make(d, &row->out, &d->memory[1], &d->out);
    if (!status && row->with) status = make(d, row->with, &d->memory[2], &d->with);
    if (!status && row->other) status = make(d, row->other, &d->memory[3], &d->other);
    if (!status) status = make_views(d);
    d->more.with = d->with.data, d->more.other = d->other.data;
    d->more.more = row->job.more;
    d->job = row->job;
    d->job.out = d->out.data;
    d->job.in = row->in_place ? d->out.data : d->in.data;
    d->job.more = &d->more;
    return status;
}

static void drop(device_row *d)
{
    for (int k = 0; k < 4; k++) hd_free(d->row->ctx, &d->memory[k]);
    for (int k = 0; k < ROW_VIEWS_MAX; k++) hd_free(d->row->ctx, &d->view_memory[k]);
}

// An output that no wrong call leaves right, and the first copy's output where the check looks for
// it.
static hd_status spoil(device_row *d)
{
    const int64_t bytes = bytes_of(&d->host_out);
    if (d->row->in_place)
        return hd_map(d->row->ctx, HD_VIEW_OF(HD_U8, d->row->source, bytes), NULL,
                      bytes_at(&d->out, 0, bytes), NULL);
    return hd_map(d->row->ctx, hd_constant((uint8_t)0xa5, bytes), NULL, bytes_at(&d->out, 0, bytes),
                  NULL);
}

static bool right(device_row *d)
{
    const int64_t bytes = bytes_of(&d->host_out);
    hd_status status = hd_map(d->row->ctx, bytes_at(&d->out, 0, bytes), NULL,
                              HD_VIEW_OF(HD_U8, d->host_out.data, bytes), NULL);
    if (!status && d->row->other) {
        const int64_t more = bytes_of(&d->host_other);
        status = hd_map(d->row->ctx, bytes_at(&d->other, 0, more), NULL,
                        HD_VIEW_OF(HD_U8, d->host_other.data, more), NULL);
    }
    return !status && !hd_sync(d->row->ctx) && d->row->check(d->row);
}

// Nanoseconds of so many calls, from a batch of them that is long enough.
static int64_t scaled(double *call_ns, int64_t ns, int64_t batch, int64_t calls)
{
    *call_ns = (double)ns / (double)batch;
    return (int64_t)(*call_ns * (double)calls + 0.5);
}

static int64_t batch_for(double call_ns, int64_t calls)
{
    const int64_t least = call_ns > 0 ? (int64_t)(STRETCH_NS / call_ns) + 1 : 4;
    return calls > least ? calls : least;
}

static int64_t run_heddle(void *state, int64_t calls)
{
    device_row *d = state;
    const int64_t batch = batch_for(d->call_ns, calls);
    const hd_status before = hd_sync(d->row->ctx);
    if (before) d->row->status = before;
    const int64_t begin = clock_now();
    for (int64_t k = 0; k < batch; k++) {
        point(d, d->turn++ % d->more.copies);
        d->row->heddle(d->row);
    }
    if (hd_sync(d->row->ctx)) return -1;
    return scaled(&d->call_ns, clock_now() - begin, batch, calls);
}

// The same calls with the built-in operator that costs as much as the row's.
static int64_t run_built_in(void *state, int64_t calls)
{
    device_row *d = state;
    const hd_operator *own = d->row->op;
    d->row->op = d->row->built_in;
    const int64_t ns = run_heddle(state, calls);
    d->row->op = own;
    return ns;
}

static int64_t run_peer(void *state, int64_t calls)
{
    device_peer *p = state;
    const int64_t batch = batch_for(p->call_ns, calls);
    const int64_t ns = p->peer->run_timed(p->job, batch);
    return ns < 0 ? -1 : scaled(&p->call_ns, ns, batch, calls);
}

static contestant *add(bench_result *r, const char *name, contestant_role role,
                       int64_t (*run)(void *, int64_t), void *state)
{
    contestant *c = &r->who[r->count++];
    memset(c, 0, sizeof *c);
    c->name = name, c->role = role, c->run_timed = run, c->state = state;
    return c;
}

// A peer on the same device, on the same arrays: whether its result is right.
static bool try_peer(device_row *d, const peer *p)
{
    if (spoil(d) || hd_sync(d->row->ctx)) return false;
    return p->run_timed(&d->job, 1) >= 0 && (p->abi & PEER_IS_PEAK || right(d));
}

// One in another process, which has the job: its result is the host's.
static bool try_peer_apart(device_row *d, const peer *p)
{
    const peer_job *job = &d->row->job;
    memset(d->host_out.data, 0xa5, (size_t)bytes_of(&d->host_out));
    p->find(job)(job);
    if (d->row->check(d->row)) return true;
    p->end(job);
    return false;
}

static void add_peers(bench_run *run, device_row *d, bench_result *r, device_peer *calls)
{
    for (int k = 0; run->peers && k < run->peers->count; k++) {
        const peer *p = run->peers->peer[k];
        const bool apart = p->abi & PEER_APART, peak = p->abi & PEER_IS_PEAK;
        const peer_job *job = apart ? &d->row->job : &d->job;
        if (!(p->abi & PEER_ON_DEVICE) || !p->find(job) || (apart && !p->begin(job))) continue;
        calls[k] = (device_peer){p, job, 0};
        if (apart ? try_peer_apart(d, p) : try_peer(d, p)) {
            add(r, p->name, peak ? ROLE_PEAK : ROLE_PEER, run_peer, &calls[k]);
            continue;
        }
        fprintf(run->log, "left out: %s %s %s %s, n = %lld: %s gives a wrong result\n", r->pattern,
                r->type, r->op, r->variant, (long long)r->n, p->name);
        if (!apart && p->end) p->end(job);
    }
}

static void end_peers(const bench_result *r)
{
    for (int k = 0; k < r->count; k++) {
        if (r->who[k].role != ROLE_PEER || r->who[k].run_timed != run_peer) continue;
        const device_peer *c = r->who[k].state;
        if (c->peer->end) c->peer->end(c->job);
    }
}

// In place it is timed on zeros, which stay zeros.
static void clear_output(const device_row *d)
{
    if (!d->row->in_place) return;
    const int64_t bytes = d->more.out_step * d->more.copies;
    const hd_status status =
        hd_map(d->row->ctx, hd_constant((uint8_t)0, bytes), NULL, d->out, NULL);
    if (status) d->row->status = status;
}

static void race_on_device(bench_run *run, device_row *d, device_peer *peers, bench_result *r)
{
    bench_row *row = d->row;
    row->status = prepare(d);
    if (!row->status) row->status = spoil(d);
    point(d, 0);
    if (!row->status) row->heddle(row);
    if (!row->status) row->status = hd_sync(row->ctx);
    if (!row->status && !right(d)) r->state = ROW_WRONG;
    add(r, "heddle", ROLE_HEDDLE, run_heddle, d);
    if (!row->status && r->state == ROW_DONE) {
        add_peers(run, d, r, peers);
        if (row->built_in) add(r, "built-in", ROLE_PEER, run_built_in, d);
        clear_output(d);
        race(r->who, r->count, &run->settings);
        end_peers(r);
    }
    for (int k = 0; k < r->count; k++) r->who[k].state = NULL;
    if (row->status) {
        r->state = ROW_FAILED;
        snprintf(r->error, sizeof r->error, "%.255s", hd_error(row->ctx));
    }
    drop(d);
}

void bench_race_row_on_device(bench_run *run, bench_row *row, bench_result *r)
{
    if (row->host_only) {
        r->state = ROW_LEFT_OUT;
        snprintf(r->error, sizeof r->error, "%s", "not for a device");
        return;
    }
    device_row *d = calloc(1, sizeof *d);
    device_peer *peers = calloc(PEERS_MAX, sizeof *peers);
    if (d && peers) {
        d->row = row, d->shift = run->shift;
        race_on_device(run, d, peers, r);
    } else {
        r->state = ROW_FAILED;
        snprintf(r->error, sizeof r->error, "%s", "no memory for its data");
    }
    free(peers), free(d);
}
