// SPDX-License-Identifier: Apache-2.0
// Long segments. A unit is what a kernel turns into nodes at a time. The units of all long segments
// are one sequence, cut into equal chunks whichever segments they fall into; a chunk is read as
// HD__STREAMS streams, each of which brings its own prefetcher. One segment of any length is so
// shared by all threads. A segment's tree is finished where its last unit was made, while its end
// is in the cache, or, if several threads had it, when all are done.
#include "segments.h"

// A place in the sequence of units.
typedef struct cursor {
    hd__cpu_long_segment *at;
    int64_t unit; // of that segment
    bool whole;   // it came by all units of that segment so far
} cursor;

static int64_t units_in(const hd__cpu_long_segment *s)
{
    return s[1].before - s[0].before;
}

static cursor cursor_at(const hd__cpu_long_segments *l, int64_t unit)
{
    int64_t low = 0, high = l->count; // the last one that begins at or before the unit
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (l->list[middle].before <= unit)
            low = middle;
        else
            high = middle;
    }
    const int64_t within = unit - l->list[low].before;
    return (cursor){l->list + low, within, within == 0};
}

static void finish(const hd__cpu_long_segments *l, hd__cpu_long_segment *s)
{
    l->micro->finish(l->out + (size_t)s->segment * l->size, l->in + (size_t)s->begin * l->size,
                     s->n, l->nodes + (size_t)(s->begin / HD__STREAM_NODE) * l->size);
    s->n = 0;
}

static void step(const hd__cpu_long_segments *l, cursor *c, int64_t units)
{
    c->unit += units;
    if (c->unit < units_in(c->at)) return;
    if (c->whole) finish(l, c->at);
    *c = (cursor){c->at + 1, 0, true};
}

// HD__STREAMS cursors go `units` units each.
static void walk(const hd__cpu_long_segments *l, cursor *c, int64_t units)
{
    void *out[HD__STREAMS];
    const void *in[HD__STREAMS];
    while (units > 0) {
        int64_t run = units;
        for (int s = 0; s < HD__STREAMS; s++) {
            const int64_t left = units_in(c[s].at) - c[s].unit, at = c[s].unit * l->micro->unit;
            if (left < run) run = left;
            in[s] = l->in + (size_t)(c[s].at->begin + at) * l->size;
            // Nodes of one segment never reach those of the next: n / 32 of them from begin / 32.
            out[s] = l->nodes +
                     (size_t)(c[s].at->begin / HD__STREAM_NODE + at / HD__STREAM_NODE) * l->size;
        }
        l->micro->upsweep_streams(out, in, run);
        for (int s = 0; s < HD__STREAMS; s++) step(l, c + s, run);
        units -= run;
    }
}

static void take_chunk(const hd__cpu_long_segments *l, int64_t first, int64_t units)
{
    cursor c[HD__STREAMS];
    const int64_t each = units / HD__STREAMS;
    for (int s = 0; s < HD__STREAMS; s++) c[s] = cursor_at(l, first + s * each);
    if (each > 0) walk(l, c, each);
    for (int64_t u = first + HD__STREAMS * each; u < first + units; u++) { // by all, to one end
        for (int s = 0; s < HD__STREAMS; s++) {
            c[s] = cursor_at(l, u);
            c[s].whole = false;
        }
        walk(l, c, 1);
    }
}

static void count_units(hd__cpu_long_segments *l, int64_t count)
{
    l->count = count;
    l->units = 0;
    for (int64_t i = 0; i < count; i++) {
        l->list[i].before = l->units;
        l->units += l->list[i].n / l->micro->unit;
    }
    l->list[count].before = l->units;
}

void hd__cpu_reduce_long_segments(hd__cpu_long_segments *l, int64_t count)
{
#pragma omp single
    count_units(l, count);
    const int64_t chunk =
        HD__STREAMS * hd__cpu_tune.segment_stream_bytes / (l->micro->unit * (int64_t)l->size);
    const int64_t chunks = (l->units + chunk - 1) / chunk;
#pragma omp for schedule(dynamic)
    for (int64_t i = 0; i < chunks; i++)
        take_chunk(l, i * chunk, i + 1 < chunks ? chunk : l->units - i * chunk);
#pragma omp for schedule(dynamic, 16)
    for (int64_t i = 0; i < l->count; i++)
        if (l->list[i].n > 0) finish(l, l->list + i);
}
