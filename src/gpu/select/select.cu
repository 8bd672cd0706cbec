// SPDX-License-Identifier: Apache-2.0
//
// select_tiles: compaction, partition in two, unique, run lengths and runs of keys, in one pass over tiles in shared memory
// (bulk.cuh). While a block learns what was chosen before it (lookback.cuh), each warp moves its chosen elements
// side by side where they lie; then it writes them out together. HD_KNOWN: what was chosen before each tile,
// and in all, is known (select_tally.cu), so that no block waits for another.
struct hd_select_how {
    int64_t n, tiles;
    int64_t ahead; // tiles ahead of its own that a block asks the L2 for; 0: none
    int64_t room, index_room, length_room; // elements that outputs take
};

struct hd_select_out {
    hd_view out, indices, lengths, counts, begins;
};

#if HD_ITEMS
// What reduce_segments wants to know of runs: indices are where they begin, and behind the last the end.
struct hd_select_runs {
    int64_t room;   // of results: no more runs are counted
    int64_t *part;  // the first run that begins in each HD_ITEMS elements; then the number of runs
    int64_t *count; // runs that have room, and runs
    uint32_t *fault;
};

// Parts that begin in a chunk, of which `chosen` runs begin before.
HD_FN void hd_put_parts(const hd_select_runs *runs, const hd_choice *c, int64_t first, int64_t n,
                        int64_t chosen)
{
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t at = first + r * HD_ROW + hd_lane() * HD_K,
                      mine = chosen + hd_field(c->before, r);
        if (at % HD_ITEMS == 0 && at < n)
            runs->part[at / HD_ITEMS] = mine < runs->room ? mine : runs->room;
        chosen += hd_field(c->in_row, r);
    }
}

HD_FN void hd_put_end(const hd_select_runs *runs, const hd_view *starts, int64_t n, int64_t total)
{
    const int64_t written = total < runs->room ? total : runs->room;
    if (total <= runs->room) hd_put_index(starts, total, n);
    runs->part[(n + HD_ITEMS - 1) / HD_ITEMS] = written;
    runs->count[0] = written;
    runs->count[1] = total;
    if (total > runs->room) hd_store_relaxed(runs->fault, HD_NO_ROOM);
}
#endif

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

// ---- Side by side --------------------------------------------------------------------------------

// What a chunk knows of its surroundings.
struct hd_memory_space {
    int64_t first;    // its first element
    int64_t chosen;   // how many are chosen before it
    int64_t last;     // 1 + the last head before it
    int valid, count; // its elements; those that are chosen
};

#if HD_OUT
#if HD_BOTH
// A chunk in parts of so few rows that registers hold them.
#define HD_PART_ROWS (HD_ROWS < 4 ? HD_ROWS : 4)
#define HD_PARTS     (HD_ROWS / HD_PART_ROWS)
#define HD_PART_SIZE (HD_PART_ROWS * HD_ROW)

HD_FN int hd_chosen_in(const hd_choice *c, int part)
{
    int count = 0;
#pragma unroll
    for (int q = 0; q < HD_PART_ROWS; q++)
        count += (int)hd_field(c->in_row, part * HD_PART_ROWS + q);
    return count;
}

// In each part the elements that are chosen come first, then the others.
HD_FN void hd_gather_chosen(const hd_choice *c, char *chunk, const hd_memory_space *p)
{
#pragma unroll
    for (int part = 0; part < HD_PARTS; part++) {
        hd_lane_words u[HD_PART_ROWS];
#pragma unroll
        for (int q = 0; q < HD_PART_ROWS; q++)
            hd_tile_items(chunk, part * HD_PART_SIZE + q * HD_ROW + hd_lane() * HD_K, u[q].e);
        hd_warp_barrier();
        hd_element *const front = (hd_element *)chunk + part * HD_PART_SIZE;
        hd_element *row = front, *const rest = front + hd_chosen_in(c, part);
#pragma unroll
        for (int q = 0; q < HD_PART_ROWS; q++) {
            const int r = part * HD_PART_ROWS + q, at = q * HD_ROW + hd_lane() * HD_K;
            hd_element *to = row + hd_field(c->before, r);
            hd_element *other = rest + (at - (int)(to - front));
#pragma unroll
            for (int j = 0; j < HD_K; j++) {
                if (hd_is_in(c, r, j))
                    *to++ = u[q].e[j];
                else if (part * HD_PART_SIZE + at + j < p->valid)
                    *other++ = u[q].e[j];
            }
            row += hd_field(c->in_row, r);
        }
    }
}
#else
// The elements that are chosen to the front of the chunk, row by row: they move to the left, onto rows that
// all lanes have read.
HD_FN void hd_gather_chosen(const hd_choice *c, char *chunk, const hd_memory_space *p)
{
    hd_element *row = (hd_element *)chunk;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        hd_lane_words u;
        hd_tile_items(chunk, r * HD_ROW + hd_lane() * HD_K, u.e);
        hd_warp_barrier();
        hd_element *to = row + hd_field(c->before, r);
#pragma unroll
        for (int j = 0; j < HD_K; j++)
            if (hd_is_in(c, r, j)) *to++ = u.e[j];
        row += hd_field(c->in_row, r);
    }
}
#endif
#endif

