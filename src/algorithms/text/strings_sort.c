// SPDX-License-Identifier: Apache-2.0
// hd_strings_sort: MSD radix sort by keys of 7 bytes and the number of bytes there are.
#include "strings_cores.h"

#include <heddle/algorithms/strings.h>

HD_FUNCTION(length_of, int64_t, HD_NO_SOURCE, (int64_t, begin, int64_t, end),
            { return end - begin; })
// The next 7 bytes, and 0 .. 7 where the string ends with them, 8 where it goes on: a string comes
// before one that is the same and then goes on, if only by bytes of 0.
HD_FUNCTION(key_at, uint64_t, string_source,
            (uint64_t, low, uint64_t, high, int64_t, at, int64_t, left), {
                const uint64_t rest = left > 7 ? 8 : left < 0 ? 0 : left;
                return (string_word(low, high, at, left) & ~(uint64_t)255) | rest;
            })
HD_FUNCTION(place_of, int64_t, HD_NO_SOURCE, (int64_t, offset, int64_t, depth),
            { return offset + depth; })
HD_FUNCTION(left_of, int64_t, HD_NO_SOURCE, (int64_t, begin, int64_t, end, int64_t, depth),
            { return end - begin - depth; })
// Whether a string has the key of the one before it in its segment, and both go on.
HD_FUNCTION(is_same, uint8_t, HD_NO_SOURCE,
            (uint64_t, key, uint64_t, before, int64_t, segment, int64_t, segment_before),
            { return key == before && (key & 255) == 8 && segment == segment_before; })
HD_FUNCTION(is_open, bool, HD_NO_SOURCE, (int64_t, any, uint8_t, same, uint8_t, next_same), {
    (void)any;
    return same || next_same;
})
HD_FUNCTION(begins_segment, int64_t, HD_NO_SOURCE, (uint8_t, same), { return !same; })
HD_FUNCTION(minus_one, int64_t, HD_NO_SOURCE, (int64_t, x), { return x - 1; })
HD_FUNCTION(deeper, int64_t, HD_NO_SOURCE, (int64_t, depth), { return depth + 7; })
HD_FUNCTION(plus, int64_t, HD_NO_SOURCE, (int64_t, a, int64_t, b), { return a + b; })
HD_FUNCTION(least_of, int64_t, HD_NO_SOURCE, (int64_t, a, int64_t, b), { return a < b ? a : b; })

// A round costs about as much as reading so many bytes of what is left, and more for each string.
enum { ROUND_BYTES = 200000, STRING_BYTES = 40, LEAST_ROUNDS = 4 };

typedef struct sort {
    hd__frame *f;
    hd__strings s;
    hd_view order; // the strings in their places, so far
    // Of the strings that are open, in order: the string, its place, how deep it was compared, the
    // number of its segment; then what a round makes.
    hd_view id, slot, depth, segment;
    hd_view id_sorted, key, key_sorted, at, left, index, same;
    hd_view begin; // of segments, one more
    int64_t open, segments, rounds;
} sort;

static hd_view part(hd_view row, int64_t n)
{
    return hd__frame_part(row, 0, n);
}

static hd_status allocate(sort *s)
{
    const int64_t n = s->s.n;
    hd_view *const rows[] = {&s->order,     &s->id, &s->slot, &s->depth, &s->segment,
                             &s->id_sorted, &s->at, &s->left, &s->index, &s->begin};
    hd_status status = HD_OK;
    for (int r = 0; r < 10 && status == HD_OK; r++)
        status = hd__frame_row(s->f, HD_I64, n + 1, rows[r]);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_U64, n, &s->key);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_U64, n, &s->key_sorted);
    return status == HD_OK ? hd__frame_row(s->f, HD_U8, n + 1, &s->same) : status;
}

