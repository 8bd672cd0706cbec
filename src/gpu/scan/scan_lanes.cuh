// SPDX-License-Identifier: Apache-2.0
//
// What scan_tiles.cu and scan_rows.cu share: from the prefix of a chunk down to its elements, and
// writing them.
#pragma once
#include "device/chunk.cuh"

#define HK_WARPS (HK_THREADS / HK_WARP)
#define HK_TILE  ((int64_t)HK_WARPS * HK_CHUNK)

// Where its segments begin, if it has some: in offsets, or in keys.
struct hk_heads_how {
    int64_t count;    // offsets
    int32_t backward; // elements are in the other order than offsets
    int32_t check;    // offsets that the host has not seen
};

// ---- Down the tree ------------------------------------------------------------------------------

// In lane k of a group of `lanes`: the prefix of everything before it in its group, after p.
HK_FN hk_prefix hk_before_lane(hk_prefix p, hk_node n, int lanes)
{
    hk_node left[5];
#pragma unroll
    for (int k = 0; k < 5; k++)
        if (1 << k < lanes) {
            const hk_node other = hk_from_xor(n, 1 << k);
            left[k] = other;
            n = hk_join(n, other, (hk_lane() >> k & 1) != 0);
        }
#pragma unroll
    for (int k = 4; k >= 0; k--)
        if (1 << k < lanes && (hk_lane() >> k & 1)) hk_append(&p, left[k]);
    return p;
}

// The same for every lane of HK_ROWS_UNROLLED rows at once: t[k] is the lane's node in row k, p the
// prefix of a row in the lanes whose number mod HK_ROWS_UNROLLED is the row's, before[k] the lane's
// in row k. Nodes go up transposed, as in hk_transpose_reduce, and prefixes come down in the same
// way: 7 and 7 shuffles for 8 rows, one after another as many as for one.
HK_FN void hk_before_lanes(hk_prefix p, hk_node *t, hk_prefix *before)
{
    hk_node left[2 * HK_ROWS_UNROLLED], high[5]; // left[c + q]: of node q where c are left a lane
#pragma unroll
    for (int c = HK_ROWS_UNROLLED / 2; c >= 1; c /= 2) {
        const bool right = (hk_lane() & HK_ROWS_UNROLLED / 2 / c) != 0;
#pragma unroll
        for (int q = 0; q < c; q++) {
            const hk_node mine = right ? t[2 * q + 1] : t[2 * q];
            const hk_node other =
                hk_from_xor(right ? t[2 * q] : t[2 * q + 1], HK_ROWS_UNROLLED / 2 / c);
            left[c + q] = right ? other : mine;
            t[q] = hk_join(mine, other, right);
        }
    }
#pragma unroll
    for (int k = 0; k < 5; k++)
        if (1 << k >= HK_ROWS_UNROLLED) {
            high[k] = hk_from_xor(t[0], 1 << k);
            t[0] = hk_join(t[0], high[k], (hk_lane() >> k & 1) != 0);
        }
#pragma unroll
    for (int k = 4; k >= 0; k--)
        if (1 << k >= HK_ROWS_UNROLLED && (hk_lane() >> k & 1)) hk_append(&p, high[k]);
    before[0] = p;
#pragma unroll
    for (int c = 1; c < HK_ROWS_UNROLLED; c *= 2) {
        const bool right = (hk_lane() & HK_ROWS_UNROLLED / 2 / c) != 0;
#pragma unroll
        for (int q = c - 1; q >= 0; q--) { // what a lane has of one row is given on to two
            const hk_prefix own = before[q];
            hk_prefix after = own;
            hk_append(&after, left[c + q]);
            const hk_node other =
                hk_from_xor(right ? own.node : after.node, HK_ROWS_UNROLLED / 2 / c);
            before[2 * q + 1].node = right ? after.node : other;
            before[2 * q + 1].any = true;
            before[2 * q].node = right ? other : own.node;
            before[2 * q].any = right || own.any;
        }
    }
}

// before[j]: the prefix of everything before element j of a lane's HK_K, of which x are the nodes.
HK_FN void hk_before_elements(hk_prefix p, const hk_node *x, hk_prefix *before)
{
    hk_node up[HK_K]; // up[j]: the node of the elements from j on that j's lowest set bit allows
#pragma unroll
    for (int j = 0; j < HK_K; j++) up[j] = x[j];
    hk_node left[HK_K]; // left[j + d]: the node over d elements from j
#pragma unroll
    for (int d = 1; d < HK_K; d *= 2)
#pragma unroll
        for (int j = 0; j < HK_K; j += 2 * d) {
            left[j + d] = up[j];
            up[j] = hk_combine(up[j], up[j + d]);
        }
    before[0] = p;
#pragma unroll
    for (int d = HK_K / 2; d >= 1; d /= 2)
#pragma unroll
        for (int j = 0; j < HK_K; j += 2 * d) {
            before[j + d] = before[j];
            hk_append(&before[j + d], left[j + d]);
        }
}

// ---- Writing ------------------------------------------------------------------------------------

struct hk_scan_out {
    hk_view out, values;
};

