// SPDX-License-Identifier: Apache-2.0
// An operator resolved for one call: which nodes the tree has, how elements are loaded as nodes and
// how nodes are finalized into outputs. Patterns fold nodes and know no types.
#ifndef HEDDLE_CORE_OPERATORS_FOLD_H
#define HEDDLE_CORE_OPERATORS_FOLD_H

#include "builtin.h"
#include "core/context.h"

typedef enum hd__node_form {
    HD__PLAIN,          // a number, or a user's element
    HD__ARG,            // hd__arg_*
    HD__MOMENTS,        // hd__moments
    HD__WIDE_MOMENTS,   // hd__wide_moments
    HD__SUM_PAIR,       // hd__pair_*: hi, lo
    HD__SUM_SIZED,      // hd__sized_*: hi, size
    HD__SUM_SIZED_PAIR, // hd__sized_pair_*: hi, lo, size
    HD__LIMBS,          // hd__limbs_narrow (number HD_F32) or hd__limbs_wide (HD_F64)
    HD__NORM            // hd__norm
} hd__node_form;

// What a call asks of an operator beside its types; all zero: nothing.
typedef struct hd__fold_options {
    const void *init; // one element of type out, or NULL
    int32_t ddof;
    hd_type accumulate;
    hd_type residual, bound; // types of the views that are to receive them; HD_NONE: nobody asks
    bool heads;              // outputs are of a segmented scan
} hd__fold_options;

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
    bool counted;    // outputs depend on the count
    bool heads;      // as requested
    bool squares;    // norm: a node is a sum of squares, an output its root
    int32_t ddof;
    hd_type value; // of the second output: an extreme, a residual, a bound; HD_NONE: none
    size_t element_size, node_size, out_size;
    const void *init; // a node, or NULL
    union {
        uint64_t align;
        unsigned char bytes[sizeof(hd__limbs_wide)];
    } init_number;
} hd__fold;

static inline bool hd__has_moments(const hd__fold *fold)
{
    return fold->form == HD__MOMENTS || fold->form == HD__WIDE_MOMENTS;
}

// Checks that operator, element type and output type fit, and fills *fold. `call` names the
// public function in errors.
hd_status hd__resolve(hd_context *ctx, const char *call, const hd_operator *op, hd_type element,
                      hd_type out, const hd__fold_options *requested, hd__fold *fold);

// The same for a call without init or options, from the context's last one where that fits.
static inline hd_status hd__resolve_plain(hd_context *ctx, const char *call, const hd_operator *op,
                                          hd_type element, hd_type out, const hd__fold **fold)
{
    hd__fold *recent = ctx->recent;
    *fold = recent;
    if (hd__operator_of(op) == recent->asked && element == recent->element && out == recent->out &&
        op != NULL)
        return HD_OK;
    const hd_status status =
        hd__resolve(ctx, call, op, element, out, &(hd__fold_options){0}, recent);
    // A user's operator may be another one at the same address next time.
    if (status != HD_OK || recent->op == HD__USER_OP) recent->element = HD_NONE;
    if (recent->op == HD__USER_OP) recent->asked = NULL;
    return status;
}

// Whether nodes are float sums and something more.
static inline bool hd__is_float_sum(const hd__fold *f)
{
    return f->form == HD__SUM_PAIR || f->form == HD__SUM_SIZED || f->form == HD__SUM_SIZED_PAIR;
}

// Whether elements are rounded on their way into nodes: integers of as many bits as a float sum's.
static inline bool hd__rounds_elements(const hd__fold *f)
{
    return hd__is_integer(f->element) && hd__size_of(f->element) >= hd__size_of(f->number);
}

// The load transform: nodes[i] of elements[i]; `first` is the index of element 0 within its row.
// May not overlap.
void hd__load_nodes(const hd__fold *fold, const void *elements, int64_t n, int64_t first,
                    void *nodes);

// The node of an output's value that is folded too: init, or what out held before the call. Argmin,
// argmax, mean and variance have none.
void hd__load_output(const hd__fold *fold, const void *value, void *node);
static inline bool hd__loads_outputs(const hd__fold *fold)
{
    return fold->form != HD__ARG && !hd__has_moments(fold) && !fold->divides;
}

// Finalizes nodes: out[i] of nodes[i]. Node i is over counts[i] elements, or, where counts is NULL,
// over first_count + i. values (or NULL) receives the second outputs.
void hd__finalize(const hd__fold *fold, const void *nodes, int64_t n, const int64_t *counts,
                  int64_t first_count, void *out, void *values);

// The output over no elements: init, or the operator's empty value. False if it has none.
bool hd__finalize_empty(const hd__fold *fold, void *out, void *value);

// Puts init, if there is one, on the left of n nodes.
void hd__apply_init(const hd__fold *fold, void *nodes, int64_t n);

#endif