// All strings are open, in one segment.
static hd_status begin(sort *s)
{
    hd_context *ctx = s->f->ctx;
    const int64_t n = s->open = s->s.n, ends[] = {0, n}, zero = 0;
    hd_status status = hd_map(ctx, hd_iota(n), NULL, part(s->id, n), NULL);
    if (status == HD_OK) status = hd_map(ctx, hd_iota(n), NULL, part(s->slot, n), NULL);
    if (status == HD_OK) status = hd_map(ctx, hd_constant(zero, n), NULL, part(s->depth, n), NULL);
    if (status == HD_OK)
        status = hd_map(ctx, hd_constant(zero, n), NULL, part(s->segment, n), NULL);
    if (status == HD_OK) status = hd_map(ctx, HD_VIEW(ends, 2), NULL, part(s->begin, 2), NULL);
    s->segments = 1;
    return status;
}

// at and left of all open strings.
static hd_status find_places(sort *s)
{
    const hd_view id = part(s->id, s->open), depth = part(s->depth, s->open);
    const hd_view from = hd_indexed(part(s->s.offsets, s->s.n), id),
                  to = hd_indexed(hd__frame_part(s->s.offsets, 1, s->s.n), id);
    const hd_status status = hd_map(s->f->ctx, from, place_of, part(s->at, s->open),
                                    &(hd_map_options){.with = HD_VIEWS(depth)});
    if (status != HD_OK) return status;
    return hd_map(s->f->ctx, from, left_of, part(s->left, s->open),
                  &(hd_map_options){.with = HD_VIEWS(to, depth)});
}

// Sorts each segment by the next key, and puts its strings in their places.
static hd_status sort_keys(sort *s)
{
    hd_context *ctx = s->f->ctx;
    const int64_t n = s->open;
    const hd_view key = part(s->key, n), sorted = part(s->key_sorted, n),
                  begin_of = part(s->begin, s->segments + 1);
    hd_status status = find_places(s);
    if (status == HD_OK)
        status = hd__string_read(s->f, s->s.words, part(s->at, n), part(s->left, n),
                                 part(s->index, n), key_at, key);
    if (status == HD_OK)
        status = hd_sort(ctx, key, sorted, HD_VALUES(part(s->id, n), part(s->id_sorted, n)),
                         &(hd_sort_options){.segments = s->segments > 1 ? &begin_of : NULL});
    if (status == HD_OK)
        status = hd_scatter(ctx, part(s->id_sorted, n), part(s->slot, n), part(s->order, s->s.n),
                            &(hd_scatter_options){.unique = true});
    if (status == HD_OK) status = hd_map(ctx, part(s->depth, n), deeper, part(s->depth, n), NULL);
    return status;
}

static hd_status find_same(sort *s)
{
    hd_context *ctx = s->f->ctx;
    const int64_t n = s->open;
    const uint8_t zero = 0;
    hd_status status = hd_map(ctx, hd_constant(zero, 1), NULL, part(s->same, 1), NULL);
    if (status == HD_OK)
        status = hd_map(ctx, hd_constant(zero, 1), NULL, hd__frame_part(s->same, n, 1), NULL);
    if (status != HD_OK || n < 2) return status;
    return hd_map(ctx, hd__frame_part(s->key_sorted, 1, n - 1), is_same,
                  hd__frame_part(s->same, 1, n - 1),
                  &(hd_map_options){.with = HD_VIEWS(part(s->key_sorted, n - 1),
                                                     hd__frame_part(s->segment, 1, n - 1),
                                                     part(s->segment, n - 1))});
}

// Runs of the same key that go on are the next segments.
static hd_status keep_open(sort *s)
{
    hd_context *ctx = s->f->ctx;
    const int64_t n = s->open;
    const hd_view same = part(s->same, n), next = hd__frame_part(s->same, 1, n);
    const hd_compact_options how = {.keep = is_open, .with = HD_VIEWS(same, next)};
    hd_status status =
        hd_compact(ctx, part(s->id_sorted, n), part(s->id, n), HD_VIEW(&s->open, 1), &how);
    if (status == HD_OK)
        status = hd_compact(ctx, part(s->slot, n), part(s->slot, n), HD_VIEW(&s->open, 1), &how);
    if (status == HD_OK)
        status = hd_compact(ctx, part(s->depth, n), part(s->depth, n), HD_VIEW(&s->open, 1), &how);
    if (status == HD_OK) // 1 where a segment begins, and 0
        status = hd_map(ctx, same, begins_segment, part(s->index, n), NULL);
    if (status == HD_OK)
        status = hd_compact(ctx, part(s->index, n), part(s->index, n), HD_VIEW(&s->open, 1), &how);
    return status == HD_OK ? hd_sync(ctx) : status;
}

