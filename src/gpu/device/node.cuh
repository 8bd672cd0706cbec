// SPDX-License-Identifier: Apache-2.0
// Nodes of the tree, where they are the operator's own values. Scans over segments have others: scan/pairs.cuh.
#pragma once

#if !HD_PAIRS
typedef hd_base hd_node;

HD_FN hd_node hd_combine(hd_node a, hd_node b)
{
    return hd_base_combine(a, b);
}

HD_FN hd_node hd_identity(void)
{
    return hd_base_identity();
}

HD_FN hd_node hd_lift(hd_element e, int64_t index)
{
    return hd_base_lift(e, index);
}

// An element that may be the head of a segment; here there are none.
HD_FN hd_node hd_lift_head(hd_element e, int64_t index, uint32_t head)
{
    return hd_base_lift(e, index);
}

HD_FN hd_node hd_node_of_value(hd_base value)
{
    return value;
}

HD_FN hd_base hd_value_of(hd_node n)
{
    return n;
}

HD_FN int64_t hd_count_of(hd_node n)
{
    return 0;
}
#endif
