// SPDX-License-Identifier: Apache-2.0
// heddle doctor --warm: makes the common calls once, so that their kernels are compiled and kept.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "program.h"
#include "doctor.h"
#include "cli/args/options.h"
#include "cli/support/escaped.h"

static void show(bool terminal, int32_t k, int32_t all, const char *what)
{
    if (terminal)
        fprintf(stderr, "\r%3d of %d  %-50s", (int)k, (int)all, what);
    else if (k % 16 == 0 || k == all)
        fprintf(stderr, "%d of %d\n", (int)k, (int)all);
}

int doctor_warm(const char *command, hd_context *ctx)
{
    const bool terminal = isatty(2) != 0;
    const int32_t all = hd__gpu_precompiled_calls();
    int32_t done = 0;
    char folder[4096];
    for (int32_t k = 0; k < all; k++) {
        const char *name = "";
        const hd_status status = hd__gpu_precompiled_call(ctx, k, &name);
        // Without a compiler some may not be to be had.
        const bool declined = status == HD_ERROR_BACKEND &&
                              hd__gpu_precompiled_call_form(k) == HD__GPU_PRECOMPILED_CODE;
        if (status != HD_OK && !declined) {
            if (terminal) fputc('\n', stderr);
            fprintf(stderr, "heddle %s: %s:\n", command, name);
            return library_failed(command, ctx, status);
        }
        done += status == HD_OK;
        show(terminal, k + 1, all, name);
    }
    if (terminal) fputc('\n', stderr);
    const char *trouble = hd__kept_folder(folder, sizeof folder);
    if (trouble[0] != 0)
        printf("%d calls went well; their kernels are not kept: %s\n", (int)done, shown(trouble));
    else
        printf("%d calls went well; their kernels are in %s or precompiled\n", (int)done,
               shown(folder));
    return EXIT_DONE;
}
