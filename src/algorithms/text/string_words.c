// SPDX-License-Identifier: Apache-2.0
#include "string_words.h"

#include "../support/team.h"

#include <string.h>

HD_FUNCTION(word_index, int64_t, HD_NO_SOURCE, (int64_t, at), { return at >> 3; })

// ---- Arrays of strings ----------------------------------------------------------------------

static bool is_integer(hd_type type)
{
    return type >= HD_I8 && type <= HD_U64;
}

hd_status hd__string_offsets(hd__frame *f, const char *what, hd_view offsets, int64_t bytes,
                             int64_t *n, hd_view *row)
{
    int64_t fall = -1, first = 0, last = 0;
    if (!is_integer(offsets.type) || offsets.ndim != 1)
        return hd__frame_fail(f, HD_ERROR_TYPE, "%s: %d dimensions of %s; expected one of integers",
                              what, offsets.ndim, hd_type_name(offsets.type));
    hd_status status = hd__frame_check(f, what, offsets);
    *n = hd_count(offsets) - 1;
    if (status != HD_OK || *n < 0) return *n = *n < 0 ? 0 : *n, status;
    status = hd__frame_dense(f, offsets, HD_I64, row);
    if (status == HD_OK) status = hd_is_sorted(f->ctx, *row, HD_VIEW(&fall, 1), NULL);
    if (status == HD_OK) status = hd_sync(f->ctx);
    if (status == HD_OK) status = hd__frame_read(f, *row, 0, &first);
    if (status == HD_OK) status = hd__frame_read(f, *row, *n, &last);
    if (status != HD_OK) return status;
    if (fall >= 0)
        return hd__frame_fail(f, HD_ERROR_VALUE, "%s falls at element %lld", what, (long long)fall);
    if (first < 0 || last > bytes)
        return hd__frame_fail(f, HD_ERROR_VALUE, "%s go from %lld to %lld; expected 0 .. %lld",
                              what, (long long)first, (long long)last, (long long)bytes);
    return HD_OK;
}

hd_status hd__string_words(hd__frame *f, hd_view bytes, hd_view *words)
{
    const int64_t n = hd_count(bytes), all = n / 8 + 2;
    const uint64_t zero = 0;
    hd_status status = hd__frame_row(f, HD_U64, all, words);
    if (status != HD_OK) return status;
    status = hd_map(f->ctx, hd_constant(zero, 2), NULL, hd__frame_part(*words, all - 2, 2), NULL);
    hd_view to = *words;
    to.type = HD_U8, to.shape[0] = n;
    return status == HD_OK && n > 0 ? hd__frame_copy(f, bytes, to) : status;
}

hd_status hd__strings_open(hd__frame *f, const char *what, hd_view offsets, hd_view bytes,
                           hd__strings *s)
{
    char name[40] = "offsets of ";
    memset(s, 0, sizeof *s);
    strncat(name, what, sizeof name - strlen(name) - 1);
    if (bytes.type != HD_U8 || bytes.ndim != 1)
        return hd__frame_fail(f, HD_ERROR_TYPE, "%s: %d dimensions of %s; expected one of u8", what,
                              bytes.ndim, hd_type_name(bytes.type));
    hd_status status = hd__frame_check(f, what, bytes);
    s->bytes = hd_count(bytes);
    if (status == HD_OK)
        status = hd__string_offsets(f, name, offsets, s->bytes, &s->n, &s->offsets);
    s->on_cores = status == HD_OK && hd__team_serves(f->ctx, f->on_device);
    if (status != HD_OK) return status;
    return s->on_cores ? hd__frame_dense(f, bytes, HD_U8, &s->row)
                       : hd__string_words(f, bytes, &s->words);
}

// ---- Words ----------------------------------------------------------------------------------

hd_status hd__string_read(hd__frame *f, hd_view words, hd_view at, hd_view left, hd_view index,
                          const hd_function *function, hd_view out)
{
    const int64_t all = hd_count(words);
    hd_status status = hd_map(f->ctx, at, word_index, index, NULL);
    if (status != HD_OK) return status;
    return hd_map(
        f->ctx, hd_indexed(words, index), function, out,
        &(hd_map_options){
            .with = HD_VIEWS(hd_indexed(hd__frame_part(words, 1, all - 1), index), at, left)});
}

// ---- Pairs ----------------------------------------------------------------------------------

HD_FUNCTION(words_of, int64_t, HD_NO_SOURCE, (int64_t, length, int64_t, most), {
    return length <= 0 ? 0 : length > 8 * most ? most : (length + 7) / 8;
})
// Element e of all words is word k of its pair.
HD_FUNCTION(word_of, int64_t, HD_NO_SOURCE, (int64_t, e, int64_t, begin), { return e - begin; })
HD_FUNCTION(place_of, int64_t, HD_NO_SOURCE, (int64_t, k, int64_t, at), { return at + 8 * k; })
HD_FUNCTION(left_of, int64_t, HD_NO_SOURCE, (int64_t, k, int64_t, length),
            { return length - 8 * k; })
