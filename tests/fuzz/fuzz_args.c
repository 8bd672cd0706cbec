// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a command line: arguments are separated by zero bytes, the first byte chooses the
// table of options. What is refused has words; what is taken stays within its limits.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/args.h"
#include "cli/command.h"
#include "cli/support/print.h"

typedef struct fuzz_args {
    const char *text, *choice;
    arg_int number, wide;
    bool a, b;
} fuzz_args;

static const arg_option options[] = {
    ARG_TEXT('t', "text", "FILE", "any text", fuzz_args, text),
    ARG_TEXT(0, "choice", "one|two|three", "one of three", fuzz_args, choice),
    ARG_INT('n', "number", "N", "a small number", fuzz_args, number, -8, 7),
    ARG_INT(0, "wide", "N", "any number", fuzz_args, wide, INT64_MIN, INT64_MAX),
    ARG_FLAG('a', "alpha", "a flag", fuzz_args, a),
    ARG_FLAG('b', "beta", "another", fuzz_args, b),
    ARG_END,
};

static const arg_spec own = {"fuzz", "FILE [FILE]", "nothing", NULL, options, 1, 2};

static void check_own(int argc, char **argv)
{
    fuzz_args fields = {.text = NULL};
    arg_result result;
    const arg_status status = args_parse(&own, argc, argv, &fields, &result);
    if (status == ARG_ERROR && result.error[0] == '\0') abort();
    if (status != ARG_OK) return;
    if (result.count < 1 || result.count > 2) abort();
    if (fields.number.given && (fields.number.value < -8 || fields.number.value > 7)) abort();
    if (fields.choice && strcmp(fields.choice, "one") && strcmp(fields.choice, "two") &&
        strcmp(fields.choice, "three"))
        abort();
}

// The real tables; every structure of theirs is smaller than this.
static void check_real(const arg_spec *spec, int argc, char **argv)
{
    union {
        max_align_t aligned;
        unsigned char bytes[1024];
    } fields;
    arg_result result;
    memset(&fields, 0, sizeof fields);
    if (args_parse(spec, argc, argv, &fields, &result) == ARG_ERROR && !result.error[0]) abort();
}

// A value that is taken as text must be printed as text that is taken again, with the same bits.
static void check_value(hd_type type, const char *text)
{
    unsigned char element[8], again[8];
    char printed[PRINT_ROOM];
    if (!print_parse(type, text, element)) return;
    print_value(type, element, printed);
    if (!print_parse(type, printed, again)) abort();
    const bool nan = strcmp(printed, "nan") == 0;
    if (!nan && memcmp(element, again, hd_type_size(type)) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MAX = 24 };
    char *argv[MAX + 1] = {NULL};
    int argc = 0;
    if (size == 0) return 0;
    char *text = malloc(size); // the first byte is not text: its room is for the last zero
    if (text == NULL) return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    for (size_t at = 0; at < size && argc < MAX; at += strlen(text + at) + 1)
        argv[argc++] = text + at;
    check_own(argc, argv);
    check_real(data[0] & 1 ? &reduce_spec : &scan_spec, argc, argv);
    for (int k = 0; k < argc; k++) check_value(1 + data[0] % (HD_STRUCTURE - 1), argv[k]);
    free(text);
    return 0;
}
