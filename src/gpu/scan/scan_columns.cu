// SPDX-License-Identifier: Apache-2.0
//
// scan_columns: rows of a view whose elements lie apart while those of neighbouring rows lie
// together, as the columns of an image do; each is a scan of its own. A block takes HK_ITEMS of
// them, chunk after chunk: a thread marches down HK_K elements of one, so that a warp reads and
// writes what lies together. Nodes of the threads are exchanged through shared memory. Views have
// one dimension, that along the scan, and are moved to the thread's column.
#include "device/kernel.cuh"
#include "scan/pairs.cuh"
#include "scan/scan_lanes.cuh"
#include "scan/scan_pending.cuh"

#define HK_STRIPS (HK_THREADS / HK_ITEMS) // threads of a column

// The axes besides that of the scan, and steps along them in bytes.
struct hk_columns_how {
    int64_t columns, length;
    int32_t axes;
    int64_t shape[7], in[8][7], out[7], values[7];
};

struct hk_column {
    hk_inputs in;
    hk_scan_out to;
    int64_t length;
};

HK_FN void hk_move_to_column(hk_column *v, const hk_columns_how *how, int64_t column)
{
    for (int k = how->axes - 1; k >= 0; k--) {
        const int64_t rest = column / how->shape[k], at = column - rest * how->shape[k];
#pragma unroll
        for (int j = 0; j < HK_INPUTS; j++) v->in.view[j].data += at * how->in[j][k];
        v->to.out.data += at * how->out[k];
        v->to.values.data += at * how->values[k];
        column = rest;
    }
}

// Elements from `first` on; past the end the last one again: no output depends on them.
HK_FN void hk_read_strip(const hk_column *v, int64_t first, hk_element *e)
{
    if (first + HK_K <= v->length) {
#pragma unroll
        for (int j = 0; j < HK_K; j++) e[j] = hk_item(&v->in, first + j);
        return;
    }
#pragma unroll
    for (int j = 0; j < HK_K; j++)
        e[j] = hk_item(&v->in, first + j < v->length ? first + j : v->length - 1);
}

// From the nodes of a chunk's strips to what is before each of them, and before the next chunk. A
// group of HK_STRIPS lanes takes a column; pending[k] is there where bit k of the chunks so far is
// set.
HK_FN void hk_exchange_strips(const hk_node *of_strip, hk_node *pending, int64_t chunk,
                              hk_node *before_strip)
{
    const int strip = threadIdx.x & (HK_STRIPS - 1);
    const hk_node mine = *of_strip;
    const hk_prefix p = hk_fold_pending(pending, chunk, mine);
    hk_node all = mine;
#pragma unroll
    for (int d = 1; d < HK_STRIPS; d *= 2) all = hk_up(all, d);
    hk_push_pending(pending, chunk, all);
    const hk_prefix next = hk_fold_pending(pending, chunk + 1, all);
    before_strip[0] = hk_before_lane(p, mine, HK_STRIPS).node;
    if (strip == HK_STRIPS - 1) before_strip[1] = next.node;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    scan_columns(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_columns_how how,
                 hk_base init, const __grid_constant__ hk_empty empty,
                 const __grid_constant__ hk_scan_out to)
{
    hk_begin();
    // One more a column: neighbouring columns begin in other banks.
    __shared__ hk_node of_strip[HK_ITEMS][HK_STRIPS + 1], before_strip[HK_ITEMS][HK_STRIPS + 1];
    const int column = threadIdx.x & (HK_ITEMS - 1), strip = threadIdx.x / HK_ITEMS;
    const int given = threadIdx.x / HK_STRIPS, at = threadIdx.x & (HK_STRIPS - 1);
    const int64_t mine = (int64_t)blockIdx.x * HK_ITEMS + column;
    const bool is_there = mine < how.columns;
    hk_column v = {in, to, how.length};
    hk_move_to_column(&v, &how, is_there ? mine : how.columns - 1);
    hk_node pending[HK_LEVELS];
    hk_element e[HK_K], following[HK_K];
    hk_read_strip(&v, strip * HK_K, e);
    int64_t first = strip * HK_K;
    for (int64_t chunk = 0; chunk * HK_STRIPS * HK_K < how.length; chunk++) {
        of_strip[column][strip] = hk_lane_node(e, first, 0);
        const int64_t behind = first + HK_STRIPS * HK_K;
        if (behind < how.length) hk_read_strip(&v, behind, following); // under way meanwhile
        hk_block_barrier();
        hk_exchange_strips(&of_strip[given][at], pending, chunk, &before_strip[given][at]);
        hk_block_barrier();
        hk_prefix before;
        before.node = before_strip[column][strip];
        before.any = chunk > 0 || strip > 0;
        hk_give_row(&v.to, e, before, before_strip[column][strip + 1], first,
                    is_there ? how.length : 0, 0, init, empty, 0);
#pragma unroll
        for (int j = 0; j < HK_K; j++) e[j] = following[j];
        first = behind;
    }
}
