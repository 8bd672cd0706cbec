// SPDX-License-Identifier: Apache-2.0
//
// select_tiles: compaction, partition in two, unique and run lengths, in one pass. Once a block knows what
// was chosen before it (lookback.h), each warp puts its chosen elements side by side in shared memory and
// writes them out together.
#define HD_PART_OF_CHUNK (HD_STAGE_ROWS * HD_ROW) // what a warp has in shared memory at once

struct hd_select_how {
    int64_t n, tiles;
    int64_t room, index_room, length_room; // elements that outputs take
};

struct hd_select_out {
    hd_view out, indices, lengths, counts, begins;
};

#if HD_LENGTHS
// 1 + the place in the chunk of its last head; 0: there is none.
HD_FN uint32_t hd_last_head(const hd_choice *c)
{
    int last = 0;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
#pragma unroll
        for (int j = 0; j < HD_K; j++)
            if (hd_is_in(c, r, j)) last = r * HD_ROW + hd_lane() * HD_K + j + 1;
#pragma unroll
    for (int d = 1; d < HD_WARP; d *= 2) {
        const int other = (int)hd_word_from_xor((uint32_t)last, d);
        if (other > last) last = other;
    }
    return (uint32_t)last;
}
#endif

// ---- Writing -------------------------------------------------------------------------------------

// What a part of a chunk knows of its surroundings.
struct hd_place {
    int64_t first;    // its first element
    int64_t chosen;   // how many are chosen before it
    int64_t last;     // 1 + the last head before it
    int valid, count; // its elements; those that are chosen
};

#if HD_OUT
// The elements of a part that are chosen, side by side in shared memory, and in a partition the others
// behind them.
HD_FN void hd_stage(const hd_choice *c, hd_element e[HD_ROWS][HD_K], int part, const hd_place *p,
                    char *stage)
{
    hd_element *row = (hd_element *)stage, *rest = row + p->count;
#pragma unroll
    for (int q = 0; q < HD_STAGE_ROWS; q++) {
        const int r = part * HD_STAGE_ROWS + q, at = q * HD_ROW + hd_lane() * HD_K;
        const int before = (int)hd_field(c->before, r);
        hd_element *to = row + before;
#if HD_BOTH
        hd_element *other = rest + (at - (int)(to - (hd_element *)stage));
#endif
#pragma unroll
        for (int j = 0; j < HD_K; j++) {
            if (hd_is_in(c, r, j)) *to++ = e[r][j];
#if HD_BOTH
            else if (at + j < p->valid)
                *other++ = e[r][j];
#endif
        }
        row += hd_field(c->in_row, r);
    }
#if HD_OUT_BYTES
    const int end = (HD_BOTH ? p->valid : p->count) * HD_OUT_BYTES; // the word that is left open
    if ((end & 3) + hd_lane() < 4 && (end & 3) != 0) stage[end + hd_lane()] = 0;
#endif
}
#endif

#if HD_INDICES || HD_LENGTHS
// The same of their places in the part.
HD_FN void hd_stage_places(const hd_choice *c, int part, const hd_place *p, uint16_t *stage)
{
    int row = 0; // chosen in the rows before
#pragma unroll
    for (int q = 0; q < HD_STAGE_ROWS; q++) {
        const int r = part * HD_STAGE_ROWS + q, at = q * HD_ROW + hd_lane() * HD_K;
        uint16_t *to = stage + row + hd_field(c->before, r);
#if HD_BOTH
        uint16_t *other = stage + p->count + (at - (int)(to - stage));
#endif
#pragma unroll
        for (int j = 0; j < HD_K; j++) {
            if (hd_is_in(c, r, j)) *to++ = (uint16_t)(at + j);
#if HD_BOTH
            else if (at + j < p->valid)
                *other++ = (uint16_t)(at + j);
#endif
        }
        row += (int)hd_field(c->in_row, r);
    }
    hd_warp_barrier();
}
#endif