#if HD_INDICES || HD_LENGTHS
// The same of their places in the chunk.
HD_FN void hd_gather_places(const hd_choice *c, const hd_memory_space *p, uint16_t *stage)
{
    int row = 0; // chosen in the rows before
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int at = r * HD_ROW + hd_lane() * HD_K;
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

// ---- Writing -------------------------------------------------------------------------------------

#if HD_OUT
// m elements of the chunk from number `from` on, to the places from `at` on as far as there is room.
HD_FN void hd_write_chosen(const hd_view *out, const char *stage, int from, int m, int64_t at,
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
    // Lane 0 writes where a line of the cache begins.
    hd_element *to = (hd_element *)out->data + at;
    int k = hd_lane() - (int)((uint64_t)to & 127) / (int)sizeof(hd_element) % HD_WARP;
    if (k >= 0 && k < m) to[k] = staged[k];
#pragma unroll 4
    for (k += HD_WARP; k < m; k += HD_WARP) to[k] = staged[k];
#else
    for (int k = hd_lane(); k < m; k += HD_WARP) hd_put(out, at + k, staged[k]);
#endif
}
#endif

#if HD_OUT && HD_BOTH
// The parts of a chunk, to where the chosen and the others go.
HD_FN void hd_write_both(const hd_view *out, const hd_choice *c, const char *chunk,
                         const hd_memory_space *p, int64_t rest, int64_t room)
{
    int64_t chosen = p->chosen;
#pragma unroll
    for (int part = 0; part < HD_PARTS; part++) {
        const int left = p->valid - part * HD_PART_SIZE, m = hd_chosen_in(c, part);
        const int others = (left > HD_PART_SIZE ? HD_PART_SIZE : left > 0 ? left : 0) - m;
        const char *from = chunk + part * HD_PART_SIZE * sizeof(hd_element);
        hd_write_chosen(out, from, 0, m, chosen, room);
        hd_write_chosen(out, from, m, others, rest, room);
        chosen += m;
        rest += others;
    }
}
#endif

// Indices of places; and the lengths of the runs that end where one of them begins.
HD_FN void hd_write_places(const hd_select_how *how, const hd_select_out *to, const hd_memory_space *p,
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
    uint64_t before, last;
};

#if HD_KNOWN
// How many are chosen in the warps before.
HD_FN uint32_t hd_of_warps_before(const hd_block *b)
{
    const uint32_t own = hd_lane() < HD_WARPS ? b->of_warp[hd_lane()] : 0;
    return hd_word_from(hd_sum_to_lane(own) - own, (int)threadIdx.x / HD_WARP);
}
#else
// What a warp of a block that looks back found of it: how many it chose, or 1 + its last head.
struct hd_own {
    uint64_t count, last;
};

// The counts of a block's warps become those of the warps before each. The block's is published.
HD_FN hd_own hd_tell_blocks(hd_block *b, const hd_turn *turn, int64_t tiles)
{
    const int warp = (int)threadIdx.x / HD_WARP, lane = hd_lane();
    hd_own mine = {0, 0};
    if (warp == 0) {
        const uint32_t own = lane < HD_WARPS ? b->of_warp[lane] : 0, to = hd_sum_to_lane(own);
        mine.count = hd_word_from(to, 31);
        if (lane < HD_WARPS) b->of_warp[lane] = to - own;
#if HD_IN_PLACE
        hd_fence(); // what was read here is overwritten by blocks that see the word
#endif
        hd_publish_part(turn->word, turn->tile, mine.count);
    }
#if HD_LENGTHS
    if (warp == HD_WARPS - 1) { // the last head before each warp
        uint32_t to = lane < HD_WARPS ? b->last_of_warp[lane] : 0;
#pragma unroll
        for (int d = 1; d < HD_WARPS; d *= 2) {
            const uint32_t other = hd_word_from(to, lane - d);
            if (lane >= d && other > to) to = other;
        }
        const uint32_t most = hd_word_from(to, HD_WARPS - 1), left = hd_word_from(to, lane - 1);
        if (lane < HD_WARPS) b->last_of_warp[lane] = lane > 0 ? left : 0;
        mine.last = most > 0 ? (uint64_t)(turn->tile * HD_TILE) + most : 0;
        hd_publish_part(turn->word + tiles, turn->tile, mine.last);
    }
#endif
    return mine;
}

// What is before the block.
HD_FN void hd_ask_blocks(hd_block *b, const hd_state *state, const hd_turn *turn, int64_t tiles,
                         hd_own mine)
{
    const int warp = (int)threadIdx.x / HD_WARP;
    if (warp == 0) {
        const uint64_t before = hd_look_back(turn->word, turn->tile, mine.count, false);
#if HD_IN_PLACE
        hd_fence();
#endif
        if (hd_lane() == 0) {
            b->before = before;
            if (turn->tile == tiles - 1) *hd_long_of(state, HD_AT_TOTAL) = before + mine.count;
        }
    }
#if HD_LENGTHS
    if (warp == HD_WARPS - 1) {
        const uint64_t last = hd_look_back(turn->word + tiles, turn->tile, mine.last, true);
        if (hd_lane() == 0) b->last = last;
    }
#endif
}
#endif

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

// Elements of a tile that ends early which a lane asks for at once: 64 bytes, at most all of its own.
#define HD_BATCH_OF(bytes) ((int)((bytes) / sizeof(hd_element)))
#define HD_BATCH                                                                                   \
    (HD_BATCH_OF(64) < 1 ? 1 : HD_BATCH_OF(64) < HD_ROWS * HD_K ? HD_BATCH_OF(64) : HD_ROWS * HD_K)

// Brings a warp's chunk, each lane its own elements; what is past the end is the last element again.
HD_FN void hd_bring_chunk(const hd_inputs *in, int64_t first, int64_t n, bool whole, char *chunk)
{
    if (whole) {
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++) {
            const int i = r * HD_ROW + hd_lane() * HD_K;
            hd_element e[HD_K];
            hd_run_0(in, first + i, e);
            hd_set_tile_items(chunk, i, e);
        }
        return;
    }
#pragma unroll 1
    for (int i = hd_lane(); i < HD_CHUNK; i += HD_BATCH * HD_WARP) {
        hd_element e[HD_BATCH];
#pragma unroll
        for (int b = 0; b < HD_BATCH; b++) {
            const int64_t at = first + i + b * HD_WARP;
            e[b] = hd_one_0(in, at < n ? at : n - 1);
        }
#pragma unroll
        for (int b = 0; b < HD_BATCH; b++)
            if (i + b * HD_WARP < HD_CHUNK) ((hd_element *)chunk)[i + b * HD_WARP] = e[b];
    }
}

