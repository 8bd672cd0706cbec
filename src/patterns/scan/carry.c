// SPDX-License-Identifier: Apache-2.0
// The carry: a tree that outlives a call. Its nodes are made when the first call says their size.
#include "core/arguments.h"

hd_status hd_carry_open(hd_context *ctx, hd_carry **carry)
{
    HD__BEGIN(ctx);
    if (carry == NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "hd_carry_open: carry is NULL");
    *carry = hd__allocate(ctx, sizeof **carry);
    if (*carry == NULL) return HD_ERROR_MEMORY;
    **carry = (hd_carry){0};
    return HD_OK;
}

void hd_carry_close(hd_context *ctx, hd_carry *carry)
{
    if (ctx == NULL || carry == NULL) return;
    hd_carry_close(ctx, carry->peaks);
    hd__release(ctx, carry->tree.node, carry->bytes);
    hd__release(ctx, carry, sizeof *carry);
}

int64_t hd_carry_count(const hd_carry *carry)
{
    return carry != NULL ? carry->tree.count : 0;
}

// An operator with a state is the caller's copy, which may be gone before the next call: the carry
// has one of its own, with the bytes of the state behind its nodes.
static void keep_operator(hd_carry *carry, const hd__fold *fold)
{
    const hd_state *state = &fold->asked->state;
    carry->asked = fold->asked;
    carry->tree.op = fold->node;
    if (state->size == 0) return;
    unsigned char *bytes =
        (unsigned char *)carry->tree.node + hd__padded(HD__LEVELS * fold->node_size);
    memcpy(bytes, state->data, state->size);
    carry->own = *fold->asked;
    carry->own.state.data = bytes;
    carry->asked = carry->tree.op = &carry->own;
}

static bool is_kept(const hd_carry *carry, const hd__fold *fold)
{
    const hd_state *state = &fold->asked->state;
    if (state->size == 0) return carry->asked == fold->asked;
    return carry->asked == &carry->own && carry->own.combine == fold->asked->combine &&
           memcmp(carry->own.state.data, state->data, state->size) == 0;
}

hd_status hd__enter_carry(hd_context *ctx, const char *call, hd_carry *carry, const hd__fold *fold,
                          bool scans, hd__tree **tree)
{
    if (carry->tree.node == NULL) {
        carry->bytes = hd__padded(HD__LEVELS * fold->node_size) + fold->asked->state.size;
        carry->tree.node = hd__allocate(ctx, carry->bytes);
        if (carry->tree.node == NULL) return HD_ERROR_MEMORY;
        keep_operator(carry, fold);
        carry->element = fold->element;
        carry->out = fold->out;
        carry->number = fold->number;
        carry->scans = scans;
        carry->tree.size = fold->node_size;
    } else if (!is_kept(carry, fold) || carry->element != fold->element ||
               carry->out != fold->out || carry->scans != scans) {
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: the carry was begun with another pattern, operator, state or type "
                        "(%s)",
                        call, hd_operator_name(carry->asked));
    } else if (carry->number != fold->number ||
               (fold->asked->state.size == 0 && carry->tree.op != fold->node)) {
        return hd__fail(
            ctx, HD_ERROR_ARGUMENT,
            "%s: the carry was begun with %s nodes of %s: accumulate and bound must stay "
            "as they were",
            call, carry->tree.op->name, hd_type_name(carry->number));
    }
    *tree = &carry->tree;
    return HD_OK;
}