#if HD_OUT
// m staged elements from number `from` on, to the places from `at` on as far as there is room.
HD_FN void hd_write_staged(const hd_view *out, const char *stage, int from, int m, int64_t at,
                           int64_t room)
{
    const hd_element *staged = (const hd_element *)stage + from;
    if (at + m > room) m = at < room ? (int)(room - at) : 0;
#if HD_OUT_BYTES // one after another, of less than a word: whole words, but for the ends
    const int bytes = m * HD_OUT_BYTES;
    char *to = out->data + at * HD_OUT_BYTES;
    int head = (int)(-(uint64_t)to & 3);
    if (head > bytes) head = bytes;
    const int skew = from * HD_OUT_BYTES + head, words = (bytes - head) / 4, shift = 8 * (skew & 3);
    const uint32_t *word = (const uint32_t *)stage + (skew >> 2);
    for (int k = hd_lane(); k < words; k += HD_WARP) {
        uint32_t w = word[k];
        if (shift != 0) w = w >> shift | word[k + 1] << (32 - shift);
        *(uint32_t *)(to + head + 4 * k) = w;
    }
    const int first = head / HD_OUT_BYTES, last = (head + 4 * words) / HD_OUT_BYTES + hd_lane();
    if (hd_lane() < first) hd_put(out, at + hd_lane(), staged[hd_lane()]);
    if (last < m) hd_put(out, at + last, staged[last]);
#elif HD_OUT_DENSE
    hd_element *to = (hd_element *)out->data + at;
#pragma unroll 4
    for (int k = hd_lane(); k < m; k += HD_WARP) to[k] = staged[k];
#else
    for (int k = hd_lane(); k < m; k += HD_WARP) hd_put(out, at + k, staged[k]);
#endif
}
#endif

// Indices of staged places; and the lengths of the runs that end where one of them begins.
HD_FN void hd_write_places(const hd_select_how *how, const hd_select_out *to, const hd_place *p,
                           int64_t rest, const uint16_t *place)
{
    for (int k = hd_lane(); k < (HD_BOTH ? p->valid : p->count); k += HD_WARP) {
        const int64_t index = p->first + place[k];
        const int64_t at = k < p->count ? p->chosen + k : rest + k - p->count;
#if HD_INDICES
        if (at < how->index_room) hd_put_index(&to->indices, at, index);
#endif
#if HD_LENGTHS
        const int64_t begin = k > 0 ? p->first + place[k > 0 ? k - 1 : 0] : p->last - 1;
        if (at > 0 && at - 1 < how->length_room) hd_put_length(&to->lengths, at - 1, index - begin);
#endif
    }
}

// ---- A tile --------------------------------------------------------------------------------------

struct hd_block {
    uint64_t turn[3];
    uint32_t of_warp[HD_WARPS], last_of_warp[HD_WARPS];
    uint64_t before, last, wanted;
};

// The counts of a block's warps become those of the warps before each; what is before the block.
HD_FN void hd_meet_blocks(hd_block *b, const hd_state *state, const hd_turn *turn, int64_t tiles)
{
    const int warp = (int)threadIdx.x / HD_WARP, lane = hd_lane();
    if (warp == 0) {
        const uint32_t own = lane < HD_WARPS ? b->of_warp[lane] : 0, to = hd_sum_to_lane(own);
        const uint32_t sum = hd_word_from(to, 31);
        if (lane < HD_WARPS) b->of_warp[lane] = to - own;
#if HD_IN_PLACE
        hd_fence(); // what was read here is overwritten by blocks that see the word
#endif
        const uint64_t before = hd_look_back(turn->word, turn->tile, sum, false);
#if HD_IN_PLACE
        hd_fence();
#endif
        if (lane == 0) {
            b->before = before;
            if (turn->tile == tiles - 1) *hd_long_of(state, HD_AT_TOTAL) = before + sum;
            if (HD_BOTH) b->wanted = hd_load_relaxed_64(hd_long_of(state, HD_AT_WANTED));
            if (hd_end_turn(state, tiles * (1 + HD_LENGTHS)) && HD_BOTH)
                hd_store_relaxed_64(hd_long_of(state, HD_AT_WANTED), 0);
        }
    }
#if HD_LENGTHS
    if (warp == HD_WARPS - 1) { // the last head before each warp, and before the block
        uint32_t to = lane < HD_WARPS ? b->last_of_warp[lane] : 0;
#pragma unroll
        for (int d = 1; d < HD_WARPS; d *= 2) {
            const uint32_t other = hd_word_from(to, lane - d);
            if (lane >= d && other > to) to = other;
        }
        const uint32_t most = hd_word_from(to, HD_WARPS - 1), left = hd_word_from(to, lane - 1);
        if (lane < HD_WARPS) b->last_of_warp[lane] = lane > 0 ? left : 0;
        const uint64_t mine = most > 0 ? (uint64_t)(turn->tile * HD_TILE) + most : 0;
        const uint64_t last = hd_look_back(turn->word + tiles, turn->tile, mine, true);
        if (lane == 0) b->last = last;
    }
#endif
}