static hd_status make_segments(sort *s)
{
    hd_context *ctx = s->f->ctx;
    const int64_t n = s->open;
    const hd_view first = part(s->index, n), segment = part(s->segment, n),
                  begin_of = part(s->begin, n);
    hd_status status = hd_scan(ctx, first, HD_SUM, segment, NULL);
    if (status == HD_OK) status = hd_map(ctx, segment, minus_one, segment, NULL);
    if (status == HD_OK)
        status = hd_compact(ctx, first, HD_EMPTY, HD_VIEW(&s->segments, 1),
                            &(hd_compact_options){.indices = &begin_of});
    if (status == HD_OK) status = hd_sync(ctx);
    if (status != HD_OK) return status;
    return hd_map(ctx, hd_constant(n, 1), NULL, hd__frame_part(s->begin, s->segments, 1), NULL);
}

// ---- What the strings of a segment have in common -------------------------------------------

// Whether the rounds since the last time cost as much as reading what is left.
static hd_status is_worth(sort *s, bool *worth)
{
    int64_t bytes = 0;
    const double cost = (double)s->rounds * (ROUND_BYTES + (double)STRING_BYTES * (double)s->open);
    *worth = false;
    if (s->rounds < LEAST_ROUNDS) return HD_OK;
    hd_status status = find_places(s);
    if (status == HD_OK)
        status = hd_reduce(s->f->ctx, part(s->left, s->open), HD_SUM, HD_VIEW(&bytes, 1), NULL);
    if (status == HD_OK) status = hd_sync(s->f->ctx);
    const int64_t most = 8 * (int64_t)HD__STRING_WINDOW;
    *worth = cost >= (double)(bytes < most ? bytes : most);
    return status;
}

// The bytes that each string of a segment has in common with the segment's first one; the least of
// them is what all have.
static hd_status pass_common(sort *s)
{
    hd_context *ctx = s->f->ctx;
    const int64_t n = s->open, m = s->segments;
    const hd_view at = part(s->at, n), left = part(s->left, n), same = part(s->index, n),
                  segment = part(s->segment, n), depth = part(s->depth, n),
                  begin_of = part(s->begin, m + 1);
    hd_view first, first_at, length, least; // of each string; of each segment
    hd_status status = hd__frame_row(s->f, HD_I64, n, &first);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I64, n, &first_at);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I64, n, &length);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I64, m, &least);
    if (status == HD_OK) status = hd_gather(ctx, part(s->begin, m), segment, first, NULL);
    if (status == HD_OK) status = hd_gather(ctx, at, first, first_at, NULL);
    if (status == HD_OK)
        status = hd_map(ctx, left, least_of, length,
                        &(hd_map_options){.with = HD_VIEWS(hd_indexed(left, first))});
    if (status == HD_OK)
        status = hd__string_common(
            s->f, &(hd__string_pairs){n, s->s.words, s->s.words, at, first_at, length},
            HD__STRING_WINDOW, same);
    if (status == HD_OK)
        status = hd_reduce(ctx, same, HD_MIN, least, &(hd_reduce_options){.segments = &begin_of});
    if (status == HD_OK)
        status = hd_map(ctx, depth, plus, depth,
                        &(hd_map_options){.with = HD_VIEWS(hd_indexed(least, segment))});
    hd_view *const rows[] = {&first, &first_at, &length, &least};
    for (int r = 0; r < 4 && status == HD_OK; r++) status = hd__frame_drop(s->f, rows[r]);
    s->rounds = 0;
    return status;
}