extern "C" __global__ void __launch_bounds__(HD_THREADS, HD_BLOCKS)
    select_tiles(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_select_how how,
                 hd_state state, const __grid_constant__ hd_select_out to
#if HD_ITEMS
                 ,
                 const __grid_constant__ hd_select_runs runs
#endif
    )
{
    hd_begin();
    extern __shared__ __align__(128) char tile[];
    __shared__ hd_block block;
    const int warp = (int)threadIdx.x / HD_WARP, place = warp * HD_CHUNK;
    const int64_t which = blockIdx.x, first = which * HD_TILE + place;
    const bool whole = (which + 1) * HD_TILE <= how.n;
    char *chunk = tile + place * sizeof(hd_element);
#if HD_BULK
    __shared__ uint64_t arrival;
    const bool bulk = whole;
    if (bulk && threadIdx.x == 0) {
        const uint32_t bytes = HD_TILE * sizeof(hd_element);
        const char *from = in.view[0].data + which * bytes;
        hd_begin_bulk(tile, from, bytes, &arrival);
        // The tile of a block that begins in a while.
        if (how.ahead > 0 && which + how.ahead < how.n / HD_TILE)
            hd_fetch_bulk(from + how.ahead * bytes, bytes);
    }
#else
    const bool bulk = false;
#endif
    if (!bulk) hd_bring_chunk(&in, first, how.n, whole, chunk);
#if HD_KNOWN
    const uint64_t before_tile = state.word[which];
#else
    hd_asked asked = {};
    if (threadIdx.x == HD_THREADS - 1) asked = hd_ask_turn(&state);
#endif
    hd_choice c;
    hd_element before = {};
#if HD_HEADS
    if (place == 0) before = hd_one_0(&in, first > 0 ? first - 1 : 0);
#endif
#if HD_EARLY
    const uint32_t count = hd_choose(&in, 0, first, how.n, whole, before, &c);
#else
    hd_block_barrier(); // the mbarrier is made, the tile here
#if HD_BULK
    if (bulk) hd_await_bulk(&arrival);
#endif
#if HD_HEADS
    if (place > 0) before = ((const hd_element *)tile)[place - 1];
#endif
    const uint32_t count =
        hd_choose(&in, (const hd_element *)chunk, first, how.n, whole, before, &c);
#endif
    if (hd_lane() == 0) block.of_warp[warp] = count;
#if !HD_KNOWN
    if (threadIdx.x == HD_THREADS - 1) hd_tell_turn(asked, which, block.turn);
#endif
#if HD_LENGTHS
    const uint32_t last_head = hd_last_head(&c);
    if (hd_lane() == 0) block.last_of_warp[warp] = last_head > 0 ? (uint32_t)place + last_head : 0;
#endif
    hd_block_barrier(); // the turn is known; all have looked at their neighbours
#if HD_BULK && HD_EARLY && HD_IN_PLACE
    if (bulk) hd_await_bulk(&arrival);
#endif
#if !HD_KNOWN
    const hd_turn turn = hd_turn_of(&state, block.turn);
    const hd_own mine = hd_tell_blocks(&block, &turn, how.tiles);
#endif
#if HD_BULK && HD_EARLY && !HD_IN_PLACE
    if (bulk) hd_await_bulk(&arrival);
#endif
    hd_memory_space p;
    p.first = first;
    p.count = (int)count;
    const int64_t left = how.n - first;
    p.valid = left >= HD_CHUNK ? HD_CHUNK : left > 0 ? (int)left : 0;
    hd_forget_bits(&c);
#if HD_OUT // while other blocks tell what they have
    hd_gather_chosen(&c, chunk, &p);
#endif
#if HD_KNOWN
    hd_warp_barrier();
    p.chosen = (int64_t)before_tile + hd_of_warps_before(&block);
    p.last = 0;
#else
    hd_ask_blocks(&block, &state, &turn, how.tiles, mine);
    hd_block_barrier();
    uint32_t left_before = 0; // blocks
    if (threadIdx.x == 0) left_before = hd_leave_turn(&state);
    p.chosen = (int64_t)block.before + block.of_warp[warp];
    p.last = (int64_t)block.last;
#endif
#if HD_LENGTHS
    if (block.last_of_warp[warp] > 0) p.last = which * HD_TILE + block.last_of_warp[warp];
#endif
    int64_t rest = 0;
#if HD_BOTH
    rest = (int64_t)state.word[how.tiles] + first - p.chosen;
#endif
#if HD_OUT
    // In its own place, what did not move is not written: the tile after it may yet read its end.
#if HD_BOTH
    hd_write_both(&to.out, &c, chunk, &p, rest, how.room);
#else
    if (HD_IN_PLACE != 1 || p.chosen + count < first + HD_CHUNK)
        hd_write_chosen(&to.out, chunk, 0, p.count, p.chosen, how.room);
#endif
#endif
#if HD_INDICES || HD_LENGTHS
    hd_warp_barrier();
    // Places take two bytes: those of elements that have one lie behind the tile.
    uint16_t *places =
        (uint16_t *)(sizeof(hd_element) > 1 ? chunk : tile + HD_TILE + 2 * (int64_t)place);
    hd_forget_bits(&c);
    hd_gather_places(&c, &p, places);
    hd_write_places(&how, &to, &p, rest, places);
    if (p.count > 0) p.last = first + places[p.count - 1] + 1;
#endif
#if HD_ITEMS
    hd_put_parts(&runs, &c, first, how.n, p.chosen);
#endif
    p.chosen += p.count;
    if (which == how.tiles - 1 && threadIdx.x == HD_THREADS - 1) {
        hd_finish(&how, &to, p.chosen, p.last);
#if HD_ITEMS
        hd_put_end(&runs, &to.indices, how.n, p.chosen);
#endif
    }
#if !HD_KNOWN
    if (threadIdx.x == 0) hd_end_turn(&state, left_before, how.tiles * (1 + HD_LENGTHS));
#endif
}
