// SPDX-License-Identifier: Apache-2.0
// Labels: what tells the elements of a sequence apart. A label is a number of a view (flags, buckets,
// the elements themselves), or what a function of the user's returns, or whether a run begins.
// Patterns that choose keep the elements whose label is not zero. And indices on their way out.
#ifndef HEDDLE_PATTERNS_SELECT_FLAGS_H
#define HEDDLE_PATTERNS_SELECT_FLAGS_H

#include "core/reader.h"

typedef struct hd__labels {
    hd__reader in; // its views are collapsed; map is the function, or NULL: view[0] has the labels
    hd_type type;  // of the labels
    bool heads;    // the label is whether a run of equal elements begins in view[0]
    bool own;      // view[0] has the elements that are labelled, not flags beside them
    bool invert;
} hd__labels;

// What a call says about labels. `view_name` and `function_name` are those of its options.
typedef struct hd__label_options {
    const hd_view *view;
    const hd_function *function;
    const hd_views *with;
    const char *view_name, *function_name;
} hd__label_options;

// Checks `in` and the labels of its elements, and fills *labels. Without view and function the
// elements are their own labels.
hd_status hd__check_labels(hd_context *ctx, const char *call, const hd_view *in,
                           const hd__label_options *o, hd__labels *labels);

// Refuses an output that overlaps `in` or a view of the labels; `same` allows it to be one of them.
hd_status hd__check_apart_labels(hd_context *ctx, const char *call, const char *name,
                                 const hd_view *out, const hd_view *in, const hd__labels *labels,
                                 bool same);

// An output of elements of a type, or unset.
hd_status hd__check_elements(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                             hd_type type);

// An output of counts or indices, or unset: of any integer type that holds `most`.
hd_status hd__check_indices(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                            int64_t most);

// Fails if a view that is not unset has fewer than n elements.
hd_status hd__check_room(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                         int64_t n, const char *what);

// Where the number of what was found goes: to the caller's integer, to a view of one i64, or both.
typedef struct hd__counting {
    int64_t *asked; // or NULL
    hd_view view;   // or unset
    int64_t own;    // where the host wants it for the view alone
} hd__counting;

// Checks it; *at is where a backend leaves the number: NULL if only a view of the device takes it.
hd_status hd__check_counting(hd_context *ctx, const char *call, const char *name, hd__counting *c,
                             int64_t **at);

// Writes the number to a view of the host.
void hd__end_counting(const hd__counting *c, const int64_t *at);

// The labels of elements start .. start + n - 1, after each other; not for heads. `elements` are
// these elements after each other where they are at hand, else NULL.
size_t hd__labels_bytes(const hd__labels *l, int64_t tile); // of scratch
const void *hd__read_labels(const hd__labels *l, int64_t start, int64_t n, const void *elements,
                            void *scratch);

// Whether element i is chosen, by the definition.
bool hd__is_chosen(const hd__labels *l, int64_t i);

// Writes n integers from element `at` of a view on.
void hd__put_indices(const hd_view *v, int64_t at, int64_t n, const int64_t *from);

// How many elements an output takes: 0 for an unset one.
static inline int64_t hd__room(const hd_view *v)
{
    return hd__is_empty(v) ? 0 : hd_count(*v);
}

// Refuses a number that a call gives through a pointer (NULL: none) and that overlaps its input, its
// labels or one of its outputs.
struct hd__named_view;
hd_status hd__check_number_labels(hd_context *ctx, const char *call, const char *name,
                                  const int64_t *at, const hd_view *in, const hd__labels *l,
                                  const struct hd__named_view *outs, int out_count);

#endif
