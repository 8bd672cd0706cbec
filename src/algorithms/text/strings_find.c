// SPDX-License-Identifier: Apache-2.0
// hd_strings_find: places with the pattern's first bytes, of which those stay where the rest
// follows.
#include "strings_cores.h"

#include "../support/team.h"

#include <heddle/algorithms/strings.h>

HD_SOURCE(
    prefix_source, typedef struct prefix {
        uint64_t bytes, mask; // the first one in the lowest byte
    } prefix;)
HD_FUNCTION_STATE(has_prefix, bool, prefix_source,
                  (uint8_t, a, uint8_t, b, uint8_t, c, uint8_t, d, uint8_t, e, uint8_t, f, uint8_t,
                   g, uint8_t, h),
                  prefix, {
                      const uint64_t low = a | (uint64_t)b << 8 | (uint64_t)c << 16 |
                                           (uint64_t)d << 24,
                                     high = e | (uint64_t)f << 8 | (uint64_t)g << 16 |
                                            (uint64_t)h << 24;
                      return ((low | high << 32) & state->mask) == state->bytes;
                  })
HD_FUNCTION(plus, int64_t, HD_NO_SOURCE, (int64_t, a, int64_t, b), { return a + b; })
HD_FUNCTION(is_all, bool, HD_NO_SOURCE, (int64_t, any, int64_t, same, int64_t, length), {
    (void)any;
    return same == length;
})
// Whether the pattern ends in the string that it begins in.
HD_FUNCTION(is_within, uint8_t, HD_NO_SOURCE, (int64_t, place, int64_t, end, int64_t, length),
            { return place + length <= end; })
HD_FUNCTION(minus_one, int64_t, HD_NO_SOURCE, (int64_t, x), { return x - 1; })

enum { PREFIX = 8, CHUNK = 1 << 22 };

typedef struct find {
    hd__frame *f;
    hd_view text, pattern; // rows
    int64_t begin, end;    // where in text the pattern may be
    int64_t length;        // of the pattern
    hd_view offsets;       // a row of i64, or empty
    int64_t strings;
    hd_view text_words, pattern_words;
    hd_view positions, counts;
    int64_t found, room;
    prefix first;
    hd_view place;  // of a chunk
    int64_t places; // found in it
    bool on_cores;
} find;

static hd_view places_of(const find *x)
{
    return hd__frame_part(x->place, 0, x->places);
}

// Places begin .. begin + m - 1 that have the first bytes. What the mask leaves out of a short
// pattern may be any byte.
static hd_status find_prefix(find *x, int64_t begin, int64_t m)
{
    hd_view byte[PREFIX];
    for (int k = 0; k < PREFIX; k++)
        byte[k] = hd__frame_part(x->text, begin + (k < x->length ? k : 0), m);
    const hd_view room = hd__frame_part(x->place, 0, m);
    hd_status status =
        hd_compact(x->f->ctx, byte[0], HD_EMPTY, HD_VIEW(&x->places, 1),
                   &(hd_compact_options){.keep = HD_WITH_STATE(has_prefix, &x->first),
                                         .with = {byte + 1, PREFIX - 1},
                                         .indices = &room});
    if (status == HD_OK) status = hd_sync(x->f->ctx);
    if (status != HD_OK || x->places == 0 || begin == 0) return status;
    return hd_map(x->f->ctx, places_of(x), plus, places_of(x),
                  &(hd_map_options){.with = HD_VIEWS(hd_constant(begin, 1))});
}

static hd_status compact_places(find *x, const hd_compact_options *how)
{
    const hd_view places = places_of(x);
    const hd_status status = hd_compact(x->f->ctx, places, places, HD_VIEW(&x->places, 1), how);
    return status == HD_OK ? hd_sync(x->f->ctx) : status;
}

