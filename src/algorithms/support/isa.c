// SPDX-License-Identifier: Apache-2.0
// The number of a context's instruction set among those that are built in, and the tables of each.
#include "isa.h"

#include <string.h>

int hd__isa_of(const hd_context *ctx)
{
#define NAME_OF(isa) #isa,
    static const char *const names[] = {HD__EACH_ISA(NAME_OF)};
    const char *const wanted = hd_isa(ctx);
    for (int k = (int)(sizeof names / sizeof *names) - 1; k > 0; k--)
        if (strcmp(names[k], wanted) == 0) return k;
    return 0;
}
