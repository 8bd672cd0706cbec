// SPDX-License-Identifier: Apache-2.0
// Flags: which elements a call selects, or the bucket of each. A flag is a number of a view, what
// the user's function (a predicate) returns, or a head flag: whether a run of equal elements
// begins. Selection keeps the elements whose flag is not zero. Also: indices on their way out.
#ifndef HEDDLE_PATTERNS_SELECT_FLAGS_H
#define HEDDLE_PATTERNS_SELECT_FLAGS_H

#include "core/reader.h"

typedef struct hd__flags {
    hd__reader in; // its views are collapsed; map is the function, or NULL: view[0] has the flags
    hd_type type;  // of the flags
    bool heads;    // the flag is whether a run of equal elements begins in view[0]
    bool own;      // view[0] has the elements themselves, not flags beside them
    bool invert;
    const hd_comparison *comparison; // of heads: what is equal; NULL: see equal_keys.h
} hd__flags;

// What a call says about flags. `view_name` and `function_name` are those of its options.
typedef struct hd__flag_options {
    const hd_view *view;
    const hd_function *function;
    const hd_views *with;
    const char *view_name, *function_name;
} hd__flag_options;

// Checks `in` and the flags of its elements, and fills *flags. Without view and function the
// elements are their own flags.
hd_status hd__check_flags(hd_context *ctx, const char *call, const hd_view *in,
                          const hd__flag_options *o, hd__flags *flags);

// Head flags of the elements instead, of runs that a comparison (or NULL) tells apart.
hd_status hd__check_heads(hd_context *ctx, const char *call, const hd_view *in,
                          const hd_comparison *comparison, hd__flags *flags);

// Refuses an output that overlaps `in` or a view of the flags; `same` allows it to be one of them.
hd_status hd__check_apart_flags(hd_context *ctx, const char *call, const char *name,
                                const hd_view *out, const hd_view *in, const hd__flags *flags,
                                bool same);

// An output of elements of a type, or empty.
hd_status hd__check_elements(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                             hd_type type);

// An output of counts or indices, or empty: of any integer type that holds `most`.
hd_status hd__check_indices(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                            int64_t most);

// Fails if a view that is not empty has fewer than n elements.
hd_status hd__check_room(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                         int64_t n, const char *what);

// Where the number of what was found goes: a view of one i64.
typedef struct hd__counting {
    hd_view view;
    int64_t own; // what goes to a view of the host
} hd__counting;

// Checks it; *at is where a backend leaves the number: NULL for a view of the device, which takes
// it itself.
hd_status hd__check_counting(hd_context *ctx, const char *call, const char *name, hd__counting *c,
                             int64_t **at);

// Writes the number to a view of the host.
void hd__end_counting(const hd__counting *c, const int64_t *at);

// The flags of elements start .. start + n - 1, after each other; not for heads. `elements` are
// these elements after each other where they are at hand, else NULL.
size_t hd__flags_bytes(const hd__flags *l, int64_t tile); // of scratch
const void *hd__read_flags(const hd__flags *l, int64_t start, int64_t n, const void *elements,
                           void *scratch);

// Whether element i is chosen, by the definition.
bool hd__is_chosen(const hd__flags *l, int64_t i);

// Writes n integers from element `at` of a view on.
void hd__put_indices(const hd_view *v, int64_t at, int64_t n, const int64_t *from);

// How many elements an output takes: 0 for an empty one.
static inline int64_t hd__room(const hd_view *v)
{
    return hd__is_empty(v) ? 0 : hd__count(v);
}

#endif