// Keeps places whose bytes depth .. depth + step - 1 are the pattern's.
static hd_status compare_rest(find *x, int64_t depth, int64_t step)
{
    hd_context *ctx = x->f->ctx;
    const int64_t m = x->places;
    hd_view at, in_pattern, length, same;
    hd_view *const rows[] = {&at, &in_pattern, &length, &same};
    hd_status status = HD_OK;
    for (int r = 0; r < 4 && status == HD_OK; r++) status = hd__frame_row(x->f, HD_I64, m, rows[r]);
    if (status == HD_OK)
        status = hd_map(ctx, places_of(x), plus, at,
                        &(hd_map_options){.with = HD_VIEWS(hd_constant(depth, 1))});
    if (status == HD_OK) status = hd_map(ctx, hd_constant(depth, m), NULL, in_pattern, NULL);
    if (status == HD_OK) status = hd_map(ctx, hd_constant(step, m), NULL, length, NULL);
    if (status == HD_OK)
        status = hd__string_common(
            x->f, &(hd__string_pairs){m, x->text_words, x->pattern_words, at, in_pattern, length},
            (step + 7) / 8 * m, same);
    if (status == HD_OK)
        status = compact_places(
            x, &(hd_compact_options){.keep = is_all, .with = HD_VIEWS(same, length)});
    for (int r = 0; r < 4 && status == HD_OK; r++) status = hd__frame_drop(x->f, rows[r]);
    return status;
}

// The rest of the pattern: of many places a word at a time, of few as much as fits in scratch.
static hd_status keep_whole(find *x)
{
    hd_status status = HD_OK;
    for (int64_t depth = PREFIX, step; depth < x->length && x->places > 0 && status == HD_OK;
         depth += step) {
        const int64_t words = HD__STRING_WINDOW / x->places;
        step = words < 1 ? 8 : 8 * words;
        if (step > x->length - depth) step = x->length - depth;
        status = compare_rest(x, depth, step);
    }
    return status;
}

// Keeps places in a string that holds the whole pattern from there on, and counts them by strings.
static hd_status keep_within(find *x)
{
    hd_context *ctx = x->f->ctx;
    const int64_t m = x->places, one = 1;
    hd_view string, end, within;
    if (x->offsets.type == HD_NONE || m == 0) return HD_OK;
    hd_status status = hd__frame_row(x->f, HD_I64, m, &string);
    if (status == HD_OK) status = hd__frame_row(x->f, HD_I64, m, &end);
    if (status == HD_OK) status = hd__frame_row(x->f, HD_U8, m, &within);
    // A string ends at the first offset behind the place.
    if (status == HD_OK)
        status =
            hd_search(ctx, x->offsets, places_of(x), string, &(hd_search_options){.right = true});
    if (status == HD_OK) status = hd_gather(ctx, x->offsets, string, end, NULL);
    if (status == HD_OK)
        status = hd_map(ctx, places_of(x), is_within, within,
                        &(hd_map_options){.with = HD_VIEWS(end, hd_constant(x->length, 1))});
    if (status == HD_OK) status = hd_map(ctx, string, minus_one, string, NULL);
    const hd_compact_options how = {.flags = &within};
    if (status == HD_OK) status = hd_compact(ctx, string, string, HD_VIEW(&x->places, 1), &how);
    x->places = m;
    if (status == HD_OK) status = compact_places(x, &how);
    if (status == HD_OK && x->counts.type != HD_NONE && x->places > 0)
        status = hd_scatter(ctx, hd_constant(one, x->places), hd__frame_part(string, 0, x->places),
                            x->counts, &(hd_scatter_options){.combine = HD_SUM});
    hd_view *const rows[] = {&string, &end, &within};
    for (int r = 0; r < 3 && status == HD_OK; r++) status = hd__frame_drop(x->f, rows[r]);
    return status;
}

static hd_status write_places(find *x)
{
    const int64_t left = x->room - x->found;
    const int64_t n = left < 0 ? 0 : left < x->places ? left : x->places;
    const int64_t at = x->found;
    x->found += x->places;
    if (n == 0 || x->positions.type == HD_NONE) return HD_OK;
    return hd_map(x->f->ctx, hd__frame_part(x->place, 0, n), NULL,
                  hd_slice(x->positions, 0, at, n, 1), NULL);
}

static hd_status find_all(find *x)
{
    const int64_t all = x->end - x->begin - x->length + 1;
    if (all <= 0) return HD_OK;
    hd_status status = hd__frame_row(x->f, HD_I64, all < CHUNK ? all : CHUNK, &x->place);
    for (int64_t at = 0; at < all && status == HD_OK; at += CHUNK) {
        status = find_prefix(x, x->begin + at, all - at < CHUNK ? all - at : CHUNK);
        if (status == HD_OK) status = keep_whole(x);
        if (status == HD_OK) status = keep_within(x);
        if (status == HD_OK) status = write_places(x);
    }
    return status;
}

// ---- By the cores ---------------------------------------------------------------------------

enum { TASKS = 4, TASK_CHUNK = 1 << 16 }; // tasks of a thread, places of a task

