// SPDX-License-Identifier: Apache-2.0
// Halos: the rows that a rank needs are asked for by their global indices, so that they come from
// however many ranks have them, and each once. The call runs over the rank's own rows, and again
// over those at their two ends with the halo around them.
#include "halo.h"

#include "mpi/direct.h"
#include "mpi/layout.h"
#include "mpi/move/requests.h"
#include "mpi/views.h"

// A rank computes at most a quarter of its rows again where it takes several steps at once.
enum { ROWS_PER_REPEATED = 4 };

typedef struct halo {
    hd_mpi *m;
    const hd__mpi_neighbours *n;
    const int64_t *begin;  // rows of all ranks
    int64_t steps;         // that are taken at once
    int64_t above, below;  // rows that these need
    int64_t before, after; // rows of the halo
    bool whole;            // the halo and the rank's rows are all there are, in order
    hd__mpi_requests wanted;
    hd_view rows; // the halo: `before` rows, then `after`
} halo;

bool hd__mpi_reaches_over(const hd_view *in, int32_t axes, int32_t channels)
{
    return in->ndim == axes + (channels == HD_CHANNELS_LAST);
}

// ---- Which rows ---------------------------------------------------------------------------------

// Borders that are rows of the array everywhere. Beyond the others' edges there is a value, or the
// last row again, of which the call takes care where its rows end at the edges.
static bool folds(int32_t border)
{
    return border == HD_BORDER_REFLECT || border == HD_BORDER_SYMMETRIC || border == HD_BORDER_WRAP;
}

// The row that stands for row i of n, at most n before the first and behind the last.
static int64_t folded(int32_t border, int64_t i, int64_t n)
{
    if (i >= 0 && i < n) return i;
    if (border == HD_BORDER_WRAP) return i < 0 ? i + n : i - n;
    const int64_t again = border == HD_BORDER_SYMMETRIC; // the edge twice
    return i < 0 ? -i - again : 2 * n - 2 - i + again;
}

static int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// As many steps at once as cost little. By reflection rows beyond the edges do not stay what they
// stand for: one step.
static int64_t steps_at_once(const halo *h, int64_t fewest)
{
    const hd__mpi_neighbours *n = h->n;
    if (folds(n->border) && n->border != HD_BORDER_WRAP) return 1;
    const int64_t steps = min_i64(fewest / (ROWS_PER_REPEATED * (n->above + n->below)), n->steps);
    return steps > 1 ? steps : 1;
}

// Where one rank has all rows there is no halo.
static void measure(halo *h)
{
    const int64_t *begin = h->begin, all = begin[h->m->ranks], first = begin[h->m->rank],
                  end = begin[h->m->rank + 1];
    const bool rows_fold = folds(h->n->border);
    int64_t fewest = INT64_MAX, owners = 0;
    for (int r = 0; r < h->m->ranks; r++) {
        if (begin[r + 1] == begin[r]) continue;
        owners++;
        fewest = min_i64(fewest, begin[r + 1] - begin[r]);
    }
    h->steps = h->n->steps;
    h->whole = rows_fold && owners <= 1;
    if (owners <= 1 || h->n->above + h->n->below == 0) return;
    h->steps = steps_at_once(h, fewest);
    h->above = h->steps * h->n->above;
    h->below = h->steps * h->n->below;
    if (end == first) return;
    h->whole = rows_fold && end - first + h->above + h->below >= all;
    h->before = rows_fold && !h->whole ? h->above : min_i64(h->above, first);
    h->after = rows_fold && !h->whole ? h->below : min_i64(h->below, all - end);
    if (h->whole) h->before = first, h->after = all - end;
}

static hd_status list_rows(halo *h, hd_view *index)
{
    const int64_t all = h->begin[h->m->ranks];
    const hd_status status = hd__mpi_row(h->m, HD_I64, h->before + h->after, index);
    if (status != HD_OK) return status;
    int64_t *row = index->data;
    for (int64_t k = 0; k < h->before; k++)
        row[k] = folded(h->n->border, h->begin[h->m->rank] - h->before + k, all);
    for (int64_t k = 0; k < h->after; k++)
        row[h->before + k] = folded(h->n->border, h->begin[h->m->rank + 1] + k, all);
    return HD_OK;
}

static hd_status plan(halo *h)
{
    hd_view index = HD_EMPTY;
    measure(h);
    hd_status status = list_rows(h, &index);
    if (status == HD_OK)
        status = hd__mpi_rows_like(h->m, &h->n->in, h->n->in.type, h->before + h->after, &h->rows);
    return hd__mpi_request(h->m, status, h->begin, index, &h->wanted);
}

// The rows of the halo out of in, one behind the other as they are needed.
static hd_status fetch(halo *h, hd_status status, hd_view in)
{
    hd_view fetched = HD_EMPTY;
    const hd_gather_options rows = {.axis = HD_AXIS(0)};
    status = hd__mpi_fetch(h->m, status, &h->wanted, in, &fetched);
    if (status == HD_OK)
        status =
            hd__mpi_failed(h->m, hd_gather(h->m->ctx, fetched, h->wanted.slot, h->rows, &rows));
    hd__mpi_drop(h->m, &fetched);
    return status;
}

// ---- The call -----------------------------------------------------------------------------------

