// SPDX-License-Identifier: Apache-2.0
// Growing texts.
#include "source_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(hd__gpu_text *t, size_t more)
{
    if (t->lost) return false;
    const size_t needed = t->length + more + 1;
    if (needed <= t->room) return true;
    const size_t room = needed < 16384 ? 32768 : 2 * needed;
    char *at = realloc(t->at, room);
    if (at == NULL) {
        t->lost = true;
        return false;
    }
    t->at = at;
    t->room = room;
    return true;
}

void hd__gpu_emit(hd__gpu_text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (length < 0 || !make_room(t, (size_t)length)) return;
    va_start(list, format);
    vsnprintf(t->at + t->length, (size_t)length + 1, format, list);
    va_end(list);
    t->length += (size_t)length;
}

void hd__gpu_emit_verbatim(hd__gpu_text *t, const char *text)
{
    const size_t length = strlen(text);
    if (!make_room(t, length)) return;
    memcpy(t->at + t->length, text, length + 1);
    t->length += length;
}

void hd__gpu_text_drop(hd__gpu_text *t)
{
    free(t->at);
    *t = (hd__gpu_text){0};
}