// How many elements a part has, and how many of them are chosen.
HD_FN void hd_measure(const hd_choice *c, int part, int64_t n, hd_place *p)
{
    const int64_t left = n - p->first;
    p->valid = left >= HD_PART_OF_CHUNK ? HD_PART_OF_CHUNK : left > 0 ? (int)left : 0;
    p->count = 0;
#pragma unroll
    for (int q = 0; q < HD_STAGE_ROWS; q++)
        p->count += (int)hd_field(c->in_row, part * HD_STAGE_ROWS + q);
}

// The last tile knows the totals.
HD_FN void hd_finish(const hd_select_how *how, const hd_select_out *to, int64_t total, int64_t last)
{
#if HD_LENGTHS
    if (total > 0 && total - 1 < how->length_room)
        hd_put_length(&to->lengths, total - 1, how->n - (last - 1));
#endif
#if HD_COUNTS
    hd_put_count(&to->counts, 0, total);
    hd_put_count(&to->counts, 1, how->n - total);
#endif
#if HD_BEGINS
    hd_put_begin(&to->begins, 0, 0);
    hd_put_begin(&to->begins, 1, total);
    hd_put_begin(&to->begins, 2, how->n);
#endif
}

extern "C" __global__ void __launch_bounds__(HD_THREADS, HD_BLOCKS)
    select_tiles(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_select_how how,
                 hd_state state, const __grid_constant__ hd_select_out to)
{
    __shared__ hd_block block;
    __shared__ __align__(16) char stages[HD_WARPS][HD_STAGE_BYTES];
    const int warp = (int)threadIdx.x / HD_WARP;
#if HD_TICKET == 2
    const int64_t tile = blockIdx.x;
#else
    const hd_turn turn = hd_take_turn(&state, block.turn);
    const int64_t tile = turn.tile;
#endif
    const int64_t first = tile * HD_TILE + (int64_t)warp * HD_CHUNK;
    const bool whole = (tile + 1) * HD_TILE <= how.n;
    hd_element e[HD_ROWS][HD_K];
    hd_choice c;
    const uint32_t count = hd_choose(&in, first, how.n, whole, e, &c);
    if (hd_lane() == 0) block.of_warp[warp] = count;
#if HD_LENGTHS
    const uint32_t last_head = hd_last_head(&c);
    if (hd_lane() == 0)
        block.last_of_warp[warp] = last_head > 0 ? (uint32_t)warp * HD_CHUNK + last_head : 0;
#endif
#if HD_TICKET == 2
    const hd_turn turn = hd_take_turn(&state, block.turn);
#else
    hd_block_barrier();
#endif
    hd_meet_blocks(&block, &state, &turn, how.tiles);
    hd_place p;
    p.first = first;
    hd_measure(&c, 0, how.n, &p);
#if HD_OUT // while one warp looks back
    hd_stage(&c, e, 0, &p, stages[warp]);
#endif
    hd_block_barrier();
    p.chosen = (int64_t)block.before + block.of_warp[warp];
    p.last = (int64_t)block.last;
#if HD_LENGTHS
    if (block.last_of_warp[warp] > 0) p.last = tile * HD_TILE + block.last_of_warp[warp];
#endif
    // In its own place, what did not move is not written: the tile after it may yet read its end.
    const bool moves = HD_IN_PLACE != 1 || p.chosen + count < first + HD_CHUNK;
#pragma unroll
    for (int part = 0; part < HD_ROWS / HD_STAGE_ROWS; part++) {
        int64_t rest = 0;
        if (part > 0) hd_measure(&c, part, how.n, &p);
#if HD_BOTH
        rest = (int64_t)block.wanted + p.first - p.chosen;
#endif
#if HD_OUT
        if (part > 0) {
            hd_stage(&c, e, part, &p, stages[warp]);
            hd_warp_barrier();
        }
        if (moves) hd_write_staged(&to.out, stages[warp], 0, p.count, p.chosen, how.room);
#if HD_BOTH
        hd_write_staged(&to.out, stages[warp], p.count, p.valid - p.count, rest, how.room);
#endif
        hd_warp_barrier();
#endif
#if HD_INDICES || HD_LENGTHS
        uint16_t *place = (uint16_t *)stages[warp];
        hd_stage_places(&c, part, &p, place);
        hd_write_places(&how, &to, &p, rest, place);
        if (p.count > 0) p.last = p.first + place[p.count - 1] + 1;
        hd_warp_barrier();
#endif
        p.first += HD_PART_OF_CHUNK;
        p.chosen += p.count;
    }
    if (tile == how.tiles - 1 && threadIdx.x == HD_THREADS - 1)
        hd_finish(&how, &to, p.chosen, p.last);
}
