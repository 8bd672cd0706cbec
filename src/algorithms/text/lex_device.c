// SPDX-License-Identifier: Apache-2.0
// hd_lex of a device's text, chunk by chunk. Blocks of 128 bytes are functions of the automaton's
// states, a thread for each block and state (R. E. Ladner and M. J. Fischer, "Parallel prefix
// computation", JACM 1980; T. Mytkowicz, M. Musuvathi and W. Schulte, "Data-parallel finite-state
// machines", ASPLOS 2014). From the back: where a block leads a state that looks ahead; so, up and
// down a tree of 32 blocks a node, the states that reach acceptance from where each block begins
// (M. P. Schuetzenberger, "A remark on finite transducers", 1961). With them a block alone knows
// which of its tokens end in it. From the front: the state before each block. Then each block is
// scanned once more, from its true state, and marks the ends of its tokens.
#include "lex.h"
#include "lex_device_functions.h"

#include <string.h>

// Bytes, LEX_BLOCK * LEX_FAN ^ LEX_LEVELS at most; scratch is 12 times as much for 64 states. They
// are fewer where a device has no room for that.
enum { CHUNK = 1 << 26, LEAST_CHUNK = 1 << 14 };

typedef struct level {
    hd_view step, reach, start; // rows of functions; of reach and states, one row more
} level;

typedef struct walk {
    hd__lex *x;
    hd__frame *f;
    int32_t shift;
    int64_t codes, chunk, chunks;
    int levels;
    level level[LEX_LEVELS];
    lex_tree tree;                     // their addresses, for functions
    hd_view all;                       // scratch, of which the rest are parts
    hd_view tables;                    // one row of what follows
    hd_view next, behind, kind, skip;  // of states
    hd_view start_at, reach_at;        // at the chunks' begins, and the text's end
    hd_view entries, exits;            // of blocks: each state to enter one in; where it leads
    hd_view marks, states, ends, kept; // of tokens; kept: their indices
    hd_view numbers; // the first error's token, tokens that are kept; the end before
    bool skips;
} walk;

// ---- Tables ---------------------------------------------------------------------------------

static hd_view part_of(hd_view row, int64_t begin, hd_type type, int64_t n)
{
    hd_view v = hd__frame_part(row, begin, n);
    v.type = type;
    return v;
}

static void lay_out(walk *w, hd_view tables)
{
    const int64_t table = 256 * w->codes, next = 4 * 8, kinds = next + 2 * table,
                  skips = kinds + 256 * 4, reach = skips + 256,
                  start = reach + (w->chunks + 1) * w->codes;
    w->tables = tables;
    w->numbers = part_of(tables, 0, HD_I64, 3);
    w->next = part_of(tables, next, HD_U8, table);
    w->behind = part_of(tables, next + table, HD_U8, table);
    w->kind = part_of(tables, kinds, HD_I32, 256);
    w->skip = part_of(tables, skips, HD_U8, 256);
    w->reach_at = part_of(tables, reach, HD_U8, (w->chunks + 1) * w->codes);
    w->start_at = part_of(tables, start, HD_U8, w->chunks + 1);
}

static void fill_tables(walk *w)
{
    const hd_lexer *lexer = w->x->lexer;
    unsigned char *next = w->next.data, *behind = w->behind.data, *skip = w->skip.data,
                  *start = w->start_at.data;
    int32_t *kind = w->kind.data;
    memset(w->tables.data, 0, (size_t)hd_count(w->tables));
    for (int state = HD__LEX_START; state < lexer->states; state++)
        for (int byte = 0; byte < 256; byte++) {
            const int to = lexer->next[state << 8 | byte];
            next[byte << w->shift | state] = (unsigned char)to;
            behind[byte << w->shift | to] = to != HD__LEX_DEAD;
        }
    for (int state = lexer->first_accepting; state < lexer->states; state++) {
        kind[state] = lexer->rule[state];
        skip[state] = lexer->skip[lexer->rule[state]];
        w->skips = w->skips || skip[state] != 0;
    }
    kind[LEX_ACCEPTED] = w->x->error_kind;
    start[0] = HD__LEX_START;
    ((int64_t *)w->numbers.data)[2] = -1;
}

