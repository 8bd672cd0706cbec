// SPDX-License-Identifier: Apache-2.0
//
// What scan.cu and scan_rows.cu share: from the prefix of a chunk down to its elements, and writing them.
#define HD_WARPS (HD_THREADS / HD_WARP)
#define HD_TILE  ((int64_t)HD_WARPS * HD_CHUNK)

// Where its segments begin, if it has some: in offsets, or in keys.
struct hd_heads_how {
    int64_t count;    // offsets
    int32_t backward; // elements are in the other order than offsets
    int32_t check;    // offsets that the host has not seen
};

// ---- Down the tree -------------------------------------------------------------------------------

// In lane k of a group of `lanes`: the prefix of everything before it in its group, after p.
HD_FN hd_prefix hd_before_lane(hd_prefix p, hd_node n, int lanes)
{
    hd_node left[5];
#pragma unroll
    for (int k = 0; k < 5; k++)
        if (1 << k < lanes) {
            const hd_node other = hd_from_xor(n, 1 << k);
            left[k] = other;
            n = hd_join(n, other, (hd_lane() >> k & 1) != 0);
        }
#pragma unroll
    for (int k = 4; k >= 0; k--)
        if (1 << k < lanes && (hd_lane() >> k & 1)) hd_append(&p, left[k]);
    return p;
}

// before[j]: the prefix of everything before element j of a lane's HD_K, of which x are the nodes.
HD_FN void hd_before_elements(hd_prefix p, const hd_node *x, hd_prefix *before)
{
    hd_node up[HD_K]; // up[j]: the node of the elements from j on that j's lowest set bit allows
#pragma unroll
    for (int j = 0; j < HD_K; j++) up[j] = x[j];
    hd_node left[HD_K]; // left[j + d]: the node over d elements from j
#pragma unroll
    for (int d = 1; d < HD_K; d *= 2)
#pragma unroll
        for (int j = 0; j < HD_K; j += 2 * d) {
            left[j + d] = up[j];
            up[j] = hd_combine(up[j], up[j + d]);
        }
    before[0] = p;
#pragma unroll
    for (int d = HD_K / 2; d >= 1; d /= 2)
#pragma unroll
        for (int j = 0; j < HD_K; j += 2 * d) {
            before[j + d] = before[j];
            hd_append(&before[j + d], left[j + d]);
        }
}

// ---- Writing -------------------------------------------------------------------------------------

struct hd_scan_out {
    hd_view out, values;
};

HD_FN hd_base hd_with_init(hd_node n, hd_base init)
{
#if HD_HEADS && HD_HAS_INIT
    return hd_base_combine(init, hd_value_of(n));
#elif HD_HEADS
    return hd_value_of(n);
#elif HD_HAS_INIT
    return hd_combine(init, n);
#else
    return n;
#endif
}

// Elements under a prefix; without heads so many as there are.
HD_FN int64_t hd_count_under(hd_node n, int64_t all)
{
#if HD_HEADS && HD_DIVIDES
    return hd_count_of(n);
#else
    return all;
#endif
}

// What is written over no elements.
HD_FN void hd_give_empty(const hd_scan_out *to, hd_empty empty, int64_t i)
{
    hd_put(&to->out, i, empty.out);
#if HD_VALUES
    hd_put_value(&to->values, i, empty.value);
#endif
}

// Outputs at .. at + HD_K - 1, of which only those before `limit` are written. Bit j of none: output j is
// over no elements.
HD_FN void hd_give_lane(const hd_scan_out *to, int64_t at, int64_t limit, int64_t index,
                        const hd_prefix *r, hd_base init, hd_empty empty, uint32_t none)
{
    const int64_t count = index + at + !HD_EXCLUSIVE;
    if (at + HD_K <= limit && r[0].any) {
        hd_out y[HD_K];
#pragma unroll
        for (int j = 0; j < HD_K; j++) {
            y[j] = hd_lower(hd_with_init(r[j].node, init), hd_count_under(r[j].node, count + j));
            if (none >> j & 1) y[j] = empty.out;
        }
        hd_put_run(&to->out, at, y);
#if HD_VALUES
#pragma unroll
        for (int j = 0; j < HD_K; j++)
            hd_put_value(&to->values, at + j,
                         none >> j & 1 ? empty.value
                                       : hd_lower_value(hd_with_init(r[j].node, init)));
#endif
        return;
    }
#pragma unroll
    for (int j = 0; j < HD_K; j++) {
        if (at + j >= limit) continue;
        if (r[j].any && !(none >> j & 1))
            hd_give(&to->out, &to->values, at + j, hd_with_init(r[j].node, init),
                    hd_count_under(r[j].node, count + j));
        else
            hd_give_empty(to, empty, at + j);
    }
}

// ---- A row ---------------------------------------------------------------------------------------

// Elements past the end are those before it again: no output depends on them.
HD_FN void hd_read_some(const hd_inputs *in, int64_t first, int64_t n, hd_element e[HD_ROWS][HD_K])
{
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
#pragma unroll
        for (int j = 0; j < HD_K; j++) {
            const int64_t i = first + r * HD_ROW + hd_lane() * HD_K + j;
            e[r][j] = hd_item(in, i < n ? i : n - 1);
        }
}

HD_FN void hd_give_row(const hd_scan_out *to, const hd_element *e, hd_prefix row, hd_prefix next,
                       int64_t at, int64_t limit, int64_t index, hd_base init, hd_empty empty,
                       uint32_t heads)
{
    hd_node x[HD_K];
#pragma unroll
    for (int j = 0; j < HD_K; j++) x[j] = hd_lifted(e[j], index + at, heads, j);
    hd_prefix r[HD_K + 1];
    const hd_prefix mine = hd_before_lane(row, hd_node_of(x, HD_K), HD_WARP);
    hd_before_elements(mine, x, r);
#if HD_EXCLUSIVE
    hd_give_lane(to, at, limit, index, r, init, empty, heads);
#else
    r[HD_K].node = hd_from_next(mine.node);
    if (hd_lane() == 31) r[HD_K].node = next.node;
    r[HD_K].any = true;
    hd_give_lane(to, at, limit, index, r + 1, init, empty, 0);
#endif
}
