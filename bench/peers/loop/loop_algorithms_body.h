// SPDX-License-Identifier: Apache-2.0
//
// The loops of loop_algorithms.c for one type: REAL, NAME(x).
static const void *NAME(input)(const peer_job *job, int k)
{
    return ((const peer_algorithm *)job->more)->array[k].data;
}

static int64_t NAME(count)(const peer_job *job, int k)
{
    return ((const peer_algorithm *)job->more)->array[k].n;
}

static void NAME(filter)(const peer_job *job)
{
    const double *b = NAME(input)(job, 1), *a = NAME(input)(job, 2);
    const int64_t length = *(const int64_t *)NAME(input)(job, 3);
    const int order = (int)NAME(count)(job, 2) - 1;
    const REAL *x = job->in;
    REAL *y = job->out;
    for (int64_t at = 0; at < job->n; at += length) {
        REAL d[10] = {0};
        for (int64_t i = at; i < at + length; i++) {
            const REAL in = x[i], out = (REAL)b[0] * in + d[0];
            for (int j = 0; j < order; j++)
                d[j] = (REAL)b[j + 1] * in - (REAL)a[j + 1] * out + d[j + 1];
            y[i] = out;
        }
    }
}

static void NAME(recurrence)(const peer_job *job)
{
    const REAL *x = job->in, *c = NAME(input)(job, 1);
    const REAL second = NAME(count)(job, 1) > 1 ? c[1] : 0;
    REAL *y = job->out, last = 0, before = 0;
    for (int64_t i = 0; i < job->n; i++) {
        const REAL next = x[i] + c[0] * last + second * before;
        before = last, last = y[i] = next;
    }
}

static void NAME(recurrence_own)(const peer_job *job)
{
    const REAL *x = job->in, *c = NAME(input)(job, 1);
    REAL *y = job->out, last = 0, before = 0;
    if (NAME(count)(job, 1) == job->n) {
        for (int64_t i = 0; i < job->n; i++) y[i] = last = x[i] + c[i] * last;
        return;
    }
    for (int64_t i = 0; i < job->n; i++) {
        const REAL next = x[i] + c[2 * i] * last + c[2 * i + 1] * before;
        before = last, last = y[i] = next;
    }
}

static void NAME(polynomial)(const peer_job *job)
{
    const REAL *c = NAME(input)(job, 0), *x = NAME(input)(job, 1);
    const int64_t terms = NAME(count)(job, 0), points = NAME(count)(job, 1);
    REAL *y = job->out;
    for (int64_t i = 0; i < points; i++) {
        REAL r = c[terms - 1];
        for (int64_t k = terms - 2; k >= 0; k--) r = r * x[i] + c[k];
        y[i] = r;
    }
}

// Elimination without pivoting.
static void NAME(tridiagonal)(const peer_job *job)
{
    const REAL *lower = NAME(input)(job, 0), *diagonal = NAME(input)(job, 1),
               *upper = NAME(input)(job, 2), *right = NAME(input)(job, 3);
    const int64_t length = *(const int64_t *)NAME(input)(job, 4);
    REAL *x = job->out, *u = malloc((size_t)length * sizeof *u);
    for (int64_t at = 0; u && at < job->n; at += length) {
        u[0] = upper[at] / diagonal[at], x[at] = right[at] / diagonal[at];
        for (int64_t k = 1; k < length; k++) {
            const int64_t i = at + k;
            const REAL f = 1 / (diagonal[i] - lower[i] * u[k - 1]);
            u[k] = upper[i] * f, x[i] = (right[i] - lower[i] * x[i - 1]) * f;
        }
        for (int64_t k = length - 2; k >= 0; k--) x[at + k] -= u[k] * x[at + k + 1];
    }
    free(u);
}

static void NAME(csr)(const peer_job *job)
{
    const int32_t *offset = NAME(input)(job, 0), *column = NAME(input)(job, 1);
    const REAL *value = NAME(input)(job, 2), *x = NAME(input)(job, 3);
    REAL *y = job->out;
    for (int64_t r = 0; r + 1 < NAME(count)(job, 0); r++) {
        REAL sum = 0;
        for (int32_t k = offset[r]; k < offset[r + 1]; k++) sum += value[k] * x[column[k]];
        y[r] = sum;
    }
}

static void NAME(coo)(const peer_job *job)
{
    const int32_t *row = NAME(input)(job, 0), *column = NAME(input)(job, 1);
    const REAL *value = NAME(input)(job, 2), *x = NAME(input)(job, 3);
    REAL *y = job->out;
    for (int64_t r = 0; r < NAME(count)(job, 3); r++) y[r] = 0;
    for (int64_t k = 0; k < job->n; k++) y[row[k]] += value[k] * x[column[k]];
}