static int64_t table_bytes(const walk *w)
{
    return 4 * 8 + 512 * w->codes + 256 * 5 + (w->chunks + 1) * (w->codes + 1);
}

static hd_status fill(walk *w, hd_view device)
{
    hd_view host;
    hd_status status = hd_alloc_scratch(w->f->ctx, HD_U8, table_bytes(w), &host);
    if (status != HD_OK) return status;
    lay_out(w, host);
    fill_tables(w);
    lay_out(w, device);
    status = hd_map(w->f->ctx, host, NULL, device, NULL);
    const hd_status freed = hd_free_scratch(w->f->ctx, &host);
    return status == HD_OK ? freed : status;
}

// ---- Scratch --------------------------------------------------------------------------------

static int64_t blocks_of(int64_t n, int64_t size)
{
    return (n + size - 1) / size;
}

enum { ROWS = 8 + 3 * LEX_LEVELS, ALIGNED = 256 };

typedef struct wish {
    hd_view *row;
    hd_type type;
    int64_t n;
} wish;

// All rows in one allocation.
static hd_status allocate_rows(walk *w, const wish *wishes, int rows)
{
    int64_t bytes = 0;
    for (int k = 0; k < rows; k++)
        bytes += blocks_of(wishes[k].n * (int64_t)hd_type_size(wishes[k].type), ALIGNED) * ALIGNED;
    const hd_status status = hd__frame_row(w->f, HD_U8, bytes, &w->all);
    if (status != HD_OK) return status;
    bytes = 0;
    for (int k = 0; k < rows; k++) {
        *wishes[k].row = part_of(w->all, bytes, wishes[k].type, wishes[k].n);
        bytes += blocks_of(wishes[k].n * (int64_t)hd_type_size(wishes[k].type), ALIGNED) * ALIGNED;
    }
    return HD_OK;
}

static hd_status allocate(walk *w)
{
    w->chunks = blocks_of(w->x->n, w->chunk);
    int64_t count = blocks_of(w->chunk, LEX_BLOCK);
    const int64_t entries = count * (w->x->lexer->states - 1);
    hd_view tables;
    wish wishes[ROWS] = {
        {&tables, HD_U8, table_bytes(w)}, {&w->marks, HD_STRUCT(lex_bytes), count},
        {&w->entries, HD_I32, entries},   {&w->exits, HD_U8, entries},
        {&w->states, HD_U8, w->chunk},    {&w->ends, HD_I32, w->chunk},
        {&w->kept, HD_I32, w->chunk},
    };
    int rows = 7;
    for (int k = 0; k < LEX_LEVELS; k++, count = blocks_of(count, LEX_FAN)) {
        level *l = &w->level[k];
        wishes[rows++] = (wish){&l->step, HD_U8, count * w->codes};
        wishes[rows++] = (wish){&l->reach, HD_U8, (count + 1) * w->codes};
        wishes[rows++] = (wish){&l->start, HD_U8, count + 1};
        if (count <= LEX_FAN) break;
    }
    const hd_status status = allocate_rows(w, wishes, rows);
    return status == HD_OK ? fill(w, tables) : status;
}

// ---- Functions of blocks --------------------------------------------------------------------

static hd_view text_of(const walk *w, int64_t k)
{
    const int64_t begin = k * w->chunk, left = w->x->n - begin;
    return hd__frame_part(w->x->text, begin, left < w->chunk ? left : w->chunk);
}

static lex_text state_of(const walk *w, hd_view text)
{
    const bool is_aligned = (uintptr_t)text.data % sizeof(uint64_t) == 0;
    return (lex_text){.text = text.data,
                      .words = is_aligned ? text.data : NULL,
                      .next = w->next.data,
                      .behind = w->behind.data,
                      .reach = w->level[0].reach.data,
                      .start = w->level[0].start.data,
                      .n = hd_count(text),
                      .shift = w->shift,
                      .accepting = w->x->lexer->first_accepting,
                      .is_first = text.data == w->x->text.data};
}

