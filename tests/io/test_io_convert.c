// SPDX-License-Identifier: Apache-2.0
//
// Conversions between every two types, against a table of what must come out; refusals with their
// element; rounding and scaling.
#include <math.h>
#include <string.h>

#include "tests/support/check.h"
#include "io/numbers/convert.h"

static io_error error;

static io_status one(hd_type from, const void *x, hd_type to, bool round, double scale, void *y)
{
    io_conversion c = {.name = "x", .from = from, .to = to, .round = round, .scale = scale};
    error.text[0] = '\0';
    return io_convert(&c, x, y, 1, &error);
}

// An f64 to an integer type that holds it in an i64.
static void check_real(double x, hd_type to, bool round, bool taken, int64_t want)
{
    unsigned char y[8];
    int64_t back = 0;
    const bool got = one(HD_F64, &x, to, round, 0, y) == IO_OK;
    CHECK(got == taken, "%g to %s: %s", x, hd_type_name(to), error.text);
    if (!got || !taken) return;
    io_conversion c = {.from = to, .to = HD_I64};
    CHECK(io_convert(&c, y, &back, 1, &error) == IO_OK && back == want, "%g to %s: %lld", x,
          hd_type_name(to), (long long)back);
}

static void test_real(void)
{
    check_real(255, HD_U8, false, true, 255);
    check_real(-0.0, HD_U8, false, true, 0);
    check_real(256, HD_U8, false, false, 0);
    check_real(256, HD_U8, true, true, 255);
    check_real(-1, HD_U8, false, false, 0);
    check_real(-1, HD_U8, true, true, 0);
    check_real(0.5, HD_U8, false, false, 0);
    check_real(0.5, HD_U8, true, true, 0); // half to even
    check_real(1.5, HD_U8, true, true, 2);
    check_real(255.5, HD_U8, true, true, 255);
    check_real(-128, HD_I8, false, true, -128);
    check_real(-129, HD_I8, true, true, -128);
    check_real(1e300, HD_I32, true, true, INT32_MAX);
    check_real(-INFINITY, HD_I32, true, true, INT32_MIN);
    check_real(NAN, HD_I32, true, false, 0);
    check_real(NAN, HD_I32, false, false, 0);
    check_real(-0x1p63, HD_I64, false, true, INT64_MIN);
    check_real(0x1p63, HD_I64, false, false, 0);
    check_real(0x1p63, HD_I64, true, true, INT64_MAX);
    check_real(-0x1.0000000000001p63, HD_I64, false, false, 0);
    check_real(-0x1.0000000000001p63, HD_I64, true, true, INT64_MIN);
    uint64_t u;
    const double most = 0x1p64, half = 0x1p63;
    CHECK(one(HD_F64, &most, HD_U64, false, 0, &u) == IO_FORMAT, "2^64");
    CHECK(one(HD_F64, &most, HD_U64, true, 0, &u) == IO_OK && u == UINT64_MAX, "2^64, nearest");
    CHECK(one(HD_F64, &half, HD_U64, false, 0, &u) == IO_OK && u == UINT64_C(1) << 63, "2^63");
}

static void test_integers(void)
{
    const int64_t big = 300, minus = -1;
    const uint64_t huge = UINT64_MAX;
    int8_t i8;
    uint8_t u8;
    int64_t i64;
    uint64_t u64;
    float f;
    CHECK(one(HD_I64, &big, HD_U8, false, 0, &u8) == IO_FORMAT, "300");
    CHECK(strcmp(error.text, "x: element 0: 300 does not fit in u8: expected a whole number in its "
                             "range (--round takes the nearest)") == 0,
          "%s", error.text);
    CHECK(one(HD_I64, &big, HD_U8, true, 0, &u8) == IO_OK && u8 == 255, "300, nearest");
    CHECK(one(HD_I64, &minus, HD_U64, false, 0, &u64) == IO_FORMAT, "-1");
    CHECK(one(HD_I64, &minus, HD_U64, true, 0, &u64) == IO_OK && u64 == 0, "-1, nearest");
    CHECK(one(HD_I64, &minus, HD_I8, false, 0, &i8) == IO_OK && i8 == -1, "-1");
    CHECK(one(HD_U64, &huge, HD_I64, false, 0, &i64) == IO_FORMAT, "2^64 - 1");
    CHECK(one(HD_U64, &huge, HD_I64, true, 0, &i64) == IO_OK && i64 == INT64_MAX, "nearest");
    CHECK(one(HD_U64, &huge, HD_F32, false, 0, &f) == IO_OK && f == 0x1p64f, "rounds");
}

