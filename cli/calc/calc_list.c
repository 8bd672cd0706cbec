// SPDX-License-Identifier: Apache-2.0
//
// Lists of whole numbers of the command line.
#include "calc.h"

#include <errno.h>
#include <stdlib.h>

#include "cli/support/exit.h"

static int bad_list(const char *option, const char *text, int64_t least, int64_t most)
{
    return fail(EXIT_USAGE, "calc",
                "--%s %s: expected up to %d whole numbers from %lld to %lld with commas in between",
                option, text, CALC_MAX, (long long)least, (long long)most);
}

int calc_read_list(const char *option, const char *text, int64_t least, int64_t most,
                   calc_list *list)
{
    if (text == NULL) return EXIT_DONE;
    list->count = 0;
    for (const char *at = text;; at++) {
        char *end;
        errno = 0;
        const long long value = strtoll(at, &end, 10);
        if (end == at || errno != 0 || value < least || value > most || list->count == CALC_MAX)
            return bad_list(option, text, least, most);
        list->value[list->count++] = value;
        at = end;
        if (*at == 0) return EXIT_DONE;
        if (*at != ',') return bad_list(option, text, least, most);
    }
}
