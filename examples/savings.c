// SPDX-License-Identifier: Apache-2.0
//
// Savings: what is in an account after every year, y[i] = x[i] + c[i] y[i - 1], where x[i] is paid
// in (or out) and the rate c[i] changes from year to year. A linear recurrence looks as if one year
// had to follow another; as a scan of affine maps all years are worked on at once.
#include <heddle_algorithms.h>
#include <stdio.h>

enum { YEARS = 6 };

int main(void)
{
    hd_context *ctx;
    if (hd_open(&ctx, NULL) != HD_OK) return 1;

    const double paid[YEARS] = {100, 100, 100, 100, -150, 100};
    const double rate[YEARS] = {1.5, 1.5, 1.25, 1.0, 1.0, 1.5};
    double opening = 1000, balance[YEARS], needed[YEARS];

    // A coefficient for every element: one axis more, of length 1.
    const int64_t shape[] = {YEARS, 1};
    hd_status status = hd_recurrence(
        ctx, HD_VIEW(paid, YEARS), HD_VIEW_ND(HD_F64, rate, 2, shape, NULL),
        HD_VIEW(balance, YEARS), &(hd_recurrence_options){.initial = HD_REF(HD_VIEW(&opening, 1))});

    // The other way around, with one rate for all years: what must be there at the beginning of
    // each, to pay 100 out then and in every later one.
    const double out[YEARS] = {100, 100, 100, 100, 100, 100}, discount = 0.5;
    if (!status)
        status = hd_recurrence(ctx, HD_VIEW(out, YEARS), HD_VIEW(&discount, 1),
                               HD_VIEW(needed, YEARS), &(hd_recurrence_options){.backward = true});
    if (status) {
        fprintf(stderr, "%s\n", hd_error(ctx));
        return 1;
    }
    for (int i = 0; i < YEARS; i++)
        printf("year %d: balance %g, needed %g\n", i + 1, balance[i], needed[i]);
    hd_close(ctx);
    return 0;
}