static hd_status sort_strings(sort *s)
{
    hd_status status = begin(s);
    while (status == HD_OK && s->open > 0) {
        bool worth;
        status = is_worth(s, &worth);
        if (status == HD_OK && worth) status = pass_common(s);
        if (status == HD_OK) status = sort_keys(s);
        if (status == HD_OK) status = find_same(s);
        if (status == HD_OK) status = keep_open(s);
        if (status == HD_OK && s->open > 0) status = make_segments(s);
        s->rounds++;
    }
    return status;
}

// ---- The strings in order -------------------------------------------------------------------

enum { CHUNK = 1 << 20 };

HD_FUNCTION(source_of, int64_t, HD_NO_SOURCE,
            (int64_t, place, int64_t, begin_out, int64_t, begin_in),
            { return place - begin_out + begin_in; })

// Bytes of the output by chunks: each looks for its string, and where that was.
static hd_status write_bytes(sort *s, hd_view bytes, hd_view offsets, hd_view from, hd_view out)
{
    hd_context *ctx = s->f->ctx;
    const int64_t n = s->s.n;
    int64_t all = 0;
    hd_view place, string, row;
    hd_status status = hd__frame_read(s->f, offsets, n, &all);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I64, CHUNK, &place);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I64, CHUNK, &string);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_U8, CHUNK, &row);
    for (int64_t at = 0; at < all && status == HD_OK; at += CHUNK) {
        const int64_t m = all - at < CHUNK ? all - at : CHUNK;
        const hd_view places = part(place, m), strings = part(string, m);
        status = hd_map(ctx, hd_progression(at, 1, m), NULL, places, NULL);
        if (status == HD_OK)
            status = hd_search(ctx, hd__frame_part(offsets, 1, n), places, strings,
                               &(hd_search_options){.right = true});
        if (status == HD_OK)
            status =
                hd_map(ctx, places, source_of, places,
                       &(hd_map_options){.with = HD_VIEWS(hd_indexed(part(offsets, n), strings),
                                                          hd_indexed(from, strings))});
        if (status == HD_OK) status = hd_gather(ctx, bytes, places, part(row, m), NULL);
        if (status == HD_OK)
            status = hd_map(ctx, part(row, m), NULL, hd_slice(out, 0, at, m, 1), NULL);
    }
    return status;
}

// Offsets of the strings in order, then their bytes.
static hd_status write_strings(sort *s, hd_view bytes, hd_view offsets_out, hd_view bytes_out)
{
    hd_context *ctx = s->f->ctx;
    const int64_t n = s->s.n, zero = 0;
    const hd_view order = part(s->order, n), from = part(s->at, n), length = part(s->left, n),
                  offsets = s->depth;
    hd_status status = hd_gather(ctx, part(s->s.offsets, n), order, from, NULL);
    if (status == HD_OK)
        status =
            hd_map(ctx, from, length_of, length,
                   &(hd_map_options){
                       .with = HD_VIEWS(hd_indexed(hd__frame_part(s->s.offsets, 1, n), order))});
    if (status == HD_OK) status = hd_map(ctx, hd_constant(zero, 1), NULL, part(offsets, 1), NULL);
    if (status == HD_OK) status = hd_scan(ctx, length, HD_SUM, hd__frame_part(offsets, 1, n), NULL);
    if (status == HD_OK && offsets_out.type != HD_NONE)
        status = hd__frame_copy(s->f, offsets, offsets_out);
    if (status != HD_OK || bytes_out.type == HD_NONE) return status;
    if (!s->s.on_cores || (bytes_out.stride[0] != 1 && hd_count(bytes_out) > 1))
        return write_bytes(s, bytes, offsets, from, bytes_out);
    hd__strings_move(s->f, &(hd__string_moves){s->s.row.data, from.data, length.data, offsets.data,
                                               n, bytes_out.data});
    return HD_OK;
}

// ---- The call -------------------------------------------------------------------------------

static hd_status check_output(sort *s, const char *what, hd_view v, const hd_view *others,
                              int count)
{
    static const char *const names[] = {"offsets", "bytes", "offsets_out", "bytes_out"};
    if (v.type == HD_NONE) return HD_OK;
    hd_status status = hd__frame_check_out(s->f, what, v);
    for (int k = 0; k < count && status == HD_OK; k++)
        status = hd__frame_check_apart(s->f, what, v, names[k], others[k]);
    return status;
}

