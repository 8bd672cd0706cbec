// SPDX-License-Identifier: Apache-2.0
//
// Streams of the fake driver: lists of tasks that run when something waits for them, events, and
// which memory there is.
#ifndef HEDDLE_TESTS_FAKE_STREAMS_H
#define HEDDLE_TESTS_FAKE_STREAMS_H

#include <heddle_model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BAD_VALUE = 1,
    NO_MEMORY = 2,
    NO_CONTEXT = 201,
    NO_IMAGE = 209,
    BAD_PTX = 218,
    NO_NAME = 500,
    FAULT = 719,
    CAPTURED = 900 // not while a stream is recorded
};

typedef uint64_t address;
typedef struct image {
    hd_model_module *module;
    char name[64];
    unsigned shared; // bytes that it was allowed
} image;

static hd_model *model;
static int depth; // of contexts that are current
static char fault[512];

// ---- Memory that is there -----------------------------------------------------------------------

// Blocks of the device (at) and of the host (pinned).
typedef struct fake_block {
    struct fake_block *next;
    address at;
    char *pinned;
    size_t bytes;
} fake_block;

static fake_block *blocks;
static long long used[2],
    copies[2];          // bytes of the device, pinned ones; copies of pinned memory, of other
static long long early; // launches of kernels that await the work before themselves

static int keep(address at, void *pinned, size_t bytes)
{
    fake_block *b = malloc(sizeof *b);
    if (b == NULL) return NO_MEMORY;
    *b = (fake_block){blocks, at, pinned, bytes};
    blocks = b;
    used[pinned != NULL] += (long long)bytes;
    return 0;
}

static void forget(address at, const void *pinned)
{
    for (fake_block **b = &blocks; *b != NULL; b = &(*b)->next) {
        if ((*b)->at != at || (*b)->pinned != pinned) continue;
        fake_block *gone = *b;
        used[pinned != NULL] -= (long long)gone->bytes;
        *b = gone->next;
        free(gone);
        return;
    }
}

static bool is_pinned(const void *at, size_t bytes)
{
    for (const fake_block *b = blocks; b != NULL; b = b->next)
        if (b->pinned != NULL && (uintptr_t)at >= (uintptr_t)b->pinned &&
            (uintptr_t)at + bytes <= (uintptr_t)b->pinned + b->bytes)
            return true;
    return false;
}

// ---- Streams and events -------------------------------------------------------------------------

typedef enum kind { COPY_IN, COPY_OUT, COPY, CLEAR, RELEASE, RECORD, FOLLOW, LAUNCH } kind;

struct stream;

typedef struct event {
    struct stream *where;    // of the last record
    long long asked, passed; // records: asked for, and come to
} event;

typedef struct task {
    struct task *next;
    kind what;
    address at, from;
    void *host;
    size_t bytes;
    unsigned char value;
    event *event;
    struct stream *where; // of an event that is followed
    long long number;
    const image *image;
    hd_model_shape shape;
    unsigned char *arguments; // each padded to 16 bytes
} task;

typedef struct list {
    task *first, *last;
} list;

typedef struct stream {
    struct stream *next; // of all that were created
    bool blocking;       // it and the legacy default stream wait for each other
    list tasks;
    list *recorded; // a graph in the making, or NULL
} stream;

static int broken; // what a task of before failed with

static stream legacy, per_thread = {.blocking = true};
static stream *streams = &per_thread;

// The default streams go by small numbers.
static stream *stream_of(void *handle)
{
    const uintptr_t number = (uintptr_t)handle;
    return number <= 1 ? &legacy : number == 2 ? &per_thread : handle;
}

static int run_until(stream *s, const event *e, long long number);

static void wait_for_default(const stream *s)
{
    for (stream *other = streams; s == &legacy && other != NULL; other = other->next)
        if (other->blocking) run_until(other, NULL, 0);
    if (s->blocking) run_until(&legacy, NULL, 0);
}

static int begin(void *handle, task t)
{
    stream *s = stream_of(handle);
    wait_for_default(s);
    list *to = s->recorded != NULL ? s->recorded : &s->tasks;
    task *own = malloc(sizeof *own);
    if (depth == 0 || own == NULL) {
        free(own);
        return depth == 0 ? NO_CONTEXT : NO_MEMORY;
    }
    *own = t;
    own->next = NULL;
    *(to->first != NULL ? &to->last->next : &to->first) = own;
    to->last = own;
    return 0;
}

static int launch(const task *t)
{
    const hd_model_report *report = NULL;
    const void *arguments[16];
    const int32_t count = hd_model_parameters(t->image->module, t->image->name);
    size_t at = 0;
    for (int k = 0; k < count; k++) {
        arguments[k] = t->arguments + at;
        at +=
            ((size_t)hd_model_parameter_bytes(t->image->module, t->image->name, k) + 15) / 16 * 16;
    }
    const hd_status status = hd_model_launch(model, t->image->module, t->image->name, t->shape,
                                             arguments, count, &report);
    const bool found = status == HD_OK && report->finding_count > 0;
    if (status == HD_OK && !found) return 0;
    snprintf(fault, sizeof fault, "%s", found ? report->findings[0].text : hd_model_error(model));
    return FAULT;
}

static int copy_within(address to, address from, int64_t bytes)
{
    void *some = malloc((size_t)bytes);
    const bool good = some != NULL && hd_model_read(model, from, some, bytes) == HD_OK &&
                      hd_model_write(model, to, some, bytes) == HD_OK;
    free(some);
    return good ? 0 : FAULT;
}

static int run_task(const task *t)
{
    const int64_t bytes = (int64_t)t->bytes;
    switch (t->what) {
    case COPY_IN: return hd_model_write(model, t->at, t->host, bytes) == HD_OK ? 0 : FAULT;
    case COPY_OUT: return hd_model_read(model, t->at, t->host, bytes) == HD_OK ? 0 : FAULT;
    case COPY: return copy_within(t->at, t->from, bytes);
    case CLEAR: return hd_model_fill(model, t->at, t->value, bytes) == HD_OK ? 0 : FAULT;
    case RELEASE: forget(t->at, NULL); return hd_model_free(model, t->at) == HD_OK ? 0 : FAULT;
    case RECORD: t->event->passed = t->number; return 0;
    case FOLLOW: return run_until(t->where, t->event, t->number);
    case LAUNCH: return launch(t);
    }
    return FAULT;
}

// Runs a stream until an event has come to a number; without an event, to its end.
static int run_until(stream *s, const event *e, long long number)
{
    while (s->tasks.first != NULL && (e == NULL || e->passed < number)) {
        task *t = s->tasks.first;
        s->tasks.first = t->next;
        const int result = run_task(t);
        if (result != 0 && broken == 0) broken = result;
        free(t->arguments);
        free(t);
    }
    return broken;
}

#endif
