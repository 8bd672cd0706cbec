// SPDX-License-Identifier: Apache-2.0
//
// find_runs: where runs of equal keys begin, in one pass: a block counts the heads of runs in its tile and
// learns how many there were before (scan_blocks.h).
struct hd_runs_how {
    hd_scan_how scan;
    int64_t n, room; // of the outputs: no more runs are written, and the end of the last
};

struct hd_runs_state {
    hd_scan_state scan;
    hd_start *start; // of each run its first element; behind the last the number of elements
    int64_t *part;   // the first run that begins in each HD_ITEMS elements; then the number of runs
    int64_t *count;  // runs that are written, and runs
    uint32_t *fault;
};

// ---- A chunk -------------------------------------------------------------------------------------

// Of each row the heads in the lanes before, two rows a word; gives the same over all lanes in `rows`.
HD_FN void hd_count_lanes(uint32_t heads, uint32_t *before, uint32_t *rows)
{
#pragma unroll
    for (int w = 0; w < (HD_ROWS + 1) / 2; w++) {
        uint32_t mine = 0;
#pragma unroll
        for (int r = 2 * w; r < 2 * w + 2 && r < HD_ROWS; r++)
            mine |= (uint32_t)hd_popc((int)(heads >> (r * HD_K) & ((1u << HD_K) - 1)))
                    << (r % 2 * 16);
        uint32_t sum = mine;
#pragma unroll
        for (int d = 1; d < HD_WARP; d *= 2) {
            const uint32_t other = hd_word_from(sum, hd_lane() - d);
            if (hd_lane() >= d) sum += other;
        }
        before[w] = sum - mine;
        rows[w] = hd_word_from(sum, 31);
    }
}

HD_FN int hd_half(const uint32_t *words, int r)
{
    return (int)(words[r / 2] >> (r % 2 * 16) & 0xffff);
}

HD_FN void hd_put_start(const hd_runs_state *s, const hd_runs_how *how, const hd_view *keys,
                      const hd_view *keys_out, int64_t run, int64_t i)
{
    if (run <= how->room) s->start[run] = (hd_start)i;
#if HD_KEYS_OUT
    if (run < how->room) hd_put_key(keys_out, run, hd_key_at(keys, i));
#endif
}

// Everything about the elements of a lane, from the number of runs before the warp's chunk.
HD_FN void hd_put_runs(const hd_runs_state *s, const hd_runs_how *how, const hd_view *keys,
                       const hd_view *keys_out, int64_t first, uint32_t heads, int64_t run,
                       const uint32_t *before, const uint32_t *rows)
{
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t at = first + r * HD_ROW + hd_lane() * HD_K;
        const uint32_t bits = heads >> (r * HD_K) & ((1u << HD_K) - 1);
        int64_t mine = run + hd_half(before, r);
        if (at % HD_ITEMS == 0 && at < how->n)
            s->part[at / HD_ITEMS] = mine < how->room ? mine : how->room;
        if (bits != 0) {
#pragma unroll
            for (int j = 0; j < HD_K; j++)
                if (bits >> j & 1) hd_put_start(s, how, keys, keys_out, mine++, at + j);
        }
        run += hd_half(rows, r);
    }
}

HD_FN void hd_put_end(const hd_runs_state *s, const hd_runs_how *how, int64_t runs)
{
    const int64_t written = runs < how->room ? runs : how->room;
    if (runs <= how->room) s->start[runs] = (hd_start)how->n;
    s->part[(how->n + HD_ITEMS - 1) / HD_ITEMS] = written;
    s->count[0] = written;
    s->count[1] = runs;
    if (runs > how->room) hd_store_relaxed(s->fault, HD_NO_ROOM);
}

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    find_runs(const __grid_constant__ hd_view keys, const __grid_constant__ hd_runs_how how,
              const __grid_constant__ hd_runs_state state, const __grid_constant__ hd_view keys_out)
{
    __shared__ uint32_t number;
    __shared__ int of_warp[HD_WARPS];
    __shared__ int64_t of_tile;
    const int warp = (int)threadIdx.x / HD_WARP;
    const int64_t tile = blockIdx.x, first = tile * HD_TILE + (int64_t)warp * HD_CHUNK;
    const bool whole = tile < how.scan.tiles;
    const uint32_t heads =
        whole ? hd_heads_of_keys(&keys, first) : hd_heads_of_some_keys(&keys, first, how.n);
    if (threadIdx.x == HD_THREADS - 1) number = hd_launch_number(state.scan.clock);
    uint32_t before[(HD_ROWS + 1) / 2], rows[(HD_ROWS + 1) / 2];
    hd_count_lanes(heads, before, rows);
    int all = 0;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) all += hd_half(rows, r);
    if (hd_lane() == 0) of_warp[warp] = all;
    hd_block_barrier();
    int earlier = 0, here = 0;
    for (int w = 0; w < HD_WARPS; w++) {
        if (w < warp) earlier += of_warp[w];
        here += of_warp[w];
    }
    if (warp == 0) {
        const hd_carried none = {0, 0};
        hd_prefix after;
        if (whole) hd_hand_up(&state.scan, &how.scan, tile, here, number);
        const hd_prefix p =
            hd_look_back(&state.scan, &how.scan, tile, here, number, &none, &after);
        if (hd_lane() == 0) of_tile = p.node;
        if (hd_lane() == 0 && tile == gridDim.x - 1) hd_put_end(&state, &how, p.node + here);
    }
    hd_block_barrier();
    hd_put_runs(&state, &how, &keys, &keys_out, first, heads, of_tile + earlier, before, rows);
}