// Rows of places for so many tasks; of strings, too, where text is an array of them.
static hd_status open_tasks(find *x, int64_t tasks, hd__string_places **of)
{
    hd_view row, place, string = {0};
    hd_status status = hd__frame_row(x->f, HD_STRUCT(hd__string_places), tasks, &row);
    if (status == HD_OK) status = hd__frame_row(x->f, HD_I64, tasks * TASK_CHUNK, &place);
    if (status == HD_OK && x->offsets.type != HD_NONE)
        status = hd__frame_row(x->f, HD_I64, tasks * TASK_CHUNK, &string);
    if (status != HD_OK) return status;
    *of = row.data;
    for (int64_t k = 0; k < tasks; k++)
        (*of)[k] = (hd__string_places){
            .text = x->text.data,
            .pattern = x->pattern.data,
            .length = x->length,
            .offsets = x->offsets.data,
            .strings = x->strings,
            .place = (int64_t *)place.data + k * TASK_CHUNK,
            .string = string.data != NULL ? (int64_t *)string.data + k * TASK_CHUNK : NULL};
    return HD_OK;
}

static hd_status take_task(find *x, const hd__string_places *p)
{
    const int64_t one = 1;
    x->place = hd_view_of(HD_I64, p->place, p->found), x->places = p->found;
    if (x->counts.type != HD_NONE && p->found > 0) {
        const hd_status status = hd_scatter(x->f->ctx, hd_constant(one, p->found),
                                            hd_view_of(HD_I64, p->string, p->found), x->counts,
                                            &(hd_scatter_options){.combine = HD_SUM});
        if (status != HD_OK) return status;
    }
    return write_places(x);
}

static hd_status find_on_cores(find *x)
{
    const int64_t all = x->end - x->begin - x->length + 1,
                  chunks = (all + TASK_CHUNK - 1) / TASK_CHUNK,
                  most = (int64_t)hd__team_size(x->f->ctx) * TASKS,
                  tasks = chunks < most ? chunks : most;
    hd__string_places *of;
    if (all <= 0) return HD_OK;
    hd_status status = open_tasks(x, tasks, &of);
    for (int64_t at = 0; at < all && status == HD_OK; at += tasks * TASK_CHUNK) {
        for (int64_t k = 0; k < tasks; k++) {
            const int64_t begin = at + k * TASK_CHUNK, left = all - begin;
            of[k].begin = x->begin + begin;
            of[k].count = left < 0 ? 0 : left < TASK_CHUNK ? left : TASK_CHUNK;
        }
        hd__strings_places(x->f, of, tasks);
        for (int64_t k = 0; k < tasks && status == HD_OK; k++) status = take_task(x, &of[k]);
    }
    return status;
}

// ---- The call -------------------------------------------------------------------------------

static hd_status check_row(find *x, const char *what, hd_view v)
{
    if (v.type != HD_U8 || v.ndim != 1)
        return hd__frame_fail(x->f, HD_ERROR_TYPE, "%s: %d dimensions of %s; expected one of u8",
                              what, v.ndim, hd_type_name(v.type));
    return hd__frame_check(x->f, what, v);
}

static hd_status check_output(find *x, const char *what, hd_view v)
{
    if (v.type == HD_NONE) return HD_OK;
    if (v.type != HD_I64 || v.ndim != 1)
        return hd__frame_fail(x->f, HD_ERROR_TYPE, "%s: %d dimensions of %s; expected one of i64",
                              what, v.ndim, hd_type_name(v.type));
    return hd__frame_check_out(x->f, what, v);
}

static hd_status check_apart(find *x, hd_view count, const hd_strings_find_options *o)
{
    static const char *const names[] = {"text",      "pattern", "offsets",
                                        "positions", "counts",  "count"};
    const hd_view view[] = {x->text,      x->pattern, o->offsets != NULL ? *o->offsets : HD_EMPTY,
                            x->positions, x->counts,  count};
    hd_status status = HD_OK;
    for (int k = 3; k < 6; k++)
        for (int j = 0; j < k && status == HD_OK; j++)
            status = hd__frame_check_apart(x->f, names[k], view[k], names[j], view[j]);
    return status;
}

