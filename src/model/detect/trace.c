// SPDX-License-Identifier: Apache-2.0
//
// Every access of every thread in the order they happened, with the values: for launches small
// enough to be read by a person. One host thread runs, so that there is one order.
#include "findings.h"

#include <stdlib.h>
#include <string.h>

typedef struct traced {
    hd_model_event what;
    const operation *site;
} traced;

// What the last request wrote is read once it has been written: when the next thing happens.
typedef struct trace_state {
    traced *at;
    int64_t count, most;
    bool lost;
    int32_t waiting; // how many of the last wait for their value
    const uint8_t *host[WARP];
} trace_state;

static bool open_trace(void *any, const grid *g)
{
    trace_state *t = any;
    t->most = g->trace;
    t->at = calloc((size_t)g->trace + 1, sizeof *t->at);
    return t->at != NULL;
}

static void close_trace(void *any)
{
    free(((trace_state *)any)->at);
}

static uint64_t value_at(const uint8_t *host, int32_t bytes)
{
    uint64_t value = 0;
    if (host != NULL) memcpy(&value, host, (size_t)(bytes < 8 ? bytes : 8));
    return value;
}

static void settle(trace_state *t)
{
    for (int32_t k = 0; k < t->waiting; k++) {
        hd_model_event *e = &t->at[t->count - t->waiting + k].what;
        e->after = value_at(t->host[k], e->bytes);
    }
    t->waiting = 0;
}

static void instruction(void *any, const machine *m, const operation *o)
{
    (void)m, (void)o;
    settle(any);
}

static void end_block(void *any, const machine *m)
{
    (void)m;
    settle(any);
}

static void access(void *any, const machine *m, const access_event *e)
{
    trace_state *t = any;
    settle(t);
    if (e->space != PTX_SHARED && e->space != PTX_GLOBAL) return;
    for (uint32_t left = e->mask; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        if (t->count == t->most) {
            t->lost = true;
            return;
        }
        traced *to = &t->at[t->count++];
        *to = (traced){.what = {.access = (hd_model_access)e->kind,
                                .shared = e->space == PTX_SHARED,
                                .thread = m->warp->number * WARP + lane,
                                .bytes = e->bytes,
                                .address = e->address[lane],
                                .before = value_at(e->host[lane], e->bytes)},
                       .site = e->site};
        memcpy(to->what.block, m->block->at, sizeof to->what.block);
        t->host[t->waiting++] = e->host[lane];
    }
}

const observer hd__model_trace = {
    .name = "trace",
    .state_bytes = sizeof(trace_state),
    .open = open_trace,
    .instruction = instruction,
    .access = access,
    .end_block = end_block,
    .close = close_trace,
};

bool hd__model_report_trace(hd_model_report *r, const launch_states *s)
{
    const trace_state *t = NULL;
    const ptx_module *m = s->module->text;
    for (int k = 0; s->observers[k] != NULL; k++)
        if (s->observers[k] == &hd__model_trace) t = s->states[k];
    if (t == NULL) return true;
    hd_model_event *events = calloc((size_t)t->count + 1, sizeof *events);
    if (events == NULL) return false;
    for (int64_t k = 0; k < t->count; k++) {
        const int32_t source = t->at[k].site->text->source;
        events[k] = t->at[k].what;
        events[k].line = source >= 0 ? m->sources[source].line : 0;
        events[k].ptx_line = t->at[k].site->text->line;
    }
    r->events = events, r->event_count = t->count, r->events_lost = t->lost;
    return true;
}
