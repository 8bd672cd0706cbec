// SPDX-License-Identifier: Apache-2.0
// Sizes, kinds and names of the types.
#include "types.h"

#include <stdio.h>
#include <string.h>

const uint8_t hd__type_sizes[HD_TYPE_KINDS] = {
#define X(name, id, ctype, kind) [id] = sizeof(ctype),
#include "types.def"
#undef X
};

const uint8_t hd__type_kinds[HD_TYPE_KINDS] = {
#define X(name, id, ctype, kind) [id] = kind,
#include "types.def"
#undef X
    [HD_STRUCTURE] = HD__USER,
};

static const char *const names[HD_TYPE_KINDS] = {
#define X(name, id, ctype, kind) [id] = #name,
#include "types.def"
#undef X
};

size_t hd_type_size(hd_type type)
{
    return hd__size_of(type);
}

// Names of structures are made on demand, one buffer a thread: the text holds until the next one.
const char *hd_type_name(hd_type type)
{
    static _Thread_local char text[48];
    if (hd__is_number(type)) return names[type];
    if (hd__is_complex(type)) return type == HD_C64 ? "c64" : "c128";
    if (hd__size_of(type) != 0)
        snprintf(text, sizeof text,
                 hd__tag_of(type) ? "structure of %u bytes, tag %u" : "structure of %u bytes",
                 (unsigned)hd__size_of(type), (unsigned)hd__tag_of(type));
    else
        snprintf(text, sizeof text, "no type (0x%x)", type);
    return text;
}

hd_type hd_type_named(const char *name)
{
    if (name == NULL) return HD_NONE;
    for (hd_type type = 1; type < HD_STRUCTURE; type++)
        if (strcmp(names[type], name) == 0) return type;
    if (strcmp("c64", name) == 0) return HD_C64;
    if (strcmp("c128", name) == 0) return HD_C128;
    return HD_NONE;
}