HK_FN hk_base hk_with_init(hk_node n, hk_base init)
{
    return HK_HAS_INIT ? hk_base_combine(init, hk_value_of(n)) : hk_value_of(n);
}

// Elements under a prefix; without heads so many as there are.
HK_FN int64_t hk_count_under(hk_node n, int64_t all)
{
    return HK_PAIRS && HK_COUNTED ? hk_count_of(n) : all;
}

#if HK_VALUES
// Values at .. at + HK_K - 1, beside the outputs.
HK_FN void hk_give_values(const hk_scan_out *to, int64_t at, int64_t count, const hk_prefix *r,
                          hk_base init, hk_empty empty, uint32_t none)
{
#pragma unroll
    for (int j = 0; j < HK_K; j++)
        hk_put_value(&to->values, at + j,
                     none >> j & 1 ? empty.value
                                   : hk_finalize_value(hk_with_init(r[j].node, init),
                                                       hk_count_under(r[j].node, count + j)));
}
#else
HK_FN void hk_give_values(const hk_scan_out *to, int64_t at, int64_t count, const hk_prefix *r,
                          hk_base init, hk_empty empty, uint32_t none)
{
}
#endif

// Outputs at .. at + HK_K - 1, of which only those before `limit` are written. Bit j of none:
// output j is over no elements.
HK_FN void hk_give_lane(const hk_scan_out *to, int64_t at, int64_t limit, int64_t index,
                        const hk_prefix *r, hk_base init, hk_empty empty, uint32_t none)
{
    const int64_t count = index + at + !HK_EXCLUSIVE;
    if (at + HK_K <= limit && r[0].any) {
        hk_out y[HK_K];
#pragma unroll
        for (int j = 0; j < HK_K; j++) {
            y[j] = hk_finalize(hk_with_init(r[j].node, init), hk_count_under(r[j].node, count + j));
            if (none >> j & 1) y[j] = empty.out;
        }
        hk_put_run(&to->out, at, y);
        hk_give_values(to, at, count, r, init, empty, none);
        return;
    }
#pragma unroll
    for (int j = 0; j < HK_K; j++) {
        if (at + j >= limit) continue;
        if (r[j].any && !(none >> j & 1))
            hk_give(&to->out, &to->values, at + j, hk_with_init(r[j].node, init),
                    hk_count_under(r[j].node, count + j));
        else
            hk_give_empty(&to->out, &to->values, at + j, empty);
    }
}

// ---- A row --------------------------------------------------------------------------------------

// Elements past the end are those before it again: no output depends on them.
HK_FN void hk_read_some(const hk_inputs *in, int64_t first, int64_t n, hk_element e[HK_ROWS][HK_K])
{
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
        for (int j = 0; j < HK_K; j++) {
            const int64_t i = first + r * HK_ROW + hk_lane() * HK_K + j;
            e[r][j] = hk_item(in, i < n ? i : n - 1);
        }
}

// What is before each lane of the rows from r on, HK_ROWS_UNROLLED of them, of which t are the
// lanes' nodes; and in after[k] what is before the next lane. of_row: what is before each row, in
// the lanes whose number mod HK_ROWS is the row's; next: before the next chunk.
HK_FN void hk_before_rows(hk_prefix of_row, int r, bool any, hk_node next, hk_node *t,
                          hk_prefix *before, hk_node *after)
{
    const int row = r + (hk_lane() & (HK_ROWS_UNROLLED - 1));
    hk_prefix p;
    p.node = hk_from_lane(of_row.node, row);
    p.any = any || row > 0;
    const hk_node beyond =
        hk_from_lane(of_row.node, r + HK_ROWS_UNROLLED < HK_ROWS ? r + HK_ROWS_UNROLLED : 0);
    hk_before_lanes(p, t, before);
    if (HK_EXCLUSIVE) return;
#pragma unroll
    for (int k = 0; k < HK_ROWS_UNROLLED;
         k++) { // the lane after the last is the first of the next row
        hk_node first = r + HK_ROWS_UNROLLED < HK_ROWS ? beyond : next;
        if (k + 1 < HK_ROWS_UNROLLED) first = before[k + 1 < HK_ROWS_UNROLLED ? k + 1 : k].node;
        after[k] = hk_from_lane(hk_lane() == 0 ? first : before[k].node, hk_lane() + 1);
    }
}

HK_FN void hk_give_row(const hk_scan_out *to, const hk_element *e, hk_prefix before, hk_node after,
                       int64_t at, int64_t limit, int64_t index, hk_base init, hk_empty empty,
                       uint32_t heads)
{
    hk_node x[HK_K];
#pragma unroll
    for (int j = 0; j < HK_K; j++) x[j] = hk_transform_flagged(e[j], index + at, heads, j);
    hk_prefix r[HK_K + 1];
    hk_before_elements(before, x, r);
    r[HK_K].node = after;
    r[HK_K].any = true;
    if (HK_EXCLUSIVE)
        hk_give_lane(to, at, limit, index, r, init, empty, heads);
    else
        hk_give_lane(to, at, limit, index, r + 1, init, empty, 0);
}
