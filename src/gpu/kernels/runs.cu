// SPDX-License-Identifier: Apache-2.0
//
// find_runs: where runs of equal keys begin, in one pass. Blocks take tiles by ticket, count the heads of runs
// in theirs and look back for how many there were before: at each tile's own count, or, where it is there,
// at its count with all before it. Words carry the launch's number as those of scan.cu do.
struct hd_runs_how {
    int64_t n, tiles; // whole tiles; one more block takes the rest, if there is any
    int64_t room;     // of the outputs: no more runs are written, and the end of the last
};

struct hd_runs_state {
    uint64_t *word;  // of each tile: its own count, and the count up to its end in two halves
    uint32_t *clock; // ticket, blocks done, launches done
    hd_start *start; // of each run its first element; behind the last the number of elements
    int64_t *part;   // the first run that begins in each HD_ITEMS elements; then the number of runs
    int64_t *count;  // runs that are written, and runs
    uint32_t *fault;
};

// ---- Looking back --------------------------------------------------------------------------------

HD_FN void hd_tell(uint64_t *word, uint32_t x, uint32_t launch)
{
    hd_store_relaxed_64(word, (uint64_t)launch << 32 | x);
}

HD_FN bool hd_is_told(const uint64_t *word, uint32_t launch, uint32_t *x)
{
    const uint64_t w = hd_load_relaxed_64(word);
    *x = (uint32_t)w;
    return (uint32_t)(w >> 32) == launch;
}

// The heads of all tiles before; warp 0 calls.
HD_FN int64_t hd_count_before(uint64_t *word, int64_t tile, uint32_t mine, uint32_t launch)
{
    if (hd_lane() == 0) hd_tell(word + 3 * tile, mine, launch);
    int64_t sum = 0;
    for (int64_t base = tile - 1; base >= 0; base -= HD_WARP) {
        const int64_t t = base - hd_lane();
        uint32_t low = 0, high = 0;
        bool whole = t < 0, here = whole; // before tile 0 there is nothing
        for (;;) {
            if (!here) {
                whole = hd_is_told(word + 3 * t + 1, launch, &low) &&
                        hd_is_told(word + 3 * t + 2, launch, &high);
                here = whole;
                if (!here) {
                    here = hd_is_told(word + 3 * t, launch, &low);
                    high = 0;
                }
            }
            if (hd_ballot(!here) == 0) break;
        }
        const uint32_t wholes = hd_ballot(whole);
        // Those up to the nearest that knows all before it.
        const bool counts = wholes == 0 || (wholes & ((1u << hd_lane()) - 1)) == 0;
        int64_t x = counts ? (int64_t)((uint64_t)high << 32 | low) : 0;
        for (int d = 1; d < HD_WARP; d *= 2) {
            const uint32_t a = hd_word_from((uint32_t)x, hd_lane() ^ d);
            const uint32_t b = hd_word_from((uint32_t)((uint64_t)x >> 32), hd_lane() ^ d);
            x += (int64_t)((uint64_t)b << 32 | a);
        }
        sum += x;
        if (wholes != 0) break;
    }
    const int64_t all = sum + mine;
    if (hd_lane() == 0) {
        hd_tell(word + 3 * tile + 1, (uint32_t)all, launch);
        hd_tell(word + 3 * tile + 2, (uint32_t)((uint64_t)all >> 32), launch);
    }
    return sum;
}

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
    __shared__ uint32_t ticket[2];
    __shared__ int of_warp[HD_WARPS];
    __shared__ int64_t of_tile;
    const int warp = (int)threadIdx.x / HD_WARP;
    if (threadIdx.x == 0) {
        ticket[0] = hd_add_to(state.clock, 1);
        ticket[1] = hd_load_relaxed(state.clock + 2) + 1;
    }
    hd_block_barrier();
    const int64_t tile = ticket[0], first = tile * HD_TILE + (int64_t)warp * HD_CHUNK;
    const uint32_t heads = tile < how.tiles ? hd_heads_of_keys(&keys, first)
                                            : hd_heads_of_some_keys(&keys, first, how.n);
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
        const int64_t sum = hd_count_before(state.word, tile, (uint32_t)here, ticket[1]);
        if (hd_lane() == 0) {
            of_tile = sum;
            if (tile == gridDim.x - 1) hd_put_end(&state, &how, sum + here);
            // The last block leaves the clock as the next launch needs it.
            if (hd_add_to(state.clock + 1, 1) == gridDim.x - 1) {
                hd_store_relaxed(state.clock + 1, 0);
                hd_store_relaxed(state.clock, 0);
                hd_store_relaxed(state.clock + 2, ticket[1]);
            }
        }
    }
    hd_block_barrier();
    hd_put_runs(&state, &how, &keys, &keys_out, first, heads, of_tile + earlier, before, rows);
}
