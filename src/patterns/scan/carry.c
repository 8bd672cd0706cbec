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

hd_status hd__enter_carry(hd_context *ctx, const char *call, hd_carry *carry, const hd__fold *fold,
                          bool scans, hd__tree **tree)
{
    if (carry->tree.node == NULL) {
        carry->bytes = HD__LEVELS * fold->node_size;
        carry->tree.node = hd__allocate(ctx, carry->bytes);
        if (carry->tree.node == NULL) return HD_ERROR_MEMORY;
        carry->asked = fold->asked;
        carry->element = fold->element;
        carry->out = fold->out;
        carry->number = fold->number;
        carry->scans = scans;
        carry->tree.op = fold->node;
        carry->tree.size = fold->node_size;
    } else if (carry->asked != fold->asked || carry->element != fold->element ||
               carry->out != fold->out || carry->scans != scans) {
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: the carry was begun with another pattern, operator or type (%s)", call,
                        hd_operator_name(carry->asked));
    } else if (carry->number != fold->number || carry->tree.op != fold->node) {
        return hd__fail(
            ctx, HD_ERROR_ARGUMENT,
            "%s: the carry was begun with %s nodes of %s: accumulate and bound must stay "
            "as they were",
            call, carry->tree.op->name, hd_type_name(carry->number));
    }
    *tree = &carry->tree;
    return HD_OK;
}
