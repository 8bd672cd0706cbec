// SPDX-License-Identifier: Apache-2.0
// hd_mpi_convolve and hd_mpi_blur: how far the mask, or the weights of a blur, reach along the
// first axis, and the call over rows with their halo.
#include "halo.h"
#include "mpi/direct.h"
#include "mpi/stage.h"
#include "mpi/views.h"

static hd_status check_arrays(hd_mpi *m, const char *name, const hd__mpi_neighbours *n, size_t size,
                              size_t known)
{
    hd_status status = hd__mpi_check_size(m, name, size, known);
    if (status == HD_OK) status = m->staging;
    if (status == HD_OK) status = hd__mpi_check_array(m, name, "in", &n->in);
    return status != HD_OK ? status : hd__mpi_check_array(m, name, "out", &n->out);
}

// ---- Convolution --------------------------------------------------------------------------------

typedef struct convolution {
    hd_view mask; // a copy without gaps
    hd_convolve_options o;
} convolution;

static hd_status convolve(hd_context *ctx, const void *user, int64_t steps, hd_view in, hd_view out)
{
    const convolution *c = user;
    (void)steps; // one
    return hd_convolve(ctx, in, c->mask, out, &c->o);
}

static hd_status check_convolve(hd_mpi *m, convolution *c, hd__mpi_neighbours *n)
{
    static const char name[] = "hd_mpi_convolve";
    hd_status status = check_arrays(m, name, n, c->o.size, sizeof c->o);
    n->border = c->o.border != HD_BORDER_DEFAULT ? c->o.border : HD_BORDER_ZERO;
    if (status == HD_OK && c->mask.type != HD_NONE)
        status = hd__mpi_copy(m, &c->mask, c->mask.type, &c->mask);
    if (status == HD_OK) status = hd__mpi_check_neighbours(m, name, n);
    if (status != HD_OK || !hd__mpi_reaches_over(&n->in, c->mask.ndim, c->o.channels))
        return status;
    n->above = c->o.anchor != NULL ? c->o.anchor[0] : c->mask.shape[0] / 2;
    n->below = c->mask.shape[0] - 1 - n->above;
    return HD_OK;
}

hd_status hd_mpi_convolve(hd_mpi *mpi, hd_view in, hd_view mask, hd_view out,
                          const hd_convolve_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd__mpi_take_device(mpi);
    hd__mpi_stage(mpi, &in, HD__MPI_READ);
    hd__mpi_stage_small(mpi, &mask, HD__MPI_READ);
    hd__mpi_stage(mpi, &out, HD__MPI_WRITTEN);
    convolution c = {.mask = mask, .o = HD__MPI_OPTIONS(hd_convolve_options, options)};
    hd__mpi_neighbours n = {.in = in, .out = out, .steps = 1, .call = convolve, .user = &c};
    const hd_status status = check_convolve(mpi, &c, &n);
    return hd__mpi_end(mpi, hd__mpi_run_neighbours(mpi, status, "hd_mpi_convolve", &n));
}

// ---- Blur ---------------------------------------------------------------------------------------

typedef struct blurring {
    double sigma;
    hd_blur_options o;
} blurring;

static hd_status blur(hd_context *ctx, const void *user, int64_t steps, hd_view in, hd_view out)
{
    const blurring *b = user;
    (void)steps; // one
    return hd_blur(ctx, in, b->sigma, out, &b->o);
}

// The radius, or more: that of three boxes of a standard deviation of sigma is at most 3 sigma + 3,
// as each is at most 2 sigma + 3 wide.
static int64_t radius_of(const blurring *b)
{
    const double three = 3 * b->sigma;
    if (b->o.radius != 0) return b->o.radius;
    return (int64_t)three + (b->o.method == HD_BLUR_BOX ? 4 : 1);
}

static hd_status check_blur(hd_mpi *m, const blurring *b, hd__mpi_neighbours *n)
{
    static const char name[] = "hd_mpi_blur";
    hd_status status = check_arrays(m, name, n, b->o.size, sizeof b->o);
    n->border = b->o.border != HD_BORDER_DEFAULT ? b->o.border : HD_BORDER_REFLECT;
    if (status == HD_OK) status = hd__mpi_check_neighbours(m, name, n);
    if (status == HD_OK && hd__mpi_reaches_over(&n->in, 2, b->o.channels))
        n->above = n->below = radius_of(b);
    return status;
}

hd_status hd_mpi_blur(hd_mpi *mpi, hd_view in, double sigma, hd_view out,
                      const hd_blur_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd__mpi_take_device(mpi);
    hd__mpi_stage(mpi, &in, HD__MPI_READ);
    hd__mpi_stage(mpi, &out, HD__MPI_WRITTEN);
    blurring b = {.sigma = sigma, .o = HD__MPI_OPTIONS(hd_blur_options, options)};
    hd__mpi_neighbours n = {.in = in, .out = out, .steps = 1, .call = blur, .user = &b};
    const hd_status status = check_blur(mpi, &b, &n);
    return hd__mpi_end(mpi, hd__mpi_run_neighbours(mpi, status, "hd_mpi_blur", &n));
}
