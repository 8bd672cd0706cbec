// SPDX-License-Identifier: Apache-2.0
//
// The bins of heddle histogram: from options, and from the data where options leave them open.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "histogram.h"
#include "io/support/limit.h"
#include "io/support/memory.h"

#define DEFAULT_BINS 10 // as numpy.histogram has

static int refuse(const workspace *w, const bin_options *o, const char *option, const char *why)
{
    return fail(EXIT_USAGE, w->command, "--%s%s: %s", o->prefix, option, why);
}

// "LO:HI"
static int read_range(const workspace *w, const bin_options *o, bin_axis *axis)
{
    char *end;
    axis->lower = strtod(o->range, &end);
    bool good = end != o->range && *end == ':';
    const char *second = good ? end + 1 : o->range;
    axis->upper = good ? strtod(second, &end) : 0;
    good = good && end != second && *end == '\0' && axis->lower < axis->upper;
    if (good) return EXIT_DONE;
    return fail(EXIT_USAGE, w->command,
                "--%srange: expected LO:HI, two numbers with LO below HI, got '%.80s'", o->prefix,
                o->range);
}

// The least and the greatest element, as numbers of the widest type of their kind.
typedef struct extent {
    hd_type type;
    union {
        int64_t i;
        uint64_t u;
        double f;
    } least, most;
} extent;

static int find_extent(workspace *w, hd_view in, extent *e)
{
    static const hd_type widest[] = {
        [HD_I8] = HD_I64,  [HD_I16] = HD_I64,  [HD_I32] = HD_I64, [HD_I64] = HD_I64,
        [HD_U8] = HD_U64,  [HD_U16] = HD_U64,  [HD_U32] = HD_U64, [HD_U64] = HD_U64,
        [HD_F16] = HD_F64, [HD_BF16] = HD_F64, [HD_F32] = HD_F64, [HD_F64] = HD_F64};
    *e = (extent){.type = HD_U64, .most.u = 1};
    if (in.type == HD_BOOL || hd_count(in) == 0) return EXIT_DONE;
    e->type = widest[in.type];
    workspace_begin(w);
    const hd_view least = hd_view_of(e->type, &e->least, 1),
                  most = hd_view_of(e->type, &e->most, 1);
    EXIT_TRY(workspace_call(w, hd_reduce(w->ctx, in, HD_MIN, least, NULL)));
    return workspace_call(w, hd_reduce(w->ctx, in, HD_MAX, most, NULL));
}

static double as_double(const extent *e, bool most)
{
    if (e->type == HD_F64) return most ? e->most.f : e->least.f;
    if (e->type == HD_I64) return (double)(most ? e->most.i : e->least.i);
    return (double)(most ? e->most.u : e->least.u);
}

static int choose_even(workspace *w, const bin_options *o, hd_view in, bin_axis *axis)
{
    axis->kind = BINS_EVEN;
    axis->bins = o->bins.given ? o->bins.value : DEFAULT_BINS;
    if (o->range != NULL) return read_range(w, o, axis);
    extent e;
    EXIT_TRY(find_extent(w, in, &e));
    axis->lower = as_double(&e, false);
    axis->upper = as_double(&e, true);
    if (!isfinite(axis->lower) || !isfinite(axis->upper))
        return refuse(w, o, "range", "needed: there are elements that are not finite");
    if (axis->lower == axis->upper) axis->lower -= 0.5, axis->upper += 0.5;
    return EXIT_DONE;
}

// From 0, or the least if that is below, to the greatest.
static int choose_integers(workspace *w, const bin_options *o, hd_view in, bin_axis *axis)
{
    extent e;
    axis->kind = BINS_INTEGERS;
    axis->first = o->first.value;
    axis->bins = o->bins.value;
    if (o->bins.given && o->first.given) return EXIT_DONE;
    EXIT_TRY(find_extent(w, in, &e));
    const bool is_signed = e.type == HD_I64;
    if (!o->first.given && is_signed && e.least.i < 0) axis->first = e.least.i;
    if (o->bins.given) return EXIT_DONE;
    axis->bins = 1; // where all values are below the first bin
    if (is_signed ? e.most.i < axis->first : axis->first > 0 && e.most.u < (uint64_t)axis->first)
        return EXIT_DONE;
    const uint64_t span = e.most.u - (uint64_t)axis->first; // the bits of either type
    if (span >= (uint64_t)HD_MAX_BINS || (!is_signed && e.most.u > INT64_MAX))
        return fail(EXIT_USAGE, w->command,
                    "one bin a value: the values need more than %lld bins; give --%sbins",
                    (long long)HD_MAX_BINS, o->prefix);
    axis->bins = (int64_t)span + 1;
    return EXIT_DONE;
}

static int choose_edges(workspace *w, const bin_options *o, bin_axis *axis)
{
    EXIT_TRY(workspace_load(w, o->edges, NULL, &axis->edges));
    axis->kind = BINS_EDGES;
    axis->bins = hd_count(axis->edges) - 1;
    if (axis->bins < 1) return refuse(w, o, "edges", "expected two edges or more");
    return EXIT_DONE;
}

int histogram_axis(workspace *w, const bin_options *o, hd_view in, bin_axis *axis)
{
    const bool real =
        in.type == HD_F16 || in.type == HD_BF16 || in.type == HD_F32 || in.type == HD_F64;
    const bool even = o->range != NULL || (o->bins.given && !o->integers && !o->first.given);
    const int rules = (o->edges != NULL) + (o->range != NULL) + o->integers + o->letters.given;
    *axis = (bin_axis){.bins = 1};
    if (rules > 1)
        return fail(EXIT_USAGE, w->command,
                    "--%srange, --%sedges, --integers, --letters: expected one of them", o->prefix,
                    o->prefix);
    if (o->edges != NULL && o->bins.given)
        return refuse(w, o, "bins", "the edges say how many there are");
    if (o->letters.given) {
        axis->kind = BINS_LETTERS;
        axis->letters = (int32_t)o->letters.value;
        axis->bins = (26 + axis->letters - 1) / axis->letters;
        return EXIT_DONE;
    }
    if (o->edges != NULL) return choose_edges(w, o, axis);
    if (even || (real && !o->integers)) return choose_even(w, o, in, axis);
    return choose_integers(w, o, in, axis);
}

int histogram_text(const char *command, const char *file, void **memory, hd_view *view)
{
    io_source source;
    io_error error;
    size_t room = 1 << 16, count = 0, got = 1;
    unsigned char *bytes = io_allocate(room);
    *memory = bytes;
    if (io_source_open(&source, file, &error) != IO_OK) return io_failed(command, &error);
    int code = EXIT_DONE;
    while (code == EXIT_DONE && bytes != NULL && got > 0) {
        if (count == room) {
            int64_t larger;
            if (io_limit_grow(source.name, "the text", (int64_t)count + 1, 2 * (int64_t)room,
                              (int64_t)count, &larger, &error) != IO_OK) {
                code = io_failed(command, &error);
                continue;
            }
            unsigned char *more = io_allocate((size_t)larger);
            if (more != NULL) memcpy(more, bytes, count);
            free(bytes);
            *memory = bytes = more;
            room = (size_t)larger;
            continue;
        }
        if (io_source_read(&source, bytes + count, room - count, &got, &error) != IO_OK)
            code = io_failed(command, &error);
        else
            count += got;
    }
    io_source_close(&source);
    if (bytes == NULL) return fail(EXIT_IO, command, "no memory for %s", file);
    *view = hd_view_of(HD_U8, bytes, (int64_t)count);
    return code;
}
