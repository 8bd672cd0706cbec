// SPDX-License-Identifier: Apache-2.0
// Labels of host memory by the cores: bands of rows, whose runs are joined to those of the row
// above by union and find (Hoshen and Kopelman, "Percolation and cluster distribution", 1976; by
// runs: He, Chao and Suzuki, "A run-based two-scan labeling algorithm", 2008), then the borders of
// the bands.
#include "label.h"

#include <string.h>

#include "../support/team.h"

enum { BANDS = 4, LEAST_ROWS = 16 }; // of a thread; of a band

// Run i of a row is from edge[2 i] to before edge[2 i + 1]. Each row has room for all the runs that
// it can have, so those of a band may be numbered before those of the bands above it are counted.
typedef struct labels {
    const uint8_t *in;
    int64_t in_step, h, w, rows; // rows: of a band
    int64_t bands, room;         // room: runs of a row, at most
    bool diagonal;
    int32_t *edge;
    int64_t *parent; // of each run; once they are numbered, its label
    int64_t *first;  // of each row, and one more for each band: its first run
    void *out;
    int64_t out_step;
    hd_type type;
} labels;

static int64_t band_begin(const labels *l, int64_t k)
{
    return k * l->rows < l->h ? k * l->rows : l->h;
}

// The first run of row y of band k, and of the row behind the band's last one.
static int64_t *first_of(const labels *l, int64_t k, int64_t y)
{
    return l->first + y + k;
}

// ---- Runs -------------------------------------------------------------------------------------

// A bit for each of 8 bytes that is not 0.
static inline uint64_t bits_of(const uint8_t *in)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t v;
    memcpy(&v, in, sizeof v);
    v = (((v & low) + low) | v) >> 7 & UINT64_C(0x0101010101010101);
    return v * UINT64_C(0x0102040810204080) >> 56;
}

static uint64_t word_of(const uint8_t *in, int64_t n)
{
    uint64_t word = 0;
    int k = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; k + 8 <= n && k < 64; k += 8) word |= bits_of(in + k) << k;
#endif
    for (; k < n && k < 64; k++) word |= (uint64_t)(in[k] != 0) << k;
    return word;
}

// The runs of a row: where it changes from 0 to others and back.
static int64_t find_runs(const labels *l, int64_t y, int32_t *edge)
{
    const uint8_t *in = l->in + y * l->in_step;
    int64_t n = 0;
    uint64_t before = 0;
    for (int64_t x = 0; x < l->w; x += 64) {
        const uint64_t word = word_of(in + x, l->w - x);
        for (uint64_t edges = word ^ (word << 1 | before); edges != 0; edges &= edges - 1)
            edge[n++] = (int32_t)(x + __builtin_ctzll(edges));
        before = word >> 63;
    }
    if (n % 2 == 1) edge[n++] = (int32_t)l->w;
    return n / 2;
}

// ---- Union and find ---------------------------------------------------------------------------

