// SPDX-License-Identifier: Apache-2.0
//
// Types, statuses, operators and backends by name and number; HD_VIEW and HD_TYPE of every C type.
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static void test_sizes_and_names(void)
{
    static const struct {
        hd_type type;
        size_t size;
        const char *name;
    } rows[] = {{HD_I8, 1, "i8"},    {HD_I16, 2, "i16"}, {HD_I32, 4, "i32"},   {HD_I64, 8, "i64"},
                {HD_U8, 1, "u8"},    {HD_U16, 2, "u16"}, {HD_U32, 4, "u32"},   {HD_U64, 8, "u64"},
                {HD_F16, 2, "f16"},  {HD_F32, 4, "f32"}, {HD_BF16, 2, "bf16"}, {HD_F64, 8, "f64"},
                {HD_BOOL, 1, "bool"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        CHECK(hd_type_size(rows[k].type) == rows[k].size, "%s", rows[k].name);
        CHECK(strcmp(hd_type_name(rows[k].type), rows[k].name) == 0, "%s is called %s",
              rows[k].name, hd_type_name(rows[k].type));
        CHECK(hd_type_named(rows[k].name) == rows[k].type, "%s", rows[k].name);
    }
    static const char *none[] = {"", "i", "i33", "F32", "f32 ", "float", "structure", "none"};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        CHECK(hd_type_named(none[k]) == HD_NONE, "'%s'", none[k]);
    CHECK(hd_type_named(NULL) == HD_NONE, "NULL");
}

static void test_structures(void)
{
    typedef struct {
        float x, y, z;
    } point;
    typedef struct {
        char bytes[HD_MAX_ELEMENT];
    } largest;
    typedef struct {
        char bytes[HD_MAX_ELEMENT + 1];
    } too_large;
    CHECK(hd_type_size(HD_STRUCT(point)) == 12, "%zu", hd_type_size(HD_STRUCT(point)));
    CHECK(strstr(hd_type_name(HD_STRUCT(point)), "12") != NULL, "%s",
          hd_type_name(HD_STRUCT(point)));
    CHECK(hd_type_size(HD_STRUCT(largest)) == HD_MAX_ELEMENT, "the largest");
    CHECK(hd_type_size(HD_STRUCT(too_large)) == 0, "too large");
    CHECK(HD_TYPE(point) == HD_STRUCT(point), "HD_TYPE of a structure");
    const hd_type bad[] = {HD_NONE, HD_STRUCTURE,      HD_TYPE_KINDS,
                           255,     HD_F32 | 12u << 8, UINT32_MAX};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        CHECK(hd_type_size(bad[k]) == 0, "type 0x%x has size %zu", bad[k], hd_type_size(bad[k]));
        CHECK(hd_type_name(bad[k])[0] != 0, "type 0x%x has no name", bad[k]);
    }
}

