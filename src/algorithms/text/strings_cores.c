// SPDX-License-Identifier: Apache-2.0
// Strings of host memory by the cores: pairs in order, strings to their places, places of a
// pattern.
#include "strings_cores.h"

#include "../support/team.h"

#include <string.h>

enum { CHUNK = 8192, AHEAD = 16, BLOCK = 1024 }; // strings of a task; prefetched; places at once

static int64_t chunks_of(int64_t n)
{
    return (n + CHUNK - 1) / CHUNK;
}

static int64_t chunk_end(int64_t task, int64_t n)
{
    return (task + 1) * CHUNK < n ? (task + 1) * CHUNK : n;
}

// ---- Order ----------------------------------------------------------------------------------

typedef struct order {
    const unsigned char *a, *b;
    const int64_t *a_offsets, *b_offsets;
    int64_t n;
    int8_t *out;
} order;

static void compare_chunk(void *user, int64_t task)
{
    const order *o = user;
    for (int64_t i = task * CHUNK, end = chunk_end(task, o->n); i < end; i++) {
        const int64_t a = o->a_offsets[i + 1] - o->a_offsets[i];
        const int64_t b = o->b_offsets[i + 1] - o->b_offsets[i], least = a < b ? a : b;
        int sign = 0;
        if (least > 0) sign = memcmp(o->a + o->a_offsets[i], o->b + o->b_offsets[i], (size_t)least);
        if (sign == 0) sign = (a > b) - (a < b);
        o->out[i] = (int8_t)((sign > 0) - (sign < 0));
    }
}

void hd__strings_order(const hd__frame *f, const hd__strings *a, const hd__strings *b, hd_view out)
{
    order o = {a->row.data, b->row.data, a->offsets.data, b->offsets.data, a->n, out.data};
    hd__team_run(hd__team_size(f->ctx), chunks_of(a->n), compare_chunk, &o);
}

// ---- Moves ----------------------------------------------------------------------------------

static void move_chunk(void *user, int64_t task)
{
    const hd__string_moves *m = user;
    for (int64_t i = task * CHUNK, end = chunk_end(task, m->n); i < end; i++) {
        if (i + AHEAD < end && m->length[i + AHEAD] > 0)
            __builtin_prefetch(m->bytes + m->from[i + AHEAD]);
        if (m->length[i] > 0)
            memcpy(m->out + m->to[i], m->bytes + m->from[i], (size_t)m->length[i]);
    }
}

void hd__strings_move(const hd__frame *f, const hd__string_moves *m)
{
    hd__string_moves copy = *m;
    hd__team_run(hd__team_size(f->ctx), chunks_of(m->n), move_chunk, &copy);
}

// ---- Places ---------------------------------------------------------------------------------

// flag[i] = whether the pattern's first, second, middle and last bytes are at place i: a loop that
// compilers do 16 places and more at a time.
static void flag_block(const hd__string_places *p, const unsigned char *t, int64_t n, uint8_t *flag)
{
    const int64_t last = p->length - 1, second = last > 0, middle = p->length / 2;
    const unsigned char *u = t + second, *v = t + middle, *w = t + last;
    const unsigned char a = p->pattern[0], b = p->pattern[second], c = p->pattern[middle],
                        d = p->pattern[last];
    for (int64_t i = 0; i < n; i++) flag[i] = (t[i] == a) & (u[i] == b) & (v[i] == c) & (w[i] == d);
}

// The first offset behind a place, from j on, by steps that double.
static int64_t next_offset(const hd__string_places *p, int64_t j, int64_t place)
{
    int64_t step = 1, high;
    while (j + step <= p->strings && p->offsets[j + step] <= place) j += step, step *= 2;
    if (p->offsets[j] > place) return j;
    high = j + step < p->strings ? j + step : p->strings;
    while (high - j > 1) {
        const int64_t middle = j + (high - j) / 2;
        if (p->offsets[middle] <= place)
            j = middle;
        else
            high = middle;
    }
    return high;
}

static void take_place(hd__string_places *p, int64_t at, int64_t *j)
{
    if (memcmp(p->text + at, p->pattern, (size_t)p->length) != 0) return;
    if (p->offsets != NULL) {
        *j = next_offset(p, *j, at);
        if (at + p->length > p->offsets[*j]) return;
        p->string[p->found] = *j - 1;
    }
    p->place[p->found++] = at;
}

static void find_places(void *user, int64_t task)
{
    hd__string_places *p = (hd__string_places *)user + task;
    int64_t j = 0; // of the offsets
    p->found = 0;
    for (int64_t from = 0; from < p->count; from += BLOCK) {
        const int64_t n = p->count - from < BLOCK ? p->count - from : BLOCK;
        uint8_t flag[BLOCK] = {0};
        flag_block(p, p->text + p->begin + from, n, flag);
        for (int64_t i = 0; i < n; i += 8) {
            uint64_t eight;
            memcpy(&eight, flag + i, sizeof eight);
            for (int64_t k = i; eight != 0 && k < i + 8; k++)
                if (flag[k]) take_place(p, p->begin + from + k, &j);
        }
    }
}

void hd__strings_places(const hd__frame *f, hd__string_places *of, int64_t tasks)
{
    hd__team_run(hd__team_size(f->ctx), tasks, find_places, of);
}
