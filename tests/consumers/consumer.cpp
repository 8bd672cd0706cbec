// SPDX-License-Identifier: Apache-2.0
// A user's program in C++11: views of inferred type, options, an operator of its own.
#include <heddle.h>
#include <heddle_complex.h>

#include <cstdio>
#include <vector>

HD_SOURCE(
    complex_numbers, typedef struct { float re, im; } complex;)
HD_MONOID(times, complex, complex_numbers, HD_ASSOCIATIVE | HD_COMMUTATIVE, HD_BRACES(1.0f, 0.0f), {
    complex c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return c;
})
HD_FUNCTION(product, double, HD_NO_SOURCE, (double, x, double, y), { return x * y; })

// Lists of views: of an array for an option, as an argument of a call.
static hd_status lists_of_views(hd_context *ctx, double *dot, int *second)
{
    const double x[3] = {3, 1, 2};
    const int number[3] = {0, 1, 2};
    int ranked[3];
    const hd_view in = HD_VIEW(x, 3), others[1] = {in};
    hd_reduce_options options = hd_reduce_options();
    options.map = product;
    options.with = hd_views_of(others);
    hd_status status = hd_reduce(ctx, in, HD_SUM, HD_VIEW(dot, 1), &options);
    if (!status)
        status =
            hd_sort(ctx, in, HD_EMPTY, HD_VALUES(HD_VIEW(number, 3), HD_VIEW(ranked, 3)), nullptr);
    if (!status) *second = ranked[1];
    return status;
}

static hd_status standard_complex(hd_context *ctx, std::complex<double> *sum)
{
    const std::complex<double> w[3] = {{1, 2}, {3, -4}, {0.5, 0}};
    static_assert(HD_TYPE(std::complex<double>) == HD_C128, "a type of its own");
    return hd_reduce(ctx, HD_VIEW(w, 3), HD_SUM, HD_VIEW(sum, 1), nullptr);
}

int main()
{
    std::vector<double> x(100);
    for (int i = 0; i < 100; i++) x[i] = i + 1;
    double total = 0, dot = 0;
    int second = 0;
    complex z[2] = {{0, 1}, {0, 1}}, square = {0, 0};
    hd_context *ctx;
    hd_status status = hd_open(&ctx, nullptr);
    if (!status)
        status = hd_reduce(ctx, HD_VIEW(x.data(), 100), HD_SUM, HD_VIEW(&total, 1), nullptr);
    hd_scan_options options = hd_scan_options();
    options.exclusive = true;
    if (!status)
        status = hd_scan(ctx, HD_VIEW(x.data(), 100), HD_SUM, HD_VIEW(x.data(), 100), &options);
    if (!status)
        status = hd_reduce(ctx, HD_VIEW_OF(HD_TYPE(complex), z, 2), times,
                           HD_VIEW_OF(HD_TYPE(complex), &square, 1), nullptr);
    if (!status) status = lists_of_views(ctx, &dot, &second);
    std::complex<double> sum;
    if (!status) status = standard_complex(ctx, &sum);
    if (!status && sum != std::complex<double>(4.5, -2)) status = HD_ERROR_VALUE;
    if (status) std::fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    hd_close(ctx);
    std::printf("C++: heddle %s, total %g, last %g, i squared %g\n", hd_version(), total, x[99],
                (double)square.re);
    return status || total != 5050 || x[99] != 4950 || square.re != -1 || dot != 14 || second != 2;
}
