// SPDX-License-Identifier: Apache-2.0
// Steps of Gauss-Jordan elimination and blocks of triangles for the type REAL. Every element goes
// through the operations that inverse.c and triangular_inverse.c make of hd_map, in their order:
// a column c with pivot row j makes of x in row r
//
//     factor[r] = -(x[r][c] / x[j][c]),  x[r][q] = fma(factor[r], x[j][q], x[r][q]),
//
// and of row j x[j][q] / x[j][c]; column c itself becomes the factors, and 1 / x[j][c].
#define NAME(x) DENSE_NAME(x, REAL)

static void NAME(exchange)(REAL *a, REAL *b, int64_t n, int64_t pitch)
{
    for (int64_t q = 0; q < n; q++) {
        const REAL x = a[q * pitch];
        a[q * pitch] = b[q * pitch];
        b[q * pitch] = x;
    }
}

// The first row from j on with the greatest |column|, or one that is NaN.
static int64_t NAME(pivot)(const REAL *column, int64_t j, int64_t n, double *size)
{
    int64_t at = j;
    REAL most = ABS(column[j]);
    for (int64_t r = j + 1; r < n && most == most; r++) {
        const REAL x = ABS(column[r]);
        if (!(x <= most)) most = x, at = r;
    }
    *size = (double)most;
    return at;
}

static void NAME(exchange_rows)(hd__panel *p, int64_t c, int64_t j, int64_t at)
{
    REAL *const x = p->x, *const step = p->step, *const factor = p->factor;
    p->other[p->first + c] = at;
    if (at == j) return;
    NAME(exchange)(x + j * p->width, x + at * p->width, p->width, 1);
    NAME(exchange)(step + j * HD__PANEL_STEP, step + at * HD__PANEL_STEP, HD__PANEL_STEP, 1);
    NAME(exchange)(factor + j, factor + at, c, p->n);
    NAME(exchange)((REAL *)p->column + j, (REAL *)p->column + at, 1, 1);
}

// Column c of a step with its pivot on row j; p->column holds it, and then the next one.
static void NAME(eliminate_column)(hd__panel *p, int64_t c, int64_t j)
{
    REAL *const step = p->step, *const factor = (REAL *)p->factor + c * p->n;
    REAL *const column = p->column, row[HD__PANEL_STEP];
    const REAL pivot = column[j];
    const int64_t next = c + 1 < HD__PANEL_STEP ? c + 1 : c;
    memcpy(row, step + j * HD__PANEL_STEP, sizeof row);
    for (int64_t r = 0; r < p->n; r++) factor[r] = -(column[r] / pivot);
    for (int64_t r = 0; r < p->n; r++) {
        REAL *const x = step + r * HD__PANEL_STEP;
        for (int q = 0; q < HD__PANEL_STEP; q++) x[q] = FMA(factor[r], row[q], x[q]);
        x[c] = factor[r];
        column[r] = x[next];
    }
    for (int q = 0; q < HD__PANEL_STEP; q++) step[j * HD__PANEL_STEP + q] = row[q] / pivot;
    step[j * HD__PANEL_STEP + c] = 1 / pivot;
    column[j] = step[j * HD__PANEL_STEP + next];
}

// The rows of the pivots in all columns of the panel, and what they were at their time.
static void NAME(eliminate_rows)(hd__panel *p, const REAL *pivot)
{
    const int64_t top = p->diagonal + p->first, width = p->width;
    REAL *const x = (REAL *)p->x + top * width;
    for (int64_t c = 0; c < p->taken; c++) {
        REAL *const row = (REAL *)p->row + c * width;
        const REAL *const factor = (const REAL *)p->factor + c * p->n + top;
        memcpy(row, x + c * width, (size_t)width * sizeof *row);
        for (int64_t i = 0; i < p->taken; i++)
            for (int64_t q = 0; q < width; q++)
                x[i * width + q] =
                    i == c ? row[q] / pivot[c] : FMA(factor[i], row[q], x[i * width + q]);
    }
}