static hd_status copy_rows(hd_mpi *m, hd_view to, int64_t at, hd_view from, int64_t first,
                           int64_t count)
{
    const int64_t bytes = hd__mpi_row_bytes(&to);
    return hd__mpi_copy_bytes(m, to, at * bytes, from, first * bytes, count * bytes);
}

// Rows first .. end - 1 of this rank's with the halo before and behind them.
static hd_status join_rows(const halo *h, hd_view in, int64_t first, int64_t end, hd_view to)
{
    const int64_t n = in.shape[0], own = first < 0 ? 0 : first;
    hd_status status = copy_rows(h->m, to, 0, h->rows, h->before + first, own - first);
    if (status == HD_OK) status = copy_rows(h->m, to, own - first, in, own, min_i64(end, n) - own);
    return status != HD_OK ? status : copy_rows(h->m, to, n - first, h->rows, h->before, end - n);
}

static hd_status call(const halo *h, int64_t steps, hd_view in, hd_view out)
{
    return hd__mpi_failed(h->m, h->n->call(h->m->ctx, h->n->user, steps, in, out));
}

// Rows first .. end - 1 of out, from all rows that they depend on.
static hd_status run_part(const halo *h, int64_t steps, hd_view in, hd_view out, int64_t first,
                          int64_t end)
{
    hd_mpi *m = h->m;
    const int64_t n = in.shape[0];
    const int64_t above = h->whole ? h->before : h->above, below = h->whole ? h->after : h->below;
    const int64_t from = -min_i64(above - first, h->before),
                  to = min_i64(end + below, n + h->after);
    if (from >= 0 && to <= n && first == from && end == to)
        return call(h, steps, hd_slice(in, 0, first, end - first, 1),
                    hd_slice(out, 0, first, end - first, 1));
    hd_view rows = HD_EMPTY, results = HD_EMPTY;
    hd_status status = hd__mpi_rows_like(m, &in, in.type, to - from, &rows);
    if (status == HD_OK) status = hd__mpi_rows_like(m, &out, out.type, to - from, &results);
    if (status == HD_OK) status = join_rows(h, in, from, to, rows);
    if (status == HD_OK) status = call(h, steps, rows, results);
    if (status == HD_OK) status = copy_rows(m, out, first, results, first - from, end - first);
    hd__mpi_drop(m, &rows);
    hd__mpi_drop(m, &results);
    return status;
}

// All rows as if there were no others, and then those whose neighbours are elsewhere again; or, of
// few rows, all with their halo.
static hd_status run_rows(const halo *h, int64_t steps, hd_view in, hd_view out)
{
    const int64_t n = in.shape[0];
    if (n == 0) return HD_OK;
    if (h->whole || n <= ROWS_PER_REPEATED * (h->above + h->below))
        return run_part(h, steps, in, out, 0, n);
    hd_status status = call(h, steps, in, out);
    if (status == HD_OK && h->before > 0) status = run_part(h, steps, in, out, 0, h->above);
    if (status == HD_OK && h->after > 0) status = run_part(h, steps, in, out, n - h->below, n);
    return status;
}

// Steps at once, from one array to another; the last one is out.
static hd_status run(halo *h, hd_status status)
{
    const hd__mpi_neighbours *n = h->n;
    const int64_t rounds = (n->steps - 1) / h->steps + 1;
    hd_view from = n->in, other = HD_EMPTY;
    if (status == HD_OK && rounds > 1)
        status = hd__mpi_rows_like(h->m, &n->in, n->in.type, n->in.shape[0], &other);
    for (int64_t k = rounds; k > 0; k--) {
        const hd_view to = k % 2 ? n->out : other;
        if (h->n->above + h->n->below > 0) status = fetch(h, status, from);
        if (status == HD_OK)
            status = run_rows(h, min_i64(h->steps, n->steps - (rounds - k) * h->steps), from, to);
        from = to;
    }
    return status;
}

hd_status hd__mpi_check_neighbours(hd_mpi *m, const char *name, const hd__mpi_neighbours *n)
{
    const hd_view in = hd__mpi_flat(&n->in), out = hd__mpi_flat(&n->out);
    const hd_status status =
        hd__mpi_failed(m, n->call(m->ctx, n->user, n->steps, hd_slice(n->in, 0, 0, 0, 1),
                                  hd_slice(n->out, 0, 0, 0, 1)));
    if (status != HD_OK) return status;
    if (n->in.shape[0] != n->out.shape[0])
        return hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: out has %lld rows; expected %lld, as in", name,
                            (long long)n->out.shape[0], (long long)n->in.shape[0]);
    return hd__mpi_check_apart(m, name, "out", &out, "in", &in);
}

hd_status hd__mpi_run_neighbours(hd_mpi *m, hd_status status, const char *name,
                                 const hd__mpi_neighbours *n)
{
    halo h = {.m = m, .n = n};
    const bool well = status == HD_OK;
    const hd__mpi_number same[] = {
        {"the bytes of a row of in", well ? hd__mpi_row_bytes(&n->in) : 0},
        {"the rows above that a row needs", n->above},
        {"the rows below that a row needs", n->below},
        {"border", n->border},
        {"iterations", n->steps}};
    status = hd__mpi_same_numbers(m, status, name, same, 5);
    status = hd__mpi_begins(m, status, well ? n->in.shape[0] : 0, &h.begin);
    if (status != HD_OK) return status;
    return run(&h, plan(&h));
}
