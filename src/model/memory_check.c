// SPDX-License-Identifier: Apache-2.0
//
// Accesses outside of every allocation, or not aligned: which allocation was near, and how far off.
#include "model/findings.h"

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
    const allocation *a = hd__device_find(m->grid->memory, address);
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

static void describe(const machine *m, const access_event *e, int lane, char *text, size_t room)
{
    const unsigned long long address = e->address[lane];
    if (e->space == PTX_SHARED)
        snprintf(text, room, "byte %llu of %lld bytes of shared memory", address,
                 (long long)m->block->shared_bytes);
    else if (e->space == PTX_LOCAL)
        snprintf(text, room, "byte %llu of %lld bytes of local memory", address,
                 (long long)m->warp->local_bytes);
    else
        describe_global(m, e->address[lane], text, room);
}

static void access(void *any, const machine *m, const access_event *e)
{
    char thread[80], where[200];
    if (e->outside != 0) {
        const int lane = __builtin_ctz(e->outside);
        finding *f = hd__finding_add(any, m, HD_HAZARD_OUTSIDE, e->site, NULL);
        if (f != NULL && f->text[0] == 0) {
            describe(m, e, lane, where, sizeof where);
            snprintf(f->text, sizeof f->text, "%s %s %d bytes at %s",
                     hd__thread_name(m, lane, thread, sizeof thread), kind_name(e->kind),
                     (int)e->bytes, where);
        }
    }
    if (e->unaligned != 0) {
        const int lane = __builtin_ctz(e->unaligned);
        finding *f = hd__finding_add(any, m, HD_HAZARD_UNALIGNED, e->site, NULL);
        if (f != NULL && f->text[0] == 0)
            snprintf(f->text, sizeof f->text,
                     "%s %s %d bytes at address 0x%llx, which is no multiple of %d",
                     hd__thread_name(m, lane, thread, sizeof thread), kind_name(e->kind),
                     (int)e->bytes, (unsigned long long)e->address[lane], (int)e->bytes);
    }
}

static void merge(void *into, const void *from)
{
    hd__findings_merge(into, from);
}

static void close_list(void *any)
{
    hd__findings_free(any);
}

const listener hd__memory_check = {
    .name = "memory",
    .state_bytes = sizeof(finding_list),
    .access = access,
    .merge = merge,
    .close = close_list,
};