static hd_status map_indices(walk *w, const hd_function *f, hd_view out, int64_t n)
{
    return hd_map(w->f->ctx, hd_iota(n), f, hd__frame_part(out, 0, n), NULL);
}

// The functions of blocks that look ahead.
static hd_status look_ahead(walk *w, hd_view text)
{
    const lex_text state = state_of(w, text);
    return map_indices(w, HD_WITH_STATE(hd__lex_look_ahead, &state), w->level[0].step,
                       blocks_of(state.n, LEX_BLOCK) << w->shift);
}

// The functions of blocks as tokens end and begin, of the states that they may be entered in, which
// are few of all. Those of others, which no text leads to, stay what they were.
static hd_status pass_blocks(walk *w, hd_view text)
{
    hd_context *ctx = w->f->ctx;
    const lex_text state = state_of(w, text);
    const int64_t n = blocks_of(state.n, LEX_BLOCK) << w->shift;
    const hd_view step = hd__frame_part(w->level[0].step, 0, n);
    const hd_view reach = hd__frame_part(w->level[0].reach, 0, n);
    int64_t count = 0;
    hd_status status =
        hd_compact(ctx, reach, HD_EMPTY, HD_VIEW(&count, 1),
                   &(hd_compact_options){.keep = HD_WITH_STATE(hd__lex_may_enter, &state),
                                         .with = HD_VIEWS(hd_iota(n)),
                                         .indices = &w->entries});
    if (status != HD_OK) return status;
    const hd_view entries = hd__frame_part(w->entries, 0, count);
    const hd_view exits = hd__frame_part(w->exits, 0, count);
    status = hd_map(ctx, entries, HD_WITH_STATE(hd__lex_pass, &state), exits, NULL);
    if (status != HD_OK) return status;
    return hd_scatter(ctx, exits, entries, step, &(hd_scatter_options){.unique = true});
}

// The levels of chunk k. What is above the highest: reach behind the chunk, as the second row, and
// the state before it.
static void set_levels(walk *w, int64_t k)
{
    lex_level *l = w->tree.level;
    int64_t count = blocks_of(hd_count(text_of(w, k)), LEX_BLOCK);
    w->tree.shift = w->shift;
    for (w->levels = 0;; count = blocks_of(count, LEX_FAN)) {
        const level *own = &w->level[w->levels++];
        *l++ = (lex_level){own->step.data, own->reach.data, own->start.data, count};
        if (count <= LEX_FAN) break;
    }
    *l = (lex_level){.reach = (const uint8_t *)w->reach_at.data + k * w->codes,
                     .start = (const uint8_t *)w->start_at.data + k,
                     .count = 1};
}

// out = f of the first n indices of a level.
static hd_status map_level(walk *w, const hd_function *f, int k, hd_view out, int64_t n)
{
    return hd_map(w->f->ctx, hd_progression((int64_t)k << LEX_LEVEL_BIT, 1, n),
                  HD_WITH_STATE(f, &w->tree), hd__frame_part(out, 0, n), NULL);
}

// The functions of all levels above those of blocks.
static hd_status go_up(walk *w)
{
    hd_status status = HD_OK;
    for (int k = 1; status == HD_OK && k < w->levels; k++)
        status = map_level(w, hd__lex_compose, k - 1, w->level[k].step,
                           w->tree.level[k].count << w->shift);
    return status;
}

// The states that reach acceptance from each chunk's begin on, from the last one to the second.
static hd_status find_reach_of_chunks(walk *w)
{
    hd_status status = HD_OK;
    for (int64_t k = w->chunks - 1; status == HD_OK && k > 0; k--) {
        set_levels(w, k);
        status = look_ahead(w, text_of(w, k));
        if (status == HD_OK) status = go_up(w);
        if (status == HD_OK)
            status = map_level(w, hd__lex_reach, w->levels - 1,
                               hd__frame_part(w->reach_at, k * w->codes, w->codes), w->codes);
    }
    return status;
}

