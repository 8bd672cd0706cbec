// SPDX-License-Identifier: Apache-2.0
//
// hd_check_operator: finds a counterexample for operators that are not what they claim, and none
// for those that are, the built-in ones of all types among them.
#include <math.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

HD_OPERATOR(subtract, float, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a - b; })
HD_OPERATOR(subtract_whole, int32_t, HD_NO_SOURCE, HD_ASSOCIATIVE,
            { return (int32_t)((uint32_t)a - (uint32_t)b); })
HD_OPERATOR(average, double, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE, { return (a + b) / 2; })
HD_MONOID(wrong_identity, int64_t, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE, 1,
          { return a > b ? a : b; })
HD_MONOID(half_identity, float, HD_NO_SOURCE, HD_ASSOCIATIVE, 1.0f, {
    (void)b;
    return a;
})
HD_OPERATOR(first_of, uint16_t, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE, {
    (void)b;
    return a;
})
HD_OPERATOR(not_exact, float, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE | HD_EXACT,
            { return a + b; })

HD_OPERATOR(honest_first, uint16_t, HD_NO_SOURCE, HD_ASSOCIATIVE, {
    (void)b;
    return a;
})
HD_MONOID(honest_sum, double, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE, 0.0, { return a + b; })
HD_MONOID(honest_max, int16_t, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE | HD_EXACT, -32768,
          { return a > b ? a : b; })

HD_SOURCE(
    maps, typedef struct { float scale, shift; } affine;)
HD_MONOID(compose, affine, maps, HD_ASSOCIATIVE, HD_BRACES(1.0f, 0.0f), {
    affine r;
    r.scale = a.scale * b.scale;
    r.shift = a.shift * b.scale + b.shift;
    return r;
})
HD_MONOID(compose_commutative, affine, maps, HD_ASSOCIATIVE | HD_COMMUTATIVE, HD_BRACES(1.0f, 0.0f),
          {
              affine r;
              r.scale = a.scale * b.scale;
              r.shift = a.shift * b.scale + b.shift;
              return r;
          })

static hd_context *ctx;

static hd_status check(const hd_operator *op, hd_type type, const hd_check_options *options)
{
    return hd_check_operator(ctx, op, HD_VIEW_OF(type, NULL, 0), options);
}

static void finds(const hd_operator *op, const char *word, const hd_check_options *options)
{
    const hd_status status = check(op, op->type, options);
    CHECK(status == HD_ERROR_OPERATOR, "%s: %s (%s)", op->name, hd_status_name(status),
          hd_error(ctx));
    CHECK(strstr(hd_error(ctx), op->name), "%s is not named: %s", op->name, hd_error(ctx));
    CHECK(strstr(hd_error(ctx), word), "%s: no '%s' in: %s", op->name, word, hd_error(ctx));
    CHECK(strpbrk(hd_error(ctx), "0123456789"), "%s: no example: %s", op->name, hd_error(ctx));
}

static void passes(const hd_operator *op, const hd_check_options *options)
{
    CHECK_OK(ctx, check(op, op->type, options));
    CHECK(hd_error(ctx)[0] == 0, "%s: %s", op->name, hd_error(ctx));
}

static void test_liars(void)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        const hd_check_options options = {.seed = seed}, fields = {.seed = seed, .field = HD_F32};
        finds(subtract, "associativ", &options);
        finds(subtract_whole, "associativ", &options);
        finds(average, "associativ", &options);
        finds(wrong_identity, "identity", &options);
        finds(half_identity, "identity", &options);
        finds(first_of, "commutativ", &options);
        finds(compose_commutative, "commutativ", &fields);
    }
    finds(average, "associativ", NULL);
    finds(not_exact, "associativ", &(hd_check_options){.tolerance = -1});
}

static void test_honest(void)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        const hd_check_options options = {.seed = seed}, fields = {.seed = seed, .field = HD_F32};
        passes(honest_first, &options);
        passes(honest_sum, &options);
        passes(honest_max, &options);
        passes(compose, &fields);
    }
    passes(honest_sum, NULL);
}

static void test_built_in(void)
{
    for (int32_t k = 0; hd_operator_at(k); k++)
        for (int t = 0; check_type(t); t++) {
            const hd_operator *op = hd_operator_at(k);
            const hd_status status = check(op, check_type(t), NULL);
            const bool takes = hd_default_output(op, check_type(t)) != HD_NONE;
            CHECK(status == (takes ? HD_OK : HD_ERROR_TYPE), "%s of %s: %s: %s",
                  hd_operator_name(op), hd_type_name(check_type(t)), hd_status_name(status),
                  hd_error(ctx));
        }
}

// Elements drawn from samples: where the samples show nothing wrong, nothing is found.
static void test_samples(void)
{
    const int64_t large[] = {5, 6, 7, 100}, small[] = {5, 6, -7, 0};
    CHECK_OK(ctx, hd_check_operator(ctx, wrong_identity, HD_VIEW(large, 4), NULL));
    CHECK(hd_check_operator(ctx, wrong_identity, HD_VIEW(small, 4), NULL) == HD_ERROR_OPERATOR,
          "max(1, -7) is not -7");
    const float zeros[] = {0, 0};
    CHECK_OK(ctx, hd_check_operator(ctx, subtract, HD_VIEW(zeros, 2), NULL));
    check_array strided = check_new(HD_I64, 4, CHECK_STRIDED, false);
    check_put(&strided, large);
    CHECK_OK(ctx, hd_check_operator(ctx, wrong_identity, strided.view, NULL));
    check_drop(&strided);
}

static bool always(const void *a, const void *b)
{
    (void)a, (void)b;
    return true;
}

static void test_options(void)
{
    passes(subtract, &(hd_check_options){.equal = always});
    passes(average, &(hd_check_options){.tolerance = 1e9});
    CHECK(check(honest_sum, HD_F64, &(hd_check_options){.tolerance = -1}) == HD_ERROR_OPERATOR,
          "a float sum is not associative to the last bit");
    passes(honest_max, &(hd_check_options){.tolerance = -1, .trials = 100});
    CHECK(hd_check_operator(ctx, NULL, HD_VIEW_OF(HD_F32, NULL, 0), NULL) == HD_ERROR_ARGUMENT,
          "NULL");
    CHECK(check(honest_sum, HD_F32, NULL) == HD_ERROR_TYPE, "samples of another type");
    CHECK(check(honest_sum, HD_F64, &(hd_check_options){.trials = -5}) != HD_OK, "-5 trials");
}

int main(void)
{
    ctx = check_open(HD_AUTO, 0, NULL);
    test_liars();
    test_honest();
    test_built_in();
    test_samples();
    test_options();
    hd_close(ctx);
    return check_finish();
}