// What an output must be like: its type, and how many elements it has.
static hd_status check_shape(sort *s, const char *what, hd_view v, bool bytes, int64_t least)
{
    if (v.type == HD_NONE) return HD_OK;
    const bool is_integer = v.type >= HD_I8 && v.type <= HD_U64;
    if (bytes ? v.type != HD_U8 : !is_integer)
        return hd__frame_fail(s->f, HD_ERROR_TYPE, "%s has elements of %s; expected %s", what,
                              hd_type_name(v.type), bytes ? "u8" : "integers");
    const int64_t size = (int64_t)hd_type_size(v.type) * 8 - (v.type <= HD_I64);
    if (v.ndim == 1 && (bytes ? hd_count(v) >= least : hd_count(v) == least) &&
        (bytes || size >= 62 || s->s.bytes >> size == 0))
        return HD_OK;
    return hd__frame_fail(s->f, HD_ERROR_SHAPE,
                          "%s has %lld elements of %s in %d dimensions; expected %lld%s in one, of "
                          "a type that holds them",
                          what, (long long)hd_count(v), hd_type_name(v.type), v.ndim,
                          (long long)least, bytes ? " or more" : "");
}

static hd_status used_bytes(sort *s, int64_t *bytes)
{
    int64_t first = 0, last = 0;
    hd_status status = HD_OK;
    if (s->s.n > 0) status = hd__frame_read(s->f, s->s.offsets, 0, &first);
    if (status == HD_OK && s->s.n > 0) status = hd__frame_read(s->f, s->s.offsets, s->s.n, &last);
    *bytes = last - first;
    return status;
}

static hd_status check(sort *s, const hd_view *view, hd_view indices)
{
    int64_t bytes = 0;
    const bool none = s->s.offsets.type == HD_NONE; // no offsets at all
    hd_status status = check_output(s, "offsets_out", view[2], view, 2);
    if (status == HD_OK) status = check_output(s, "bytes_out", view[3], view, 3);
    if (status == HD_OK) status = check_output(s, "indices", indices, view, 4);
    if (status == HD_OK) status = used_bytes(s, &bytes);
    if (status == HD_OK)
        status = check_shape(s, "offsets_out", view[2], false, none ? 0 : s->s.n + 1);
    if (status == HD_OK) status = check_shape(s, "bytes_out", view[3], true, bytes);
    return status == HD_OK ? check_shape(s, "indices", indices, false, s->s.n) : status;
}

hd_status hd_strings_sort(hd_context *ctx, hd_view offsets, hd_view bytes, hd_view offsets_out,
                          hd_view bytes_out, const hd_strings_sort_options *options)
{
    hd__frame f;
    sort s = {.f = &f};
    hd_strings_sort_options o = {0};
    const hd_view view[] = {offsets, bytes, offsets_out, bytes_out};
    hd_status status = hd__frame_open(&f, ctx, "hd_strings_sort", bytes);
    if (status == HD_OK) status = hd__frame_options(&f, options, sizeof o, &o);
    if (status == HD_OK) status = hd__strings_open(&f, "bytes", offsets, bytes, &s.s);
    const hd_view indices = o.indices != NULL ? *o.indices : HD_EMPTY;
    if (status == HD_OK) status = check(&s, view, indices);
    if (status == HD_OK) status = allocate(&s);
    if (status == HD_OK && s.s.on_cores) status = hd__string_words(&f, bytes, &s.s.words);
    if (status == HD_OK && s.s.n > 0) status = sort_strings(&s);
    if (status == HD_OK && indices.type != HD_NONE)
        status = hd__frame_copy(&f, part(s.order, s.s.n), indices);
    if (status == HD_OK && s.s.offsets.type != HD_NONE)
        status = write_strings(&s, bytes, offsets_out, bytes_out);
    return hd__frame_close(&f, status);
}
