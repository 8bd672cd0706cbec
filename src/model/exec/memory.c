// SPDX-License-Identifier: Apache-2.0
//
// Allocations in the order of their addresses, which is the order they were made in.
#include "memory.h"
#include "valid_bits.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 512
#define GUARD     512 // bytes between two allocations that belong to none

static bool grow(device_memory *m)
{
    if (m->count < m->room) return true;
    const int32_t room = m->room > 0 ? 2 * m->room : 16;
    allocation **all = realloc(m->all, (size_t)room * sizeof *all);
    if (all == NULL) return false;
    m->all = all, m->room = room;
    return true;
}

allocation *hd__model_device_allocate(device_memory *m, int64_t bytes, const char *name)
{
    if (bytes < 0 || bytes > (int64_t)1 << 40 || !grow(m)) return NULL;
    allocation *a = calloc(1, sizeof *a);
    if (a == NULL) return NULL;
    // Pages that no kernel touches are never brought in.
    a->data = calloc(1, (size_t)bytes + 16);
    if (a->data == NULL) {
        free(a);
        return NULL;
    }
    if (m->next == 0) m->next = GLOBAL_FIRST;
    a->address = m->next;
    a->bytes = bytes;
    a->name = name;
    a->number = name == NULL ? m->made++ : -1; // variables go by their names
    m->next += ((uint64_t)bytes + GUARD + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    m->all[m->count++] = a;
    m->live_bytes += bytes;
    return a;
}

bool hd__model_device_free(device_memory *m, uint64_t address)
{
    allocation *a = hd__model_device_find(m, address);
    if (a == NULL || a->address != address || a->freed || a->number < 0) return false;
    a->freed = true;
    free(a->data);
    free(a->shadow);
    a->data = NULL, a->shadow = NULL;
    m->live_bytes -= a->bytes;
    return true;
}

void hd__model_device_memory_close(device_memory *m)
{
    for (int32_t k = 0; k < m->count; k++) {
        free(m->all[k]->data);
        free(m->all[k]->shadow);
        free(m->all[k]);
    }
    free(m->all);
    *m = (device_memory){0};
}

allocation *hd__model_device_find(const device_memory *m, uint64_t address)
{
    int32_t low = 0, high = m->count; // the first that begins above the address is in low .. high
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (m->all[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? m->all[low - 1] : NULL;
}

bool hd__model_memory_track(allocation *a)
{
    a->shadow = calloc((size_t)VALID_WORDS(a->bytes) + 1, sizeof(uint64_t));
    return a->shadow != NULL;
}

// Where all of it is written at once, nothing need be kept of it any more.
void hd__model_memory_validate(device_memory *m, uint64_t address, int64_t bytes)
{
    allocation *a = hd__model_device_find(m, address);
    if (a != NULL && bytes > 0) a->unset = false;
    if (a == NULL || a->shadow == NULL || bytes <= 0) return;
    if (bytes < a->bytes) {
        valid_set(a->shadow, address - a->address, (uint64_t)bytes);
        return;
    }
    free(a->shadow);
    a->shadow = NULL;
}
