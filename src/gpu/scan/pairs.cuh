// SPDX-License-Identifier: Apache-2.0
//
// Nodes of a scan over segments: whether a segment begins in them, and the fold from there on. hd_base and
// what comes with it is the operator's (emit_kernel.c). A head on the right forgets the left.
#pragma once

#if HD_PAIRS
// Words, so that it has no gaps.
struct hd_node {
    uint32_t value[HD_VALUE_WORDS];
    uint32_t head;
#if HD_COUNTED
    uint32_t count[2]; // elements from the last head on
#endif
};

union hd_base_words {
    uint32_t w[HD_VALUE_WORDS];
    hd_base value;
};

HD_FN hd_base hd_value_of(hd_node n)
{
    hd_base_words x;
#pragma unroll
    for (int k = 0; k < HD_VALUE_WORDS; k++) x.w[k] = n.value[k];
    return x.value;
}

HD_FN int64_t hd_count_of(hd_node n)
{
#if HD_COUNTED
    return (int64_t)((uint64_t)n.count[1] << 32 | n.count[0]);
#else
    return 0;
#endif
}

HD_FN hd_node hd_pair(hd_base value, uint32_t head, int64_t count)
{
    hd_base_words x;
    hd_node n;
    x.w[HD_VALUE_WORDS - 1] = 0;
    x.value = value;
#pragma unroll
    for (int k = 0; k < HD_VALUE_WORDS; k++) n.value[k] = x.w[k];
    n.head = head;
#if HD_COUNTED
    n.count[0] = (uint32_t)count;
    n.count[1] = (uint32_t)((uint64_t)count >> 32);
#endif
    return n;
}

HD_FN hd_node hd_combine(hd_node a, hd_node b)
{
    const hd_base value = b.head ? hd_value_of(b) : hd_base_combine(hd_value_of(a), hd_value_of(b));
    return hd_pair(value, a.head | b.head,
                   b.head ? hd_count_of(b) : hd_count_of(a) + hd_count_of(b));
}

HD_FN hd_node hd_identity(void)
{
    return hd_pair(hd_base_identity(), 0, 0);
}

HD_FN hd_node hd_node_of_value(hd_base value)
{
    return hd_pair(value, 0, 0);
}

HD_FN hd_node hd_lift_head(hd_element e, int64_t index, uint32_t head)
{
    return hd_pair(hd_base_lift(e, index), head, 1);
}
#endif
