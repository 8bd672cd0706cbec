// SPDX-License-Identifier: Apache-2.0
//
// Functions that the machine itself has: printf, assert, malloc and free of kernels.
#include "model/exec/access.h"
#include "model/exec/heap.h"
#include "numbers.h"
#include "run.h"

#include <stdio.h>
#include <string.h>

#define MAX_TEXT 4096

// An argument of the call, of lane l, as 8 bytes.
static uint64_t argument(const machine *m, const operation *o, int k, int lane)
{
    const uint32_t *pair = m->frame->program->list + o->list + 3 * k;
    const warp *w = m->warp;
    uint64_t value = 0;
    memcpy(&value, w->local + (size_t)lane * (size_t)w->local_bytes + m->frame->locals + pair[0],
           pair[2] < 8 ? pair[2] : 8);
    return value;
}

// A byte at a generic address, or -1. Local memory is the lane's own.
static int byte_at(const machine *m, uint64_t address, int lane)
{
    const uint64_t offset = address & (WINDOW_BYTES - 1);
    switch (address >> 40) {
    case SHARED_WINDOW >> 40:
        return offset < (uint64_t)m->block->shared_bytes ? m->block->shared[offset] : -1;
    case LOCAL_WINDOW >> 40:
        return offset < (uint64_t)m->warp->local_bytes
                   ? m->warp->local[(size_t)lane * (size_t)m->warp->local_bytes + offset]
                   : -1;
    default: {
        const allocation *a = hd__model_device_find(m->grid->memory, address);
        return allocation_holds(a, address, 1) ? a->data[address - a->address] : -1;
    }
    }
}

static void text_at(const machine *m, uint64_t address, int lane, char *text)
{
    int n = 0;
    for (int c; n < MAX_TEXT - 1 && (c = byte_at(m, address + (uint64_t)n, lane)) > 0; n++)
        text[n] = (char)c;
    text[n] = 0;
}

static uint64_t number_at(const machine *m, uint64_t address, int lane)
{
    uint64_t value = 0;
    for (int k = 0; k < 8; k++) {
        const int c = byte_at(m, address + (uint64_t)k, lane);
        if (c >= 0) value |= (uint64_t)c << (8 * k);
    }
    return value;
}

typedef struct print_buffer {
    const machine *m;
    int lane;
    uint64_t arguments; // where the next one lies
    char out[MAX_TEXT];
    size_t used;
} print_buffer;

static void append(print_buffer *p, const char *text)
{
    const size_t n = strlen(text), room = sizeof p->out - 1 - p->used;
    memcpy(p->out + p->used, text, n < room ? n : room);
    p->used += n < room ? n : room;
}

// Integers of int's size take 4 bytes of the buffer, everything else 8, aligned to themselves.
static uint64_t next_argument(print_buffer *p, int bytes)
{
    p->arguments = (p->arguments + (uint64_t)bytes - 1) / (uint64_t)bytes * (uint64_t)bytes;
    const uint64_t value = number_at(p->m, p->arguments, p->lane);
    p->arguments += (uint64_t)bytes;
    return bytes == 4 ? (uint32_t)value : value;
}

// One conversion, "%-8.3lld", made with the host's printf from a form that was checked.
static void convert(print_buffer *p, const char *form, int length, bool wide)
{
    char checked[40], text[400], string[MAX_TEXT];
    const char kind = form[length - 1];
    memcpy(checked, form, (size_t)length - 1);
    checked[length - 1] = 0;
    switch (kind) {
    case 'd':
    case 'i':
        strcat(checked, "lld");
        snprintf(text, sizeof text, checked,
                 wide ? (long long)next_argument(p, 8) : (long long)(int32_t)next_argument(p, 4));
        break;
    case 'u':
    case 'x':
    case 'X':
    case 'o': {
        const char kinds[] = {'l', 'l', kind, 0};
        strcat(checked, kinds);
        snprintf(text, sizeof text, checked, (unsigned long long)next_argument(p, wide ? 8 : 4));
        break;
    }
    case 'c': snprintf(text, sizeof text, "%c", (int)next_argument(p, 4)); break;
    case 'p': snprintf(text, sizeof text, "0x%llx", (unsigned long long)next_argument(p, 8)); break;
    case 's':
        text_at(p->m, next_argument(p, 8), p->lane, string);
        append(p, string);
        return;
    default: {
        const char kinds[] = {kind, 0};
        strcat(checked, kinds);
        snprintf(text, sizeof text, checked, f64_of(next_argument(p, 8)));
        break;
    }
    }
    append(p, text);
}