static hd_status find_reach(walk *w, hd_view text)
{
    hd_status status = look_ahead(w, text);
    if (status == HD_OK) status = go_up(w);
    for (int k = w->levels - 1; status == HD_OK && k >= 0; k--)
        status = map_level(w, hd__lex_reach, k, w->level[k].reach,
                           (w->tree.level[k].count + 1) << w->shift);
    return status;
}

// The state before each block of chunk k, and before the next chunk.
static hd_status find_starts(walk *w, int64_t k, hd_view text)
{
    hd_status status = pass_blocks(w, text);
    if (status == HD_OK) status = go_up(w);
    for (int l = w->levels - 1; status == HD_OK && l >= 0; l--)
        status = map_level(w, hd__lex_start, l, w->level[l].start, w->tree.level[l].count + 1);
    if (status != HD_OK || k + 1 == w->chunks) return status;
    return hd_map(w->f->ctx, hd__frame_part(w->level[0].start, w->tree.level[0].count, 1), NULL,
                  hd__frame_part(w->start_at, k + 1, 1), NULL);
}

// ---- Tokens ---------------------------------------------------------------------------------

HD_FUNCTION(add, int64_t, HD_NO_SOURCE, (int32_t, a, int64_t, b), { return a + b; })

// The ends of the chunk's tokens, and the states that accepted them.
static hd_status find_tokens(walk *w, hd_view text, int64_t *tokens)
{
    const lex_text state = state_of(w, text);
    const int64_t n = hd_count(text);
    hd_status status =
        map_indices(w, HD_WITH_STATE(hd__lex_mark, &state), w->marks, w->tree.level[0].count);
    if (status == HD_OK)
        status = hd_compact(w->f->ctx, part_of(w->marks, 0, HD_U8, n), w->states,
                            HD_VIEW(tokens, 1), &(hd_compact_options){.indices = &w->ends});
    return status;
}

static lex_tokens tokens_of(const walk *w, int64_t base)
{
    return (lex_tokens){.state = w->states.data,
                        .skip = w->skip.data,
                        .end = w->ends.data,
                        .kind = w->kind.data,
                        .before = hd__frame_part(w->numbers, 2, 1).data,
                        .base = base};
}

// Where the first of these tokens that is an error begins: there is one.
static hd_status find_error(walk *w, hd_view states, const lex_tokens *state)
{
    hd_context *ctx = w->f->ctx;
    const uint8_t error = LEX_ACCEPTED;
    const hd_view begin = hd__frame_part(w->numbers, 0, 1);
    int64_t position = 0;
    hd_status status =
        hd_find(ctx, states, HD_VIEW(&position, 1), &(hd_find_options){.value = &error});
    if (status == HD_OK)
        status = hd_map(ctx, hd_constant((int32_t)position, 1), HD_WITH_STATE(hd__lex_begin, state),
                        begin, NULL);
    return status == HD_OK ? hd__frame_read(w->f, begin, 0, &w->x->error) : status;
}