static hd_status check(find *x, hd_view count, const hd_strings_find_options *o)
{
    hd_status status = check_row(x, "text", x->text);
    if (status == HD_OK) status = check_row(x, "pattern", x->pattern);
    if (status == HD_OK) status = check_output(x, "positions", x->positions);
    if (status == HD_OK) status = check_output(x, "counts", x->counts);
    if (status == HD_OK && (count.type != HD_I64 || hd_count(count) != 1 || count.space != HD_HOST))
        status = hd__frame_fail(x->f, HD_ERROR_ARGUMENT, "count: expected one i64 of the host");
    if (status == HD_OK) status = hd__frame_check_out(x->f, "count", count);
    if (status == HD_OK) status = check_apart(x, count, o);
    if (status == HD_OK && hd_count(x->pattern) == 0)
        status = hd__frame_fail(x->f, HD_ERROR_VALUE, "pattern is empty; expected a byte at least");
    return status;
}

static hd_status open_strings(find *x, const hd_view *offsets)
{
    hd_view row = HD_EMPTY;
    if (offsets == NULL || offsets->type == HD_NONE) return HD_OK;
    hd_status status =
        hd__string_offsets(x->f, "offsets", *offsets, hd_count(x->text), &x->strings, &row);
    if (status != HD_OK) return status;
    if (x->counts.type != HD_NONE && hd_count(x->counts) != x->strings)
        return hd__frame_fail(x->f, HD_ERROR_SHAPE, "counts has %lld elements; expected %lld",
                              (long long)hd_count(x->counts), (long long)x->strings);
    x->offsets = row, x->end = 0;
    if (x->strings == 0) return HD_OK;
    status = hd__frame_read(x->f, row, 0, &x->begin);
    if (status == HD_OK) status = hd__frame_read(x->f, row, x->strings, &x->end);
    const int64_t zero = 0;
    if (status == HD_OK && x->counts.type != HD_NONE)
        status = hd_map(x->f->ctx, hd_constant(zero, x->strings), NULL, x->counts, NULL);
    return status;
}

// The first bytes of the pattern, on the host.
static hd_status read_prefix(find *x)
{
    hd_status status = HD_OK;
    for (int64_t k = 0; k < PREFIX && k < x->length && status == HD_OK; k++) {
        unsigned char byte = 0;
        status = hd__frame_read(x->f, x->pattern, k, &byte);
        x->first.bytes |= (uint64_t)byte << 8 * k;
        x->first.mask |= UINT64_C(255) << 8 * k;
    }
    if (x->on_cores) return status;
    if (status == HD_OK && x->length > PREFIX)
        status = hd__string_words(x->f, x->text, &x->text_words);
    if (status == HD_OK && x->length > PREFIX)
        status = hd__string_words(x->f, x->pattern, &x->pattern_words);
    return status;
}

static hd_status open_rows(find *x)
{
    hd_status status = hd__frame_dense(x->f, x->text, HD_U8, &x->text);
    if (status == HD_OK) status = hd__frame_dense(x->f, x->pattern, HD_U8, &x->pattern);
    return status == HD_OK ? read_prefix(x) : status;
}

hd_status hd_strings_find(hd_context *ctx, hd_view text, hd_view pattern, hd_view positions,
                          hd_view count, const hd_strings_find_options *options)
{
    hd__frame f;
    hd_strings_find_options o = {0};
    find x = {.f = &f, .text = text, .pattern = pattern, .positions = positions};
    hd_status status = hd__frame_open(&f, ctx, "hd_strings_find", text);
    if (status == HD_OK) status = hd__frame_options(&f, options, sizeof o, &o);
    if (o.counts != NULL) x.counts = *o.counts;
    if (status == HD_OK && o.offsets == NULL && x.counts.type != HD_NONE)
        status = hd__frame_fail(&f, HD_ERROR_ARGUMENT, "counts without offsets");
    if (status == HD_OK) status = check(&x, count, &o);
    x.end = hd_count(text), x.length = hd_count(pattern);
    x.room = positions.type != HD_NONE ? hd_count(positions) : INT64_MAX;
    x.on_cores = status == HD_OK && hd__team_serves(ctx, f.on_device);
    if (status == HD_OK) status = open_strings(&x, o.offsets);
    if (status == HD_OK) status = open_rows(&x);
    if (status == HD_OK) status = x.on_cores ? find_on_cores(&x) : find_all(&x);
    if (status == HD_OK) status = hd_map(ctx, hd_constant(x.found, 1), NULL, count, NULL);
    if (status == HD_OK && x.found > x.room)
        status = hd__frame_fail(&f, HD_ERROR_SHAPE,
                                "the pattern is at %lld places; positions has room for %lld",
                                (long long)x.found, (long long)x.room);
    return hd__frame_close(&f, status);
}
