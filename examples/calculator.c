// SPDX-License-Identifier: Apache-2.0
// A calculator: expressions of any length and depth, in floats and in integers, where an error is,
// and sums of whole numbers that fit no type.
#include <heddle_algorithms.h>
#include <stdio.h>
#include <string.h>

static hd_view text_of(const char *text)
{
    return hd_view_of(HD_U8, (void *)(uintptr_t)text, (int64_t)strlen(text));
}

static void evaluate(hd_context *ctx, const char *text)
{
    double number = 0;
    int64_t integer = 0, at = -1;
    const hd_evaluate_options options = {.error = HD_REF(HD_VIEW(&at, 1))};
    if (hd_evaluate(ctx, text_of(text), HD_VIEW(&number, 1), &options) != HD_OK) {
        printf("%s: byte %d: %s\n", text, (int)at, hd_error(ctx));
        return;
    }
    printf("%s = %.15g", text, number);
    if (hd_evaluate(ctx, text_of(text), HD_VIEW(&integer, 1), NULL) == HD_OK)
        printf(", in integers %lld", (long long)integer);
    printf("\n");
}

// Fibonacci number n, by sums of n limbs.
static hd_status fibonacci(hd_context *ctx, int n)
{
    enum { LIMBS = 4, DIGITS = 18 * LIMBS };
    uint64_t a[LIMBS] = {0}, b[LIMBS] = {1};
    char digits[DIGITS + 1] = "";
    const hd_bigint_options decimal = {.base = HD_BIGINT_DECIMAL};
    hd_status status = HD_OK;
    for (int k = 0; k < n && !status; k++) {
        uint64_t *least = k % 2 ? b : a, *most = k % 2 ? a : b;
        status = hd_bigint_add(ctx, HD_VIEW(least, LIMBS), HD_VIEW(most, LIMBS),
                               HD_VIEW(least, LIMBS), &decimal);
    }
    if (!status)
        status = hd_bigint_format(ctx, HD_VIEW(n % 2 ? b : a, LIMBS),
                                  hd_view_of(HD_U8, digits, DIGITS), NULL);
    if (!status) printf("Fibonacci %d: %s\n", n, digits + strspn(digits, "0"));
    return status;
}

int main(void)
{
    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);
    if (!status) {
        evaluate(ctx, "1 + 2 * (3 - 4) / 5");
        evaluate(ctx, "((((7))) * -(-6)) - 2");
        evaluate(ctx, "2 * (3 + ) 4");
        status = fibonacci(ctx, 300);
    }
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    hd_close(ctx);
    return status != HD_OK;
}
