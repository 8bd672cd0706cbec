// SPDX-License-Identifier: Apache-2.0
// hd_lex by two scans over functions of states, chunk by chunk (W. D. Hillis and G. L. Steele,
// "Data parallel algorithms", CACM 1986; G. E. Blelloch, "Prefix sums and their applications",
// 1990). R[i], from the back: the states that reach acceptance by bytes i, i + 1, ...; with it each
// step from the front knows where a token ends (M. P. Schuetzenberger, "A remark on finite
// transducers", 1961). One pass from the last chunk to the first finds R at the chunks' ends; then
// each chunk, from the first on, is done in memory that they share.
#include "lex.h"
#include "lex_functions.h"

#include <string.h>

enum { HOST_BYTES = 1 << 23, DEVICE_BYTES = 1 << 26 }; // of a chunk's functions

typedef struct scan {
    hd__lex *x;
    hd__frame *f;
    const hd__lex_functions *with;
    int64_t chunk, chunks;
    size_t element;
    hd_view going_on, step; // functions of a byte: to acceptance or on; on
    hd_view reach, after;   // R, and the functions from the front, a chunk of them and 1
    hd_view marks, ends, begins, lengths; // of its tokens; ends has 1 before them
    unsigned char *reach_at;              // R at each chunk's end
    int64_t last_end;                     // where the last token ended
    int entry;                            // the code before the chunk
    lex_accepting accepting;
    lex_marks mark;
} scan;

// ---- Functions of few codes, on the host ----------------------------------------------------

static void set_code(const scan *s, void *element, int from, int to)
{
    if (s->with->codes > 16) {
        ((unsigned char *)element)[from] = (unsigned char)to;
        return;
    }
    uint64_t word;
    memcpy(&word, element, sizeof word);
    word = (word & ~(UINT64_C(15) << 4 * from)) | (uint64_t)to << 4 * from;
    memcpy(element, &word, sizeof word);
}

static int code_of(const scan *s, const void *element, int from)
{
    if (s->with->codes > 16) return ((const unsigned char *)element)[from];
    uint64_t word;
    memcpy(&word, element, sizeof word);
    return word >> 4 * from & 15;
}

static int code_of_state(const scan *s, int state)
{
    return state == HD__LEX_DEAD ? s->with->codes - 2 : state - 1;
}

// ---- Tables ---------------------------------------------------------------------------------

static void fill_step(const scan *s, int byte, void *going_on, void *step)
{
    const hd_lexer *lexer = s->x->lexer;
    for (int code = 0; code < s->with->codes; code++) {
        set_code(s, going_on, code, code);
        set_code(s, step, code, s->with->codes - 2);
    }
    for (int state = HD__LEX_START; state < lexer->states; state++) {
        const int to = lexer->next[state << 8 | byte], from = code_of_state(s, state);
        const bool accepts = to >= lexer->first_accepting;
        set_code(s, going_on, from, accepts ? s->with->codes - 1 : code_of_state(s, to));
        set_code(s, step, from, code_of_state(s, to));
    }
}

static void fill_marks(scan *s)
{
    const hd_lexer *lexer = s->x->lexer;
    s->accepting.first = lexer->first_accepting - 1;
    s->accepting.end = lexer->states - 1;
    for (int state = lexer->first_accepting; state < lexer->states; state++) {
        const int rule = lexer->rule[state];
        s->mark.of[state - 1] = (uint16_t)((rule + 1) | (lexer->skip[rule] ? HD__LEX_SKIP : 0));
        if (s->with->codes == 16) s->accepting.fields |= UINT64_C(15) << 4 * (state - 1);
    }
}

// A row of the host, whatever memory the call works in.
static hd_status host_row(scan *s, hd_type type, int64_t n, hd_view *row)
{
    const bool on_device = s->f->on_device;
    s->f->on_device = false;
    const hd_status status = hd__frame_row(s->f, type, n, row);
    s->f->on_device = on_device;
    return status;
}