#define INFERS(T, expected)                                                                        \
    do {                                                                                           \
        T value[3] = {0};                                                                          \
        const T *constant = value;                                                                 \
        CHECK(HD_TYPE(T) == (expected), "HD_TYPE(" #T ") is %s", hd_type_name(HD_TYPE(T)));        \
        CHECK(HD_VIEW(value, 3).type == (expected), "HD_VIEW of " #T);                             \
        CHECK(HD_VIEW(constant, 3).type == (expected), "HD_VIEW of const " #T);                    \
        CHECK(HD_VIEW(value, 3).read_only == 0 && HD_VIEW(constant, 3).read_only == 1, #T);        \
        CHECK(HD_VIEW_OF(expected, value, 3).read_only == 0, "HD_VIEW_OF " #T);                    \
        CHECK(HD_VIEW_OF(expected, constant, 3).read_only == 1, "HD_VIEW_OF const " #T);           \
        CHECK(HD_VIEW(value, 3).data == value && HD_VIEW(value, 3).shape[0] == 3, #T);             \
        CHECK(hd_constant(value[0], 5).type == (expected), "hd_constant of " #T);                  \
    } while (0)

static void test_inference(void)
{
    INFERS(signed char, HD_I8);
    INFERS(short, HD_I16);
    INFERS(int, HD_I32);
    INFERS(long, sizeof(long) == 8 ? HD_I64 : HD_I32);
    INFERS(long long, HD_I64);
    INFERS(unsigned char, HD_U8);
    INFERS(unsigned short, HD_U16);
    INFERS(unsigned, HD_U32);
    INFERS(unsigned long, sizeof(long) == 8 ? HD_U64 : HD_U32);
    INFERS(unsigned long long, HD_U64);
    INFERS(float, HD_F32);
    INFERS(double, HD_F64);
    INFERS(bool, HD_BOOL);
    INFERS(int8_t, HD_I8);
    INFERS(int64_t, HD_I64);
    INFERS(uint64_t, HD_U64);
}

static void test_statuses(void)
{
    for (int s = 0; s < HD_STATUS_COUNT; s++) {
        CHECK(strncmp(hd_status_name((hd_status)s), s ? "HD_ERROR_" : "HD_OK", s ? 9 : 5) == 0,
              "%d is %s", s, hd_status_name((hd_status)s));
        CHECK(strlen(hd_status_text((hd_status)s)) > 3, "%d", s);
    }
    CHECK(strcmp(hd_status_name(HD_ERROR_SHAPE), "HD_ERROR_SHAPE") == 0, "shape");
    const int strange[] = {-1, HD_STATUS_COUNT, 1000000};
    for (int k = 0; k < 3; k++)
        CHECK(hd_status_name((hd_status)strange[k]) && hd_status_text((hd_status)strange[k]),
              "status %d", strange[k]);
}

static void test_operators(void)
{
    int32_t count = 0;
    for (; hd_operator_at(count); count++) {
        const char *name = hd_operator_name(hd_operator_at(count));
        CHECK(hd_operator_named(name) == hd_operator_at(count), "%s", name);
    }
    CHECK(count >= 17, "%d built-in operators", count);
    CHECK(hd_operator_named("sum") == HD_SUM && hd_operator_named("variance") == HD_VARIANCE,
          "named");
    CHECK(!hd_operator_named("") && !hd_operator_named("Sum") && !hd_operator_named(NULL), "none");
    CHECK(!hd_operator_at(-1) && !hd_operator_at(count) && !hd_operator_at(INT32_MAX), "none");
}

static void test_default_outputs(void)
{
    typedef struct {
        int x[3];
    } three;
    for (int32_t k = 0; hd_operator_at(k); k++) {
        const hd_operator *op = hd_operator_at(k);
        for (int t = 0; check_type(t); t++) {
            const hd_type got = hd_default_output(op, check_type(t));
            CHECK(got == ref_default(op, check_type(t)), "%s of %s is %s", hd_operator_name(op),
                  hd_type_name(check_type(t)), hd_type_name(got));
            CHECK(!got || ref_accepts(op, check_type(t), got), "%s", hd_operator_name(op));
        }
        CHECK(hd_default_output(op, HD_NONE) == HD_NONE, "%s of nothing", hd_operator_name(op));
        CHECK(hd_default_output(op, HD_STRUCT(three)) == HD_NONE, "%s", hd_operator_name(op));
    }
}

static void test_backends(void)
{
    CHECK(strcmp(hd_backend_name(HD_AUTO), "auto") == 0, "%s", hd_backend_name(HD_AUTO));
    CHECK(strcmp(hd_backend_name(HD_SERIAL), "serial") == 0, "%s", hd_backend_name(HD_SERIAL));
    CHECK(strcmp(hd_backend_name(HD_CPU), "cpu") == 0, "%s", hd_backend_name(HD_CPU));
    for (int b = 0; b < HD_BACKEND_COUNT; b++) {
        const char *why = NULL;
        CHECK(hd_backend_named(hd_backend_name((hd_backend)b)) == b, "%d", b);
        CHECK(hd_backend_available((hd_backend)b, &why) || (why && *why), "%d says not why", b);
        (void)hd_backend_available((hd_backend)b, NULL);
    }
    CHECK(hd_backend_named("gpu?") == -1, "gpu?");
    CHECK(hd_backend_named(NULL) == -1, "NULL");
    CHECK(hd_version_number() == HD_VERSION &&
              HD_VERSION == HD_VERSION_MAJOR * 10000 + HD_VERSION_MINOR * 100 + HD_VERSION_PATCH,
          "%d", (int)hd_version_number());
    CHECK(hd_backend_name((hd_backend)77) != NULL, "77");
    CHECK(!hd_backend_available((hd_backend)77, NULL), "77");
    CHECK(hd_backend_available(HD_SERIAL, NULL) && hd_backend_available(HD_CPU, NULL), "cores");
    int runs = 0;
    for (int32_t k = 0; hd_isa_name(k); k++) runs += hd_isa_runs(k);
    CHECK(runs > 0, "no instruction set runs here");
    CHECK(!hd_isa_name(-1) && !hd_isa_runs(-1) && !hd_isa_runs(1000), "out of range");
    CHECK(strlen(hd_version()) >= 5, "%s", hd_version());
}

int main(void)
{
    test_sizes_and_names();
    test_structures();
    test_inference();
    test_statuses();
    test_operators();
    test_default_outputs();
    test_backends();
    return check_finish();
}
