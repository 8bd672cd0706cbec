// SPDX-License-Identifier: Apache-2.0
//
// The tests' own reference, tested: the tree drawn as text with its parentheses, the 16-bit floats
// against their definition, a few operators by hand.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

// ---- The tree: "op" puts parentheses around two texts ---------------------------------------

typedef struct text {
    char s[120];
} text;

static void parenthesise(const void *self, void *out, const void *a, const void *b)
{
    (void)self;
    const text *x = a, *y = b;
    text result;
    snprintf(result.s, sizeof result.s, "(%.58s%.58s)", x->s, y->s);
    memcpy(out, &result, sizeof result);
}

static const ref_monoid parentheses = {sizeof(text), parenthesise, NULL};

static void test_tree(void)
{
    static const char *expected[] = {"a",
                                     "(ab)",
                                     "((ab)c)",
                                     "((ab)(cd))",
                                     "(((ab)(cd))e)",
                                     "(((ab)(cd))(ef))",
                                     "((((ab)(cd))(ef))g)",
                                     "(((ab)(cd))((ef)(gh)))",
                                     "((((ab)(cd))((ef)(gh)))i)",
                                     "((((ab)(cd))((ef)(gh)))(ij))",
                                     "(((((ab)(cd))((ef)(gh)))(ij))k)"};
    enum { N = sizeof expected / sizeof *expected };
    text letters[N], scanned[N], reduced;
    memset(letters, 0, sizeof letters);
    for (int i = 0; i < N; i++) letters[i].s[0] = (char)('a' + i);
    ref_tree_scan(&parentheses, letters, N, NULL, scanned);
    for (int i = 0; i < N; i++) {
        ref_tree_reduce(&parentheses, letters, i + 1, &reduced);
        CHECK(strcmp(reduced.s, expected[i]) == 0, "R(%d) is %s", i + 1, reduced.s);
        CHECK(strcmp(scanned[i].s, expected[i]) == 0, "scan[%d] is %s", i, scanned[i].s);
    }
}

static void test_segmented_tree(void)
{
    // Heads at 0, 3 and 4: the pairs combine on the absolute index.
    static const char *expected[] = {"a", "(ab)", "((ab)c)", "d",
                                     "e", "(ef)", "((ef)g)", "((ef)(gh))"};
    static const unsigned char heads[] = {1, 0, 0, 1, 1, 0, 0, 0};
    text letters[8], scanned[8];
    memset(letters, 0, sizeof letters);
    for (int i = 0; i < 8; i++) letters[i].s[0] = (char)('a' + i);
    ref_tree_scan(&parentheses, letters, 8, heads, scanned);
    for (int i = 0; i < 8; i++)
        CHECK(strcmp(scanned[i].s, expected[i]) == 0, "scan[%d] is %s", i, scanned[i].s);
}

// ---- 16-bit floats --------------------------------------------------------------------------

static void test_narrow(hd_type type)
{
    // Every value comes back; between two neighbours the nearer one, at the middle the even one.
    for (int bits = 0; bits < 0x8000; bits++) {
        const uint16_t here = (uint16_t)bits, next = (uint16_t)(bits + 1);
        const double x = ref_to_double(type, &here), y = ref_to_double(type, &next);
        if (x != x) continue;
        CHECK(ref_narrow(type, x) == here, "%s 0x%04x", hd_type_name(type), bits);
        CHECK(ref_narrow(type, -x) == (here | 0x8000), "%s -0x%04x", hd_type_name(type), bits);
        if (!(y - x < (double)INFINITY)) continue;
        const double middle = x + (y - x) / 2;
        const uint16_t even = bits % 2 ? next : here;
        CHECK(ref_narrow(type, middle) == even, "%s above 0x%04x", hd_type_name(type), bits);
        CHECK(ref_narrow(type, nextafter(middle, x)) == here, "%s 0x%04x", hd_type_name(type),
              bits);
        CHECK(ref_narrow(type, nextafter(middle, y)) == next, "%s 0x%04x", hd_type_name(type),
              bits);
    }
    const uint16_t nan = ref_narrow(type, (double)NAN);
    const double back = ref_to_double(type, &nan);
    CHECK(back != back, "%s NaN is 0x%04x", hd_type_name(type), nan);
}