static hd_status make_tables(scan *s)
{
    hd_view host[2];
    hd_status status = hd__frame_row(s->f, s->with->type, 256, &s->going_on);
    if (status == HD_OK) status = hd__frame_row(s->f, s->with->type, 256, &s->step);
    for (int k = 0; status == HD_OK && k < 2; k++)
        status = host_row(s, s->with->type, 256, &host[k]);
    if (status != HD_OK) return status;
    for (size_t byte = 0; byte < 256; byte++)
        fill_step(s, (int)byte, (char *)host[0].data + byte * s->element,
                  (char *)host[1].data + byte * s->element);
    fill_marks(s);
    status = hd_map(s->f->ctx, host[0], NULL, s->going_on, NULL);
    return status == HD_OK ? hd_map(s->f->ctx, host[1], NULL, s->step, NULL) : status;
}

static hd_status allocate(scan *s)
{
    hd_view row;
    const int64_t room = (s->f->on_device ? DEVICE_BYTES : HOST_BYTES) / (int64_t)s->element;
    s->chunk = s->x->n < room ? s->x->n : room;
    s->chunks = (s->x->n + s->chunk - 1) / s->chunk;
    hd_status status = make_tables(s);
    if (status == HD_OK) status = hd__frame_row(s->f, s->with->type, s->chunk + 1, &s->reach);
    if (status == HD_OK) status = hd__frame_row(s->f, s->with->type, s->chunk + 1, &s->after);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I32, s->chunk, &s->marks);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I64, s->chunk + 1, &s->ends);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I64, s->chunk, &s->begins);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I64, s->chunk, &s->lengths);
    if (status == HD_OK) status = host_row(s, s->with->type, s->chunks, &row);
    if (status == HD_OK) s->reach_at = row.data;
    return status;
}

// ---- From the back --------------------------------------------------------------------------

static hd_view text_of(const scan *s, int64_t k)
{
    const int64_t begin = k * s->chunk, left = s->x->n - begin;
    return hd__frame_part(s->x->text, begin, left < s->chunk ? left : s->chunk);
}

// A host's element to a row's element i.
static hd_status put(scan *s, const void *element, hd_view row, int64_t i)
{
    return hd_map(s->f->ctx, hd_view_of(s->with->type, element, 1), NULL, hd__frame_part(row, i, 1),
                  NULL);
}

// R at the end of each chunk: that of the next one's end, taken through all functions of the next.
static hd_status find_reach(scan *s)
{
    const int codes = s->with->codes;
    unsigned char *last = s->reach_at + (size_t)(s->chunks - 1) * s->element;
    memset(last, 0, s->element); // nothing follows
    set_code(s, last, codes - 1, codes - 1);
    for (int64_t k = s->chunks - 1; k > 0; k--) {
        unsigned char whole[256];
        const unsigned char *behind = s->reach_at + (size_t)k * s->element;
        unsigned char *before = s->reach_at + (size_t)(k - 1) * s->element;
        hd_status status = hd_reduce(s->f->ctx, hd_indexed(s->going_on, text_of(s, k)),
                                     s->with->forward, hd__frame_part(s->after, 0, 1), NULL);
        if (status == HD_OK) status = hd__frame_read(s->f, s->after, 0, whole);
        if (status != HD_OK) return status;
        memset(before, 0, s->element);
        for (int q = 0; q < codes; q++)
            set_code(s, before, q, code_of(s, behind, code_of(s, whole, q)));
    }
    return HD_OK;
}

// ---- A chunk --------------------------------------------------------------------------------

// The first byte of each element.
static hd_view first_bytes(const scan *s, hd_view row, int64_t begin, int64_t n)
{
    hd_view v = hd__frame_part(row, begin, n);
    v.type = HD_U8, v.stride[0] = (int64_t)s->element;
    return v;
}

