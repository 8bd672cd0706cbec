// SPDX-License-Identifier: Apache-2.0
//
// What scan.cu and scan_rows.cu share: from the prefix of a chunk down to its elements, and writing them.
#pragma once
#include "device/chunk.cuh"

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

// The same for every lane of HD_TURN rows at once: t[k] is the lane's node in row k, p the prefix of a row in the lanes
// whose number mod HD_TURN is the row's, before[k] the lane's in row k. Nodes go up turned, as in hd_turn_rows, and
// prefixes come down in the same way: 7 and 7 shuffles for 8 rows, one after another as many as for one.
HD_FN void hd_before_lanes(hd_prefix p, hd_node *t, hd_prefix *before)
{
    hd_node left[2 * HD_TURN], high[5]; // left[c + q]: of node q where c are left a lane
#pragma unroll
    for (int c = HD_TURN / 2; c >= 1; c /= 2) {
        const bool right = (hd_lane() & HD_TURN / 2 / c) != 0;
#pragma unroll
        for (int q = 0; q < c; q++) {
            const hd_node mine = right ? t[2 * q + 1] : t[2 * q];
            const hd_node other = hd_from_xor(right ? t[2 * q] : t[2 * q + 1], HD_TURN / 2 / c);
            left[c + q] = right ? other : mine;
            t[q] = hd_join(mine, other, right);
        }
    }
#pragma unroll
    for (int k = 0; k < 5; k++)
        if (1 << k >= HD_TURN) {
            high[k] = hd_from_xor(t[0], 1 << k);
            t[0] = hd_join(t[0], high[k], (hd_lane() >> k & 1) != 0);
        }
#pragma unroll
    for (int k = 4; k >= 0; k--)
        if (1 << k >= HD_TURN && (hd_lane() >> k & 1)) hd_append(&p, high[k]);
    before[0] = p;
#pragma unroll
    for (int c = 1; c < HD_TURN; c *= 2) {
        const bool right = (hd_lane() & HD_TURN / 2 / c) != 0;
#pragma unroll
        for (int q = c - 1; q >= 0; q--) { // what a lane has of one row is given on to two
            const hd_prefix own = before[q];
            hd_prefix after = own;
            hd_append(&after, left[c + q]);
            const hd_node other = hd_from_xor(right ? own.node : after.node, HD_TURN / 2 / c);
            before[2 * q + 1].node = right ? after.node : other;
            before[2 * q + 1].any = true;
            before[2 * q].node = right ? other : own.node;
            before[2 * q].any = right || own.any;
        }
    }
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
    return HD_HAS_INIT ? hd_base_combine(init, hd_value_of(n)) : hd_value_of(n);
}

// Elements under a prefix; without heads so many as there are.
HD_FN int64_t hd_count_under(hd_node n, int64_t all)
{
    return HD_PAIRS && HD_COUNTED ? hd_count_of(n) : all;
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
                                       : hd_lower_value(hd_with_init(r[j].node, init),
                                                        hd_count_under(r[j].node, count + j)));
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

// What is before each lane of the rows from r on, HD_TURN of them, of which t are the lanes' nodes; and in after[k] what
// is before the next lane. of_row: what is before each row, in the lanes whose number mod HD_ROWS is the row's; next:
// before the next chunk.
HD_FN void hd_before_rows(hd_prefix of_row, int r, bool any, hd_node next, hd_node *t,
                          hd_prefix *before, hd_node *after)
{
    const int row = r + (hd_lane() & (HD_TURN - 1));
    hd_prefix p;
    p.node = hd_from_lane(of_row.node, row);
    p.any = any || row > 0;
    const hd_node beyond = hd_from_lane(of_row.node, r + HD_TURN < HD_ROWS ? r + HD_TURN : 0);
    hd_before_lanes(p, t, before);
    if (HD_EXCLUSIVE) return;
#pragma unroll
    for (int k = 0; k < HD_TURN; k++) { // the lane after the last is the first of the next row
        hd_node first = r + HD_TURN < HD_ROWS ? beyond : next;
        if (k + 1 < HD_TURN) first = before[k + 1 < HD_TURN ? k + 1 : k].node;
        after[k] = hd_from_lane(hd_lane() == 0 ? first : before[k].node, hd_lane() + 1);
    }
}

HD_FN void hd_give_row(const hd_scan_out *to, const hd_element *e, hd_prefix before, hd_node after,
                       int64_t at, int64_t limit, int64_t index, hd_base init, hd_empty empty,
                       uint32_t heads)
{
    hd_node x[HD_K];
#pragma unroll
    for (int j = 0; j < HD_K; j++) x[j] = hd_lifted(e[j], index + at, heads, j);
    hd_prefix r[HD_K + 1];
    hd_before_elements(before, x, r);
    r[HD_K].node = after;
    r[HD_K].any = true;
    if (HD_EXCLUSIVE)
        hd_give_lane(to, at, limit, index, r, init, empty, heads);
    else
        hd_give_lane(to, at, limit, index, r + 1, init, empty, 0);
}
