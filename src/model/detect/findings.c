// SPDX-License-Identifier: Apache-2.0
//
// Lists of findings.
#include "findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX 1000

static finding *same(const finding_list *list, hd_model_hazard hazard, const operation *site,
                     const operation *other)
{
    for (int32_t k = 0; k < list->count; k++) {
        finding *f = &list->at[k];
        if (f->hazard == hazard && f->site == site && f->other == other) return f;
    }
    return NULL;
}

static finding *append(finding_list *list)
{
    if (list->count == list->room) {
        const int32_t room = list->room > 0 ? 2 * list->room : 8;
        finding *larger = room <= 2 * MAX ? realloc(list->at, (size_t)room * sizeof *larger) : NULL;
        if (larger == NULL) {
            list->lost = true;
            return NULL;
        }
        list->at = larger, list->room = room;
    }
    finding *f = &list->at[list->count++];
    memset(f, 0, sizeof *f);
    return f;
}

finding *hd__model_finding_add(finding_list *list, const machine *m, hd_model_hazard hazard,
                               const operation *site, const operation *other)
{
    finding *f = same(list, hazard, site, other);
    if (f == NULL) {
        f = append(list);
        if (f == NULL) return NULL;
        f->hazard = hazard, f->site = site, f->other = other;
        f->block = m->block != NULL ? m->block->index : -1;
        f->step = m->block != NULL ? m->block->steps : 0;
    }
    f->times++;
    return f;
}

// Of two texts the one of the earlier block stays, so that it does not depend on who came first.
void hd__model_findings_merge(finding_list *into, const finding_list *from)
{
    for (int32_t k = 0; k < from->count; k++) {
        const finding *f = &from->at[k];
        finding *to = same(into, f->hazard, f->site, f->other);
        if (to == NULL) {
            to = append(into);
            if (to == NULL) return;
            *to = *f;
            continue;
        }
        to->times += f->times;
        if (f->block < to->block) {
            to->block = f->block, to->step = f->step, to->object = f->object;
            memcpy(to->text, f->text, sizeof to->text);
        }
    }
    into->lost |= from->lost;
}

void hd__model_findings_free(finding_list *list)
{
    free(list->at);
    *list = (finding_list){0};
}

const char *hd__model_thread_name(const machine *m, int lane, char *text, size_t room)
{
    const int32_t *at = m->block->at;
    snprintf(text, room, "thread %d of block (%d,%d,%d)", (int)(m->warp->number * WARP + lane),
             (int)at[0], (int)at[1], (int)at[2]);
    return text;
}

// ---- Places -------------------------------------------------------------------------------------

// The name as written: the last part of "_ZZ6reducePKiE4part", with a number behind it perhaps.
static void plain_name(const char *mangled, char *text, size_t room)
{
    const char *best = NULL;
    int length = 0;
    for (const char *at = mangled; strncmp(mangled, "_Z", 2) == 0 && *at != 0; at++) {
        if (*at < '1' || *at > '9' || (at > mangled && at[-1] >= '0' && at[-1] <= '9')) continue;
        char *end;
        const long n = strtol(at, &end, 10);
        const size_t left = strlen(end);
        if (n <= 0 || (size_t)n > left) continue;
        if ((size_t)n == left || end[n] == '_') best = end, length = (int)n;
    }
    if (best != NULL)
        snprintf(text, room, "%.*s", length, best);
    else
        snprintf(text, room, "%s", mangled);
}

const char *hd__model_variable_name(const ptx_variable *v, char *text, size_t room)
{
    plain_name(v->name, text, room);
    return text;
}

static const ptx_variable *shared_variable(const machine *m, uint64_t address)
{
    const ptx_module *module = m->grid->program->module;
    for (int32_t k = 0; k < module->variable_count; k++) {
        const ptx_variable *v = &module->variables[k];
        const bool here = v->owner < 0 || &module->functions[v->owner] == m->frame->program->text;
        if (v->space == PTX_SHARED && here && v->bytes > 0 && address >= (uint64_t)v->address &&
            address < (uint64_t)(v->address + v->bytes))
            return v;
    }
    return NULL;
}

// The variable that dynamic shared memory goes by, or NULL: there is none.
static const ptx_variable *dynamic_variable(const machine *m)
{
    const ptx_module *module = m->grid->program->module;
    for (int32_t k = 0; m->grid->dynamic_bytes > 0 && k < module->variable_count; k++) {
        const ptx_variable *v = &module->variables[k];
        if (v->space == PTX_SHARED && v->external) return v;
    }
    return NULL;
}

const void *hd__model_object_at(const machine *m, ptx_space space, uint64_t address)
{
    if (space != PTX_SHARED)
        return space == PTX_LOCAL ? NULL : hd__model_device_find(m->grid->memory, address);
    const uint64_t at = address % SHARED_OF_RANK;
    const ptx_variable *v = shared_variable(m, at), *dynamic = dynamic_variable(m);
    if (v == NULL && dynamic != NULL && at >= (uint64_t)dynamic->address) v = dynamic;
    return v;
}

const char *hd__model_place_name(const machine *m, ptx_space space, uint64_t address, char *text,
                                 size_t room)
{
    char name[100];
    if (space == PTX_SHARED) {
        const uint64_t rank = address / SHARED_OF_RANK;
        const uint64_t at = address % SHARED_OF_RANK;
        const ptx_variable *v = shared_variable(m, at);
        const ptx_variable *dynamic = dynamic_variable(m);
        if (v != NULL) plain_name(v->name, name, sizeof name);
        if (rank > 0)
            snprintf(text, room, "byte %llu of the shared memory of block %d of its cluster",
                     (unsigned long long)at, (int)rank - 1);
        else if (v != NULL)
            snprintf(text, room, "byte %llu of '%s' in shared memory",
                     (unsigned long long)(at - (uint64_t)v->address), name);
        else if (dynamic != NULL && at >= (uint64_t)dynamic->address)
            snprintf(text, room, "byte %llu of dynamic shared memory",
                     (unsigned long long)(at - (uint64_t)dynamic->address));
        else
            snprintf(text, room, "byte %llu of shared memory", (unsigned long long)at);
        return text;
    }
    const allocation *a =
        space == PTX_LOCAL ? NULL : hd__model_device_find(m->grid->memory, address);
    if (a != NULL && a->name != NULL) plain_name(a->name, name, sizeof name);
    if (a == NULL)
        snprintf(text, room, "byte %llu of local memory", (unsigned long long)address);
    else if (a->name != NULL)
        snprintf(text, room, "byte %llu of '%s'", (unsigned long long)(address - a->address), name);
    else
        snprintf(text, room, "byte %llu of allocation %lld",
                 (unsigned long long)(address - a->address), (long long)a->number);
    return text;
}
