// SPDX-License-Identifier: Apache-2.0
// Carries as bytes, and their union with a neighbour. Both sides have the largest aligned nodes of
// their elements; pushing those of the right one behind those of the left one joins siblings into
// the nodes of the union, whatever the grouping (Villa and others 2009 ask for such a tree; Demmel
// and Nguyen 2015 sum without one).
#include "carry.h"
#include "core/system/float_state.h"

// What stands before the nodes. Numbers of the machine's own byte order.
typedef struct packed {
    char magic[8];
    uint32_t node_size, element, out, number;
    uint64_t operator_hash; // of its name, node and state
    int64_t first, count;
    uint64_t reserved[2];
} packed;

_Static_assert(sizeof(packed) == 64, "the header that the manual speaks of");

static const char magic[8] = {'h', 'd', 'c', 'a', 'r', 'r', 'y', '1'};

// FNV-1a.
static uint64_t hash(uint64_t h, const void *bytes, size_t n)
{
    for (size_t k = 0; k < n; k++) h = (h ^ ((const unsigned char *)bytes)[k]) * 0x100000001b3u;
    return h;
}

static uint64_t hash_operator(const hd_carry *carry)
{
    const hd_state *state = &carry->asked->state;
    const char *asked = hd_operator_name(carry->asked), *node = carry->tree.op->name;
    uint64_t h = hash(0xcbf29ce484222325u, asked, strlen(asked) + 1);
    if (node != NULL) h = hash(h, node, strlen(node) + 1);
    return hash(h, state->data, state->size);
}

// ---- The nodes of a range -----------------------------------------------------------------------

// The level of the largest aligned node that begins at `at` and ends before `end` does.
static int level_at(int64_t at, int64_t end)
{
    const int fits = 63 - __builtin_clzll((unsigned long long)(end - at));
    const int aligned = at > 0 ? __builtin_ctzll((unsigned long long)at) : fits;
    return aligned < fits ? aligned : fits;
}

static int64_t nodes_of(int64_t first, int64_t count)
{
    int64_t nodes = 0;
    for (int64_t at = first, end = first + count; at < end; nodes++)
        at += (int64_t)1 << level_at(at, end);
    return nodes;
}

static const void *node_at(const hd_carry *carry, int64_t at, int level)
{
    return at < carry->start ? carry->head + (size_t)level * carry->tree.size
                             : (const unsigned char *)hd__tree_node(&carry->tree, level);
}

// Adds a node that begins where the carry ends.
static void push(hd_carry *carry, int level, const void *node)
{
    hd__tree_push(&carry->tree, level, node);
    hd__carry_settle(carry);
}

static void push_nodes(hd_carry *carry, const packed *head, const unsigned char *nodes)
{
    for (int64_t at = head->first, end = head->first + head->count; at < end;) {
        const int level = level_at(at, end);
        push(carry, level, nodes);
        nodes += carry->tree.size;
        at += (int64_t)1 << level;
    }
}

// ---- Packing ------------------------------------------------------------------------------------

int64_t hd_carry_bytes(const hd_carry *carry)
{
    if (carry == NULL || carry->tree.node == NULL) return 0;
    return (int64_t)sizeof(packed) +
           nodes_of(carry->first, hd_carry_count(carry)) * (int64_t)carry->tree.size;
}

static void pack(const hd_carry *carry, unsigned char *to)
{
    packed head = {.node_size = (uint32_t)carry->tree.size,
                   .element = carry->element,
                   .out = carry->out,
                   .number = carry->number,
                   .operator_hash = hash_operator(carry),
                   .first = carry->first,
                   .count = hd_carry_count(carry)};
    memcpy(head.magic, magic, sizeof magic);
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    for (int64_t at = carry->first, end = hd__carry_end(carry); at < end;) {
        const int level = level_at(at, end);
        memcpy(to, node_at(carry, at, level), carry->tree.size);
        to += carry->tree.size;
        at += (int64_t)1 << level;
    }
}

