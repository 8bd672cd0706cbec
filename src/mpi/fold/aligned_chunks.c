// SPDX-License-Identifier: Apache-2.0
// A scan of segments that begin on this rank, by the tree over the index of the whole: in chunks
// that lie as its nodes do, each with a carry of the segment that is open where it begins.
#include "aligned_chunks.h"

#include "mpi/direct.h"
#include "offsets.h"

// Elements at .. at + n - 1 of the rank, c of the whole: a chunk, and the heads in it.
typedef struct chunk {
    int64_t at, n;
    const int64_t *head;
    int64_t heads;
    int64_t lead; // elements before the first head
} chunk;

static hd_view part_of(hd_view v, int64_t at, int64_t n)
{
    return v.type == HD_NONE ? v : hd_slice(v, 0, at, n, 1);
}

static hd_status scan_part(const hd__mpi_segmented *s, int64_t at, int64_t n, hd_view out,
                           hd_view values, const hd_view *segments, hd_carry *carry)
{
    hd__mpi_part part;
    hd__mpi_take_part(&s->f, at, n, &part);
    const hd_scan_options o = {.exclusive = s->exclusive,
                               .map = s->f.map,
                               .with = part.with,
                               .ddof = s->f.ddof,
                               .accumulate = s->f.accumulate,
                               .init = s->init,
                               .values = values.type != HD_NONE ? &values : NULL,
                               .segments = segments,
                               .carry = carry};
    return hd__mpi_failed(s->f.m, hd_scan(s->f.m->ctx, part.in, s->f.op, out, &o));
}

// ---- A chunk with heads -------------------------------------------------------------------------

HD_FUNCTION_STATE(from_chunk, int64_t, HD_NO_SOURCE, (int64_t, i), int64_t,
                  { return i < 0 ? i : i + *state; })

// Indices of the chunk's elements as those of the whole. Of no elements there is none.
static hd_status number_outputs(const hd__mpi_segmented *s, const chunk *c, hd_view out)
{
    const int64_t first = s->begin + c->at;
    if (s->f.op != HD_ARGMIN && s->f.op != HD_ARGMAX) return HD_OK;
    return hd__mpi_failed(s->f.m,
                          hd_map(s->f.m->ctx, out, HD_WITH_STATE(from_chunk, &first), out, NULL));
}

static hd_status scan_heads(const hd__mpi_segmented *s, const chunk *c)
{
    hd_mpi *m = s->f.m;
    hd_view local = HD_EMPTY;
    const hd_view out = hd_slice(s->out, 0, c->at, c->n, 1);
    hd_status status = hd__mpi_row(m, HD_I64, c->heads, &local);
    if (status != HD_OK) return status;
    int64_t *offset = local.data;
    for (int64_t j = 0; j < c->heads; j++) offset[j] = c->head[j] - s->begin - c->at;
    status = scan_part(s, c->at, c->n, out, part_of(s->values, c->at, c->n), &local, NULL);
    if (status == HD_OK) status = number_outputs(s, c, out);
    hd__mpi_drop(m, &local);
    return status;
}

// The elements before the first head are scanned aside, since the call over the chunk writes there.
static hd_status scan_chunk(const hd__mpi_segmented *s, const chunk *c, hd_carry *open)
{
    hd_mpi *m = s->f.m;
    hd_view out = HD_EMPTY, values = HD_EMPTY;
    if (c->lead == 0) return scan_heads(s, c);
    hd_status status = hd__mpi_row_near(m, &s->out, s->out.type, c->lead, &out);
    if (status == HD_OK && s->values.type != HD_NONE)
        status = hd__mpi_row_near(m, &s->values, s->values.type, c->lead, &values);
    if (status == HD_OK) status = scan_part(s, c->at, c->lead, out, values, NULL, open);
    if (status == HD_OK) status = scan_heads(s, c);
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_map(m->ctx, out, NULL, hd_slice(s->out, 0, c->at, c->lead, 1), NULL));
    if (status == HD_OK && s->values.type != HD_NONE)
        status = hd__mpi_failed(
            m, hd_map(m->ctx, values, NULL, hd_slice(s->values, 0, c->at, c->lead, 1), NULL));
    hd__mpi_drop(m, &out);
    hd__mpi_drop(m, &values);
    return status;
}

// ---- All chunks ---------------------------------------------------------------------------------

static chunk chunk_at(const hd__mpi_segmented *s, int64_t at, const int64_t *head, int64_t heads)
{
    const int64_t index = s->begin + at, left = s->f.in.shape[0] - at, aligned = index & -index;
    chunk c = {at, index == 0 || aligned > left ? left : aligned, head, 0, 0};
    c.heads = hd__mpi_count_below(head, heads, index + c.n, false);
    c.lead = c.heads > 0 ? head[0] - index : c.n;
    return c;
}

// *open becomes the segment that is open behind the chunk, which none of its elements is written
// before. A head right behind it needs none.
static hd_status open_next(const hd__mpi_segmented *s, const chunk *c, int64_t heads,
                           hd_carry **next)
{
    const int64_t end = c->at + c->n, last = c->head[c->heads - 1];
    *next = NULL;
    if (end == s->f.in.shape[0] || (c->heads < heads && c->head[c->heads] == s->begin + end))
        return HD_OK;
    return hd__mpi_open_carry(&s->f, last, last - s->begin, s->begin + end - last, next);
}

// From the first head on, which is the first element.
static hd_status scan_chunks(const hd__mpi_segmented *s, int64_t from)
{
    hd_carry *open = NULL;
    hd_status status = HD_OK;
    const int64_t *head = s->head;
    int64_t heads = s->heads;
    for (int64_t at = from; status == HD_OK && at < s->f.in.shape[0];) {
        const chunk c = chunk_at(s, at, head, heads);
        if (c.heads == 0) { // goes on in the segment that is open, and so does its carry
            status = scan_part(s, c.at, c.n, hd_slice(s->out, 0, c.at, c.n, 1),
                               part_of(s->values, c.at, c.n), NULL, open);
        } else {
            hd_carry *next = NULL;
            status = open_next(s, &c, heads, &next);
            if (status == HD_OK) status = scan_chunk(s, &c, open);
            hd_carry_close(s->f.m->ctx, open);
            open = next;
        }
        at += c.n, head += c.heads, heads -= c.heads;
    }
    hd_carry_close(s->f.m->ctx, open);
    return status;
}

hd_status hd__mpi_scan_segmented(const hd__mpi_segmented *s, hd_carry *before)
{
    const int64_t n = s->f.in.shape[0], lead = s->heads > 0 ? s->head[0] - s->begin : n;
    hd_status status = HD_OK;
    if (lead > 0 || n == 0) // checks arguments, too
        status = scan_part(s, 0, lead, hd_slice(s->out, 0, 0, lead, 1), part_of(s->values, 0, lead),
                           NULL, before);
    return status == HD_OK ? scan_chunks(s, lead) : status;
}
