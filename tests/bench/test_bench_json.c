// SPDX-License-Identifier: Apache-2.0
//
// The reader of results: JSON as it must be read or refused, and what is taken from a document in
// google-benchmark's schema.
#include "bench/harness/json_read.c"
#include "bench/support/statistics.c"
#include "bench/harness/compare.c"

#include "tests/support/check.h"

static json_value *read(const char *text)
{
    char error[256] = "";
    json_value *v = json_read(text, strlen(text), error, sizeof error);
    CHECK((v == NULL) == (error[0] != 0), "a failure has a text: %s", text);
    return v;
}

static void test_values(void)
{
    json_value *v =
        read(" {\"a\": [1, -2.5e3, true, false, null, {}], \"b\\n\": \"\\u00e9\\ud83d\\ude00\"} ");
    CHECK(v && v->kind == JSON_OBJECT, "an object");
    const json_value *a = json_get(v, "a");
    CHECK(a && a->kind == JSON_ARRAY && a->first->number == 1, "a list");
    CHECK(a && a->first->next->number == -2500, "a number");
    CHECK(strcmp(json_get_text(v, "b\n", ""), "\xc3\xa9\xf0\x9f\x98\x80") == 0, "escapes");
    CHECK(json_get_number(v, "c", 7) == 7 && json_get(a, "a") == NULL, "what is not there");
    json_free(v);
    CHECK((v = read("[]")) != NULL, "an empty list");
    json_free(v);
    CHECK((v = read("0")) != NULL, "a bare number");
    json_free(v);
    json_free(NULL);
}

static void test_refusals(void)
{
    static const char *const wrong[] = {"",
                                        " ",
                                        "{",
                                        "[",
                                        "[1,]",
                                        "{\"a\"}",
                                        "{\"a\":}",
                                        "{\"a\":1,}",
                                        "{a:1}",
                                        "01",
                                        "1.",
                                        ".5",
                                        "1e",
                                        "+1",
                                        "tru",
                                        "nul",
                                        "\"",
                                        "\"\\",
                                        "\"\\x\"",
                                        "\"\\u12\"",
                                        "\"\\ud800\"",
                                        "\"\\udc00\"",
                                        "\"\\u0000\"",
                                        "\"a\nb\"",
                                        "[1] 2",
                                        "{\"a\":1 \"b\":2}",
                                        "NaN",
                                        "[1 2]",
                                        "\"\\u12",
                                        "-"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        CHECK(read(wrong[k]) == NULL, "'%s' is not JSON", wrong[k]);
    char deep[200], error[64];
    memset(deep, '[', sizeof deep);
    CHECK(json_read(deep, sizeof deep, error, sizeof error) == NULL, "nesting ends");
    // Every prefix of a document is refused, without reading past its end.
    const char *text = "{\"a\": [1.5, \"x\\u00e9\", true]}";
    for (size_t n = 0; n < strlen(text); n++) {
        char *copy = malloc(n ? n : 1);
        memcpy(copy, text, n);
        CHECK(json_read(copy, n, error, sizeof error) == NULL, "a prefix of %zu bytes", n);
        free(copy);
    }
    json_read("[1,\n2,\n!]", 9, error, sizeof error);
    CHECK(strstr(error, "line 3") != NULL, "the line is named: %s", error);
}

static void test_rows(void)
{
    const char *text =
        "{\"context\": {}, \"benchmarks\": ["
        "{\"name\": \"a\", \"run_type\": \"iteration\", \"real_time\": 2, \"time_unit\": \"us\"},"
        "{\"name\": \"a\", \"run_type\": \"iteration\", \"real_time\": 4, \"time_unit\": \"us\"},"
        "{\"name\": \"a_mean\", \"run_name\": \"a\", \"run_type\": \"aggregate\", \"real_time\": "
        "9},"
        "{\"name\": \"b\", \"real_time\": 5, \"time_unit\": \"ns\", \"samples\": [4, 5, 9]},"
        "{\"name\": \"c\", \"error_occurred\": true},"
        "{\"name\": 7}, 3]}";
    char error[256];
    timed_rows rows;
    json_value *v = read(text);
    CHECK(timed_rows_read(&rows, v, error, sizeof error) && rows.count == 2, "two rows");
    const timed_row *a = timed_rows_find(&rows, "a"), *b = timed_rows_find(&rows, "b");
    CHECK(a && a->count == 2 && a->time.median == 3000, "repetitions are samples");
    CHECK(b && b->count == 3 && b->time.median == 5, "raw samples");
    CHECK(timed_rows_find(&rows, "c") == NULL, "errors are passed over");
    timed_rows_free(&rows);
    json_free(v);
    v = read("{\"benchmarks\": 1}");
    CHECK(!timed_rows_read(&rows, v, error, sizeof error) && error[0], "no list");
    json_free(v);
}

int main(void)
{
    test_values();
    test_refusals();
    test_rows();
    return check_finish();
}