static void NAME(eliminate)(hd__panel *p)
{
    const int64_t left = p->width - p->first;
    const int64_t taken = left < HD__PANEL_STEP ? left : (int64_t)HD__PANEL_STEP;
    const REAL *const x = (const REAL *)p->x + p->first;
    REAL *const step = p->step, *const column = p->column, pivot[HD__PANEL_STEP];
    for (int64_t r = 0; r < p->n; r++) {
        for (int64_t q = 0; q < HD__PANEL_STEP; q++)
            step[r * HD__PANEL_STEP + q] = q < taken ? x[r * p->width + q] : 0;
        column[r] = step[r * HD__PANEL_STEP];
    }
    for (p->taken = 0; p->taken < taken; p->taken++) {
        const int64_t c = p->taken, j = p->diagonal + p->first + c;
        const int64_t at = NAME(pivot)(column, j, p->n, &p->size);
        if (p->size == 0 || !isfinite(p->size)) return;
        NAME(exchange_rows)(p, c, j, at);
        pivot[c] = column[j];
        NAME(eliminate_column)(p, c, j);
    }
    NAME(eliminate_rows)(p, pivot);
}

// The columns of the step where they stand.
static void NAME(put_step)(const hd__panel *p, int64_t r)
{
    const REAL *const from = (const REAL *)p->step + r * HD__PANEL_STEP;
    REAL *const to = (REAL *)p->x + r * p->width + p->first;
    for (int64_t c = 0; c < p->taken; c++) to[c] = from[c];
}

static void NAME(follow)(const hd__panel *p, int64_t begin, int64_t end)
{
    const int64_t top = p->diagonal + p->first, width = p->width, n = p->n;
    const REAL *const factor = p->factor, *const row = p->row;
    for (int64_t r = begin; r < end; r++) {
        REAL *const x = (REAL *)p->x + r * width;
        const bool own = r >= top && r < top + p->taken;
        if (!own && p->taken == HD__PANEL_STEP) {
            REAL f[HD__PANEL_STEP];
            for (int c = 0; c < HD__PANEL_STEP; c++) f[c] = factor[c * n + r];
            for (int64_t q = 0; q < width; q++) {
                REAL sum = x[q];
                for (int c = 0; c < HD__PANEL_STEP; c++) sum = FMA(f[c], row[c * width + q], sum);
                x[q] = sum;
            }
        } else if (!own) {
            for (int64_t c = 0; c < p->taken; c++)
                for (int64_t q = 0; q < width; q++)
                    x[q] = FMA(factor[c * n + r], row[c * width + q], x[q]);
        }
        NAME(put_step)(p, r);
    }
}

// ---- Triangles ----------------------------------------------------------------------------------

// out = a b, of m x k and k x n, by chains from +0 on.
static void NAME(multiply)(const REAL *a, int64_t a_pitch, const REAL *b, int64_t b_pitch,
                           REAL *out, int64_t m, int64_t k, int64_t n)
{
    for (int64_t i = 0; i < m; i++) {
        REAL *const sum = out + i * n;
        for (int64_t j = 0; j < n; j++) sum[j] = 0;
        for (int64_t t = 0; t < k; t++)
            for (int64_t j = 0; j < n; j++)
                sum[j] = FMA(a[i * a_pitch + t], b[t * b_pitch + j], sum[j]);
    }
}

static void NAME(invert_triangle)(void *triangle, int64_t pitch, int64_t n)
{
    enum { HALF = HD__TRIANGLE_BLOCK / 2 };
    REAL *const x = triangle, half[HALF * HALF], whole[HALF * HALF];
    for (int64_t s = 1; s < n; s *= 2)
        for (int64_t at = 0; at + s < n; at += 2 * s) {
            const int64_t low = at + s, rows = n - low < s ? n - low : s;
            NAME(multiply)
            (x + low * pitch + low, pitch, x + low * pitch + at, pitch, half, rows, rows, s);
            NAME(multiply)(half, s, x + at * pitch + at, pitch, whole, rows, s, s);
            for (int64_t i = 0; i < rows; i++)
                for (int64_t j = 0; j < s; j++) x[(low + i) * pitch + at + j] = -whole[i * s + j];
        }
}

static const hd__dense_kernels NAME(row) = {NAME(eliminate), NAME(follow), NAME(invert_triangle)};

#undef NAME
