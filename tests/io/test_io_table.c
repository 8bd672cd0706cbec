// SPDX-License-Identifier: Apache-2.0
//
// Tables with words: their lines, header and columns, what is wrong with some, and writing them in
// another order.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/support/memory.h"
#include "io/table.h"
#include "tests/support/io_memory.h"

static const char people[] = "name,age,\"height, m\"\n"
                             "Ada,36,1.6\n"
                             "\"Brown, \"\"Bob\"\"\",7,\n"
                             "# nobody\n"
                             "\"two\nlines\",50,2\n";

static io_table load(const char *text, io_table_header header)
{
    io_table t;
    io_error error = {.text = ""};
    CHECK(io_table_load_memory(&t, "t", text, strlen(text), header, &error) == IO_OK, "%s",
          error.text);
    return t;
}

static void test_lines(void)
{
    io_table t = load(people, IO_HEADER_FIND);
    CHECK(t.rows == 3 && t.columns == 3 && t.header && t.separator == ',',
          "%lld rows, %lld columns", (long long)t.rows, (long long)t.columns);
    CHECK(t.row[1].end - t.row[1].begin == 19, "the line of Bob");
    CHECK(memcmp(t.text.data + t.row[2].begin, "\"two\nlines\"", 11) == 0, "a line of two");
    CHECK(io_table_find(&t, "age") == 1 && io_table_find(&t, "height, m") == 2, "titles");
    CHECK(io_table_find(&t, "ag") == -1 && io_table_find(&t, "") == -1, "no titles");
    io_table_release(&t);
    io_table_release(&t);
}

static void test_columns(void)
{
    io_table t = load(people, IO_HEADER_FIND);
    io_array a;
    io_error error = {.text = ""};
    CHECK(io_table_column(&t, 1, HD_NONE, &a, &error) == IO_OK, "%s", error.text);
    CHECK_SAME(HD_I64, a.view.data, ((int64_t[]){36, 7, 50}), 3, "ages");
    CHECK(a.view.type == HD_I64 && hd_count(a.view) == 3, "ages");
    io_array_release(&a);
    CHECK(io_table_column(&t, 1, HD_F32, &a, &error) == IO_OK, "%s", error.text);
    CHECK_SAME(HD_F32, a.view.data, ((float[]){36, 7, 50}), 3, "ages as floats");
    io_array_release(&a);
    CHECK(io_table_column(&t, 2, HD_NONE, &a, &error) == IO_OK, "%s", error.text);
    CHECK_SAME(HD_F64, a.view.data, ((double[]){1.6, (double)__builtin_nan(""), 2}), 3, "heights");
    io_array_release(&a);
    CHECK(io_table_column(&t, 0, HD_NONE, &a, &error) == IO_FORMAT, "names");
    CHECK(strstr(error.text, "t: line 2, column 1: expected a number, got 'Ada'") != NULL, "%s",
          error.text);
    CHECK(io_table_column(&t, 2, HD_I32, &a, &error) == IO_FORMAT, "no integers");
    CHECK(strstr(error.text, "line 2, column 3: expected a number of type i32, got '1.6'"), "%s",
          error.text);
    CHECK(io_table_column(&t, 3, HD_NONE, &a, &error) == IO_ARGUMENT, "no such column");
    CHECK(strstr(error.text, "expected a column from 1 to 3, got 4") != NULL, "%s", error.text);
    CHECK(io_table_column(&t, -1, HD_NONE, &a, &error) == IO_ARGUMENT, "no such column");
    io_table_release(&t);
    t = load("a 1\nb 2\nc x\n", IO_HEADER_FIND);
    CHECK(io_table_column(&t, 1, HD_NONE, &a, &error) == IO_FORMAT, "x");
    CHECK(strstr(error.text, "line 3, column 2") != NULL, "%s", error.text);
    io_table_release(&t);
}

static void test_header(void)
{
    io_table t = load("Ada,36\nBob,7\n", IO_HEADER_FIND);
    CHECK(!t.header && t.rows == 2, "words in every line are no header");
    io_table_release(&t);
    t = load("Ada,36\nBob,7\n", IO_HEADER_YES);
    CHECK(t.header && t.rows == 1, "said to be one");
    io_table_release(&t);
    t = load("a,b\n1,2\n", IO_HEADER_NO);
    CHECK(!t.header && t.rows == 2, "said to be none");
    io_table_release(&t);
    t = load("a\n\n", IO_HEADER_FIND);
    CHECK(!t.header && t.rows == 1, "a single line");
    io_table_release(&t);
    t = load("1,b\n2,3\n", IO_HEADER_FIND);
    CHECK(t.header, "a word over a number");
    io_table_release(&t);
    t = load("1,NA\n2,3\n", IO_HEADER_FIND);
    CHECK(!t.header && t.rows == 2, "a missing value over a number is no title");
    io_table_release(&t);
}

static void refused(const char *text, const char *words)
{
    io_table t;
    io_error error = {.text = ""};
    CHECK(io_table_load_memory(&t, "t", text, strlen(text), IO_HEADER_FIND, &error) == IO_FORMAT,
          "%s", words);
    CHECK(strstr(error.text, words) != NULL, "expected '%s', got '%s'", words, error.text);
    io_table_release(&t);
}