// Of the tokens those of no rule to skip: how many, and their indices. And whether one is an error,
// which the greatest of the states tells. Both numbers are waited for at once.
static hd_status look_at_tokens(walk *w, int64_t base, int64_t *tokens)
{
    hd_context *ctx = w->f->ctx;
    const lex_tokens state = tokens_of(w, base);
    const hd_view states = hd__frame_part(w->states, 0, *tokens);
    int64_t number[2] = {0, *tokens};
    hd_status status = hd_reduce(ctx, states, HD_MAX, part_of(w->numbers, 0, HD_U8, 1), NULL);
    if (status == HD_OK && w->skips)
        status = hd_compact(ctx, states, HD_EMPTY, hd__frame_part(w->numbers, 1, 1),
                            &(hd_compact_options){.keep = HD_WITH_STATE(hd__lex_is_kept, &state),
                                                  .indices = &w->kept});
    else if (status == HD_OK)
        status = hd_map(ctx, hd_iota(*tokens), NULL, hd__frame_part(w->kept, 0, *tokens), NULL);
    const int numbers = w->skips ? 2 : 1;
    if (status == HD_OK)
        status = hd_map(ctx, hd__frame_part(w->numbers, 0, numbers), NULL, HD_VIEW(number, numbers),
                        NULL);
    if (status != HD_OK) return status;
    *tokens = number[1];
    const bool has_error = *(const unsigned char *)number == LEX_ACCEPTED;
    return has_error && w->x->error < 0 ? find_error(w, states, &state) : HD_OK;
}

static hd_status write(walk *w, const hd_function *f, const lex_tokens *state, hd_view kept,
                       hd_view out)
{
    if (out.type == HD_NONE) return HD_OK;
    return hd_map(w->f->ctx, kept, HD_WITH_STATE(f, state),
                  hd_slice(out, 0, w->x->found, hd_count(kept), 1), NULL);
}

static hd_status write_tokens(walk *w, int64_t base, int64_t tokens)
{
    hd__lex *x = w->x;
    const lex_tokens state = tokens_of(w, base);
    const int64_t left = x->room - x->found, n = left < 0 ? 0 : left < tokens ? left : tokens;
    hd_status status = HD_OK;
    if (n > 0) {
        const hd_view kept = hd__frame_part(w->kept, 0, n);
        status = write(w, hd__lex_kind, &state, kept, x->kinds);
        if (status == HD_OK) status = write(w, hd__lex_begin, &state, kept, x->begins);
        if (status == HD_OK) status = write(w, hd__lex_length, &state, kept, x->lengths);
    }
    x->found += tokens;
    return status;
}

static hd_status do_chunk(walk *w, int64_t k)
{
    int64_t ends = 0, tokens = 0;
    const hd_view text = text_of(w, k);
    set_levels(w, k);
    hd_status status = find_reach(w, text);
    if (status == HD_OK) status = find_starts(w, k, text);
    if (status == HD_OK) status = find_tokens(w, text, &ends);
    tokens = ends;
    if (status == HD_OK && tokens > 0) status = look_at_tokens(w, k * w->chunk, &tokens);
    if (status == HD_OK && tokens > 0) status = write_tokens(w, k * w->chunk, tokens);
    if (status != HD_OK || k + 1 == w->chunks || ends == 0) return status;
    return hd_map(w->f->ctx, hd__frame_part(w->ends, ends - 1, 1), add,
                  hd__frame_part(w->numbers, 2, 1),
                  &(hd_map_options){.with = HD_VIEWS(hd_constant(k * w->chunk, 1))});
}

hd_status hd__lex_device(hd__lex *x)
{
    walk w = {.x = x, .f = &x->f};
    if (x->lexer->states - 1 > HD__LEX_DEVICE_STATES)
        return hd__frame_fail(&x->f, HD_ERROR_ARGUMENT,
                              "the scans take up to 254 live states; the rules need %d",
                              x->lexer->states - 1);
    while (1 << w.shift < x->lexer->states) w.shift++;
    w.codes = 1 << w.shift;
    w.chunk = x->n < CHUNK ? x->n : CHUNK;
    hd_status status = allocate(&w);
    while (status == HD_ERROR_MEMORY && w.chunk > LEAST_CHUNK) {
        w.chunk = blocks_of(w.chunk, 2 * LEX_BLOCK) * LEX_BLOCK;
        status = hd__frame_drop(&x->f, &w.all);
        if (status == HD_OK) status = allocate(&w);
    }
    if (status == HD_OK) status = find_reach_of_chunks(&w);
    for (int64_t k = 0; status == HD_OK && k < w.chunks; k++) status = do_chunk(&w, k);
    return status;
}
