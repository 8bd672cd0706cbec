// SPDX-License-Identifier: Apache-2.0
//
// Accesses outside of every allocation, of the variable they are of, or not aligned: which
// allocation was near, and how far off.
#include "findings.h"

#include <stdio.h>

static const char *kind_name(access_kind kind)
{
    return kind == ACCESS_LOAD ? "reads" : kind == ACCESS_STORE ? "writes" : "updates";
}

static const char *allocation_name(const allocation *a, char *text, size_t room)
{
    if (a->name != NULL)
        snprintf(text, room, "'%s'", a->name);
    else
        snprintf(text, room, "allocation %lld", (long long)a->number);
    return text;
}

// Where a global address is, as a person would say it.
static void describe_global(const machine *m, uint64_t address, char *text, size_t room)
{
    char name[100];
    const allocation *a = hd__model_device_find(m->grid->memory, address);
    if (a == NULL) {
        snprintf(text, room, "address 0x%llx, where nothing is", (unsigned long long)address);
        return;
    }
    const uint64_t end = a->address + (uint64_t)a->bytes;
    allocation_name(a, name, sizeof name);
    if (a->freed)
        snprintf(text, room, "%s, which was freed", name);
    else if (address < end)
        snprintf(text, room, "over the end of %s (%lld bytes)", name, (long long)a->bytes);
    else
        snprintf(text, room, "%llu bytes behind the end of %s (%lld bytes)",
                 (unsigned long long)(address - end), name, (long long)a->bytes);
}

// An index below 0 is a large address of 32 bits.
static void describe_window(uint64_t address, int64_t bytes, const char *name, char *text,
                            size_t room)
{
    const int64_t at = address <= UINT32_MAX ? (int32_t)(uint32_t)address : (int64_t)address;
    if (at < 0)
        snprintf(text, room, "%lld bytes before the %lld bytes of %s memory", -(long long)at,
                 (long long)bytes, name);
    else
        snprintf(text, room, "byte %lld of %lld bytes of %s memory", (long long)at,
                 (long long)bytes, name);
}

static void describe(const machine *m, const access_event *e, int lane, char *text, size_t room)
{
    if (e->space == PTX_SHARED)
        describe_window(e->address[lane], m->block->shared_bytes, "shared", text, room);
    else if (e->space == PTX_LOCAL)
        describe_window(e->address[lane], m->warp->local_bytes, "local", text, room);
    else
        describe_global(m, e->address[lane], text, room);
}

// ---- Arrays -------------------------------------------------------------------------------------

static const ptx_variable *variable_of(const machine *m, const access_event *e)
{
    if (e->site->variable == 0) return NULL;
    const ptx_variable *v = &m->frame->program->module->variables[e->site->variable - 1];
    return v->space == e->space ? v : NULL;
}

// The lanes whose access is not in the variable it is of, though in memory that is there.
static uint32_t beyond(const access_event *e, const ptx_variable *v)
{
    const uint64_t first = (uint64_t)v->address, bytes = (uint64_t)e->bytes;
    if (v->bytes < e->bytes) return e->mask & ~(e->outside | e->unaligned);
    const uint64_t last = (uint64_t)v->bytes - bytes;
    uint32_t lanes = 0;
    if (e->shape != SHAPE_ANY) {
        const uint64_t at = e->address[__builtin_ctz(e->mask)] - first;
        const int count = e->shape == SHAPE_ROW ? __builtin_popcount(e->mask) : 1;
        if (at <= last && (uint64_t)(count - 1) * bytes <= last - at) return 0;
    }
    for (uint32_t left = e->mask & ~(e->outside | e->unaligned); left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        if (e->address[l] - first > last) lanes |= left & (0u - left);
    }
    return lanes;
}

// "index 33 of 'a' (32 elements of 4 bytes in shared memory)": an index in units of the access.
static void describe_index(const access_event *e, const ptx_variable *v, int lane, char *text,
                           size_t room)
{
    char name[100];
    const int64_t at = v->space == PTX_SHARED
                           ? (int32_t)((uint32_t)e->address[lane] - (uint32_t)v->address)
                           : (int64_t)(e->address[lane] - (uint64_t)v->address);
    const char *space = v->space == PTX_SHARED ? " in shared memory" : "";
    hd__model_variable_name(v, name, sizeof name);
    if (at % e->bytes == 0 && v->bytes % e->bytes == 0)
        snprintf(text, room, "index %lld of '%s' (%lld elements of %d bytes%s)",
                 (long long)(at / e->bytes), name, (long long)(v->bytes / e->bytes), (int)e->bytes,
                 space);
    else
        snprintf(text, room, "byte %lld of '%s' (%lld bytes%s)", (long long)at, name,
                 (long long)v->bytes, space);
}

static void report_beyond(finding_list *list, const machine *m, const access_event *e,
                          const ptx_variable *v, int lane)
{
    char thread[80], index[200], there[160];
    finding *f = hd__model_finding_add(list, m, HD_HAZARD_OUTSIDE, e->site, NULL);
    if (f == NULL || f->text[0] != 0) return;
    f->object = v->space == PTX_SHARED ? v : hd__model_object_at(m, v->space, (uint64_t)v->address);
    describe_index(e, v, lane, index, sizeof index);
    hd__model_place_name(m, e->space, e->address[lane], there, sizeof there);
    snprintf(f->text, sizeof f->text, "%s %s %d bytes at %s, which is %s",
             hd__model_thread_name(m, lane, thread, sizeof thread), kind_name(e->kind),
             (int)e->bytes, index, there);
}

static void access(void *any, const machine *m, const access_event *e)
{
    char thread[80], where[200], index[200] = "";
    const ptx_variable *v = variable_of(m, e);
    const uint32_t lanes = v != NULL ? beyond(e, v) : 0;
    if (lanes != 0) report_beyond(any, m, e, v, __builtin_ctz(lanes));
    if (e->outside != 0) {
        const int lane = __builtin_ctz(e->outside);
        finding *f = hd__model_finding_add(any, m, HD_HAZARD_OUTSIDE, e->site, NULL);
        if (f != NULL && f->text[0] == 0) {
            describe(m, e, lane, where, sizeof where);
            f->object = v != NULL && v->space == PTX_SHARED
                            ? v
                            : hd__model_object_at(m, e->space, e->address[lane]);
            if (v != NULL) describe_index(e, v, lane, index, sizeof index);
            snprintf(f->text, sizeof f->text, "%s %s %d bytes at %s%s%s",
                     hd__model_thread_name(m, lane, thread, sizeof thread), kind_name(e->kind),
                     (int)e->bytes, where, v != NULL ? ", " : "", index);
        }
    }
    if (e->unaligned != 0) {
        const int lane = __builtin_ctz(e->unaligned);
        finding *f = hd__model_finding_add(any, m, HD_HAZARD_UNALIGNED, e->site, NULL);
        if (f != NULL && f->text[0] == 0)
            snprintf(f->text, sizeof f->text,
                     "%s %s %d bytes at address 0x%llx, which is no multiple of %d",
                     hd__model_thread_name(m, lane, thread, sizeof thread), kind_name(e->kind),
                     (int)e->bytes, (unsigned long long)e->address[lane], (int)e->bytes);
    }
}

static void merge(void *into, const void *from)
{
    hd__model_findings_merge(into, from);
}

static void close_list(void *any)
{
    hd__model_findings_free(any);
}

const observer hd__model_memory_check = {
    .name = "memory",
    .state_bytes = sizeof(finding_list),
    .access = access,
    .merge = merge,
    .close = close_list,
};
