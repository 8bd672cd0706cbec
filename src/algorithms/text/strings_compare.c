// SPDX-License-Identifier: Apache-2.0
// hd_strings_compare: pairs of strings by words, of which those equal so far are kept.
#include "strings_cores.h"

#include <heddle/algorithms/strings.h>

HD_FUNCTION(length_of, int64_t, HD_NO_SOURCE, (int64_t, begin, int64_t, end),
            { return end - begin; })
HD_FUNCTION(least_of, int64_t, HD_NO_SOURCE, (int64_t, a, int64_t, b), { return a < b ? a : b; })
HD_FUNCTION(plus, int64_t, HD_NO_SOURCE, (int64_t, a, int64_t, b), { return a + b; })
HD_FUNCTION(minus, int64_t, HD_NO_SOURCE, (int64_t, a, int64_t, b), { return a - b; })
HD_FUNCTION(word_at, uint64_t, string_source,
            (uint64_t, low, uint64_t, high, int64_t, at, int64_t, left),
            { return string_word(low, high, at, left); })
// 2: equal so far, and both go on. A string that ends within the word comes before one that is the
// same and then goes on, if only by bytes of 0.
HD_FUNCTION(order_of, int8_t, HD_NO_SOURCE,
            (uint64_t, a, uint64_t, b, int64_t, a_left, int64_t, b_left), {
                if (a != b) return (int8_t)(a < b ? -1 : 1);
                if (a_left > 8 && b_left > 8) return 2;
                return (int8_t)((a_left > b_left) - (a_left < b_left));
            })
HD_FUNCTION(is_open, bool, HD_NO_SOURCE, (int64_t, any, int8_t, order), {
    (void)any;
    return order == 2;
})

enum { A_AT, B_AT, A_LEFT, B_LEFT, SLOT, ROWS };

typedef struct compare {
    hd__frame *f;
    hd__strings a, b;
    hd_view row[ROWS]; // of the pairs that are open
    hd_view same, index, a_word, b_word, order, result;
    int64_t open;
} compare;

static hd_status allocate(compare *c)
{
    const int64_t n = c->a.n;
    hd_status status = HD_OK;
    for (int r = 0; r < ROWS && status == HD_OK; r++)
        status = hd__frame_row(c->f, HD_I64, n, &c->row[r]);
    if (status == HD_OK) status = hd__frame_row(c->f, HD_I64, n, &c->same);
    if (status == HD_OK) status = hd__frame_row(c->f, HD_I64, n, &c->index);
    if (status == HD_OK) status = hd__frame_row(c->f, HD_U64, n, &c->a_word);
    if (status == HD_OK) status = hd__frame_row(c->f, HD_U64, n, &c->b_word);
    if (status == HD_OK) status = hd__frame_row(c->f, HD_I8, n, &c->order);
    if (status == HD_OK) status = hd__frame_row(c->f, HD_I8, n, &c->result);
    return status;
}

static hd_status begin(compare *c)
{
    hd_context *ctx = c->f->ctx;
    const int64_t n = c->open = c->a.n;
    const hd__strings *const both[] = {&c->a, &c->b};
    hd_status status = hd_map(ctx, hd_iota(n), NULL, c->row[SLOT], NULL);
    for (int k = 0; k < 2 && status == HD_OK; k++) {
        const hd_view from = hd__frame_part(both[k]->offsets, 0, n);
        status = hd_map(ctx, from, NULL, c->row[A_AT + k], NULL);
        if (status == HD_OK)
            status =
                hd_map(ctx, from, length_of, c->row[A_LEFT + k],
                       &(hd_map_options){.with = HD_VIEWS(hd__frame_part(both[k]->offsets, 1, n))});
    }
    return status;
}

static hd_view part(hd_view row, int64_t n)
{
    return hd__frame_part(row, 0, n);
}

// All open pairs go on by the bytes that they have in common.
static hd_status advance(compare *c, hd_view by)
{
    hd_status status = HD_OK;
    for (int r = A_AT; r <= B_LEFT && status == HD_OK; r++) {
        const hd_view row = part(c->row[r], c->open);
        status = hd_map(c->f->ctx, row, r <= B_AT ? plus : minus, row,
                        &(hd_map_options){.with = HD_VIEWS(by)});
    }
    return status;
}