static void test_known_halves(void)
{
    static const struct {
        hd_type type;
        double x;
        uint16_t bits;
    } known[] = {{HD_F16, 1.0, 0x3c00},      {HD_F16, -2.0, 0xc000},
                 {HD_F16, 65504.0, 0x7bff},  {HD_F16, 65519.99, 0x7bff},
                 {HD_F16, 65520.0, 0x7c00},  {HD_F16, 0x1p-24, 0x0001},
                 {HD_F16, 0x1p-25, 0x0000},  {HD_F16, 0x1p-14, 0x0400},
                 {HD_F16, 1.0 / 3, 0x3555},  {HD_BF16, 1.0, 0x3f80},
                 {HD_BF16, 1.0 / 3, 0x3eab}, {HD_BF16, 3.3895313892515355e38, 0x7f7f},
                 {HD_BF16, 3.4e38, 0x7f80},  {HD_BF16, 0x1p-133, 0x0001}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        CHECK(ref_narrow(known[k].type, known[k].x) == known[k].bits, "%s of %.17g is 0x%04x",
              hd_type_name(known[k].type), known[k].x, ref_narrow(known[k].type, known[k].x));
}

// ---- Operators by hand ----------------------------------------------------------------------

static void test_operators(void)
{
    const float x[] = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f};
    volatile float a = x[0] + x[1], b = x[2] + x[3], c = a + b, sum = c + x[4], mean = sum / 5.0f;
    float got;
    int64_t index;
    ref_reduce(HD_SUM, HD_F32, x, 5, HD_F32, &got, NULL, NULL);
    CHECK(got == sum, "sum is %.9g, expected %.9g", (double)got, (double)sum);
    ref_reduce(HD_MEAN, HD_F32, x, 5, HD_F32, &got, NULL, NULL);
    CHECK(got == mean, "mean is %.9g, expected %.9g", (double)got, (double)mean);
    ref_reduce(HD_ARGMAX, HD_F32, x, 5, HD_I64, &index, &got, NULL);
    CHECK(index == 4 && got == 0.5f, "argmax is %d", (int)index);
    const double y[] = {1, 2, 3, 4};
    double variance;
    ref_reduce(HD_VARIANCE, HD_F64, y, 4, HD_F64, &variance, NULL, NULL);
    CHECK(variance == 1.25, "variance is %.17g", variance);
    ref_reduce(HD_VARIANCE, HD_F64, y, 4, HD_F64, &variance, NULL, &(ref_how){.ddof = 4});
    CHECK(variance != variance, "variance over nothing is %.17g", variance);
    const int8_t bytes[] = {100, 100, 100};
    int8_t narrow;
    int32_t wide;
    ref_reduce(HD_SUM, HD_I8, bytes, 3, HD_I8, &narrow, NULL, NULL);
    ref_reduce(HD_SUM, HD_I8, bytes, 3, HD_I32, &wide, NULL, NULL);
    CHECK(narrow == 44 && wide == 300, "sums are %d and %d", narrow, (int)wide);
}

static void test_scan(void)
{
    const int32_t x[] = {3, 1, 7, 0, 4, 1, 6, 3}, init = 100;
    const int32_t inclusive[] = {3, 4, 11, 11, 15, 16, 22, 25};
    const int32_t exclusive[] = {100, 103, 104, 111, 111, 115, 116, 122};
    const int32_t backward[] = {25, 22, 21, 14, 14, 10, 9, 3};
    const int32_t parts[] = {11, 8, 7, 4, 4, 10, 9, 3}; // backward, heads at 0, 3 and 5
    const unsigned char heads[] = {1, 0, 0, 1, 0, 1, 0, 0};
    int32_t got[8];
    ref_scan(HD_SUM, HD_I32, x, 8, HD_I32, got, NULL, NULL);
    CHECK_SAME(HD_I32, got, inclusive, 8, "inclusive");
    ref_scan(HD_SUM, HD_I32, x, 8, HD_I32, got, NULL, &(ref_how){.exclusive = true, .init = &init});
    CHECK_SAME(HD_I32, got, exclusive, 8, "exclusive");
    ref_scan(HD_SUM, HD_I32, x, 8, HD_I32, got, NULL, &(ref_how){.backward = true});
    CHECK_SAME(HD_I32, got, backward, 8, "backward");
    ref_scan(HD_SUM, HD_I32, x, 8, HD_I32, got, NULL, &(ref_how){.backward = true, .heads = heads});
    CHECK_SAME(HD_I32, got, parts, 8, "backward in segments");
}

// An operator that the reference does not know ends the test: it must not pass as a sum.
static void test_unknown_operator(void)
{
    static const hd_operator strange = {.name = "strange"};
    for (int k = 0; k < 4; k++) {
        const pid_t child = fork();
        if (child == 0) {
            uint8_t x[2] = {1, 2}, out;
            if (freopen("/dev/null", "w", stderr) == NULL) _exit(1);
            if (k == 0) ref_accepts(&strange, HD_U8, HD_U8);
            if (k == 1) ref_default(&strange, HD_U8);
            if (k > 1) ref_reduce(&strange, HD_U8, x, k == 2 ? 2 : 0, HD_U8, &out, NULL, NULL);
            _exit(0);
        }
        int status = 0;
        CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status), "call %d: status %d", k,
              status);
    }
}

int main(void)
{
    test_unknown_operator();
    test_tree();
    test_segmented_tree();
    test_narrow(HD_F16);
    test_narrow(HD_BF16);
    test_known_halves();
    test_operators();
    test_scan();
    return check_finish();
}
