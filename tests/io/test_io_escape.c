// SPDX-License-Identifier: Apache-2.0
//
// Text from outside on its way to a terminal: what is printable stays, everything else is \xNN.
#include <string.h>

#include "tests/support/check.h"
#include "io/support/error.h"
#include "io/support/escape.h"

#define BYTES(s) (s), sizeof(s) - 1

static void check(const char *text, size_t n, io_escape_kind kind, const char *expected)
{
    char out[256];
    const size_t taken = io_escape(out, sizeof out, text, n, kind);
    CHECK(taken == n && strcmp(out, expected) == 0, "expected %s, got %s", expected, out);
    const bool same = strlen(expected) == n && memcmp(expected, text, n) == 0;
    CHECK(io_is_printable(text, n, kind) == same, "printable: %s", expected);
}

static void kinds(void)
{
    check(BYTES("plain \\ text"), IO_ESCAPE_ALL, "plain \\ text");
    check(BYTES("\x1b]0;title\x07"), IO_ESCAPE_ALL, "\\x1b]0;title\\x07");
    check(BYTES("a\0b"), IO_ESCAPE_ALL, "a\\x00b");
    check(BYTES("a\tb\nc\r"), IO_ESCAPE_ALL, "a\\x09b\\x0ac\\x0d");
    check(BYTES("a\tb\nc\r"), IO_ESCAPE_KEEP_TABS, "a\tb\\x0ac\\x0d");
    check(BYTES("a\tb\nc\r"), IO_ESCAPE_KEEP_LINES, "a\tb\nc\\x0d");
    check(BYTES("\x7f"), IO_ESCAPE_KEEP_LINES, "\\x7f");
}

static void characters(void)
{
    // é, the euro, an emoji and the last character stay.
    check(BYTES("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf"), IO_ESCAPE_ALL,
          "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf");
    check(BYTES("\xc2\x9b[31m"), IO_ESCAPE_ALL, "\\xc2\\x9b[31m"); // C1: another way to say ESC [
    check(BYTES("\xc2\xa0"), IO_ESCAPE_ALL, "\xc2\xa0");
    check(BYTES("\xe2\x80\xae"), IO_ESCAPE_ALL, "\\xe2\\x80\\xae"); // right to left from here
    check(BYTES("\x9b\xff\xc3"), IO_ESCAPE_ALL, "\\x9b\\xff\\xc3");
    check(BYTES("\xc1\x9b"), IO_ESCAPE_ALL, "\\xc1\\x9b");          // too long a form
    check(BYTES("\xe0\x82\x9b"), IO_ESCAPE_ALL, "\\xe0\\x82\\x9b"); // too
    check(BYTES("\xed\xa0\x80"), IO_ESCAPE_ALL, "\\xed\\xa0\\x80"); // half of a pair
    check(BYTES("\xf4\x90\x80\x80"), IO_ESCAPE_ALL, "\\xf4\\x90\\x80\\x80");
    check(BYTES("\xe2\x82x"), IO_ESCAPE_ALL, "\\xe2\\x82x"); // cut off
}

// A copy that has no room for all ends with a whole character or escape.
static void room(void)
{
    char out[8];
    for (size_t n = 1; n <= sizeof out; n++) {
        memset(out, '#', sizeof out);
        const size_t taken = io_escape(out, n, BYTES("a\x1b\xc3\xa9z"), IO_ESCAPE_ALL);
        static const char *const expected[] = {"",  "a",      "a",      "a",
                                               "a", "a\\x1b", "a\\x1b", "a\\x1b\xc3\xa9"};
        static const size_t takes[] = {0, 1, 1, 1, 1, 2, 2, 4};
        CHECK(strcmp(out, expected[n - 1]) == 0 && taken == takes[n - 1], "%zu: %s", n, out);
        CHECK(n == sizeof out || out[n] == '#', "wrote past %zu bytes", n);
    }
}

static void errors(void)
{
    io_error error;
    io_fail(&error, IO_FORMAT, "%s: got '%s'", "a\x1b[2J.npy", "x\ny");
    CHECK(strcmp(error.text, "a\\x1b[2J.npy: got 'x\\x0ay'") == 0, "%s", error.text);
    char name[4096];
    memset(name, '\x1b', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    io_fail(&error, IO_FORMAT, "%s", name);
    CHECK(io_is_printable(error.text, strlen(error.text), IO_ESCAPE_ALL), "%s", error.text);
}

int main(void)
{
    kinds();
    characters();
    room();
    errors();
    return check_finish();
}
