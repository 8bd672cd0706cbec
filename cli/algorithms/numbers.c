// SPDX-License-Identifier: Apache-2.0
//
// Lists of numbers, or files of them.
#include "numbers.h"

#include <string.h>

#include "cli/support/print.h"

enum { MAX_TOKEN = 64 };

// Reads the list into numbers, which may be NULL; -1: it is none.
static int64_t read_list(const char *text, double *numbers)
{
    int64_t count = 0;
    while (true) {
        char token[MAX_TOKEN];
        double value;
        const size_t n = strcspn(text, ",");
        if (n == 0 || n >= sizeof token) return -1;
        memcpy(token, text, n), token[n] = '\0';
        if (!print_parse(HD_F64, token, &value)) return -1;
        if (numbers != NULL) numbers[count] = value;
        count++;
        if (text[n] == '\0') return count;
        text += n + 1;
    }
}

int numbers_load(workspace *w, const char *text, const io_read_options *how, hd_view *view)
{
    *view = (hd_view){0};
    if (text == NULL) return EXIT_DONE;
    const int64_t count = read_list(text, NULL);
    if (count < 0) return workspace_load(w, text, how, view);
    EXIT_TRY(workspace_row(w, HD_F64, count, view));
    read_list(text, view->data);
    return EXIT_DONE;
}

int numbers_real(workspace *w, hd_view *view)
{
    hd_view real;
    if (view->type == HD_F32 || view->type == HD_F64) return EXIT_DONE;
    EXIT_TRY(workspace_alloc(w, HD_F64, view->ndim, view->shape, &real));
    EXIT_TRY(workspace_call(w, hd_map(w->ctx, *view, NULL, real, NULL)));
    *view = real;
    return EXIT_DONE;
}