static void print_text(print_buffer *p, const char *format)
{
    for (const char *at = format; *at != 0;) {
        if (*at != '%' || at[1] == '%') {
            const char one[] = {*at, 0};
            append(p, one);
            at += *at == '%' ? 2 : 1;
            continue;
        }
        char form[32] = "%";
        int length = 1, longs = 0;
        for (at++; *at != 0 && strchr("-+ #0123456789.lhjzt", *at); at++) {
            if (strchr("lhjzt", *at))
                longs += *at != 'h';
            else if (length < 24)
                form[length++] = *at;
        }
        if (*at == 0 || !strchr("diuxXocpsfFeEgGaA", *at)) return;
        form[length++] = *at++;
        convert(p, form, length, longs > 0);
    }
}

static void print(machine *m, const operation *o)
{
    if (m->grid->print == NULL) return;
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        char format[MAX_TEXT];
        print_buffer p = {.m = m, .lane = l, .arguments = argument(m, o, 1, l)};
        text_at(m, argument(m, o, 0, l), l, format);
        print_text(&p, format);
        p.out[p.used] = 0;
        // Host threads call the user's function one at a time.
        pthread_mutex_lock(m->grid->print_lock);
        m->grid->print(m->grid->print_user, p.out);
        pthread_mutex_unlock(m->grid->print_lock);
    }
}

static void assertion(machine *m, const operation *o)
{
    char what[200], file[MAX_TEXT], message[MAX_TEXT];
    const int l = __builtin_ctz(m->mask);
    text_at(m, argument(m, o, 0, l), l, message);
    text_at(m, argument(m, o, 1, l), l, file);
    snprintf(what, sizeof what, "%.190s", message);
    hd__model_machine_fail(m, o, "assertion '%s' failed at %.100s:%u, block (%d,%d,%d), thread %d",
                           what, file, (unsigned)argument(m, o, 2, l), (int)m->block->at[0],
                           (int)m->block->at[1], (int)m->block->at[2],
                           (int)(m->warp->number * WARP + l));
}

// Whoever had the bytes before gave them back.
static void notify_reuse(const machine *m, uint64_t address, int64_t bytes)
{
    allocation *a = hd__model_device_find(m->grid->memory, address);
    for (const subscriber *h = m->subscribers[EVENT_REUSE]; h->by != NULL; h++)
        h->by->reuse(h->state, m, a, address, bytes);
}

static void take(machine *m, const operation *o)
{
    const uint32_t *pair = m->frame->program->list + o->list + 3 * o->vector; // of the result
    warp *w = m->warp;
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        const uint64_t bytes = argument(m, o, 0, l),
                       at = hd__model_heap_take(m->grid->memory, bytes);
        if (at != 0) notify_reuse(m, at, ((int64_t)bytes + 15) / 16 * 16);
        memcpy(w->local + (size_t)l * (size_t)w->local_bytes + m->frame->locals + pair[0], &at,
               sizeof at);
    }
}

static void give(machine *m, const operation *o)
{
    for (int l = 0; l < WARP && !m->failed; l++) {
        const uint64_t at = m->mask >> l & 1 ? argument(m, o, 0, l) : 0;
        if (at != 0 && !hd__model_heap_give(m->grid->memory, at))
            hd__model_machine_fail(
                m, o,
                "free of 0x%llx, which malloc did not give, or which was freed before; "
                "block (%d,%d,%d), thread %d",
                (unsigned long long)at, (int)m->block->at[0], (int)m->block->at[1],
                (int)m->block->at[2], (int)(m->warp->number * WARP + l));
    }
}

run_operation *hd__model_builtin_named(const char *name, int32_t parameters)
{
    if (strcmp(name, "vprintf") == 0 && parameters >= 2) return print;
    if (strcmp(name, "__assertfail") == 0 && parameters >= 3) return assertion;
    if (strcmp(name, "malloc") == 0 && parameters == 1) return take;
    if (strcmp(name, "free") == 0 && parameters == 1) return give;
    return NULL;
}
