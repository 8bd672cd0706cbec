// SPDX-License-Identifier: Apache-2.0
//
// Nodes of a scan over segments: whether a segment begins in them, and the fold from there on.
// hk_base and what comes with it is the operator's (emit_kernel.c). A head on the right forgets the
// left.
#pragma once

#if HK_PAIRS
// Words, so that it has no gaps.
struct hk_node {
    uint32_t value[HK_VALUE_WORDS];
    uint32_t head;
#if HK_COUNTED
    uint32_t count[2]; // elements from the last head on
#endif
};

union hk_base_words {
    uint32_t w[HK_VALUE_WORDS];
    hk_base value;
};

HK_FN hk_base hk_value_of(hk_node n)
{
    hk_base_words x;
#pragma unroll
    for (int k = 0; k < HK_VALUE_WORDS; k++) x.w[k] = n.value[k];
    return x.value;
}

#if HK_COUNTED
HK_FN int64_t hk_count_of(hk_node n)
{
    return (int64_t)((uint64_t)n.count[1] << 32 | n.count[0]);
}

HK_FN void hk_set_count(hk_node *n, int64_t count)
{
    n->count[0] = (uint32_t)count;
    n->count[1] = (uint32_t)((uint64_t)count >> 32);
}
#else
HK_FN int64_t hk_count_of(hk_node n)
{
    return 0;
}

HK_FN void hk_set_count(hk_node *n, int64_t count)
{
}
#endif

HK_FN hk_node hk_pair(hk_base value, uint32_t head, int64_t count)
{
    hk_base_words x;
    hk_node n;
    x.w[HK_VALUE_WORDS - 1] = 0;
    x.value = value;
#pragma unroll
    for (int k = 0; k < HK_VALUE_WORDS; k++) n.value[k] = x.w[k];
    n.head = head;
    hk_set_count(&n, count);
    return n;
}

HK_FN hk_node hk_combine(hk_node a, hk_node b)
{
    const hk_base value = b.head ? hk_value_of(b) : hk_base_combine(hk_value_of(a), hk_value_of(b));
    return hk_pair(value, a.head | b.head,
                   b.head ? hk_count_of(b) : hk_count_of(a) + hk_count_of(b));
}

HK_FN hk_node hk_identity(void)
{
    return hk_pair(hk_base_identity(), 0, 0);
}

HK_FN hk_node hk_node_of_value(hk_base value)
{
    return hk_pair(value, 0, 0);
}

HK_FN hk_node hk_transform_head(hk_element e, int64_t index, uint32_t head)
{
    return hk_pair(hk_base_transform(e, index), head, 1);
}
#endif