static void test_others(void)
{
    const double x = 0.1, large = 1e39, three = 3;
    const uint8_t yes = 7;
    float f;
    uint8_t b;
    uint16_t h;
    CHECK(one(HD_F64, &x, HD_F32, false, 0, &f) == IO_OK && f == 0.1f, "0.1");
    CHECK(one(HD_F64, &large, HD_F32, false, 0, &f) == IO_OK && isinf(f), "too large");
    CHECK(one(HD_F64, &three, HD_F16, false, 0, &h) == IO_OK && h == 0x4200, "3 as f16");
    CHECK(one(HD_F64, &three, HD_BF16, false, 0, &h) == IO_OK && h == 0x4040, "3 as bf16");
    CHECK(one(HD_F64, &x, HD_BOOL, false, 0, &b) == IO_OK && b == 1, "0.1 is not 0");
    CHECK(one(HD_BOOL, &yes, HD_F32, false, 0, &f) == IO_OK && f == 1, "true is 1");
    CHECK(one(HD_BOOL, &yes, HD_U8, false, 0, &b) == IO_OK && b == 1, "true is 1");
    CHECK(one(HD_F64, &x, HD_U8, true, 255, &b) == IO_OK && b == 26, "scaled to 25.5");
    CHECK(one(HD_F64, &three, HD_F32, false, 0.5, &f) == IO_OK && f == 1.5f, "halved");
    CHECK(one(HD_U8, &yes, HD_U8, false, 2, &b) == IO_OK && b == 14, "doubled");
}

// Exact values survive every way there and back, over blocks; the failing element is named.
static void test_arrays(void)
{
    enum { N = 1000 };
    static int64_t small[N], again[N];
    static unsigned char x[N * 8], y[N * 8];
    for (int k = 0; k < N; k++) small[k] = k % 2;
    for (int a = 0; check_type(a) != HD_NONE; a++)
        for (int b = 0; check_type(b) != HD_NONE; b++) {
            io_conversion first = {.from = HD_I64, .to = check_type(a)};
            io_conversion then = {.from = check_type(a), .to = check_type(b)};
            io_conversion back = {.from = check_type(b), .to = HD_I64};
            CHECK(io_convert(&first, small, x, N, &error) == IO_OK, "%s", error.text);
            CHECK(io_convert(&then, x, y, N, &error) == IO_OK, "%s", error.text);
            CHECK(io_convert(&back, y, again, N, &error) == IO_OK, "%s", error.text);
            CHECK_SAME(HD_I64, again, small, N, "%s to %s", hd_type_name(check_type(a)),
                       hd_type_name(check_type(b)));
        }
    small[700] = 1000;
    io_conversion c = {.name = "x", .from = HD_I64, .to = HD_U8};
    CHECK(io_convert(&c, small, x, 500, &error) == IO_OK && c.done == 500, "%s", error.text);
    CHECK(io_convert(&c, small + 500, x, 500, &error) == IO_FORMAT, "1000");
    CHECK(strstr(error.text, "x: element 700: 1000 does not fit") != NULL, "%s", error.text);
}

int main(void)
{
    test_real();
    test_integers();
    test_others();
    test_arrays();
    return check_finish();
}