static inline int64_t root_of(int64_t *parent, int64_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// The lower root becomes that of both: so it is the first run of the component.
static inline void join(int64_t *parent, int64_t i, int64_t j)
{
    const int64_t a = root_of(parent, i), b = root_of(parent, j);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

// Joins the runs i .. i_end - 1 of a row to those of the next one that they meet.
static void join_rows(const labels *l, int64_t i, int64_t i_end, int64_t j, int64_t j_end)
{
    const int32_t *edge = l->edge;
    const int64_t reach = l->diagonal;
    while (i < i_end && j < j_end) {
        if (edge[2 * i] < edge[2 * j + 1] + reach && edge[2 * j] < edge[2 * i + 1] + reach)
            join(l->parent, i, j);
        if (edge[2 * i + 1] < edge[2 * j + 1])
            i++;
        else
            j++;
    }
}

static void label_band(void *user, int64_t k)
{
    const labels *l = user;
    const int64_t begin = band_begin(l, k), end = band_begin(l, k + 1);
    int64_t at = begin * l->room;
    for (int64_t y = begin; y < end; y++) {
        const int64_t before = y > begin ? *first_of(l, k, y - 1) : at;
        const int64_t n = find_runs(l, y, l->edge + 2 * at);
        *first_of(l, k, y) = at;
        for (int64_t i = at; i < at + n; i++) l->parent[i] = i;
        join_rows(l, before, at, at, at + n);
        at += n;
    }
    *first_of(l, k, end) = at;
}

static void join_bands(const labels *l)
{
    for (int64_t k = 1; k < l->bands; k++) {
        const int64_t y = band_begin(l, k);
        join_rows(l, *first_of(l, k - 1, y - 1), *first_of(l, k - 1, y), *first_of(l, k, y),
                  *first_of(l, k, y + 1));
    }
}

// The label of each run, in the place of its parent, which is before it.
static int64_t number_runs(const labels *l)
{
    int64_t count = 0;
    for (int64_t k = 0; k < l->bands; k++) {
        const int64_t end = *first_of(l, k, band_begin(l, k + 1));
        for (int64_t i = *first_of(l, k, band_begin(l, k)); i < end; i++)
            l->parent[i] = l->parent[i] == i ? ++count : l->parent[l->parent[i]];
    }
    return count;
}

// ---- Painting ---------------------------------------------------------------------------------

#define TYPE uint8_t
#include "label_paint.inc"
#define TYPE uint16_t
#include "label_paint.inc"
#define TYPE uint32_t
#include "label_paint.inc"
#define TYPE uint64_t
#include "label_paint.inc"

static void paint_band(void *user, int64_t k)
{
    const labels *l = user;
    for (int64_t y = band_begin(l, k), end = band_begin(l, k + 1); y < end; y++) {
        const int64_t first = *first_of(l, k, y), behind = *first_of(l, k, y + 1);
        switch (hd_type_size(l->type)) {
        case 1: paint_uint8_t(l, y, first, behind); break;
        case 2: paint_uint16_t(l, y, first, behind); break;
        case 4: paint_uint32_t(l, y, first, behind); break;
        default: paint_uint64_t(l, y, first, behind); break;
        }
    }
}

// ---- The call ---------------------------------------------------------------------------------

static bool is_plain(hd_view v)
{
    return (v.shape[1] < 2 || v.stride[1] == 1) && (uintptr_t)v.data % hd_type_size(v.type) == 0;
}

bool hd__label_cores_fit(hd_view in, hd_view out)
{
    return hd_count(in) > 0 && in.shape[1] < INT32_MAX && is_plain(out);
}

static hd_status allocate(labels *l, hd__frame *f, hd_view in)
{
    hd_view flags, edge, parent, first;
    hd_status status = hd__frame_row(f, HD_I32, 2 * l->h * l->room, &edge);
    if (status == HD_OK) status = hd__frame_row(f, HD_I64, l->h * l->room, &parent);
    if (status == HD_OK) status = hd__frame_row(f, HD_I64, l->h + l->bands, &first);
    if (status != HD_OK) return status;
    l->edge = edge.data, l->parent = parent.data, l->first = first.data;
    l->in = in.data, l->in_step = in.stride[0];
    if (hd_type_size(in.type) == 1 && is_plain(in)) return HD_OK;
    status = hd__frame_dense(f, in, HD_BOOL, &flags);
    l->in = flags.data, l->in_step = l->w;
    return status;
}

hd_status hd__label_cores(hd__frame *f, hd_view in, bool diagonal, hd__label_painting *p)
{
    const int32_t threads = hd__team_size(f->ctx);
    labels l = {.h = in.shape[0], .w = in.shape[1], .diagonal = diagonal};
    l.rows = (l.h + BANDS * (int64_t)threads - 1) / (BANDS * (int64_t)threads);
    if (l.rows < LEAST_ROWS) l.rows = LEAST_ROWS;
    l.bands = (l.h + l.rows - 1) / l.rows, l.room = (l.w + 1) / 2;
    const hd_status status = allocate(&l, f, in);
    if (status != HD_OK) return status;
    hd__team_run(threads, l.bands, label_band, &l);
    join_bands(&l);
    p->count = number_runs(&l);
    if (!hd__label_holds(p->out.type, p->count)) return HD_OK;
    l.out = p->out.data, l.out_step = p->out.stride[0], l.type = p->out.type;
    hd__team_run(threads, l.bands, paint_band, &l);
    return HD_OK;
}