// marks[i] = 0, or the mark of the token that ends behind byte i.
static hd_status find_marks(scan *s, int64_t k, hd_view text)
{
    hd_context *ctx = s->f->ctx;
    const int64_t m = hd_count(text);
    const void *reach_at = s->reach_at + (size_t)k * s->element;
    unsigned char entry[256] = {0};
    for (int q = 0; q < s->with->codes; q++) set_code(s, entry, q, s->entry);
    const hd_view reach = hd__frame_part(s->reach, 0, m), step = hd_indexed(s->step, text),
                  after = hd__frame_part(s->after, 1, m);
    hd_status status = put(s, reach_at, s->reach, m);
    if (status == HD_OK) status = put(s, entry, s->after, 0);
    if (status == HD_OK)
        status = hd_scan(ctx, hd_indexed(s->going_on, text), s->with->backward, reach,
                         &(hd_scan_options){.backward = true, .init = reach_at});
    if (status == HD_OK)
        status =
            hd_scan(ctx, step, s->with->forward, after,
                    &(hd_scan_options){.init = entry,
                                       .map = HD_WITH_STATE(s->with->advance, &s->accepting),
                                       .with = HD_VIEWS(reach, hd__frame_part(s->reach, 1, m))});
    if (status == HD_OK)
        status = hd_map(ctx, step, HD_WITH_STATE(s->with->mark, &s->mark),
                        hd__frame_part(s->marks, 0, m),
                        &(hd_map_options){.with = HD_VIEWS(first_bytes(s, s->after, 0, m),
                                                           first_bytes(s, s->after, 1, m),
                                                           first_bytes(s, s->reach, 0, m))});
    if (status == HD_OK) status = hd__frame_read(s->f, s->after, m, entry);
    s->entry = code_of(s, entry, 0);
    return status;
}

HD_FUNCTION(begin_of, int64_t, HD_NO_SOURCE, (int64_t, last, int64_t, base),
            { return last + 1 + base; })
HD_FUNCTION(length_of, int64_t, HD_NO_SOURCE, (int64_t, last, int64_t, end), { return end - last; })
HD_FUNCTION(is_kept, bool, HD_NO_SOURCE, (int64_t, token, int32_t, mark), {
    (void)token;
    return (mark & 0x8000) == 0;
})
HD_FUNCTION(is_kept_mark, bool, HD_NO_SOURCE, (int32_t, mark), { return (mark & 0x8000) == 0; })
HD_FUNCTION(kind_of, int32_t, HD_NO_SOURCE, (int32_t, mark, int32_t, error),
            { return mark == 0x7fff ? error : mark - 1; })

// The marks that are none, one after another, and where their tokens begin and how long they are.
static hd_status find_tokens(scan *s, int64_t base, int64_t m, int64_t *tokens)
{
    hd_context *ctx = s->f->ctx;
    const hd_view marks = hd__frame_part(s->marks, 0, m), ends = hd__frame_part(s->ends, 1, m);
    hd_status status =
        hd_compact(ctx, marks, marks, HD_VIEW(tokens, 1), &(hd_compact_options){.indices = &ends});
    if (status == HD_OK) status = hd_sync(ctx);
    if (status != HD_OK || *tokens == 0) return status;
    const int64_t n = *tokens, last = s->last_end - base - 1;
    const hd_view before = hd__frame_part(s->ends, 0, n), end = hd__frame_part(s->ends, 1, n);
    status = hd_map(ctx, hd_constant(last, 1), NULL, hd__frame_part(s->ends, 0, 1), NULL);
    if (status == HD_OK)
        status = hd_map(ctx, before, begin_of, hd__frame_part(s->begins, 0, n),
                        &(hd_map_options){.with = HD_VIEWS(hd_constant(base, 1))});
    if (status == HD_OK)
        status = hd_map(ctx, before, length_of, hd__frame_part(s->lengths, 0, n),
                        &(hd_map_options){.with = HD_VIEWS(end)});
    if (status == HD_OK) status = hd__frame_read(s->f, s->ends, n, &s->last_end);
    s->last_end += base + 1;
    return status;
}

