// SPDX-License-Identifier: Apache-2.0
// Nodes of the tree, where they are the operator's own values. Scans over segments have others:
// scan/pairs.cuh.
#pragma once

#if !HK_PAIRS
typedef hk_base hk_node;

HK_FN hk_node hk_combine(hk_node a, hk_node b)
{
    return hk_base_combine(a, b);
}

HK_FN hk_node hk_identity(void)
{
    return hk_base_identity();
}

HK_FN hk_node hk_transform(hk_element e, int64_t index)
{
    return hk_base_transform(e, index);
}

// An element that may be the head of a segment; here there are none.
HK_FN hk_node hk_transform_head(hk_element e, int64_t index, uint32_t head)
{
    return hk_base_transform(e, index);
}

HK_FN hk_node hk_node_of_value(hk_base value)
{
    return value;
}

HK_FN hk_base hk_value_of(hk_node n)
{
    return n;
}

HK_FN int64_t hk_count_of(hk_node n)
{
    return 0;
}
#endif