static hd_status check_carry(hd_context *ctx, const char *call, const hd_carry *carry)
{
    if (carry == NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: carry is NULL", call);
    if (carry->tree.node == NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: the carry knows no operator yet; expected a reduction or a scan with "
                        "it before, of no elements if need be",
                        call);
    if (carry->peaks != NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: the carry of a monotone scan is not joined",
                        call);
    return HD_OK;
}

static hd_status check_bytes(hd_context *ctx, const char *call, const hd_view *bytes)
{
    if (bytes->type != HD_U8 || bytes->ndim != 1 || bytes->space != HD_HOST ||
        bytes->stride[0] != 1 || bytes->shape[0] < 0 ||
        (bytes->data == NULL && bytes->shape[0] > 0))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: bytes is not a row of u8 without gaps in host memory", call);
    return HD_OK;
}

hd_status hd_carry_pack(hd_context *ctx, const hd_carry *carry, hd_view bytes)
{
    static const char call[] = "hd_carry_pack";
    HD__BEGIN(ctx);
    HD_TRY(check_carry(ctx, call, carry));
    HD_TRY(check_bytes(ctx, call, &bytes));
    if (bytes.read_only != 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: bytes is read-only", call);
    if (bytes.shape[0] != hd_carry_bytes(carry))
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: bytes has %lld elements; expected %lld", call,
                        (long long)bytes.shape[0], (long long)hd_carry_bytes(carry));
    pack(carry, bytes.data);
    return HD_OK;
}

// ---- Joining ------------------------------------------------------------------------------------

static const char join_call[] = "hd_carry_join";

static hd_status take_head(hd_context *ctx, const hd_view *bytes, packed *head)
{
    const int64_t most = (int64_t)1 << 62;
    if (bytes->shape[0] < (int64_t)sizeof *head)
        return hd__fail(ctx, HD_ERROR_VALUE, "%s: %lld bytes are no packed carry; expected %zu",
                        join_call, (long long)bytes->shape[0], sizeof *head);
    memcpy(head, bytes->data, sizeof *head);
    if (memcmp(head->magic, magic, sizeof magic) != 0)
        return hd__fail(ctx, HD_ERROR_VALUE,
                        "%s: the bytes do not begin as a packed carry of this version does",
                        join_call);
    if (head->first < 0 || head->count < 0 || head->first > most ||
        head->count > most - head->first || head->reserved[0] != 0 || head->reserved[1] != 0)
        return hd__fail(ctx, HD_ERROR_VALUE,
                        "%s: the bytes say first %lld, count %lld; expected a range within 2^62",
                        join_call, (long long)head->first, (long long)head->count);
    return HD_OK;
}

static hd_status check_same(hd_context *ctx, const hd_carry *carry, const packed *head)
{
    if (head->element != carry->element || head->out != carry->out ||
        head->number != carry->number || head->node_size != carry->tree.size ||
        head->operator_hash != hash_operator(carry))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: the bytes are of another operator, state or type than the carry's: "
                        "%s of %s to %s",
                        join_call, hd_operator_name(carry->asked), hd_type_name(carry->element),
                        hd_type_name(carry->out));
    return HD_OK;
}

static hd_status check_size(hd_context *ctx, const hd_view *bytes, const packed *head)
{
    const int64_t wanted =
        (int64_t)sizeof *head + nodes_of(head->first, head->count) * (int64_t)head->node_size;
    if (bytes->shape[0] == wanted) return HD_OK;
    return hd__fail(ctx, HD_ERROR_VALUE,
                    "%s: %lld bytes; expected %lld of a carry of %lld from %lld", join_call,
                    (long long)bytes->shape[0], (long long)wanted, (long long)head->count,
                    (long long)head->first);
}

// What comes before goes first, and the carry's own nodes behind it.
static hd_status prepend(hd_context *ctx, hd_carry *carry, const packed *head,
                         const unsigned char *nodes)
{
    const size_t size = (size_t)hd_carry_bytes(carry);
    unsigned char *own = hd__allocate(ctx, size);
    if (own == NULL) return HD_ERROR_MEMORY;
    pack(carry, own);
    packed mine;
    memcpy(&mine, own, sizeof mine);
    carry->first = carry->start = head->first;
    carry->heads = 0;
    carry->tree.count = 0;
    push_nodes(carry, head, nodes);
    push_nodes(carry, &mine, own + sizeof mine);
    hd__release(ctx, own, size);
    return HD_OK;
}

hd_status hd_carry_join(hd_context *ctx, hd_carry *carry, hd_view bytes)
{
    packed head;
    HD__BEGIN(ctx);
    HD_TRY(check_carry(ctx, join_call, carry));
    HD_TRY(check_bytes(ctx, join_call, &bytes));
    HD_TRY(take_head(ctx, &bytes, &head));
    HD_TRY(check_same(ctx, carry, &head));
    HD_TRY(check_size(ctx, &bytes, &head));
    const unsigned char *nodes = (const unsigned char *)bytes.data + sizeof head;
    HD__FLOAT_STATE;
    if (head.first == hd__carry_end(carry)) {
        push_nodes(carry, &head, nodes);
        return HD_OK;
    }
    if (head.first + head.count == carry->first) return prepend(ctx, carry, &head, nodes);
    return hd__fail(ctx, HD_ERROR_VALUE,
                    "%s: the bytes have elements %lld to %lld, the carry %lld to %lld; expected "
                    "neighbours",
                    join_call, (long long)head.first, (long long)(head.first + head.count),
                    (long long)carry->first, (long long)hd__carry_end(carry));
}