static hd_status find_error(scan *s, int64_t tokens)
{
    const int32_t error = HD__LEX_ERROR;
    int64_t position = -1;
    if (s->x->error >= 0) return HD_OK;
    hd_status status = hd_find(s->f->ctx, hd__frame_part(s->marks, 0, tokens),
                               HD_VIEW(&position, 1), &(hd_find_options){.value = &error});
    if (status == HD_OK) status = hd_sync(s->f->ctx);
    if (status != HD_OK || position < 0) return status;
    return hd__frame_read(s->f, s->begins, position, &s->x->error);
}

static hd_status drop_skipped(scan *s, int64_t *tokens)
{
    hd_context *ctx = s->f->ctx;
    const int64_t n = *tokens;
    const hd_view marks = hd__frame_part(s->marks, 0, n), begins = hd__frame_part(s->begins, 0, n),
                  lengths = hd__frame_part(s->lengths, 0, n);
    const hd_compact_options with_mark = {.keep = is_kept, .with = HD_VIEWS(marks)},
                             own = {.keep = is_kept_mark};
    hd_status status = hd_compact(ctx, begins, begins, HD_VIEW(tokens, 1), &with_mark);
    if (status == HD_OK) status = hd_compact(ctx, lengths, lengths, HD_VIEW(tokens, 1), &with_mark);
    if (status == HD_OK) status = hd_compact(ctx, marks, marks, HD_VIEW(tokens, 1), &own);
    return status == HD_OK ? hd_sync(ctx) : status;
}

static hd_status write(scan *s, hd_view row, hd_view out, int64_t n)
{
    if (out.type == HD_NONE) return HD_OK;
    return hd_map(s->f->ctx, hd__frame_part(row, 0, n), NULL, hd_slice(out, 0, s->x->found, n, 1),
                  NULL);
}

static hd_status write_tokens(scan *s, int64_t tokens)
{
    hd__lex *x = s->x;
    const int64_t left = x->room - x->found, n = left < 0 ? 0 : left < tokens ? left : tokens;
    hd_status status = HD_OK;
    if (n > 0) {
        const hd_view marks = hd__frame_part(s->marks, 0, n);
        status =
            hd_map(s->f->ctx, marks, kind_of, marks,
                   &(hd_map_options){.with = HD_VIEWS(hd_constant((int32_t)x->error_kind, 1))});
        if (status == HD_OK) status = write(s, s->marks, x->kinds, n);
        if (status == HD_OK) status = write(s, s->begins, x->begins, n);
        if (status == HD_OK) status = write(s, s->lengths, x->lengths, n);
    }
    x->found += tokens;
    return status;
}

static hd_status do_chunk(scan *s, int64_t k)
{
    int64_t tokens = 0;
    const hd_view text = text_of(s, k);
    hd_status status = find_marks(s, k, text);
    if (status == HD_OK) status = find_tokens(s, k * s->chunk, hd_count(text), &tokens);
    if (status != HD_OK || tokens == 0) return status;
    status = find_error(s, tokens);
    if (status == HD_OK) status = drop_skipped(s, &tokens);
    return status == HD_OK ? write_tokens(s, tokens) : status;
}

hd_status hd__lex_scan(hd__lex *x)
{
    scan s = {.x = x, .f = &x->f};
    for (int k = 0; k < HD__LEX_FUNCTIONS && s.with == NULL; k++)
        if (x->lexer->states - 1 <= hd__lex_functions_of[k].codes - 2)
            s.with = &hd__lex_functions_of[k];
    if (s.with == NULL)
        return hd__frame_fail(&x->f, HD_ERROR_ARGUMENT,
                              "the scans take up to 254 live states; the rules need %d",
                              x->lexer->states - 1);
    s.element = hd_type_size(s.with->type);
    hd_status status = allocate(&s);
    if (status == HD_OK) status = find_reach(&s);
    for (int64_t k = 0; status == HD_OK && k < s.chunks; k++) status = do_chunk(&s, k);
    return status;
}