HD_FUNCTION(word_at, uint64_t, string_source,
            (uint64_t, low, uint64_t, high, int64_t, at, int64_t, left),
            { return string_word(low, high, at, left); })
HD_FUNCTION(differs_at, int64_t, HD_NO_SOURCE, (int64_t, k, uint64_t, a, uint64_t, b),
            { return a != b ? k : 0x7fffffffffffffff; })
HD_FUNCTION(bytes_same, int64_t, HD_NO_SOURCE, (int64_t, first, int64_t, words, int64_t, length), {
    const int64_t same = 8 * (first < words ? first : words);
    return same < length ? same : length < 0 ? 0 : length;
})

typedef struct common {
    hd__frame *f;
    const hd__string_pairs *p;
    hd_view words, begin; // of each pair: how many, and the number of the first one; one more
    int64_t all;
    hd_view pair, k, at, left, index, a, b; // of each word
} common;

static hd_status count_words(common *c, int64_t most)
{
    hd_context *ctx = c->f->ctx;
    const int64_t n = c->p->n, zero = 0;
    hd_status status = hd__frame_row(c->f, HD_I64, n, &c->words);
    if (status == HD_OK) status = hd__frame_row(c->f, HD_I64, n + 1, &c->begin);
    if (status == HD_OK)
        status = hd_map(ctx, c->p->length, words_of, c->words,
                        &(hd_map_options){.with = HD_VIEWS(hd_constant(most, 1))});
    if (status == HD_OK)
        status = hd_map(ctx, hd_constant(zero, 1), NULL, hd__frame_part(c->begin, 0, 1), NULL);
    if (status == HD_OK)
        status = hd_scan(ctx, c->words, HD_SUM, hd__frame_part(c->begin, 1, n), NULL);
    return status == HD_OK ? hd__frame_read(c->f, c->begin, n, &c->all) : status;
}

static hd_status read_words(common *c, hd_view words, hd_view at, hd_view out)
{
    const hd_view of_pair = hd_indexed(at, c->pair);
    const hd_status status =
        hd_map(c->f->ctx, c->k, place_of, c->at, &(hd_map_options){.with = HD_VIEWS(of_pair)});
    if (status != HD_OK) return status;
    return hd__string_read(c->f, words, c->at, c->left, c->index, word_at, out);
}

static hd_status compare_words(common *c)
{
    hd_context *ctx = c->f->ctx;
    int64_t count = 0;
    hd_view *const rows[] = {&c->pair, &c->k, &c->at, &c->left, &c->index};
    hd_status status = HD_OK;
    for (int r = 0; r < 5 && status == HD_OK; r++)
        status = hd__frame_row(c->f, HD_I64, c->all, rows[r]);
    if (status == HD_OK) status = hd__frame_row(c->f, HD_U64, c->all, &c->a);
    if (status == HD_OK) status = hd__frame_row(c->f, HD_U64, c->all, &c->b);
    if (status == HD_OK)
        status = hd_expand(ctx, hd_iota(c->p->n), c->words, c->pair, HD_VIEW(&count, 1), NULL);
    if (status == HD_OK)
        status = hd_map(ctx, hd_iota(c->all), word_of, c->k,
                        &(hd_map_options){.with = HD_VIEWS(hd_indexed(c->begin, c->pair))});
    if (status == HD_OK)
        status = hd_map(ctx, c->k, left_of, c->left,
                        &(hd_map_options){.with = HD_VIEWS(hd_indexed(c->p->length, c->pair))});
    if (status == HD_OK) status = read_words(c, c->p->a_words, c->p->a_at, c->a);
    return status == HD_OK ? read_words(c, c->p->b_words, c->p->b_at, c->b) : status;
}

hd_status hd__string_common(hd__frame *f, const hd__string_pairs *p, int64_t window, hd_view same)
{
    common c = {.f = f, .p = p};
    const int64_t most = p->n == 0 ? 1 : (window + p->n - 1) / p->n;
    hd_status status = count_words(&c, most);
    if (status == HD_OK) status = compare_words(&c);
    if (status == HD_OK)
        status =
            hd_reduce(f->ctx, c.k, HD_MIN, same,
                      &(hd_reduce_options){
                          .segments = &c.begin, .map = differs_at, .with = HD_VIEWS(c.a, c.b)});
    if (status == HD_OK)
        status = hd_map(f->ctx, same, bytes_same, same,
                        &(hd_map_options){.with = HD_VIEWS(c.words, p->length)});
    hd_view *const rows[] = {&c.words, &c.begin, &c.pair, &c.k, &c.at,
                             &c.left,  &c.index, &c.a,    &c.b};
    for (int r = 0; r < 9 && status == HD_OK; r++) status = hd__frame_drop(f, rows[r]);
    return status;
}
