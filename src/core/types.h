// SPDX-License-Identifier: Apache-2.0
// What the library knows of a type beyond its public name: kind and size, as fast inline looks.
#ifndef HEDDLE_CORE_TYPES_H
#define HEDDLE_CORE_TYPES_H

#include "heddle.h"

// Room for one element of any type begins at a multiple of this.
#define HD__ALIGNMENT 64

typedef enum hd__kind {
    HD__NO_KIND,
    HD__SIGNED,
    HD__UNSIGNED,
    HD__FLOAT,
    HD__BOOL,
    HD__USER
} hd__kind;

extern const uint8_t hd__type_sizes[HD_TYPE_KINDS];
extern const uint8_t hd__type_kinds[HD_TYPE_KINDS];

// Size of an element; 0 for what is no type.
static inline size_t hd__size_of(hd_type type)
{
    const uint32_t kind = type & 0xff, size = type >> 8 & 0x7ff;
    if (kind == HD_STRUCTURE) return size <= HD_MAX_ELEMENT ? size : 0;
    return kind < HD_STRUCTURE && type >> 8 == 0 ? hd__type_sizes[kind] : 0;
}

// The tag of a structure's name; 0: not known.
static inline uint32_t hd__tag_of(hd_type type)
{
    return type >> 23;
}

// Whether elements of one type may be taken for those of the other: structures of one size whose
// tags do not differ, or the same type.
static inline bool hd__same_type(hd_type a, hd_type b)
{
    const uint32_t kind_and_size = 0x7ffff;
    return a == b || ((a & 0xff) == HD_STRUCTURE && (a & kind_and_size) == (b & kind_and_size) &&
                      (hd__tag_of(a) == hd__tag_of(b) || hd__tag_of(a) == 0 || hd__tag_of(b) == 0));
}

static inline hd__kind hd__kind_of(hd_type type)
{
    const uint32_t kind = type & 0xff;
    return kind < HD_TYPE_KINDS ? (hd__kind)hd__type_kinds[kind] : HD__NO_KIND;
}

static inline bool hd__is_integer(hd_type type)
{
    return hd__kind_of(type) == HD__SIGNED || hd__kind_of(type) == HD__UNSIGNED;
}

static inline bool hd__is_float(hd_type type)
{
    return hd__kind_of(type) == HD__FLOAT;
}

static inline bool hd__is_complex(hd_type type)
{
    return type == HD_C64 || type == HD_C128;
}

static inline bool hd__is_number(hd_type type)
{
    return (type & 0xff) != HD_STRUCTURE && hd__size_of(type) != 0;
}

#endif
