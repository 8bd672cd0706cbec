// SPDX-License-Identifier: Apache-2.0
// A context against the archive.
#include <string.h>

#include "bits.h"

static void compare_one(bits_check *check, const bits_case *c, int64_t n,
                        const bits_archive *archive)
{
    char expected[BITS_RESULT], got[BITS_RESULT];
    if (check->largest > 0 && n > check->largest) {
        check->left_out++;
        return;
    }
    const bool known = bits_expected(archive, c->name, n, expected);
    const hd_status status = bits_run(check->ctx, c, n, got);
    if (status == HD_ERROR_BACKEND) {
        check->refused++;
        if (check->declined != NULL) check->declined(check->user, c->name, n);
    } else if (status == HD_OK && known && strcmp(expected, got) == 0) {
        check->same++;
    } else {
        check->different++;
        check->differs(check->user, &(bits_difference){c, n, known ? expected : NULL, got});
    }
}

void bits_compare(bits_check *check, const bits_list *list, const bits_archive *archive)
{
    const int64_t parts = check->parts > 0 ? check->parts : 1;
    for (int64_t k = 0; k < list->count; k++) {
        const bits_case *c = &list->at[k];
        for (const int64_t *n = c->sizes; *n >= 0; n++)
            if (k % parts == check->part)
                compare_one(check, c, *n, archive);
            else
                check->left_out++;
        if (check->step != NULL) check->step(check->user, k + 1);
    }
}
