// SPDX-License-Identifier: Apache-2.0
//
// One row of the benchmark: Heddle, the machine's peak bandwidth, the rivals in the program and the
// peers that know the job are checked, and those that are right race.
#include "rows.h"

#include "bench/machine/peak_flops.h"

#include <stdio.h>
#include <string.h>

typedef struct peer_call {
    const peer *peer; // NULL: a rival
    peer_run *run;
    const peer_job *job;
} peer_call;

typedef struct peak_call {
    peak_way way;
    peak_arrays arrays;
    int64_t bytes;
} peak_call;

static void run_heddle(void *state)
{
    bench_row *row = state;
    row->heddle(row);
}

// The same call with the built-in operator that costs as much as the row's.
static void run_built_in(void *state)
{
    bench_row *row = state;
    const hd_operator *own = row->op;
    row->op = row->built_in;
    row->heddle(row);
    row->op = own;
}

static void run_peak(void *state)
{
    const peak_call *c = state;
    peak_run(&c->way, c->arrays, c->bytes);
}

static void run_peer(void *state)
{
    const peer_call *c = state;
    c->run(c->job);
}

static int64_t run_peer_timed(void *state, int64_t calls)
{
    const peer_call *c = state;
    return c->peer->run_timed(c->job, calls);
}

typedef struct flops_call {
    double flops;
    int32_t type, threads;
} flops_call;

static void run_flops(void *state)
{
    const flops_call *c = state;
    peak_flops_run(c->type == PEER_F64, c->flops, c->threads);
}

static contestant *add(bench_result *r, const char *name, contestant_role role, void (*run)(void *),
                       void *state)
{
    contestant *c = &r->who[r->count++];
    memset(c, 0, sizeof *c);
    c->name = name, c->role = role, c->run = run, c->state = state;
    return c;
}

static size_t out_bytes(const bench_row *row)
{
    return (size_t)hd_count(row->out) * hd_type_size(row->out.type);
}

// Before a call that is checked: an output that no wrong call leaves right.
static void reset_output(const bench_row *row)
{
    if (row->in_place)
        memcpy(row->job.out, row->source, out_bytes(row));
    else
        memset(row->job.out, 0xa5, out_bytes(row));
}

static bool try_heddle(bench_row *row, bench_result *r)
{
    reset_output(row);
    row->heddle(row);
    if (row->status) {
        r->state = ROW_FAILED;
        snprintf(r->error, sizeof r->error, "%s", hd_error(row->ctx));
        return false;
    }
    if (!row->check(row)) r->state = ROW_WRONG;
    add(r, "heddle", ROLE_HEDDLE, run_heddle, row);
    return r->state == ROW_DONE;
}

// The peak's way is found once for each kind and size.
static peak_way find_peak(const peak_call *c, peak_kind kind, int threads)
{
    enum { KEPT = 128 };
    static struct {
        int64_t bytes;
        int threads;
        peak_way way;
    } kept[KEPT];
    static int count;
    for (int k = 0; k < count; k++)
        if (kept[k].bytes == c->bytes && kept[k].threads == threads && kept[k].way.kind == kind)
            return kept[k].way;
    const peak_way way = peak_find(kind, c->arrays, c->bytes, threads);
    if (count < KEPT)
        kept[count].bytes = c->bytes, kept[count].threads = threads, kept[count++].way = way;
    return way;
}

// The peak's loops have whole lines, also where arrays are shifted.
static void *line_of(const void *p)
{
    return (char *)((uintptr_t)p & ~(uintptr_t)63);
}

static void add_peak(const bench_row *row, bench_result *r, peak_call *c)
{
    if (row->peak_bytes == 0) return;
    *c = (peak_call){{0},
                     {line_of(row->job.out), line_of(row->job.in), line_of(row->peak_other)},
                     row->peak_bytes};
    c->way = r->peak = find_peak(c, row->peak, row->job.threads);
    add(r, "peak", ROLE_PEAK, run_peak, c)->quickest = c->way.ns;
}

// As many fused operations in registers as the row counts.
static void add_flops(const bench_row *row, bench_result *r, flops_call *c)
{
    if (row->peak_flops <= 0) return;
    *c = (flops_call){row->peak_flops, row->job.type, row->job.threads};
    r->peak.how = "fused operations in registers";
    add(r, "peak", ROLE_PEAK, run_flops, c);
}

static void add_rivals(bench_row *row, bench_result *r, peer_call *calls, FILE *log)
{
    for (int k = 0; k < row->rivals; k++) {
        calls[k] = (peer_call){NULL, row->rival[k].run, &row->job};
        reset_output(row);
        run_peer(&calls[k]);
        if (row->check(row))
            add(r, row->rival[k].name, ROLE_PEER, run_peer, &calls[k]);
        else
            fprintf(log, "left out: %s: wrong result\n", row->rival[k].name);
    }
}

static void add_peer(bench_row *row, bench_result *r, const peer *p, peer_call *call, FILE *log)
{
    const peer_job *job = &row->job;
    *call = (peer_call){p, p->abi & PEER_ON_DEVICE ? NULL : p->find(job), job};
    if (!call->run) return;
    reset_output(row);
    if (p->begin && !p->begin(job)) return;
    run_peer(call);
    if (row->check(row)) {
        contestant *c = add(r, p->name, ROLE_PEER, run_peer, call);
        if (p->run_timed) c->run_timed = run_peer_timed;
        return;
    }
    fprintf(log, "left out: %s %s %s %s, n = %lld: %s gives a wrong result\n", r->pattern, r->type,
            r->op, r->variant, (long long)r->n, p->name);
    if (p->end) p->end(job);
    call->run = NULL;
}

static void end_peers(const bench_result *r)
{
    for (int k = 0; k < r->count; k++) {
        if (r->who[k].role != ROLE_PEER || r->who[k].run == run_built_in) continue;
        const peer_call *c = r->who[k].state;
        if (c->peer && c->peer->end) c->peer->end(c->job);
    }
}

void bench_race_row(bench_run *run, bench_row *row, bench_result *r)
{
    peer_call rivals[RIVALS_MAX], peers[PEERS_MAX];
    peak_call peak;
    flops_call flops;
    if (run->on_device) {
        bench_race_row_on_device(run, row, r);
        return;
    }
    if (!try_heddle(row, r)) return;
    add_rivals(row, r, rivals, run->log);
    if (row->built_in) add(r, "built-in", ROLE_PEER, run_built_in, row);
    for (int k = 0; run->peers && k < run->peers->count; k++)
        add_peer(row, r, run->peers->peer[k], &peers[k], run->log);
    if (row->in_place) memset(row->job.out, 0, out_bytes(row));
    add_peak(row, r, &peak);
    add_flops(row, r, &flops);
    race(r->who, r->count, &run->settings);
    end_peers(r);
    for (int k = 0; k < r->count; k++) r->who[k].state = NULL;
    if (!row->status) return;
    r->state = ROW_FAILED;
    snprintf(r->error, sizeof r->error, "%s", hd_error(row->ctx));
}