static hd_status pass_common(compare *c)
{
    const int64_t n = c->open;
    const hd_view length = part(c->index, n), same = part(c->same, n);
    hd_status status = hd_map(c->f->ctx, part(c->row[A_LEFT], n), least_of, length,
                              &(hd_map_options){.with = HD_VIEWS(part(c->row[B_LEFT], n))});
    if (status == HD_OK)
        status =
            hd__string_common(c->f,
                              &(hd__string_pairs){n, c->a.words, c->b.words, part(c->row[A_AT], n),
                                                  part(c->row[B_AT], n), length},
                              HD__STRING_WINDOW, same);
    return status == HD_OK ? advance(c, same) : status;
}

// The next word of each pair decides it, or leaves it open.
static hd_status decide(compare *c)
{
    hd_context *ctx = c->f->ctx;
    const int64_t n = c->open, word = 8;
    const hd_view order = part(c->order, n), a_left = part(c->row[A_LEFT], n),
                  b_left = part(c->row[B_LEFT], n), b_word = part(c->b_word, n);
    hd_status status = hd__string_read(c->f, c->a.words, part(c->row[A_AT], n), a_left,
                                       part(c->index, n), word_at, part(c->a_word, n));
    if (status == HD_OK)
        status = hd__string_read(c->f, c->b.words, part(c->row[B_AT], n), b_left, part(c->index, n),
                                 word_at, b_word);
    if (status == HD_OK)
        status = hd_map(ctx, part(c->a_word, n), order_of, order,
                        &(hd_map_options){.with = HD_VIEWS(b_word, a_left, b_left)});
    if (status == HD_OK)
        status = hd_scatter(ctx, order, part(c->row[SLOT], n), c->result,
                            &(hd_scatter_options){.unique = true});
    for (int r = 0; r < ROWS && status == HD_OK; r++) {
        const hd_view row = part(c->row[r], n);
        status = hd_compact(ctx, row, row, HD_VIEW(&c->open, 1),
                            &(hd_compact_options){.keep = is_open, .with = HD_VIEWS(order)});
    }
    if (status == HD_OK) status = hd_sync(ctx);
    return status == HD_OK && c->open > 0 ? advance(c, hd_constant(word, 1)) : status;
}

static hd_status run(compare *c, hd_view out)
{
    if (c->a.on_cores && c->b.on_cores) {
        hd_status status = hd__frame_row(c->f, HD_I8, c->a.n, &c->result);
        if (status != HD_OK) return status;
        hd__strings_order(c->f, &c->a, &c->b, c->result);
        return hd__frame_copy(c->f, c->result, out);
    }
    hd_status status = allocate(c);
    if (status == HD_OK) status = begin(c);
    for (bool first = true; status == HD_OK && c->open > 0; first = false) {
        if (!first) status = pass_common(c);
        if (status == HD_OK) status = decide(c);
    }
    return status == HD_OK ? hd__frame_copy(c->f, c->result, out) : status;
}

static hd_status check_out(hd__frame *f, const hd_view *input, hd_view out)
{
    static const char *const names[] = {"a_offsets", "a", "b_offsets", "b"};
    if (out.type < HD_I8 || out.type > HD_I64)
        return hd__frame_fail(f, HD_ERROR_TYPE, "out has elements of %s; expected signed integers",
                              hd_type_name(out.type));
    hd_status status = hd__frame_check_out(f, "out", out);
    for (int k = 0; k < 4 && status == HD_OK; k++)
        status = hd__frame_check_apart(f, "out", out, names[k], input[k]);
    return status;
}

hd_status hd_strings_compare(hd_context *ctx, hd_view a_offsets, hd_view a, hd_view b_offsets,
                             hd_view b, hd_view out, const hd_strings_compare_options *options)
{
    hd__frame f;
    compare c = {.f = &f};
    hd_strings_compare_options o = {0};
    const hd_view inputs[] = {a_offsets, a, b_offsets, b};
    hd_status status = hd__frame_open(&f, ctx, "hd_strings_compare", a);
    if (status == HD_OK) status = hd__frame_options(&f, options, sizeof o, &o);
    if (status == HD_OK) status = check_out(&f, inputs, out);
    if (status == HD_OK) status = hd__strings_open(&f, "a", a_offsets, a, &c.a);
    if (status == HD_OK) status = hd__strings_open(&f, "b", b_offsets, b, &c.b);
    if (status == HD_OK && (c.b.n != c.a.n || hd_count(out) != c.a.n))
        status = hd__frame_fail(&f, HD_ERROR_SHAPE,
                                "a has %lld strings, b %lld, out %lld elements; expected as many",
                                (long long)c.a.n, (long long)c.b.n, (long long)hd_count(out));
    if (status == HD_OK && c.a.n > 0) status = run(&c, out);
    return hd__frame_close(&f, status);
}
