// SPDX-License-Identifier: Apache-2.0
// An operator made fit for one call: which nodes the tree has, how an element becomes a node
// (lift) and how a node becomes an output (lower). Patterns fold nodes and know no types.
#ifndef HD__FOLD_H
#define HD__FOLD_H

#include "core/builtin.h"
#include "core/context.h"

typedef enum hd__node_form {
    HD__PLAIN,       // a number, or a user's element
    HD__ARG,         // hd__arg_*
    HD__MOMENTS,     // hd__moments
    HD__WIDE_MOMENTS // hd__wide_moments
} hd__node_form;

typedef struct hd__fold {
    const hd_operator *asked; // the caller's operator
    const hd_operator *node;  // the monoid over nodes
    hd__op op;                // what that monoid is (mean sums, all is and), HD__USER_OP: a user's
    hd__node_form form;
    hd_type element, out;
    hd_type number;  // the number a node holds; HD_BOOL nodes are u8 of 0 or 1
    bool direct_in;  // elements are nodes as they lie in memory
    bool direct_out; // nodes are outputs as they are
    bool divides;    // mean: an output is its node over the count
    int32_t ddof;
    size_t element_size, node_size, out_size;
    const void *init; // a node, or NULL
    union {
        uint64_t align;
        unsigned char bytes[8];
    } init_number;
} hd__fold;

static inline bool hd__has_moments(const hd__fold *fold)
{
    return fold->form == HD__MOMENTS || fold->form == HD__WIDE_MOMENTS;
}

// Checks that operator, element type and output type fit, and fills *fold. `call` names the
// public function in errors; init (or NULL) is one element of type out.
hd_status hd__resolve(hd_context *ctx, const char *call, const hd_operator *op, hd_type element,
                      hd_type out, const void *init, int32_t ddof, hd__fold *fold);

// The same for a call without init or options, from the context's last one where that fits.
static inline hd_status hd__resolve_plain(hd_context *ctx, const char *call, const hd_operator *op,
                                          hd_type element, hd_type out, const hd__fold **fold)
{
    hd__fold *recent = ctx->recent;
    *fold = recent;
    if (op == recent->asked && element == recent->element && out == recent->out && op != NULL)
        return HD_OK;
    const hd_status status = hd__resolve(ctx, call, op, element, out, NULL, 0, recent);
    // A user's operator may be another one at the same address next time.
    if (status != HD_OK || recent->op == HD__USER_OP) recent->element = HD_NONE;
    if (recent->op == HD__USER_OP) recent->asked = NULL;
    return status;
}

// nodes[i] of elements[i]; `first` is the index of element 0 within its row. May not overlap.
void hd__lift(const hd__fold *fold, const void *elements, int64_t n, int64_t first, void *nodes);

// out[i] of nodes[i]. Node i is over counts[i] elements, or, where counts is NULL, over
// first_count + i. values (or NULL) receives the extremes of an arg operator.
void hd__lower(const hd__fold *fold, const void *nodes, int64_t n, const int64_t *counts,
               int64_t first_count, void *out, void *values);

// The output over no elements: init, or the operator's empty value. False if it has none.
bool hd__lower_empty(const hd__fold *fold, void *out, void *value);

// Puts init, if there is one, on the left of n nodes.
void hd__apply_init(const hd__fold *fold, void *nodes, int64_t n);

#endif
