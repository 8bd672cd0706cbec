// SPDX-License-Identifier: Apache-2.0
// The carry: a tree that outlives a call. Its nodes are made when the first call says their size.
#include "carry.h"

enum { MAX_FIRST = 62 }; // a sequence has at most 2^62 elements

hd_status hd_carry_open_at(hd_context *ctx, hd_carry **carry, int64_t first)
{
    HD__BEGIN(ctx);
    if (carry == NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "hd_carry_open: carry is NULL");
    *carry = NULL;
    if (first < 0 || first > (int64_t)1 << MAX_FIRST)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "hd_carry_open_at: first is %lld; expected 0 to 2^%d", (long long)first,
                        MAX_FIRST);
    *carry = hd__allocate(ctx, sizeof **carry);
    if (*carry == NULL) return HD_ERROR_MEMORY;
    **carry = (hd_carry){.first = first, .start = first};
    return HD_OK;
}

hd_status hd_carry_open(hd_context *ctx, hd_carry **carry)
{
    return hd_carry_open_at(ctx, carry, 0);
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
    return carry != NULL ? hd__carry_end(carry) - carry->first : 0;
}

int64_t hd_carry_first(const hd_carry *carry)
{
    return carry != NULL ? carry->first : 0;
}

// ---- Nodes --------------------------------------------------------------------------------------

// The size of the node that the tree's are to become: the greatest power of two in its start.
static int64_t joined_size(const hd_carry *carry)
{
    return carry->start & -carry->start;
}

int64_t hd__carry_room(const hd_carry *carry)
{
    return carry->start == 0 ? INT64_MAX : joined_size(carry) - carry->tree.count;
}

void hd__carry_settle(hd_carry *carry)
{
    if (hd__carry_room(carry) > 0) return;
    const int level = __builtin_ctzll((unsigned long long)carry->start);
    hd__copy_node(carry->head + (size_t)level * carry->tree.size,
                  hd__tree_node(&carry->tree, level), carry->tree.size);
    carry->heads |= (uint64_t)1 << level;
    carry->start += joined_size(carry);
    carry->tree.count = 0;
}

// ---- The first call -----------------------------------------------------------------------------

// An operator with a state is the caller's copy, which may be gone before the next call: the carry
// has one of its own, with the bytes of the state behind its nodes.
static void keep_operator(hd_carry *carry, const hd__fold *fold)
{
    const hd_state *state = &fold->asked->state;
    carry->asked = fold->asked;
    carry->tree.op = fold->node;
    if (state->size == 0) return;
    unsigned char *bytes =
        (unsigned char *)carry->tree.node + hd__padded(2 * HD__LEVELS * fold->node_size);
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
                          hd__tree **tree)
{
    if (carry->tree.node == NULL) {
        carry->bytes = hd__padded(2 * HD__LEVELS * fold->node_size) + fold->asked->state.size;
        carry->tree.node = hd__allocate(ctx, carry->bytes);
        if (carry->tree.node == NULL) return HD_ERROR_MEMORY;
        keep_operator(carry, fold);
        carry->element = fold->element;
        carry->out = fold->out;
        carry->number = fold->number;
        carry->tree.size = fold->node_size;
        carry->head = carry->tree.node + HD__LEVELS * fold->node_size;
    } else if (!is_kept(carry, fold) || carry->element != fold->element ||
               carry->out != fold->out) {
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: the carry was begun with another operator, state or type (%s)", call,
                        hd_operator_name(carry->asked));
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
