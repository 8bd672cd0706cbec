// SPDX-License-Identifier: Apache-2.0
//
// Memory of a module, in large chunks.
#include "ptx_parse.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)64 << 10)

typedef struct chunk {
    struct chunk *next;
    size_t used, room;
} chunk;

struct ptx_arena {
    chunk *first;
};

ptx_arena *hd__model_ptx_arena_open(void)
{
    return calloc(1, sizeof(ptx_arena));
}

void hd__model_ptx_arena_close(ptx_arena *arena)
{
    if (arena == NULL) return;
    for (chunk *p = arena->first, *next; p != NULL; p = next) {
        next = p->next;
        free(p);
    }
    free(arena);
}

void *hd__model_ptx_arena_take(ptx_arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX / 2) return NULL;
    const size_t need = (bytes + 15) / 16 * 16, head = (sizeof(chunk) + 15) / 16 * 16;
    chunk *p = arena->first;
    if (p == NULL || p->room - p->used < need) {
        const size_t room = need > CHUNK ? need : CHUNK;
        p = malloc(head + room);
        if (p == NULL) return NULL;
        *p = (chunk){arena->first, 0, room};
        arena->first = p;
    }
    void *memory = (char *)p + head + p->used;
    p->used += need;
    return memset(memory, 0, need);
}