static void test_refused(void)
{
    io_table t;
    io_error error = {.text = ""};
    refused("a,b\nc\n", "t: line 2, column 2: expected 2 fields, as in the first line, got 1");
    refused("a,b\n\nc,d,e\n", "line 3, column 3: expected 2 fields");
    refused("a,\"b\nc,d\n", "line 1, column 2: the quote is not closed");
    refused("", "expected lines of fields, got nothing");
    CHECK(io_table_load(&t, "no such file", IO_HEADER_FIND, &error) == IO_SYSTEM, "none");
}

static const char name[] = "io_table.csv";

static void check_file(const char *want)
{
    char got[512];
    FILE *f = fopen(name, "rb");
    const size_t n = f == NULL ? 0 : fread(got, 1, sizeof got - 1, f);
    if (f != NULL) fclose(f);
    got[n] = '\0';
    CHECK(strcmp(got, want) == 0, "expected '%s', got '%s'", want, got);
    unlink(name);
}

static void test_write(void)
{
    io_table t = load("x,y\nb,2\na,1\nc,3\n", IO_HEADER_FIND);
    io_error error = {.text = ""};
    int64_t order[] = {1, 0, 2, 1};
    uint32_t narrow[] = {2};
    CHECK(io_table_write(&t, name, HD_VIEW(order, 3), &error) == IO_OK, "%s", error.text);
    check_file("x,y\na,1\nb,2\nc,3\n");
    CHECK(io_table_write(&t, name, HD_VIEW(order, 4), &error) == IO_OK, "%s", error.text);
    check_file("x,y\na,1\nb,2\nc,3\na,1\n");
    CHECK(io_table_write(&t, name, HD_VIEW(narrow, 1), &error) == IO_OK, "%s", error.text);
    check_file("x,y\nc,3\n");
    CHECK(io_table_write(&t, name, (hd_view){0}, &error) == IO_OK, "%s", error.text);
    check_file("x,y\nb,2\na,1\nc,3\n");
    order[1] = 3;
    CHECK(io_table_write(&t, name, HD_VIEW(order, 3), &error) == IO_ARGUMENT, "a bad index");
    CHECK(strstr(error.text, "line 1 of the new order: expected a row from 0 to 2, got 3"), "%s",
          error.text);
    float f[1] = {0};
    CHECK(io_table_write(&t, name, HD_VIEW(f, 1), &error) == IO_ARGUMENT, "floats");
    CHECK(strstr(error.text, "expected integers one after another") != NULL, "%s", error.text);
    CHECK(access(name, F_OK) != 0, "nothing was written");
    if (access("/dev/full", W_OK) == 0) {
        CHECK(io_table_write(&t, "/dev/full", (hd_view){0}, &error) == IO_SYSTEM, "full");
        CHECK(strstr(error.text, "No space left") != NULL, "%s", error.text);
    }
    io_table_release(&t);
    t = load("x,y\r\nb,2\r\na,1", IO_HEADER_FIND);
    order[1] = 0;
    CHECK(io_table_write(&t, name, HD_VIEW(order, 2), &error) == IO_OK, "%s", error.text);
    check_file("x,y\r\na,1\r\nb,2\r\n");
    io_table_release(&t);
}

// Many lines, long ones among them, and each allocation failing in turn.
static void test_many(void)
{
    enum { N = 3000, LONG = 100000 };
    char *text = check_memory(N * 16 + LONG + 16), *to = text;
    io_table t;
    io_array a;
    io_error error = {.text = ""};
    for (int k = 0; k < N; k++) to += sprintf(to, "w%d,%d\n", k, N - k);
    memset(to, 'z', LONG);
    memcpy(to + LONG, ",5\n", 4);
    t = load(text, IO_HEADER_FIND);
    CHECK(t.rows == N + 1 && !t.header, "%lld", (long long)t.rows);
    CHECK(io_table_column(&t, 1, HD_NONE, &a, &error) == IO_OK, "%s", error.text);
    CHECK(((int64_t *)a.view.data)[N - 1] == 1 && ((int64_t *)a.view.data)[N] == 5, "the last two");
    io_array_release(&a);
    CHECK(io_table_write(&t, name, (hd_view){0}, &error) == IO_OK, "%s", error.text);
    FILE *f = fopen(name, "rb");
    char *again = check_memory(N * 16 + LONG + 16);
    const size_t n = f == NULL ? 0 : fread(again, 1, N * 16 + LONG + 16, f);
    if (f != NULL) fclose(f);
    CHECK(n == strlen(text) && memcmp(again, text, n) == 0, "as it was");
    unlink(name);
    io_table_release(&t);
    bool well = false;
    for (int64_t k = 0; k < 40 && !well; k++) {
        io_allocations_left = k;
        io_status s = io_table_load_memory(&t, "t", text, strlen(text), IO_HEADER_FIND, &error);
        if (s == IO_OK) s = io_table_column(&t, 1, HD_F32, &a, &error);
        if (s == IO_OK) io_array_release(&a);
        if (s == IO_OK) s = io_table_write(&t, name, (hd_view){0}, &error);
        io_allocations_left = -1;
        CHECK(s == IO_OK || s == IO_MEMORY, "%s", error.text);
        well = s == IO_OK;
        CHECK(well == (access(name, F_OK) == 0), "whole or absent");
        io_table_release(&t);
    }
    CHECK(well, "it never works");
    unlink(name);
    free(again);
    free(text);
}

int main(void)
{
    test_lines();
    test_columns();
    test_header();
    test_refused();
    test_write();
    test_many();
    return check_finish();
}
